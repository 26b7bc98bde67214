"""The commands that answer for records: all cases, what errors say, and that no record gets them to fall over."""

import copy
import json
import math
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from agari.agents.registry import parse_agent
from agari.experiments.cli import main
from agari.experiments.commands.positions import (
    DEEPEST,
    analyze_answer,
    apply_answer,
    legal_answer,
    perft_answer,
    replay_answer,
    tribute_answer,
)
from agari.sim.errors import InputError
from agari.sim.game import Game
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from ..case_files import Case, cases, what_counts
from ..daifugo_table import GAME

POSITIONS, GAMES, TRIBUTES, PERFT = (cases(kind) for kind in ("positions", "games", "tribute", "perft"))
MUST_LEAD = next(case for case in GAMES if not case["rules"]["lead_pass"])
POSITION = POSITIONS[0]


def lines(records: list[Case]) -> str:
    """Records as JSON Lines."""
    return "".join(json.dumps(record) + "\n" for record in records)


def agari(*arguments: str, given: str = "") -> Result:
    """The command in this process."""
    return CliRunner().invoke(main, arguments, input=given)


def process(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    command = [sys.executable, "-m", "agari.experiments.cli", *arguments]
    return subprocess.run(command, input=given, capture_output=True, text=True, check=False)


def complaints(done: Result | subprocess.CompletedProcess[str]) -> str:
    """What a command said on standard error, but for what it says when kernels are compiled."""
    return done.stderr.replace("compiling, once\n", "")


def told(result: Result) -> list[Any]:
    """What a command printed that went well."""
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


# All cases.


def test_legal() -> None:
    answers = told(agari("legal", "-", given=lines(POSITIONS)))
    assert answers == [{"id": case["id"], "legal": case["legal"]} for case in POSITIONS]
    assert len(answers) == 675


def test_apply() -> None:
    """All plays with a result; and whatever else others play somewhere is refused, naming a clause."""
    results = [(case, result) for case in POSITIONS for result in case["results"]]
    asked = [case | {"play": result["play"]} for case, result in results]
    answers = told(agari("apply", "-", given=lines(asked)))
    assert len(answers) == 1285
    for (case, result), answer in zip(results, answers, strict=True):
        assert (answer["id"], what_counts(answer["state"])) == (case["id"], what_counts(result["state"]))
    source = random.Random(1)
    plays = sorted({play for case in POSITIONS for play in case["legal"]})
    refused = 0
    for case in POSITIONS:
        for play in set(source.sample(plays, 8)) - set(case["legal"]):
            text = re.escape(repr(play))
            with pytest.raises(InputError, match=rf"^play: {text}( is not legal: D\d\.?\d?.*: |.* \(D\d\.\d\)$)"):
                apply_answer(GAME, case | {"play": play})
            refused += 1
    assert refused > 2000


def test_replay() -> None:
    answers = told(agari("replay", "-", given=lines(GAMES)))
    assert answers == [{key: case[key] for key in ("id", "ranking", "reasons", "points")} for case in GAMES]
    assert len(answers) == 104


def test_tribute() -> None:
    answers = told(agari("tribute", "-", given=lines(TRIBUTES)))
    assert answers == [{key: case[key] for key in ("id", "exchange", "after", "leader")} for case in TRIBUTES]
    assert len(answers) == 26


def test_perft() -> None:
    """From one array, as the cases are."""
    answers = told(agari("perft", "-", given=json.dumps(PERFT, indent=1)))
    assert answers == [{key: case[key] for key in ("name", "perft", "divide")} for case in PERFT]
    assert len(answers) == 7


# The commands as processes.


def test_each_command_as_a_process() -> None:
    for command, records, keys in (
        ("legal", POSITIONS[:3], ("id", "legal")),
        ("replay", GAMES[:2], ("id", "ranking", "reasons", "points")),
        ("tribute", TRIBUTES[:2], ("id", "exchange", "after", "leader")),
        ("perft", PERFT[:2], ("name", "perft", "divide")),
    ):
        done = process(command, "-", given=lines(records))
        assert (done.returncode, complaints(done)) == (0, "")
        assert [json.loads(line) for line in done.stdout.splitlines()] == [
            {key: record[key] for key in keys} for record in records
        ]


def test_an_error_comes_after_the_answers_before_it() -> None:
    broken = POSITIONS[2] | {"rules": POSITIONS[2]["rules"] | {"jokers": 3}}
    done = process("legal", "-", given=lines([*POSITIONS[:2], broken, POSITIONS[3]]))
    assert len(done.stdout.splitlines()) == 2
    assert done.returncode == 2
    assert complaints(done) == "agari: <stdin>:3: rules: option jokers: 3 is no whole number from 0 to 2\n"


def test_a_script_may_ask_and_wait() -> None:
    """Each line is answered before the next one comes, and nothing heavy is imported for it."""
    heavy = "pandas pyarrow matplotlib rich agari.agents".split()
    command = f"""
import sys
from agari.experiments.cli import main
main(["legal", "-"], standalone_mode=False)
print(*(name for name in {heavy} if name in sys.modules), file=sys.stderr)
"""
    with subprocess.Popen(
        [sys.executable, "-c", command],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as asked:  # fmt: skip
        assert asked.stdin is not None
        assert asked.stdout is not None
        assert asked.stderr is not None
        for case in POSITIONS[:3]:
            asked.stdin.write(json.dumps(case) + "\n")
            asked.stdin.flush()
            assert json.loads(asked.stdout.readline())["id"] == case["id"]
        asked.stdin.close()
        assert asked.stderr.read().splitlines()[-1] == ""
    assert asked.returncode == 0


# What is accepted beside what the cases hold.


def test_the_id_is_told_as_it_is() -> None:
    for label in (None, "♠", 1.5, [1, {"a": None}], True):
        assert legal_answer(GAME, POSITION | {"id": label})["id"] == label
    assert legal_answer(GAME, {key: POSITION[key] for key in ("rules", "state")})["id"] is None
    assert perft_answer(GAME, {key: PERFT[0][key] for key in ("rules", "state", "perft")})["name"] is None


def test_suits_as_symbols() -> None:
    """♠♥♦♣ in hands, in the field, its lock and plays."""

    def with_symbols(value: Any) -> Any:
        if isinstance(value, list):
            return [with_symbols(element) for element in value]
        return re.sub(r"[SHDC](?=[2-9TJQKA])", lambda suit: "♠♥♦♣"["SHDC".index(suit.group())], value)

    case = next(case for case in POSITIONS if case["state"]["field"] and case["state"]["field"]["lock"])
    field = case["state"]["field"]
    lock = "".join("♠♥♦♣"["SHDC".index(suit)] for suit in field["lock"])
    state = case["state"] | {key: with_symbols(case["state"][key]) for key in ("hands", "blind", "aside")}
    state["field"] = field | {"play": with_symbols(field["play"]), "lock": lock}
    assert state != case["state"]
    for result in case["results"]:
        answer = apply_answer(GAME, case | {"state": state, "play": with_symbols(result["play"])})
        assert what_counts(answer["state"]) == what_counts(result["state"])
    game = GAMES[0]
    answer = replay_answer(GAME, game | {key: with_symbols(game[key]) for key in ("hands", "blind", "plays")})
    assert answer["points"] == game["points"]
    made = TRIBUTES[0]
    exchange = [{"returned": with_symbols(pair["returned"])} for pair in made["exchange"]]
    answer = tribute_answer(GAME, made | {"hands": with_symbols(made["hands"]), "exchange": exchange})
    assert answer["exchange"] == made["exchange"]


def test_perft_to_another_depth() -> None:
    (answer,) = told(agari("perft", "-", "--depth", "3", given=lines(PERFT[:1])))
    assert answer["perft"] == PERFT[0]["perft"][:3]
    assert sum(answer["divide"].values()) == answer["perft"][2]
    assert list(answer["divide"]) == sorted(answer["divide"])
    record = {key: PERFT[0][key] for key in ("rules", "state")}
    assert perft_answer(GAME, record, 1)["divide"] == dict.fromkeys(PERFT[0]["divide"], 1)
    for depth in ("0", str(DEEPEST + 1), "x"):
        assert agari("perft", "-", "--depth", depth).exit_code == 2


@pytest.mark.parametrize("exchange", [None, [], [{}], [{"returned": None}, {"giver": 1}]])
def test_tribute_before_the_choice(exchange: Any) -> None:
    """What is forced and what may be chosen are told all the same; what depends on the choice is null."""
    case = next(case for case in TRIBUTES if len(case["exchange"]) == 2 and case["leader"] is not None)
    answer = tribute_answer(GAME, case | {"exchange": exchange})
    assert answer["exchange"] == [pair | {"returned": None} for pair in case["exchange"]]
    assert (answer["after"], answer["leader"]) == (None, case["leader"])


def test_tribute_with_one_choice() -> None:
    case = next(case for case in TRIBUTES if len(case["exchange"]) == 2)
    for chosen in range(2):
        exchange = [pair | {} if index == chosen else {} for index, pair in enumerate(case["exchange"])]
        answer = tribute_answer(GAME, case | {"exchange": exchange})
        assert [pair["returned"] is None for pair in answer["exchange"]] == [index != chosen for index in range(2)]
        assert [pair["legal_returns"] for pair in answer["exchange"]] == [
            pair["legal_returns"] for pair in case["exchange"]
        ]
        assert answer["after"] is None


# What errors say.

LOCKED = {
    "rules": POSITION["rules"],
    "state": {
        "hands": ["S5 H6 S9 ST SJ JK", "H3", "H4", "H5"], "blind": "", "aside": "",
        "field": {"play": "S:S7", "owner": 3, "lock": "S", "span": None}, "revolution": False, "jback": False,
        "passed": [], "passes_in_row": 0, "out": [], "sunk": [], "turn": 0, "previous": None,
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("play", "why"),
    [
        ("S:S5", "D4.2: it is not stronger than S:S7"),
        ("S:H6", "D5.2: the field is locked to S"),
        ("S:SQ", "D3: seat 0 does not hold SQ"),
        ("Q:S9 ST SJ", "D4.1: the field has a single of 1"),
        ("Q:S9 SJ", "D3.3: Q:S9 SJ is no run of three or more in one suit"),
        ("S:S9 ST", "D3.1: S:S9 ST is not one card"),
        ("G:S9 ST", "D3.2: G:S9 ST is not two or more cards of one rank"),
    ],
)
def test_why_a_play_is_not_legal(play: str, why: str) -> None:
    with pytest.raises(InputError, match=f"^play: '{re.escape(play)}' is not legal: {re.escape(why)}$"):
        apply_answer(GAME, LOCKED | {"play": play})


REMOVED = object()


def changed(record: Case, path: str, value: Any) -> Case:
    """A record with another value at a path such as ``state.hands.2``, or without it."""
    record = copy.deepcopy(record)
    *parents, last = [int(key) if key.isdigit() else key for key in path.split(".")]
    inside: Any = record
    for key in parents:
        inside = inside[key]
    if value is REMOVED:
        del inside[last]
    else:
        inside[last] = value
    return record


SEQUENCE = next(case for case in POSITIONS if case["state"]["field"] and case["state"]["field"]["span"])
FALLEN = next(case for case in POSITIONS if case["state"]["aside"])


@pytest.mark.parametrize(
    ("answer", "record", "path", "value", "expected"),
    [
        (legal_answer, LOCKED, "rules", REMOVED, "rules: is missing"),
        (legal_answer, LOCKED, "rules", 7, "rules must be an object"),
        (legal_answer, LOCKED, "rules.fall", REMOVED, "rules: option 'fall' is missing"),
        (legal_answer, LOCKED, "rules.fall", 1, "rules: option fall: 1 is neither true nor false"),
        (legal_answer, LOCKED, "rules.jokers", True, "rules: option jokers: True is no whole number"),
        (legal_answer, LOCKED, "rules.eight_cut", ["any"], "rules: option eight_cut: ['any'] is none of"),
        (legal_answer, LOCKED, "rules.points", [6, 4, 2, 0.5], "rules: option points: [6, 4, 2, 0.5] is no list"),
        (legal_answer, LOCKED, "rules.blind", 50, "rules: blind=50 leaves 4 cards for 4 players"),
        (legal_answer, LOCKED, "rules.fly", True, "rules: unknown option 'fly'"),
        (legal_answer, LOCKED, "state", REMOVED, "state: is missing"),
        (legal_answer, LOCKED, "state", [], "state: must be an object, not []"),
        (legal_answer, LOCKED, "state.hands", REMOVED, "state.hands: is missing"),
        (legal_answer, LOCKED, "state.hands", ["S3"], "state.hands: must be a list of 4 hands"),
        (legal_answer, LOCKED, "state.hands.2", "X9", "state.hands[2]: 'X9' is no card: write the suit"),
        (legal_answer, LOCKED, "state.hands.2", 7, "state.hands[2]: must be text, not 7"),
        (legal_answer, LOCKED, "state.hands.2", "S8 S8", "state.hands[2]: S8 stands twice in 'S8 S8'"),
        (legal_answer, LOCKED, "state.hands.2", "S7", "state.hands: S7 is in two places"),
        (legal_answer, LOCKED, "state.hands.2", "JK JK", "state.hands: 3 jokers, but the rules have 2"),
        (legal_answer, LOCKED, "state.hands.2", "JK JK JK", "state.hands[2]: more than two jokers"),
        (legal_answer, LOCKED, "state.hands", ["S5", "", "", ""], "state.hands: fewer than two players hold cards"),
        (legal_answer, LOCKED, "state.blind", "JK", "state.blind: holds a joker, which is never set aside"),
        (legal_answer, LOCKED, "state.blind", None, "state.blind: must be text, not None"),
        (legal_answer, LOCKED, "state.aside", "D3", "state.aside: must hold the hand of a player who fell"),
        (legal_answer, FALLEN, "state.aside", " ", "state.aside: must hold the hand of a player who fell"),
        (legal_answer, LOCKED, "state.field", "S:S7", "state.field: must be an object, not 'S:S7'"),
        (legal_answer, LOCKED, "state.field.play", REMOVED, "state.field.play: is missing"),
        (legal_answer, LOCKED, "state.field.play", 5, "state.field.play: must be text, not 5"),
        (legal_answer, LOCKED, "state.field.play", "-", "state.field.play: - is no play"),
        (legal_answer, LOCKED, "state.field.play", "T:S7", "state.field.play: 'T:S7' is no play: write - for a pass"),
        (legal_answer, LOCKED, "state.field.play", "♠:S7", "state.field.play: '♠:S7' is no play: write - for a pass"),
        (legal_answer, LOCKED, "state.field.play", "G:S7 D8", "state.field.play: G:S7 D8 is no play"),
        (legal_answer, LOCKED, "state.field.play", "G:S7 JK=D7", "state.field.play: 'G:S7 JK=D7': jokers are written"),
        (legal_answer, LOCKED, "state.field.owner", 4, "state.field.owner: must be a whole number from 0 to 3, not 4"),
        (legal_answer, LOCKED, "state.field.lock", "SS", "state.field.lock: 'SS' are no suits"),
        (legal_answer, LOCKED, "state.field.lock", None, "state.field.lock: must be text, not None"),
        (legal_answer, LOCKED, "state.field.span", ["7", "7"], "state.field.span: must be null"),
        (legal_answer, SEQUENCE, "state.field.span", None, "state.field.span: must be the lowest and highest position"),
        (legal_answer, SEQUENCE, "state.field.span", ["3", "4"], "state.field.span: ['3', '4'] does not fit the play"),
        (legal_answer, LOCKED, "state.revolution", 0, "state.revolution: must be true or false, not 0"),
        (legal_answer, LOCKED, "state.passed", [True], "state.passed: must be a list of seats 0 … 3, not [True]"),
        (legal_answer, LOCKED, "state.passed", [2, 2], "state.passed: names a seat twice: [2, 2]"),
        (legal_answer, LOCKED, "state.passed", [0], "state.turn: seat 0 sits this field out"),
        (legal_answer, LOCKED, "state.passes_in_row", 1, "state.passes_in_row: must be a whole number from 0 to 0"),
        (legal_answer, LOCKED, "state.out", [1], "state.out: with `sunk` must name each seat without cards once"),
        (legal_answer, LOCKED, "state.sunk", [[True, "foul"]], 'state.sunk: must be a list of [seat, "foul"]'),
        (legal_answer, LOCKED, "state.sunk", [["0", "foul"]], 'state.sunk: must be a list of [seat, "foul"]'),
        (legal_answer, FALLEN, "state.sunk.0.1", "foul", "state.aside: must hold the hand of a player who fell"),
        (legal_answer, LOCKED, "state.turn", None, "state.turn: is null: the game is over"),
        (legal_answer, LOCKED, "state.turn", 10**30, "state.turn: must be a whole number from 0 to 3"),
        (legal_answer, LOCKED, "state.turn", 1.0, "state.turn: must be a whole number from 0 to 3, not 1.0"),
        (legal_answer, LOCKED, "state.previous", [0, 1, 2], "state.previous: must name each of the 4 seats once"),
        (apply_answer, LOCKED, "id", 1, "play: is missing"),
        (apply_answer, LOCKED, "play", None, "play: must be text, not None"),
        (apply_answer, LOCKED, "play", "S:", "play: 'S:' is a play without cards"),
        (apply_answer, LOCKED, "play", "S:S1", "play: 'S1' is no card"),
        (apply_answer, LOCKED | {"play": "S:S9"}, "state.turn", 9, "state.turn: must be"),
        (replay_answer, GAMES[0], "leader", REMOVED, "leader: is missing"),
        (replay_answer, GAMES[0], "hands.0", "", "hands: a player has no cards"),
        (replay_answer, GAMES[0], "plays", "S:H3", "plays: must be a list of plays, not 'S:H3'"),
        (replay_answer, GAMES[0], "plays.3", 7, "plays[3]: must be text, not 7"),
        (replay_answer, MUST_LEAD, "plays.0", "-", "plays[0]: '-' is not legal: D7.2: the leader must play"),
        (replay_answer, GAMES[0], "plays", [], "plays: the game is not over after 0 plays"),
        (replay_answer, GAMES[0], "plays", [*GAMES[0]["plays"], "-"], f"plays[{len(GAMES[0]['plays'])}]: the game was"),
        (replay_answer, GAMES[0], "last_of_set", None, "last_of_set: must be true or false, not None"),
        (tribute_answer, TRIBUTES[0], "previous", None, "previous: is null: without ranks there is no tribute"),
        (tribute_answer, TRIBUTES[0], "hands.1", TRIBUTES[0]["hands"][1][:5], "hands: too few cards for a tribute"),
        (tribute_answer, TRIBUTES[0], "exchange", {}, "exchange: must be a list of at most 2 objects"),
        (tribute_answer, TRIBUTES[0], "exchange", [{}, {}, {}], "exchange: must be a list of at most 2 objects"),
        (tribute_answer, TRIBUTES[0], "exchange.1", "S3", "exchange[1]: must be an object, not 'S3'"),
        (tribute_answer, TRIBUTES[0], "exchange.0.returned", 3, "exchange[0].returned: must be text, not 3"),
        (tribute_answer, TRIBUTES[0], "exchange.0.returned", "S1", "exchange[0].returned: 'S1' is no card"),
        (tribute_answer, TRIBUTES[0], "exchange.0.returned", "", "exchange[0].returned: '' is not legal: D9.2: seat"),
        (perft_answer, PERFT[0], "perft", REMOVED, "perft: is missing"),
        (perft_answer, PERFT[0], "perft", [], "perft: must be a list of 1 to 256 numbers, or give --depth"),
        (perft_answer, PERFT[0], "perft", 3, "perft: must be a list of 1 to 256 numbers, or give --depth"),
        (perft_answer, PERFT[0], "state.turn", None, "state.turn: is null: the game is over"),
    ],
)
def test_errors_name_the_field(
    answer: Callable[[Game, Case], Case], record: Case, path: str, value: Any, expected: str
) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(expected)}") as raised:
        answer(GAME, changed(record, path, value))
    assert "\n" not in str(raised.value)


def test_errors_name_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(lines([LOCKED, changed(LOCKED, "state.hands.2", "X9")]), encoding="utf-8")
    result = agari("legal", str(path))
    assert result.exit_code == 2
    assert complaints(result).startswith(f"agari: {path}:2: state.hands[2]: 'X9' is no card: ")
    assert complaints(result).count("\n") == 1
    assert len(result.stdout.splitlines()) == 1


# Whatever is done to a record: an answer, or an error that names a field.

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 16), st.just(10**30), st.floats(allow_nan=False),
    st.sampled_from(["", "S3", "X9", "JK", "JK JK", "♠3 ♥4", "-", "S:H9", "G:S7 D7", "Q:C4 C5 C6", "S:JK", "Q:"]),
    st.sampled_from(["S", "SHDC", "foul", "fall", "<3", ">2", "wild", "card", "top", "off", "\ud800", "a\nb"]),
    st.text(max_size=5),
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["play", "0"]), inner, max_size=2),
    max_leaves=5,
)


