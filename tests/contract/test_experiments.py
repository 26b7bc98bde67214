"""What commands and tournaments must do in every game: the same rows however they are played, one line for errors."""

import copy
import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import pytest
from agari.experiments import benchmark, tournament
from agari.experiments.benchmark import Bench
from agari.experiments.cli import main
from agari.experiments.commands.positions import apply_answer, legal_answer, perft_answer, replay_answer
from agari.experiments.plan import Plan, make_plan
from agari.experiments.store import Run, load
from agari.sim.errors import InputError
from agari.sim.games import Ruleset
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from ..case_files import CASES
from ..experiments.rows import rows_of
from .rulesets import ONE_EACH, PRESETS, Played, name_of

one_each = pytest.mark.parametrize("played", ONE_EACH, ids=name_of)
AGENTS = "mc(playouts=4),greedy,ismcts(playouts=4),random"


def agari(*arguments: object, given: str = "") -> Result:
    """The command in this process."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=given, prog_name="agari")


def refused(result: Result) -> str:
    """The one line of a command that refused what it was given."""
    assert result.exit_code == 2, result.output
    (line,) = result.stderr.replace("compiling, once\n", "").splitlines()
    return line


def ruleset_of(played: Played) -> str:
    return played.name.split()[0]


# Tournaments


@one_each
def test_the_same_rows_for_any_number_of_workers_and_after_a_stop(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def short_plan(*arguments: Any) -> Plan:
        return make_plan(*arguments)._replace(games=3, matches_per_chunk=1)

    def run(name: str, workers: int) -> Run:
        return tournament.run(tmp_path / name, AGENTS, 5, game=ruleset_of(played), seed=7, workers=workers)

    monkeypatch.setattr(tournament, "make_plan", short_plan)
    rows = rows_of(run("one", 1).directory)
    for workers in (2, 7):
        assert rows_of(run(f"{workers}", workers).directory) == rows
    for chunk in (1, 3):
        for table in ("results", "games"):
            (tmp_path / "2" / table / f"part-0000{chunk}.parquet").unlink()
    assert len(load(tmp_path / "2").chunks) == 3
    assert rows_of(tournament.resume(tmp_path / "2", workers=2).directory) == rows


@pytest.mark.parametrize("played", PRESETS, ids=name_of)
def test_a_tournament_from_the_command_to_its_plots(played: Played, tmp_path: Path) -> None:
    name, players = played.name.split()
    run = tmp_path / "run"
    result = agari("pit", "--game", name, "--players", players, "--agents", "greedy,random", "--matches", 2,
                   "--games", played.game.presets[name].match_games[0] if name != "uecda" else 2,
                   "--workers", 1, "--quiet", "--out", run)  # fmt: skip
    assert result.exit_code == 0, result.output
    for row in load(run).games.head(6).itertuples():
        record = json.loads(row.record)
        answer = replay_answer(played.game, record)
        assert all(record[key] == value for key, value in answer.items())
    rows = load(run).results
    assert rows.groupby(["match", "rotation", "game"])["place"].min().eq(1).all()
    assert set(rows["reason"]) <= set(played.game.reasons)
    shown = agari("standings", run)
    assert f"{name}, {players} players: 2 matches, all rotations" in shown.stdout
    assert json.loads(agari("standings", run, "--json").stdout)["matches"] == 2
    plots = agari("plot", run).stdout.splitlines()
    assert len(plots) >= 2
    assert all(Path(path).stat().st_size > 10_000 for path in plots)
    assert agari("export", run).exit_code == 0
    watched = agari("watch", run, "--match", 1)
    if importlib.util.find_spec(f"agari.experiments.terminal.{played.game.name}"):
        assert watched.exit_code == 0
        assert "step 0 of " in watched.stdout
    else:
        assert f"{played.game.name} cannot be shown at a terminal" in refused(watched)


@pytest.mark.parametrize(
    ("arguments", "players"),
    [
        ("--game dobon --players 3 --agents greedy --games 1 --seed 2", 3),
        ("--game dobon --players 4 --agents greedy,random --set max_turns=1", 4),
        ("--game voodoo_prince --players 2 --agents greedy,random --set two_player_last=own", 2),
    ],
)
def test_standings_of_a_run_in_which_nobody_was_last(arguments: str, players: int, tmp_path: Path) -> None:
    """Places are shared, so not all of them need be taken."""
    run = tmp_path / "run"
    shown = agari("pit", *arguments.split(), "--matches", 1, "--workers", 1, "--out", run)
    assert shown.exit_code == 0, shown.output
    assert load(run).results["place"].max() < players
    for row in json.loads(agari("standings", run, "--json").stdout)["standings"]:
        shares = [row[f"place_{place}"] for place in range(1, players + 1)]
        assert sum(shares) == pytest.approx(1)
        assert shares[-1] == 0
    assert agari("plot", run).exit_code == 0


@one_each
def test_what_a_run_of_another_game_is_refused(played: Played, tmp_path: Path) -> None:
    name = ruleset_of(played)
    arguments = ["--agents", "random", "--matches", 1, "--quiet", "--out", tmp_path / "run"]
    assert agari("pit", "--game", name, *arguments).exit_code == 0
    other = next(ruleset_of(each) for each in ONE_EACH if each is not played)
    assert f"the run was started with --game {name}, not {other}" in refused(
        agari("pit", "--game", other, "--resume", *arguments)
    )
    assert "cannot" in refused(
        agari("pit", "--game", name, "--agents", "random", "--matches", 1, "--out", "/dev/null/x")
    )
    assert "unknown option 'nonsense'" in refused(agari("pit", "--game", name, "--set", "nonsense=1", *arguments[:4],
                                                        "--out", tmp_path / "other"))  # fmt: skip


# Commands for positions


def positions(played: Played, seed: int = 3) -> list[dict[str, Any]]:
    """Positions of random games, as records."""
    rules = played.game.options.format(played.rules)
    found = []
    for number, state in enumerate(played.table.decisions(played.rules, seed, games=1)):
        record = {"id": number, "rules": rules, "state": played.game.format_state(played.rules, state)}
        found.append(json.loads(json.dumps(record)))
    return found


@pytest.mark.parametrize("played", PRESETS, ids=name_of)
def test_commands_answer_for_positions(played: Played) -> None:
    records = positions(played)[::3]
    lines = "".join(json.dumps(record) + "\n" for record in records)
    for game in {played.game.name, ruleset_of(played)}:
        answers = [json.loads(line) for line in agari("legal", "--game", game, "-", given=lines).stdout.splitlines()]
        assert [answer["id"] for answer in answers] == [record["id"] for record in records]
    asked = [record | {"play": answer["legal"][-1]} for record, answer in zip(records, answers, strict=True)]
    applied = agari("apply", "--game", played.game.name, "-", given="".join(json.dumps(one) + "\n" for one in asked))
    assert len(applied.stdout.splitlines()) == len(records)
    counted = agari("perft", "--game", played.game.name, "--depth", 2, "-", given=json.dumps(records[0]))
    answer = json.loads(counted.stdout)
    assert answer["perft"][0] == len(answers[0]["legal"])
    assert sum(answer["divide"].values()) == answer["perft"][1]
    choice = next(record for record, each in zip(records, answers, strict=True) if len(each["legal"]) > 1)
    for agent in ("mc(playouts=50)", "ismcts(playouts=50)"):
        shown = agari("analyze", "--game", played.game.name, "--json", "--agent", agent, "-", given=json.dumps(choice))
        thoughts = json.loads(shown.stdout)["thoughts"]
        assert {thought["play"] for thought in thoughts} == set(legal_answer(played.game, choice)["legal"])
        assert sum(thought["playouts"] for thought in thoughts) == 50


def test_a_position_from_which_no_game_can_be_played_is_not_the_agents_fault() -> None:
    case = json.loads((CASES / "voodoo_positions.jsonl").read_text(encoding="utf-8").splitlines()[0])
    for agent in ("mc(playouts=20)", "ismcts(playouts=20)"):
        line = refused(agari("analyze", "--game", "voodoo_prince", "--agent", agent, "-", given=json.dumps(case)))
        assert line.startswith("agari: <stdin>:1: state: the seat to act has no cards left")
        assert "V3.6" in line


def test_a_game_that_there_is_not() -> None:
    line = refused(agari("legal", "--game", "whist", "-", given="{}"))
    assert line.startswith("agari: unknown game 'whist'; the games are federation, house, uecda, voodoo_prince, dobon")


@one_each
def test_a_record_of_another_game_is_refused_in_one_line(played: Played) -> None:
    other = next(each for each in ONE_EACH if each is not played)
    assert "rules: " in refused(agari("legal", "--game", played.game.name, "-", given=json.dumps(positions(other)[0])))


RECORDS = {played.name: positions(played) for played in ONE_EACH}
VALUES = st.sampled_from(
    [
        None,
        True,
        -1,
        0,
        1,
        3,
        99,
        10**30,
        0.5,
        "",
        "R7",
        "S3",
        "x",
        [],
        {},
        [0],
        ["R7"],
        [[0, "R7"]],
        [[]],
        float("inf"),
    ]
)


@st.composite
def damaged(draw: st.DrawFn, played: Played) -> dict[str, Any]:
    """A position in which something is missing or replaced by another value, perhaps by one from elsewhere in it."""
    record = copy.deepcopy(draw(st.sampled_from(RECORDS[played.name])))
    for _ in range(draw(st.integers(1, 2))):
        if not record["state"]:
            break
        inside, key, value = record, *draw(st.sampled_from(sorted(record["state"].items())))
        inside = record["state"]
        if record["rules"] and draw(st.integers(0, 4)) == 0:
            inside = record["rules"]
            key, value = draw(st.sampled_from(sorted(inside.items())))
        while value and isinstance(value, dict | list) and draw(st.integers(0, 3)):
            inside = value
            pairs = list(inside.items()) if isinstance(inside, dict) else list(enumerate(inside))
            key, value = draw(st.sampled_from(pairs))
        if not inside:
            break
        others = [inside[other] for other in (inside if isinstance(inside, dict) else range(len(inside)))]
        if draw(st.integers(0, 3)):
            inside[key] = copy.deepcopy(
                draw(VALUES | st.sampled_from(others) | st.sampled_from(list(record["state"].values())))
            )
        else:
            del inside[key]
    return record


@one_each
@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_damaged_positions(played: Played, data: st.DataObject) -> None:
    """They are answered, or refused in one line that names the field; what is answered can be played on."""
    record = data.draw(damaged(played))
    try:
        legal = legal_answer(played.game, record)["legal"]
    except InputError as error:
        assert re.fullmatch(r"(rules|state)\b.*", str(error))  # noqa: PT017
        return
    assert legal == sorted(set(legal))
    for text in legal[:3]:
        try:
            after = apply_answer(played.game, record | {"play": text})
        except InputError as error:
            assert "\n" not in str(error)  # noqa: PT017
        else:
            assert json.loads(json.dumps(after, allow_nan=False)) == after
    perft_answer(played.game, record, 2)


# The benchmark


@one_each
def test_the_benchmark(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "TWIN_SECONDS", 0.05)
    measure = Bench(Ruleset(ruleset_of(played), played.game, played.rules), positions=16, games=20)
    figures = [*measure.random_play(), measure.perft_nodes(), *measure.agent_games(), *measure.playouts()]
    for kind in (-1, *range(len(played.game.decision_kinds))):
        figures += [generation.figure() for generation in measure.generation_of(kind, -1, 16)]
    assert all(figure.value > 0 for figure in figures)
    names = {figure.name for figure in figures}
    assert {
        "random games, dealt and played",
        "perft",
        "generation, all",
        "ismcts playouts, policy random, from the deal",
    } <= names
