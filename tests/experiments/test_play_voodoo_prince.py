"""Voodoo Prince at the terminal: what is shown, what is told, what may be typed."""

import random
import re
from typing import Any

import pytest
from agari.experiments.plan import make_plan
from agari.experiments.terminal.board import Names, board_of
from agari.experiments.terminal.session import Session
from agari.experiments.terminal.voodoo_prince import card_text
from agari.sim.game import play
from agari.sim.voodoo_prince.notation import parse_card

from ..voodoo_table import GAME, legal_texts, observed, position, rules_of
from .keyboard import Scripted, Terminal, answers_to, since_cleared

BOARD = board_of(GAME)
SEVENTH = "trick to seat 1 b with R7, as two tricks"


def lines_of(where: dict[str, Any], seat: int | None) -> list[str]:
    """What a seat sees of a position, or with None all of it."""
    rules = rules_of(len(where["hands"]))
    state = GAME.parse_state(rules, where)
    record = state if seat is None else observed(rules, state, seat)
    return [line.plain for line in BOARD.situation(rules, record, Names("abcde"[: rules.players], seat))]


def test_the_table() -> None:
    table = position(
        "R3 B4 P0", "", "G1 Y2", "B5 P11",
        trick="2:R7 3:G12", turn=0, tricks=[2, 3, 0, 1], left=[1], scores=[None, 3, None, None],
    )  # fmt: skip
    assert lines_of(table, 0) == [
        "▸ you       3  2 of 3 tricks",
        "  seat 1 b  –  3 of 3 tricks  left 1st: 3 points",
        "  seat 2 c  2  0 of 3 tricks  R7",
        "  seat 3 d  2  1 of 3 tricks  G12  no R",
        "  trick    R7 G12  led by seat 2 c; R7 wins so far, as two tricks",
        "  trump    B (blue)",
        "  hand     R3  B4  P0",
    ]
    assert lines_of(table, 1)[-1] == "  hand     lies aside"
    hands = [line for line in lines_of(table, None) if line.startswith(" " * 11)]
    assert [hand.strip() for hand in hands] == ["R3  B4  P0", "Y2  G1", "B5  P11"]


@pytest.mark.parametrize("seat", [0, 1])
def test_trump_that_is_still_to_be_named(seat: int) -> None:
    where = position("R3 B4", "R5 P1", trump=None)
    names = [["you lead", "you name it"], ["seat 0 a leads", "seat 0 a names it"]][seat]
    lines = lines_of(where, seat)
    assert [line[11:] for line in lines[2:4]] == names
    rules = rules_of(2)
    state = GAME.parse_state(rules, where)
    assert BOARD.question(rules, observed(rules, state, 0)) == "Name trump"
    (line,) = BOARD.dealt(rules, observed(rules, state, seat), Names("ab", seat))
    who = ["you name trump and lead", "seat 0 a names trump and leads"][seat]
    assert line.plain == f"The cards are dealt. The last one left, {who}."


@pytest.mark.parametrize(
    ("where", "moves", "lines"),
    [
        (position("R3", "R5", trump=None), "trump:G", ["trump G (green)"]),
        (position("R3 Y1", "R6 P1"), "R3 R6", ["leads R3", "R6", "trick to seat 1 b with R6: 1 of 7"]),
        (position("R3 Y1", "G5 P1"), "R3 G5", ["leads R3", "G5  no R", "trick to seat 0 a with R3: 1 of 7"]),
        (position("R3 Y1", "B5 P1"), "R3 B5", ["leads R3", "B5  no R", f"{SEVENTH.replace('R7', 'B5')}: 2 of 7"]),
        (position("R10 Y1", "R0 P1"), "R10 R0", ["leads R10", "R0", "trick to seat 1 b with R0: 1 of 7"]),
        (
            position("R3 Y1", "R6 P1", "R2 G3", tricks=[0, 3, 2]),
            "R3 R6 R2",
            ["leads R3", "R6", "R2", "trick to seat 1 b with R6: 4 of 4", "seat 1 b leaves 1st with 2 points"],
        ),
        (
            position("R3 Y1", "R7 P1", tricks=[5, 6]),
            "R3 R7",
            [
                *("leads R3", "R7", f"{SEVENTH}: 8 of 7", "seat 1 b leaves 1st with 5 points"),
                "seat 0 a is left over with 2 points: the round is over",
            ],
        ),
        (
            position("R3 Y1", "R7 P1", tricks=[6, 6]),
            "R3 R7",
            [
                *("leads R3", "R7", f"{SEVENTH}: 8 of 7", "seat 1 b leaves 1st with 6 points"),
                "seat 0 a is left over with 1 point: the round is over",
            ],
        ),
    ],
)  # fmt: skip
def test_what_a_move_does_is_told(where: dict[str, Any], moves: str, lines: list[str]) -> None:
    rules = rules_of(len(where["hands"]))
    state = GAME.parse_state(rules, where)
    names = Names("abc"[: rules.players])
    told = []
    for text in moves.split():
        move = GAME.parse_move(rules, state, text)
        before = state.copy()
        play(rules, state, move)
        first, *others = BOARD.told(rules, before, move, state, names)
        assert first.plain.startswith(f"  {names[int(before.turn)]}  ")
        told += [first.plain.removeprefix(f"  {names[int(before.turn)]}  "), *(line.plain.strip() for line in others)]
    assert told == lines


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("r7", ["R7"]),
        ("R7", ["R7"]),
        ("7r", ["R7"]),
        ("red 7", ["R7"]),
        ("7 Red", ["R7"]),
        ("r  12", ["R12"]),
        ("r07", ["R7"]),
        ("r", ["R7", "R12"]),
        ("yellow", ["Y0"]),
        ("p", []),
        ("r1", []),
        ("", []),
        ("rr7", []),
    ],
)
def test_cards_that_are_meant(typed: str, meant: list[str]) -> None:
    texts = ["R7", "R12", "Y0", "G7"]
    assert [texts[index] for index in BOARD.matching(typed, texts)] == meant