@st.composite
def damaged(draw: st.DrawFn, records: list[Case], keys: str) -> Case:
    """A record in which something is missing or replaced by another value, perhaps by one from elsewhere in it."""
    record = draw(st.sampled_from(records))
    record = copy.deepcopy({key: record[key] for key in keys.split()})
    for _ in range(draw(st.integers(1, 2))):
        inside, key, value = record, *draw(st.sampled_from(list(record.items())))
        while value and isinstance(value, dict | list) and draw(st.integers(0, 3)):
            inside = value
            pairs = list(inside.items()) if isinstance(inside, dict) else list(enumerate(inside))
            key, value = draw(st.sampled_from(pairs))
        if draw(st.integers(0, 3)):
            inside[key] = draw(VALUES | st.sampled_from(list(record.values())).map(copy.deepcopy))
        else:
            del inside[key]
        if not record:
            break
    return record


def answer_or_error(answer: Callable[[Game, Case], Case], record: Case, fields: str) -> Case | None:
    """The answer, which is JSON, or None where an error names one of the fields."""
    problem = ""
    try:
        answered = answer(GAME, record)
    except InputError as error:
        problem = str(error)
    if problem:
        assert re.fullmatch(rf"({'|'.join(fields.split())})\b.*", problem)
        return None
    assert json.loads(json.dumps(answered, allow_nan=False)) == answered
    return answered


