"""Playing at the terminal: what people see, what they may type, and that nobody sees another's hand."""

import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from agari.agents.match import play_match
from agari.agents.registry import parse_agent
from agari.agents.view import View
from agari.experiments.plan import make_plan
from agari.experiments.terminal import session as session_module
from agari.experiments.terminal.board import Board, Names, board_of
from agari.experiments.terminal.cards import MANY_COLOURS, card_theme, matching, typed_words
from agari.experiments.terminal.menu import Menu
from agari.experiments.terminal.screen import FORGET
from agari.experiments.terminal.session import Person, Session
from agari.experiments.terminal.watching import read_game
from agari.sim.daifugo.state import TRIBUTE
from agari.sim.errors import InputError
from agari.sim.game import PASS, payoff, play
from agari.sim.rng import key_of
from rich.color import ColorSystem
from rich.text import Text

from ..daifugo_table import (
    GAME,
    decisions,
    federation,
    moves_of,
    observed,
    play_text,
    position,
    random_options,
)
from ..dobon_table import random_options as dobon_options
from ..playing import fields
from ..voodoo_table import EVERY_RULES
from .keyboard import (
    AGARI,
    ESCAPES,
    PLAYERS,
    TABLES,
    Scripted,
    Terminal,
    agari,
    answers_to,
    board,
    one_line,
    rules_of,
)

BOARD = board_of(GAME)
CARD = re.compile(r"[♠♥♦♣]|JK")
NAMES = Names(["greedy", "random", "mc", "greedy", "random", "mc"])


# --- Whole matches ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), PLAYERS)
def test_a_whole_match_against_greedy(name: str, players: int) -> None:
    """Always the first choice: games with places, reasons and points, and totals that add up to those of the match."""
    game = TABLES[name].game
    games = game.presets[name].match_games[0]
    result = agari("play", "--game", name, "--players", players, "--seed", 3, typed="1\n" * 4000)
    assert result.exit_code == 0, result.output
    assert f"{name}, {players} players, {games} games. The same match again: --seed 3" in result.stdout
    assert re.search(r"( wins?| share) the match\.\nThe same match again: --seed 3\n$", result.stdout)
    totals: dict[str, int] = {}
    for number in range(1, games + 1):
        table = result.stdout.partition(f"game {number} of {games} is over")[2].splitlines()[1 : players + 2]
        assert table[0].split() == ["place", "who", "how", "points", "total"]
        points = []
        for line in table[1:]:
            row = re.match(r" *(\d) +(?:([a-z]+) +)?(seat \d \w+) +(.+?) +(-?\d+) +(-?\d+)$", line)
            assert row, line
            place, rank, who, how = row[1], row[2], row[3], row[4]
            points.append(int(row[5]))
            assert rank is None or rank == game.place_names[players][int(place) - 1]
            assert (rank is None) == (players not in game.place_names)
            assert how in game.reasons.values()
            totals[who] = totals.get(who, 0) + points[-1]
            assert totals[who] == int(row[6])
            assert rank or int(place) == 1 + points.index(points[-1])  # equal points share the place
    _, _, end = result.stdout.partition(f"the match of {games} games")
    rows = [re.match(r" *(\d) +(seat \d \w+) +(-?\d+)$", line) for line in end.splitlines()[2 : players + 2]]
    assert {row[2]: int(row[3]) for row in rows if row} == totals
    in_order = sorted(totals.values(), reverse=True)
    assert [int(row[3]) for row in rows if row] == in_order
    if not game.last_game_decides:
        assert [int(row[1]) for row in rows if row] == [1 + in_order.index(total) for total in in_order]
        winners = [who for who, total in totals.items() if total == in_order[0]]
        assert ("share the match" in end) == (len(winners) > 1)


@pytest.mark.parametrize("name", TABLES)
def test_the_match_is_the_first_of_a_tournament_with_its_seed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person who plays as greedy does gets what greedy gets among the same agents, random ones too."""
    greedy = parse_agent("greedy").build()
    game = TABLES[name].game

    def choose(self: Session, person: Person, legal: list[int]) -> int:
        return int(greedy.choose(View(game, self.rules, self._seen(person.seat), np.array(legal), 0)))

    monkeypatch.setattr(Session, "_choose", choose)
    plan = make_plan("random,mc(playouts=10)", 1, game=name, seed=5)
    session = Session(plan, [1], Scripted(lambda *_: ""))
    session.run()
    agents = [session.agents.get(participant, greedy) for participant in range(4)]
    labels = [session.labels[participant] for participant in range(4)]
    totals = dict.fromkeys(range(4), 0.0)
    for played in play_match(game, plan.rules, agents, labels, plan.games, key_of(5, 0)):
        for seat, participant in enumerate(played.participants):
            totals[participant] += payoff(plan.rules, played.state, seat)
    assert session.totals == totals


def some_rules(name: str, source: random.Random) -> Any:
    """Rules drawn at random for a ruleset's game, by which a game ends whatever is played."""
    if name == "voodoo_prince":
        return source.choice(EVERY_RULES)
    drawn = random_options(source) | {"lead_pass": False}
    if name == "dobon":
        drawn = dobon_options(source) | {"max_turns": 100}
    return TABLES[name].game.options.parse(drawn)