@pytest.mark.parametrize("typed", ["trump g", "trump:G", "TRUMP GREEN", "g", "green", "trump=g", "trumpg"])
def test_trump_that_is_meant(typed: str) -> None:
    texts = [f"trump:{letter}" for letter in "RYGBP"]
    assert BOARD.matching(typed, texts) == [2]


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("y8", "seat 0 holds R, which was led (V2.1)"),
        ("y", "seat 0 holds R, which was led (V2.1)"),
        ("r9", "seat 0 does not hold R9 (V2.1)"),
        ("g", "seat 0 does not hold G0 (V2.1)"),
        ("r13", "'R13' is no card: write a colour R Y G B P and a rank 0 … 12, as in R7"),
        ("r99999999999999999999", "is no card"),
        ("trump g", "trump is B already (V1.3)"),
        ("trump", "'TRUMP' is no card"),
        ("pass", "'PASS' is no card"),
        ("0", "the list has the numbers 1 to 2, not 0"),
        ("s7", "'S7' is no card"),
        ("r", "That can be:"),
        ("?", "Cards are a colour"),
        ("m", "red:"),
        ("", "▸ seat 0"),
    ],
)
def test_what_is_not_a_choice_is_answered(typed: str, answer: str) -> None:
    rules = rules_of(4)
    where = position("R3 R4 Y8 B4", "R5", "R7", "R2", trick="3:R1", turn=0)
    assert answer in answers_to(typed, "voodoo_prince", rules, GAME.parse_state(rules, where)).replace("you ", "seat 0")


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("r3", "seat 0 has to name trump before it leads, as in trump:R (V1.3)"),
        ("trump x", "is no card"),
        ("6", "the list has the numbers 1 to 5, not 6"),
    ],
)
def test_trump_must_be_named_first(typed: str, answer: str) -> None:
    rules = rules_of(2)
    where = position("R3 R4", "R5 R6", trump=None)
    assert answer in answers_to(typed, "voodoo_prince", rules, GAME.parse_state(rules, where))


def test_every_legal_lead_is_listed_by_colour() -> None:
    rules = rules_of(2)
    state = GAME.parse_state(rules, position("P0 R3 G4 R5 G9", "R6"))
    texts = legal_texts(rules, state)
    groups = BOARD.grouped(texts)
    assert [(heading, [texts[index] for index in found]) for heading, found in groups] == [
        ("red", ["R3", "R5"]), ("green", ["G4", "G9"]), ("purple", ["P0"]),
    ]  # fmt: skip


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_whole_match_of_people_at_one_keyboard(players: int) -> None:
    """Nobody sees another's hand, the last one of a round names trump, and places and wins are shared."""
    source = random.Random(players)
    named = 0

    def answer(prompt: str, text: str) -> str:
        nonlocal named
        if prompt.startswith("Pass the keyboard"):
            assert "  hand " not in since_cleared(screen)
        table = text.rpartition("your turn")[2]
        named += prompt.startswith("Name trump")
        return "" if "Enter" in prompt else str(source.randint(1, 2 if " 2) " in table else 1))

    screen = Scripted(answer, shared=True)
    Session(
        make_plan("random", 1, game="voodoo_prince", players=players, seed=players), list(range(players)), screen
    ).run()
    assert named == 4
    assert screen.text.count("the round is over") == 5
    assert len(re.findall(r" leaves? 1st with \d+ points?\n", screen.text)) >= 5


def test_each_colour_has_its_own() -> None:
    rules = rules_of(5)
    styles = {str(card_text(parse_card(rules, f"{letter}7")).style) for letter in "RYGBP"}
    assert styles == {"card.red", "card.yellow", "card.green", "card.blue", "card.purple"}


@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_in_a_terminal(environment: dict[str, str]) -> None:
    """Coloured where there are colours; letters and ranks stand there in any case; all fits."""
    terminal = Terminal("play", "--game", "voodoo_prince", "--seed", 3, "--seat", 1, columns=40, **environment)
    text = terminal.expect("Lead: ")
    assert bool(re.search(r"\x1b\[1;38;5;\d+mR\d", terminal.raw)) == (not environment)
    assert re.search(r"R\d+", text)
    assert [line for line in text.splitlines() if len(line) > 40] == []
    terminal.type("q\n")
    assert terminal.end() == 0