@settings(max_examples=250)
@given(damaged(POSITIONS, "rules state"))
def test_damaged_positions(record: Case) -> None:
    answered = answer_or_error(legal_answer, record, "rules state")
    if answered is not None:
        legal = answered["legal"]
        assert legal == sorted(set(legal))
        seat = record["state"]["turn"]
        for play in legal[:10]:
            after = apply_answer(GAME, record | {"play": play})["state"]["hands"][seat]
            played = play.partition(":")[2]
            assert len(after.split()) == len(record["state"]["hands"][seat].split()) - len(played.split())


@settings(max_examples=200)
@given(damaged([case | case["results"][0] | {"state": case["state"]} for case in POSITIONS], "rules state play"))
def test_damaged_plays(record: Case) -> None:
    answer_or_error(apply_answer, record, "rules state play")


@settings(max_examples=200)
@given(damaged(GAMES, "rules hands blind leader previous plays last_of_set"))
def test_damaged_games(record: Case) -> None:
    answered = answer_or_error(replay_answer, record, "rules hands blind leader previous plays last_of_set")
    assert answered is None or len(answered["ranking"]) == record["rules"]["players"]


@settings(max_examples=200)
@given(damaged(TRIBUTES, "rules hands previous exchange"))
def test_damaged_tributes(record: Case) -> None:
    answered = answer_or_error(tribute_answer, record, "rules hands previous exchange")
    if answered is not None and answered["after"] is not None:
        before = sorted(" ".join(record["hands"]).split())
        assert sorted(" ".join(answered["after"]).split()) == before