TYPED = [
    *("m", "?", "", "pass", "-", "p", "99", "s7 h7", "k", "7 7", "jk", "g: 9 jk", "foo", "S3 S3", "q:h3 h4 jk"),
    *(
        "draw",
        "y",
        "no",
        "s8 h",
        "8 8 as d",
        "+",
        ":",
        "as",
        "s7+",
        "r7",
        "12b",
        "trump",
        "trump r",
        "red",
        "yellow 11",
    ),
]


def any_answer(source: random.Random) -> Callable[[str, str], str]:
    """Types numbers, some of which are in the list, and other things that people type, right and wrong."""

    def answer(prompt: str, text: str) -> str:
        if "Enter" in prompt:
            return source.choice(["", "x"])
        return source.choice(TYPED) if source.random() < 0.2 else str(source.randint(0, source.choice([1, 9, 40])))

    return answer


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", TABLES)
def test_any_rules_any_people_any_input(name: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No input and no rules end a session before its match is over, and a board is given observations of its seat."""
    source = random.Random(seed)
    rules = some_rules(name, source)
    people = source.randint(1, rules.players)
    plan = make_plan("random", 1, game=name)._replace(rules=rules, games=3, seed=seed)
    checked = Checked(name)
    monkeypatch.setattr(session_module, "board_of", lambda game: checked.board())
    screen = Scripted(any_answer(source), shared=people > 1)
    Session(plan, list(range(people)), screen).run()
    assert screen.text.count(" is over ──") == 3
    assert "the match." in screen.text
    assert checked.calls > 20


class Checked:
    """Sees to it that a board is shown nothing hidden."""

    def __init__(self, name: str) -> None:
        self.name, self.calls = name, 0

    def board(self) -> Board:
        names = ("situation", "dealt", "visible", "told", "question", "unasked")
        return board(self.name)._replace(**{name: self.checked(getattr(board(self.name), name)) for name in names})

    def checked(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(rules: Any, *arguments: Any) -> Any:
            names = next((argument for argument in arguments if isinstance(argument, Names)), None)
            records = [argument for argument in arguments if isinstance(argument, np.record)]
            assert len({record.observer for record in records}) == 1
            for record in records:
                assert names is None or names.you in (None, record.observer)
                observation = TABLES[self.name].observed(rules, record, record.observer)
                assert fields(observation) == fields(record)
            self.calls += 1
            return function(rules, *arguments)

        return call


# --- What is hidden ---------------------------------------------------------------------------------------------


def shown(name: str, rules: Any, observation: Any) -> str:
    """All that a session shows of a decision."""
    names = Names(["agent"] * rules.players, int(observation.observer))
    its = board(name)
    lines = [*its.situation(rules, observation, names), *its.dealt(rules, observation, names)]
    if observation.turn == observation.observer:
        moves = TABLES[name].moves_of(rules, observation)
        lines += Menu(its, TABLES[name].game, rules, observation, moves).lines(80)
        lines += [Text(its.question(rules, observation))]
    return "\n".join(line.markup for line in lines)


@pytest.mark.parametrize("name", TABLES)
def test_what_is_shown_does_not_change_when_hidden_cards_are_dealt_again(name: str) -> None:
    source, table = random.Random(3), TABLES[name]
    checked = 0
    for seed in range(12):
        rules = some_rules(name, source)
        for number, state in enumerate(table.decisions(rules, seed, 2)):
            if number % 3 == 0:
                observation = table.observed(rules, state, state.turn)
                world = table.redealt(rules, observation, source.getrandbits(60))
                assert shown(name, rules, table.observed(rules, world, state.turn)) == shown(name, rules, observation)
                checked += 1
    assert checked > 250


def told_to(seat: int, name: str, rules: Any, state: Any, move: int) -> tuple[list[str], Any, int]:
    """What a seat is told of a move and of all that it does not see made afterwards, what it then knows, and the steps.

    What is not seen is always a no or a pass, or else the last of the legal moves.
    """
    its, table = board(name), TABLES[name]
    names = Names(["agent"] * rules.players, seat)
    lines, steps, state = [], 0, state.copy()
    before = table.observed(rules, state, seat)
    while steps == 0 or not its.visible(rules, before):
        if steps:
            moves = table.moves_of(rules, state)
            move = PASS if PASS in moves else moves[-1]
        play(rules, state, move)
        after = table.observed(rules, state, seat)
        lines += its.told(rules, before, move if its.visible(rules, before) else None, after, names)
        before, steps = after, steps + 1
    return [line.markup for line in lines], before, steps


@pytest.mark.parametrize(("name", "unequal"), [("federation", 0), ("voodoo_prince", 0), ("dobon", 200)])
def test_what_is_told_does_not_change_when_hidden_cards_are_dealt_again(name: str, unequal: int) -> None:
    """Where a seat knows the same afterwards it was told the same, whatever was done in between that it did not see."""
    source, table = random.Random(4), TABLES[name]
    checked = other_steps = 0
    for seed in range(40):
        rules = some_rules(name, source)
        for state in table.decisions(rules, seed, 2):
            seat = source.randrange(rules.players)
            observation = table.observed(rules, state, seat)
            if not board(name).visible(rules, observation) or source.random() < 0.5:
                continue
            if name == "federation" and state.phase == TRIBUTE:  # in a world others may have given back, or not yet
                continue
            world = table.redealt(rules, observation, source.getrandbits(60))
            both = sorted({*table.moves_of(rules, state)} & {*table.moves_of(rules, world)})
            if both:
                move = source.choice(both)
                told, knows, steps = told_to(seat, name, rules, state, move)
                told_there, knows_there, steps_there = told_to(seat, name, rules, world, move)
                if fields(knows) == fields(knows_there):
                    assert told == told_there
                    checked += 1
                    other_steps += steps != steps_there
    assert checked > 500
    assert other_steps >= unequal


def _after(rules: Any, state: Any, move: int) -> Any:
    state = state.copy()
    play(rules, state, move)
    return state


def tribute_position(tribute_blind: bool) -> tuple[Any, Any]:
    """Rules, and the first decision of a tribute."""
    rules = federation(tribute_blind=tribute_blind)
    state = next(state for state in decisions(rules, seed=1) if state.phase == TRIBUTE)
    return rules, state


@pytest.mark.parametrize("tribute_blind", [False, True])
def test_the_receiver_sees_what_it_gets_when_the_rules_let_it(tribute_blind: bool) -> None:
    rules, state = tribute_position(tribute_blind)
    receiver, giver = int(state.turn), int(state.previous[3])
    given = BOARD.move_text(GAME.format_move(rules, state.given[0])).plain
    text = "\n".join(line.plain for line in BOARD.situation(rules, observed(rules, state, receiver), NAMES))
    line = next(line for line in text.splitlines() if f"seat {giver}" in line and "tribute" in line)
    assert (given in line) != tribute_blind
    assert ("the 2 strongest cards, which you see when you have chosen" in line) == tribute_blind
    text = "\n".join(line.plain for line in BOARD.situation(rules, observed(rules, state, giver), NAMES))
    assert f"{NAMES[giver]} to {NAMES[receiver]}: {given}" in text
    onlooker = next(seat for seat in range(4) if seat not in (receiver, giver))
    text = "\n".join(line.plain for line in BOARD.situation(rules, observed(rules, state, onlooker), NAMES))
    assert f"{NAMES[giver]} to {NAMES[receiver]}: the 2 strongest cards" in text


def test_only_the_two_of_a_pair_are_told_the_cards_of_a_tribute() -> None:
    rules, state = tribute_position(True)
    play(rules, state, moves_of(rules, state)[0])
    first, second, third, fourth = (int(seat) for seat in state.previous[:4])
    move = moves_of(rules, state)[0]
    after = _after(rules, state, move)
    names = {seat: Names(["a", "b", "c", "d"], seat) for seat in range(4)}
    cards = {
        name: BOARD.move_text(GAME.format_move(rules, int(value))).plain
        for name, value in {"up": after.given[0], "down": after.returned[0], "back": move}.items()
    }
    for seat in range(4):
        before = observed(rules, state, seat)
        visible = BOARD.visible(rules, before)
        assert visible == (seat == second)
        lines = BOARD.told(rules, before, move if visible else None, observed(rules, after, seat), names[seat])
        assert len(lines) == 4
        assert (f"tribute back: {cards['back']}" in lines[0].plain) == (seat == second)
        knows = f" {cards['up']} and got {cards['down']}" in lines[1].plain
        assert knows == (seat in (first, fourth))
        assert bool(CARD.search(lines[2].plain)) == (seat in (second, third))
        assert lines[3].plain == f"  first to lead: {names[seat][fourth]}"


def test_between_two_people_the_screen_shows_no_hand() -> None:
    """In a terminal: what is left on it when the keyboard changes hands has been cleared, scrollback and all."""
    terminal = Terminal("play", "--hotseat", 2, "--seat", 3, "--seat", 1, "--seed", 887)
    handing_over = "Pass the keyboard to seat {} (player {}), then press Enter: "
    terminal.expect(handing_over.format(3, 1))
    for seat, player, move in ((1, 2, "d3"), (3, 1, "d6"), (1, 2, "d9")):
        terminal.type("\n")
        text = terminal.expect("hand")
        assert FORGET in terminal.raw.partition("Game 1")[0].partition("seat 0")[0]
        assert "▸ you " in text
        terminal.type(f"{move}\n")
        terminal.expect(handing_over.format(seat, player))
        assert terminal.raw.rpartition(FORGET)[2] == handing_over.format(seat, player)
    terminal.type("\n")
    terminal.expect("Play: ")
    terminal.type("\x1b[A\x1b[A\n")  # what was typed before is not remembered
    terminal.expect("Play: ")
    terminal.type("q\n")
    terminal.expect("Bye.")
    assert not CARD.search(terminal.raw.rpartition(FORGET)[2])
    assert terminal.end() == 0


def test_several_people_see_the_end_of_a_game_as_all_have_seen_it() -> None:
    screen = Scripted(lambda prompt, _: "" if "Enter" in prompt else "1", shared=True)
    Session(make_plan("greedy", 1, seed=4), [0, 2], screen).run()
    clearing = f"\n{'─' * screen.width}\n"
    for part in re.findall(rf"{clearing}(?:(?!{clearing}).)*game \d of 4 is over", screen.text, re.S):
        end = part.rpartition(clearing)[2]
        assert "the game is over" in end
        assert "hand" not in end
        assert "tribute" not in end
        assert not re.search(r"\byou\b", end)
    assert "(no choice)" not in "".join(re.findall(rf"{clearing}(?:(?!{clearing}).)* is over", screen.text, re.S))


# --- What may be typed ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("s7 h7", "S7 H7"),
        ("♠7,♥7", "S7 H7"),
        ("7s 10h", "S7 HT"),
        ("s7h7 Joker", "S7 H7 JK"),
        ("7 7 jk", "7 7 JK"),
        ("10 T", "T T"),
        ("jk=s7", "JK=S7"),
        ("77", "77"),
        ("k jk", "K JK"),
        ("foo", "FOO"),
    ],
)
def test_typed_words(typed: str, words: str) -> None:
    assert typed_words(typed) == words.split()


TEXTS = ["S:S7", "S:H7", "S:SK", "S:JK", "G:S7 H7", "G:S7 D7", "G:S7 JK", "G:S7 JK=D7", "G:S7 JK JK", "Q:S7 JK JK",
         "Q:S5 S6 JK=S7", "G:H3 H4"]  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("s7", ["S:S7"]),
        ("7S", ["S:S7"]),
        ("S:S7", ["S:S7"]),
        ("k", ["S:SK"]),  # not the joker
        ("jk", ["S:JK"]),
        ("h7 s7", ["G:S7 H7"]),
        ("7 s7", ["G:S7 H7", "G:S7 D7"]),
        ("7 7", ["G:S7 H7", "G:S7 D7"]),
        ("7 jk", ["G:S7 JK", "G:S7 JK=D7"]),
        ("s7 jk=d7", ["G:S7 JK=D7"]),
        ("7 jk jk", ["G:S7 JK JK", "Q:S7 JK JK"]),
        ("q: 7 jk jk", ["Q:S7 JK JK"]),
        ("Q:♠5 ♠6 JK", ["Q:S5 S6 JK=S7"]),
        ("s:7 7", []),
        ("7 7 7", []),
        ("d7", []),
        ("", []),
    ],
)
def test_moves_that_are_meant(typed: str, meant: list[str]) -> None:
    assert [TEXTS[index] for index in matching(typed, TEXTS)] == meant


@pytest.mark.parametrize("name", TABLES)
def test_every_move_can_be_chosen_by_its_number_and_by_typing_it(name: str) -> None:
    source, table = random.Random(2), TABLES[name]
    game = table.game
    chosen = 0
    for seed in range(12):
        rules = some_rules(name, source)
        for state in table.decisions(rules, seed, 2):
            if source.random() < 0.3:
                moves = table.moves_of(rules, state)
                menu = Menu(board(name), game, rules, table.observed(rules, state, state.turn), moves)
                numbers = range(0 if PASS in moves else 1, len(menu.moves) + 1)
                assert sorted(menu.move(number) for number in numbers) == sorted(moves)
                listed = "\n".join(line.plain for line in menu.lines(80))
                for number in numbers:
                    text = game.format_move(rules, menu.move(number))
                    assert menu.read(str(number)) == menu.read(text.lower()) == menu.read(text) == [number]
                    assert re.search(rf"(^| ){number}\) \S", listed, re.M)
                    if number:
                        assert number in menu.read(menu.entry(number).plain.partition(")")[2].strip())
                    chosen += 1
    assert chosen > 500


FOLLOW = position(
    "S7 H7 D7 S9 C9 CQ JK", "S3 S4", "H3 H4", "D3 D4",
    field={"play": "G:H6 D6", "owner": 3, "lock": "", "span": None},
)  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("7 7", "That can be:"),
        ("4 4", "D3: seat 0 does not hold"),
        ("s7", "D4.1: the field has a group of 2"),
        ("s9 cq", "D3.2: G:S9 CQ is not two or more cards of one rank"),
        ("9 9 9", "D3: seat 0 does not hold"),
        ("s7 s7", "S7 stands twice"),
        ("7 7 7 7 7", "stands twice"),
        ("s7 h7 d7 c7 7", "stands twice"),
        ("10 10 10 10 10 10", "stands twice"),
        ("jk jk jk", "more than two jokers"),
        ("77", "the list has the numbers 0 to 10, not 77"),
        ("8" * 5000, "the list has the numbers"),
        ("foo", "'FOO' is no card: write the suit S H D C"),
        ("?", "A rank is any card of that rank"),
        ("m", "groups with jokers:"),
        ("", "▸ you "),
    ],
)
def test_what_is_not_a_choice_is_answered_and_asked_again(typed: str, answer: str) -> None:
    rules = federation()
    assert answer in answers_to(typed, "federation", rules, GAME.parse_state(rules, FOLLOW))


def test_an_ambiguous_move_is_asked_about() -> None:
    menu = Menu(BOARD, GAME, federation(), *_observed_with_moves(FOLLOW))
    numbers = menu.read("7 7")
    assert [menu.described(number).plain for number in numbers] == [
        "  1) ♠7 ♥7  (pairs)",
        "  2) ♠7 ♦7  (pairs)",
        "  3) ♥7 ♦7  (pairs)",
    ]
    assert menu.read("pass") == menu.read("-") == menu.read("0") == [0]
    assert menu.move(0) == 0
    assert GAME.format_move(federation(), menu.move(menu.read("h7 d7")[0])) == "G:H7 D7"


def _observed_with_moves(where: dict[str, Any]) -> tuple[Any, list[int]]:
    state = GAME.parse_state(federation(), where)
    return observed(federation(), state, state.turn), moves_of(federation(), state)


def test_a_leader_cannot_pass() -> None:
    menu = Menu(BOARD, GAME, federation(), *_observed_with_moves(position("S7 H7", "S3", "H3", "D3")))
    for typed, problem in (("pass", "D7.2: the leader must play"), ("0", "numbers 1 to 3, not 0")):
        with pytest.raises(InputError, match=problem):
            menu.read(typed)


def test_many_leads_fold_into_what_fits() -> None:
    hand = "D3 D7 H8 D8 H9 D9 C9 HT DT HJ CJ JK JK"
    menu = Menu(BOARD, GAME, federation(), *_observed_with_moves(position(hand, "S3", "H3", "C3")))
    assert len(menu.moves) == 117
    everything = menu.lines(80)
    assert sum(len(re.findall(r"\d\)", line.plain)) for line in everything) == 117
    for height in (24, 17, 12):
        lines = menu.lines(80, height)
        assert len(lines) <= height
        assert all(line.cell_len <= 80 for line in lines)
        assert lines[0].plain == "singles:"
        assert "sequences with jokers: 63 to 117; m lists them, or type the cards" in [line.plain for line in lines]
    assert [heading for heading, _ in menu.headings] == [
        "singles", "pairs", "threes", "sequences", "groups with jokers", "sequences with jokers",
    ]  # fmt: skip


# --- What is always shown ---------------------------------------------------------------------------------------


def situation(where: dict[str, Any], **options: Any) -> str:
    rules = federation(**options)
    state = GAME.parse_state(rules, where)
    names = Names(["a", "b", "c", "d"], int(state.turn))
    return "\n".join(line.plain for line in BOARD.situation(rules, observed(rules, state, state.turn), names))


def test_revolution_j_back_and_lock_always_stand_there() -> None:
    hands = ("S7 H7", "S3 S4", "H3", "D4")
    assert "order    3 to 2 · revolution off · J-back off · lock off" in situation(position(*hands))
    field = {"play": "G:S8 D8", "owner": 1, "lock": "SD", "span": None}
    text = situation(position(*hands, revolution=True, field=field))
    assert "order    2 to 3 · revolution ON · J-back off · lock ON ♠ ♦" in text
    assert "order    3 to 2 · revolution ON · J-back ON · lock off" in situation(
        position(*hands, revolution=True, jback=True, field=field | {"lock": ""}), j_back=True
    )


def test_the_table() -> None:
    where = position(
        "S7 H7 JK", "S3 S4", "", "D4", "",
        passed=[3], out=[2], sunk=[[4, "foul"]], previous=[2, 1, 0, 3, 4],
        field={"play": "Q:C5 C6 JK", "owner": 1, "lock": "", "span": ["5", "7"]},
    )  # fmt: skip
    rules = federation(5)
    state = GAME.parse_state(rules, where)
    lines = BOARD.situation(rules, observed(rules, state, 0), Names(["you", "greedy", "mc", "a", "b"], 0))
    assert [line.plain for line in lines] == [
        "▸ you            3  heimin",
        "  seat 1 greedy  2  fugo       ♣5 ♣6 JK",
        "  seat 2 mc      –  daifugo    out, place 1",
        "  seat 3 a       1  hinmin     passed",
        "  seat 4 b       –  daihinmin  foul finish",
        "  field    ♣5 ♣6 JK  sequence of 3 from 5 to 7 by seat 1 greedy",
        "  order    3 to 2 · revolution off · J-back off · lock off",
        "  hand     ♠7 ♥7  JK",
    ]


CLEARS = "field clears, next lead:"


@pytest.mark.parametrize(
    ("hands", "plays", "lines"),
    [
        (["S7 S3", "H9 H3", "D3", "C3"], "S:S7 -", ["♠7", "passes"]),
        (["S7 S3", "S9 H3", "D3", "C3"], "S:S7 S:S9", ["♠7", "♠9  lock ♠"]),
        (["S8 S3", "S9 H3", "D3", "C3"], "S:S8", ["♠8  8-cut: field clears, next lead: seat 0 a"]),
        (["S7 S3", "S9", "D3", "C3 C4"], "S:S7 S:S9", ["♠7", "♠9  lock ♠  out, place 1"]),
        (["S3 S4 JK", "S9", "D3 D4", "C3"], "S:JK - -", ["JK", "passes", "passes"]),
        (["D9 JK", "S3 S9", "D3", "C3"], "S:JK S:S3", ["JK", "♠3  ♠3 on the joker: field clears, next lead: seat 1 b"]),
        (["S7 H7 D7 C7 C3", "S9", "D3", "C4"], "G:S7_H7_D7_C7", ["♠7 ♥7 ♦7 ♣7  revolution"]),
        (["SJ S3", "S9", "D3", "C4"], "S:SJ", ["♠J  J-back"]),
        (["S2", "S9", "D3", "C4"], "S:S2", ["♠2  foul finish"]),
        (["SQ S3", "S9", "D3", "C4"], "S:SQ - - -", ["♠Q", *2 * ["passes"], f"passes  {CLEARS} seat 0 a"]),
    ],
)  # fmt: skip
def test_what_a_move_sets_off_is_told(hands: list[str], plays: str, lines: list[str]) -> None:
    rules = federation(j_back=True)
    state = GAME.parse_state(rules, position(*hands))
    names = Names(["a", "b", "c", "d"])
    for text, line in zip(plays.split(), lines, strict=True):
        move = GAME.parse_move(rules, state, text.replace("_", " "))
        after = _after(rules, state, move)
        (told,) = BOARD.told(rules, state, move, after, names)
        assert told.plain == f"  {names[int(state.turn)]}  {line}"
        state = after


def test_a_fall_is_told() -> None:
    rules = federation()
    state = GAME.parse_state(rules, position("S7", "S9 H9", "D3 D4", "C3 C4", previous=[1, 0, 2, 3]))
    after = play_text(rules, state.copy(), "S:S7")
    (told,) = BOARD.told(rules, state, GAME.parse_move(rules, state, "S:S7"), after, Names("abcd"))
    assert told.plain == "  seat 0 a  ♠7  out, place 1  seat 1 b: fall"


def test_long_names_are_cut() -> None:
    names = Names(["mc(playouts=500,policy=greedy)", "greedy"], 1)
    assert (names[0], names[1], names.width) == ("seat 0 mc(playouts=500,…", "you", 24)


# --- The terminal -----------------------------------------------------------------------------------------------


def luminance(colour: tuple[int, ...]) -> float:
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (c / 255 for c in colour)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("colours", ["truecolor", "256"])
def test_suits_are_readable_on_dark_and_on_light(colours: str) -> None:
    """A contrast of 3 to 1 at least, which is what large or bold text needs."""
    for name, style in card_theme(colours).styles.items():
        if name in MANY_COLOURS and style.color is not None:
            light = luminance(style.color.downgrade(ColorSystem.EIGHT_BIT).get_truecolor())
            assert 1.05 / (light + 0.05) >= 2.7
            assert (light + 0.05) / 0.05 >= 3
    for kind, count in (("suit.", 4), ("card.", 5)):
        assert len({style for name, style in MANY_COLOURS.items() if name.startswith(kind)}) == count


def test_keys_that_end_it() -> None:
    for keys, code, last in (("\x03", 130, "agari: interrupted"), ("\x04", 0, "Bye. The same match again: --seed 3")):
        terminal = Terminal("play", "--seed", 3)
        text = terminal.expect("Play: ")
        assert re.search(r"hand +♠3 ♣3", text)
        assert "\x1b[1;38;5;" in terminal.raw
        terminal.expect(last, press=keys)
        assert terminal.end() == code


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_without_colour(environment: dict[str, str]) -> None:
    terminal = Terminal("play", "--seed", 3, rows=24, columns=40, **environment)
    text = terminal.expect("Play: ")
    assert not re.search(r"\x1b\[[0-9;]*[34]\d", terminal.raw)
    assert [line for line in text.splitlines() if len(line) > 40] == []
    terminal.type("q\n")
    assert terminal.end() == 0


def test_the_end_of_input_is_no_error() -> None:
    for typed in ("", "q\n", "?\nfoo"):
        result = agari("play", "--seed", 3, typed=typed)
        assert (result.exit_code, result.stderr.replace("compiling, once\n", "")) == (0, "")
        assert result.stdout.endswith("Bye. The same match again: --seed 3\n")
        assert not ESCAPES.search(result.stdout)


def test_a_seed_is_drawn_and_shown() -> None:
    seeds = {re.search(r"again: --seed (\d+)\n", agari("play").stdout)[1] for _ in range(3)}  # type: ignore[index]
    assert len(seeds) == 3
    seed = seeds.pop()
    assert agari("play", "--seed", seed).stdout == agari("play", "--seed", seed).stdout


@pytest.mark.parametrize("seat", range(4))
def test_the_seat_of_the_first_game(seat: int) -> None:
    assert f"Game 1 of 4: you are seat {seat}" in agari("play", "--seed", 1, "--seat", seat).stdout


def test_streams_that_are_closed_or_cannot_write_suits() -> None:
    def run(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
        line = f"{sys.executable} -c '{AGARI[2]}' play --seed 3 {command}"
        return subprocess.run(["sh", "-c", line], capture_output=True, text=True, env={**os.environ, **environment})

    closed = run("<&-")
    assert (closed.returncode, closed.stderr) == (2, "agari: standard input is closed: moves are read from it\n")
    plain = run("</dev/null", PYTHONIOENCODING="ascii")
    assert (plain.returncode, plain.stderr) == (0, "")
    assert re.search(r"hand +S3 C3 ", plain.stdout)
    assert plain.stdout.isascii()


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("--agents grady", "unknown agent 'grady'; the agents are"),
        ("--agents greedy,greedy,greedy,random", "--agents names 4, but 3 seats are free"),
        ("--agents mc(playouts=0)", "agent mc(playouts=0): playouts=0: must be"),
        ("--agents players:Picky(depth=-1)", "raised ValueError: depth must be positive"),
        ("--seat 4", "--seat 4: the seats are 0 to 3"),
        ("--seat 1 --seat 1 --hotseat 2", "--seat 1 is given twice"),
        ("--seat 1 --seat 2", "for more than one person say --hotseat 2"),
        ("--hotseat 5", "--hotseat 5: from 1 to 4 people can play"),
        ("--game hearts", "unknown game 'hearts'; the games are federation"),
        ("--players 7", "federation is played by 4, 5, 6; 7 players need points"),
        ("--set fall", "--set fall: write it as option=value"),
        ("--games 5", "a match of federation has 4, 8 or 12 games, not 5"),
        ("--seed one", "agari play: Invalid value for '--seed'"),
    ],
)
def test_impossible_matches_are_refused_in_one_line(folder: Path, arguments: str, line: str) -> None:
    assert line in one_line(agari("play", *arguments.split()))


@pytest.mark.parametrize("how", ["error", "exit", "illegal", "nothing"])
def test_an_agent_that_fails_ends_the_match_with_one_line(folder: Path, how: str) -> None:
    (folder / "failing.py").write_text(
        f"from players import First\nclass Fails(First):\n    def choose(self, view):\n"
        f"        self.how = {how!r}\n        return self.fail(view)\n"
    )
    result = agari("play", "--agents", "failing:Fails", "--seed", 3, typed="1\n" * 9)
    assert result.exit_code == 1
    line = result.stderr.replace("compiling, once\n", "")
    assert re.fullmatch(r"agari: agent failing:Fails: (raised|chose) .* \(--seed 3\)\n", line)


def test_a_game_without_a_board_is_refused() -> None:
    with pytest.raises(InputError, match=r"^duel cannot be shown at a terminal: it has no board$"):
        board_of(GAME._replace(name="duel"))


def test_what_the_command_itself_does_is_in_its_help() -> None:
    for command in ("play", "watch"):
        assert agari(command, "--help").stdout.startswith(f"Usage: agari {command} ")


# --- Recorded games ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two matches."""
    folder = tmp_path_factory.mktemp("play") / "run"
    assert agari("pit", "--agents", "greedy,random", "--matches", 2, "--quiet", "--out", folder).exit_code == 0
    return folder


def test_a_game_is_printed_where_there_is_no_terminal(run: Path) -> None:
    result = agari("watch", run, "--match", 1, "--game", 1, "--rotation", 2)
    assert result.exit_code == 0
    last = int(re.search(r"step 0 of (\d+)", result.stdout)[1])  # type: ignore[index]
    headlines = re.findall(r"^── match 1, rotation 2, game 1, step (\d+) of \d+ ─+$", result.stdout, re.M)
    assert headlines == [str(step) for step in range(last + 1)]
    assert result.stdout.count("tribute back: ") == 2
    hands = re.findall(r"^ {11}(.*)$", result.stdout.partition("step 1 of")[0], re.M)
    assert len(hands) == 4  # all are open
    assert all(len(CARD.findall(hand)) == 13 for hand in hands)
    assert re.search(r"1  daifugo +seat \d (greedy|random) +went out +6\n", result.stdout)


def test_a_game_from_one_seat(run: Path) -> None:
    text = agari("watch", run, "--game", 1, "--seat", 2).stdout
    assert len(re.findall(r"^  hand ", text, re.M)) == text.count("── match")
    assert not re.search(r"^ {11}[♠♥♦♣]", text, re.M)


@pytest.fixture(scope="module", params=TABLES)
def any_run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """A ruleset, and a run of one match of it."""
    folder = tmp_path_factory.mktemp("play") / request.param
    command = ["--game", request.param, "--agents", "greedy,random", "--matches", 1, "--quiet", "--out", folder]
    assert agari("pit", *command).exit_code == 0
    return request.param, folder


@pytest.mark.parametrize("seat", [None, 0, 1, 2, 3])
def test_every_step_of_recorded_games_is_printed(any_run: tuple[str, Path], seat: int | None) -> None:
    """From a seat, moves that it did not see are no steps of their own, and no other hand is shown."""
    name, folder = any_run
    game, rules, its, table = TABLES[name].game, rules_of(name), board(name), TABLES[name]
    for number in range(game.presets[name].match_games[0]):
        recorded = read_game(folder, 0, number % 4, number)
        result = agari(
            *("watch", folder, "--rotation", number % 4, "--game", number, *(() if seat is None else ("--seat", seat)))
        )
        assert (result.exit_code, result.stderr) == (0, "")
        last = int(re.search(r"step 0 of (\d+)", result.stdout)[1])  # type: ignore[index]
        assert re.findall(r"step (\d+) of", result.stdout) == [str(step) for step in range(last + 1)]
        if seat is None:
            assert last == len(recorded.moves)
            texts = {its.move_text(game.format_move(rules, move)).plain for move in recorded.moves if move != PASS}
            assert [text for text in texts if text not in result.stdout] == []
        else:
            seen = [its.visible(rules, table.observed(rules, state, seat)) for state in recorded.states]
            assert last == sum(seen[1:-1]) + 1
            assert result.stdout.count("\n  hand ") == last + 1
            assert not re.search(r"^ {11}[♠♥♦♣A-Z]", result.stdout, re.M)
        assert result.stdout.count(" who ") == 1
        assert [line for line in result.stdout.splitlines() if len(line) > 100] == []


def test_stepping_and_jumping(run: Path) -> None:
    terminal = Terminal("watch", run, "--match", 1)
    step = 0
    for keys, step, also in (
        ("", 0, "The cards are dealt"),
        ("\n", 1, ""),
        ("n\n", 2, ""),
        ("p\n", 1, ""),
        ("17\n", 17, ""),
        ("0\n", 0, "The cards are dealt"),
    ):
        terminal.type(keys)
        text = terminal.expect("q quits: ")
        assert f"match 1, rotation 0, game 0, step {step} of" in text
        assert also in text
    last = int(re.search(r"step 0 of (\d+)", text)[1])  # type: ignore[index]
    for keys, answer in (
        ("b\n", "this is the first step"),
        ("999\n", f"the steps are 0 to {last}"),
        ("foo\n", "Enter or n: next step"),
        (f"{last}\n", "daihinmin"),
        ("\n", "that was the last step"),
    ):
        terminal.type(keys)
        assert answer in terminal.expect("q quits: ")
    terminal.type("q\n")
    assert terminal.end() == 0


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("--match 2", "has no match 2: they are 0 to 1"),
        ("--match -1", "has no match -1: they are 0 to 1"),
        ("--game 4", "has no game 4: they are 0 to 3"),
        ("--rotation 4", "has no rotation 4: they are 0 to 3"),
        ("--seat 4", "has no seat 4: they are 0 to 3"),
        ("--match one", "Invalid value for '--match'"),
    ],
)
def test_games_that_are_not_there(run: Path, arguments: str, line: str) -> None:
    assert line in one_line(agari("watch", run, *arguments.split()))


def test_matches_that_are_still_to_be_played(run: Path, folder: Path) -> None:
    assert "it has no manifest.json" in one_line(agari("watch", folder))
    copied = folder / "run"
    shutil.copytree(run, copied)
    (copied / "results" / "part-00000.parquet").unlink()
    line = one_line(agari("watch", copied, "--match", 0))
    assert line.endswith("match 0 has not been played yet: there are 1 to 1\n")


@pytest.mark.parametrize("seed", range(6))
def test_games_of_any_rules_are_played_again_as_they_were(seed: int) -> None:
    rules = GAME.options.parse(random_options(random.Random(seed)) | {"lead_pass": False})
    agent = parse_agent("random").build()
    for played in play_match(GAME, rules, [agent] * rules.players, ["random"] * rules.players, 4, seed):
        state, texts = GAME.opening(rules, GAME.record(rules, played.state, played.moves))
        play_text(rules, state, *texts)
        assert GAME.format_state(rules, state) == GAME.format_state(rules, played.state)