@settings(max_examples=100)
@given(damaged(PERFT, "rules state"))
def test_damaged_perft(record: Case) -> None:
    answered = answer_or_error(lambda game, record: perft_answer(game, record, 3), record, "rules state")
    assert answered is None or sum(answered["divide"].values()) == answered["perft"][2]


# What agents think.

MC = parse_agent("mc(playouts=400)")
CHOICE = next(case for case in POSITIONS if 5 < len(case["legal"]) < 12 and len(case["state"]["hands"]) == 4)


def test_analyze() -> None:
    """Every legal play, best first, all playouts spent; the same seed says the same wherever the position stands."""
    first, second = told(agari("analyze", "-", "--agent", MC.label, "--json", given=lines([POSITIONS[3], CHOICE])))
    (alone,) = told(agari("analyze", "-", "--agent", MC.label, "--json", given=lines([CHOICE])))
    assert alone == second
    assert (first["id"], second["id"]) == (POSITIONS[3]["id"], CHOICE["id"])
    (other,) = told(agari("analyze", "-", "--agent", MC.label, "--json", "--seed", "3", given=lines([CHOICE])))
    assert other != second
    assert second["agent"] == "mc(playouts=400)"
    assert (second["seat"], second["hand"]) == (CHOICE["state"]["turn"], CHOICE["state"]["hands"][second["seat"]])
    thoughts = second["thoughts"]
    assert sorted(thought["play"] for thought in thoughts) == CHOICE["legal"]
    means = [thought["mean"] for thought in thoughts]
    assert means == sorted(means, reverse=True)
    assert sum(thought["playouts"] for thought in thoughts) == 400
    assert all(0 <= thought["standard_error"] < 3 for thought in thoughts)


def test_analyze_says_null_where_nothing_is_known() -> None:
    """One playout for several plays: no mean of the others, and no error of any."""
    thoughts = analyze_answer(GAME, CHOICE, parse_agent("mc(playouts=1)"), 0)["thoughts"]
    assert [thought["playouts"] for thought in thoughts] == [1] + [0] * (len(thoughts) - 1)
    assert thoughts[0]["mean"] is not None
    assert all(thought["mean"] is None for thought in thoughts[1:])
    assert all(thought["standard_error"] is None for thought in thoughts)


def test_a_lucky_single_playout_is_not_the_best_play() -> None:
    """Plays with one playout, and so without a standard error, come after all others."""
    thoughts = analyze_answer(GAME, CHOICE, parse_agent(f"mc(playouts={len(CHOICE['legal']) + 5})"), 0)["thoughts"]
    known = [thought["standard_error"] is not None for thought in thoughts]
    assert known == sorted(known, reverse=True)
    assert [thought["playouts"] > 1 for thought in thoughts] == known
    assert 0 < sum(known) < len(known)
    for part in (thoughts[: sum(known)], thoughts[sum(known) :]):
        means = [thought["mean"] for thought in part]
        assert means == sorted(means, reverse=True)


def test_analyze_uses_no_hidden_card() -> None:
    """The cards of two other players are exchanged, one by one where they have not as many."""
    state = CHOICE["state"]
    one, other = [seat for seat in range(4) if seat != state["turn"] and state["hands"][seat]][:2]
    hands = [hand.split() for hand in state["hands"]]
    for index in range(min(len(hands[one]), len(hands[other]))):
        hands[one][index], hands[other][index] = hands[other][index], hands[one][index]
    again = changed(CHOICE, "state.hands", [" ".join(hand) for hand in hands])
    assert again != CHOICE
    assert analyze_answer(GAME, again, MC, 0) == analyze_answer(GAME, CHOICE, MC, 0)


def test_analyze_for_people() -> None:
    """What the seat sees, then a line for each play in the same order."""
    result = agari("analyze", "-", "--agent", MC.label, given=lines([CHOICE, LOCKED]))
    assert result.exit_code == 0
    analysis = analyze_answer(GAME, CHOICE, MC, 0)
    shown = re.sub(r"\s+", " ", result.output)
    assert f"position {CHOICE['id']}: seat {analysis['seat']}" in shown
    assert f"and holds {analysis['hand']}" in shown
    assert "seat 0 is to follow S:S7 and holds S5 H6 S9 ST SJ JK" in shown
    rows = [
        f"{thought['play']} {thought['mean']:.3f} {thought['standard_error']:.3f} {thought['playouts']}"
        for thought in analysis["thoughts"]
    ]
    assert " ".join(rows) in shown


def test_agents_that_cannot_analyze(folder: Path) -> None:
    """None but those that think; errors of a user's agent are one line too."""
    (folder / "thinkers.py").write_text(
        "from agari.sim.errors import InputError\n"
        "class Fails:\n"
        "    def choose(self, view): return view.legal[0]\n"
        "    def think(self, view): raise OSError('lost\\n\\ncause')\n"
        "class Mute(Fails):\n"
        "    def think(self, view): return None\n"
        "class Refuses(Fails):\n"
        "    def think(self, view): raise InputError('no configuration')\n"
        "class Exits(Fails):\n"
        "    def think(self, view): raise SystemExit(0)\n",
        encoding="utf-8",
    )
    for agent, expected in (
        ("greedy", "agari: agent greedy cannot analyze: it has no method think(view); mc has"),
        ("nobody", "agari: unknown agent 'nobody'"),
        ("mc(playouts=0)", "agari: agent mc(playouts=0): playouts=0: must be a whole number"),
        ("thinkers:Fails", "agari: <stdin>:1: agent thinkers:Fails: raised OSError: lost cause"),
        ("thinkers:Refuses", "agari: <stdin>:1: agent thinkers:Refuses: raised InputError: no configuration"),
        ("thinkers:Exits", "agari: <stdin>:1: agent thinkers:Exits: raised SystemExit: 0"),
        ("thinkers:Mute", "agari: <stdin>:1: agent thinkers:Mute: raised AttributeError: 'NoneType'"),
    ):
        result = agari("analyze", "-", "--agent", agent, given=lines([CHOICE]))
        assert result.exit_code == 2
        assert complaints(result).startswith(expected)
        assert complaints(result).count("\n") == 1


def test_analyze_finds_the_better_play() -> None:
    """With H9 and ♠4 against one card that must be weaker than the 9: the 9 keeps the lead, and the ♠4 goes out."""
    state = LOCKED["state"] | {"hands": ["S4 H9", "H3 S5", "", ""], "out": [2, 3], "field": None}
    best = analyze_answer(GAME, LOCKED | {"state": state}, MC, 0)["thoughts"][0]
    assert best["play"] == "S:H9"
    assert math.isclose(best["mean"], 2.0)
