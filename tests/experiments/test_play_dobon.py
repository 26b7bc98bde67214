"""Dobon at the terminal: what is shown, what is told, what may be typed, and who gets the keyboard."""

import random
import re
from typing import Any

import numpy as np
import pytest
from agari.agents.view import View
from agari.experiments.plan import make_plan
from agari.experiments.terminal.board import Names, board_of
from agari.experiments.terminal.dobon import _may_shoot
from agari.experiments.terminal.screen import Quit
from agari.experiments.terminal.session import Session
from agari.sim.dobon.cards import cards_of, parse_card, value_of
from agari.sim.dobon.play import qualifies
from agari.sim.dobon.state import SHOOTING, TURN
from agari.sim.game import play

from ..dobon_table import GAME, PACK, Position, decisions, dobon, moves_of, observed, redealt
from .keyboard import Scripted, answers_to, session_at, since_cleared

BOARD = board_of(GAME)


def position(*hands: str, pile: str, turn: int = 0, stock: str | None = None, **changes: Any) -> Position:
    """A position in JSON: these hands, a pile with its top card last, and the rest as the stock, `stock` first."""
    lying = [*" ".join(hands).split(), *pile.split()]
    first = (stock or "").split()
    rest = [card for card in PACK if card not in lying and card not in first]
    return {
        "first": 0, "hands": [hand.split() for hand in hands], "pile": pile.split(), "suit": pile.split()[-1][0],
        "stock": [*first, *rest], "direction": 1, "turn": turn, "pending": 0, "drawn": None, "phase": "turn",
        "put_down": [], "asked": [], "answers": [], "turns": 7, "end": None, "scores": None,
    } | changes  # fmt: skip


def lines_of(where: Position, seat: int | None, **options: Any) -> list[str]:
    """What a seat sees of a position, or with None all of it."""
    rules = dobon(len(where["hands"]), **options)
    state = GAME.parse_state(rules, where)
    record = state if seat is None else observed(rules, state, seat)
    return [line.plain for line in BOARD.situation(rules, record, Names("abcdef"[: rules.players], seat))]


# --- What is shown ----------------------------------------------------------------------------------------------


def test_the_table() -> None:
    where = position("SA H9", "CK", "D3 D4 D5", pile="S5 H8", suit="D", direction=-1)
    assert lines_of(where, 0) == [
        "▸ you       2",
        "  seat 1 b  1  one card left",
        "  seat 2 c  3",
        "  top      ♥8  as ♦",
        "  order    anticlockwise · 44 in the stock · 2 in the pile",
        "  hand     ♠A  ♥9   adds up to 10",
    ]
    hands = [line.strip() for line in lines_of(where, None) if line.startswith(" " * 11)]
    assert hands == ["♠A  ♥9   adds up to 10", "♣K   adds up to 13", "♦3  ♦4  ♦5   adds up to 12"]


def test_cards_to_draw_and_a_drawn_card() -> None:
    two = position("S2 H9", "CK C3", pile="H2 D2", pending=4)
    assert "  2s       play a 2, or draw 4" in lines_of(two, 1)
    drawn = position("S9 H3", "CK C3", pile="H4 D9", drawn="S9")
    assert "  drawn    ♠9" in lines_of(drawn, 0)
    assert "  drawn    ♠9" in lines_of(drawn, None)
    assert not any("drawn" in line for line in lines_of(drawn, 1))


# Seat 1 has put ♠5 down; seats 3 and 0 may shoot it, of which seat 3 has said no.
SHOT = position(
    "S2 H3", "CK D8", "D6 CA", "HA H4",
    pile="S9 S5", turn=1, phase="shoot", put_down=["S5"], asked=[3, 0], answers=[False],
)  # fmt: skip


def test_who_may_shoot_is_seen_by_who_is_asked_only() -> None:
    assert lines_of(SHOT, 0)[:6] == [
        "▸ you       2  may shoot",
        "  seat 1 b  2",
        "  seat 2 c  2",
        "  seat 3 d  2",
        "  top      ♠5",
        "  put down ♠5 by seat 1 b",
    ]
    for seat in (1, 2, 3):
        lines = lines_of(SHOT, seat)
        assert [line for line in lines if "shoot" in line] == (["  you       2  does not shoot"] if seat == 3 else [])
        assert lines[1].startswith(f"▸ {'you' if seat == 1 else 'seat 1'}")
    assert [line for line in lines_of(SHOT, None) if "shoot" in line] == [
        "▸ seat 0 a  2  may shoot",
        "  seat 3 d  2  does not shoot",
    ]


def test_all_see_who_has_shot() -> None:
    back = position(
        "SK H2", "C4 D6 H5", "D7 CA", "HA H9",
        pile="S9 S5 C5 D5", turn=1, phase="return", put_down=["S5", "C5", "D5"], asked=[0], answers=[True],
    )  # fmt: skip
    for seat in range(4):
        lines = lines_of(back, seat)
        assert lines[0].endswith(" 2  shoots")
        assert f"  put down ♠5 ♣5 ♦5 by {'you' if seat == 1 else 'seat 1 b'}, 15 in all" in lines
    rules = dobon(4)
    assert BOARD.question(rules, observed(rules, GAME.parse_state(rules, back), 1)) == "Shoot back, or no"


# --- What is told -----------------------------------------------------------------------------------------------


def told(where: Position, moves: str, seat: int | None = None, **options: Any) -> list[str]:
    """What is told of moves to a seat, or with None to who sees everything; without blanks in front."""
    rules = dobon(len(where["hands"]), **options)
    state = GAME.parse_state(rules, where)
    names = Names("abcdef"[: rules.players], seat)
    lines = []
    for text in moves.split():
        before = state.copy()
        move = GAME.parse_move(rules, state, text)
        assert move in moves_of(rules, state), GAME.why_illegal(rules, state, move)
        play(rules, state, move)
        records = [record if seat is None else observed(rules, record, seat) for record in (before, state)]
        seen = move if BOARD.visible(rules, records[0]) else None
        lines += [line.plain for line in BOARD.told(rules, records[0], seen, records[1], names)]
    return [" ".join(line.split()) for line in lines]


THREE = ("S3 D9 CK", "H7 HQ CQ", "D4 C8 DQ")


@pytest.mark.parametrize(
    ("where", "moves", "lines"),
    [
        (position(*THREE, pile="S5"), "S3", ["you ♠3"]),
        (position("S8 D9 CK", *THREE[1:], pile="S5"), "S8:H", ["you ♠8 as ♥"]),
        (position("S2 D9 CK", *THREE[1:], pile="S5"), "S2", ["you ♠2", "seat 1 b has to play a 2, or to draw 2"]),
        (position("S9 D3 CK", *THREE[1:], pile="S5"), "S9", ["you ♠9", "the turn goes anticlockwise now"]),
        (position("SJ D3 CK", *THREE[1:], pile="S5"), "SJ", ["you ♠J", "skipped: seat 1 b"]),
        (
            position("SJ DJ D3 CK", *THREE[1:], pile="S5", direction=-1),
            "SJ+DJ",
            ["you ♠J ♦J", "skipped: seat 2 c, seat 1 b"],
        ),
        (
            position("SJ DJ CJ D3 CK", *THREE[1:], pile="S5"),
            "SJ+DJ+CJ",
            ["you ♠J ♦J ♣J", "skipped: seat 1 b, seat 2 c, you"],
        ),
        (
            position("S3 CK", *THREE[1:], pile="S5", stock="CA C2"),
            "S3",
            ["you ♠3", "you call the last card: everybody else draws 1"],
        ),
        (position("S3", *THREE[1:], pile="S5"), "S3", ["you ♠3", "you have no cards left", "the deal is over"]),
        (position("DK CK", *THREE[1:], pile="S5", stock="CA"), "draw", ["you draws 1", "you get ♣A"]),
        (
            position("DK CK", *THREE[1:], pile="S5", stock="SA"),
            "draw pass",
            ["you draws 1", "you get ♠A", "you keeps the card"],
        ),
        (
            position(*THREE, pile="C2 H2", pending=4, stock="CA CT SK SA"),
            "draw",
            ["you draws 4", "you get ♠A ♣A ♣T ♠K"],
        ),
    ],
)  # fmt: skip
def test_what_a_move_sets_off_is_told(where: Position, moves: str, lines: list[str]) -> None:
    assert told(where, moves, 0) == lines


@pytest.mark.parametrize("seat", range(3))
def test_what_nobody_may_know_of_a_drawn_card(seat: int) -> None:
    """A card that is kept and one that could not be played are told alike; who drew it is told what it is."""
    kept = told(position("DK CK", *THREE[1:], pile="S5", stock="SA"), "draw pass", seat)
    automatic = told(position("DK CK", *THREE[1:], pile="S5", stock="CA"), "draw", seat)
    if seat == 0:
        assert (kept, automatic) == (["you draws 1", "you get ♠A", "you keeps the card"], ["you draws 1", "you get ♣A"])
    else:
        assert kept == automatic == ["seat 0 a draws 1"]


@pytest.mark.parametrize("seat", range(3))
def test_who_did_not_shoot_is_not_told(seat: int) -> None:
    """And what the play sets off comes after it in any case."""
    asked = position("S3 C9", "H7 HQ CQ", "HA D2", pile="S5", stock="HT DT")
    unasked = position("S3 C9", "H7 HQ CQ", "HA D3", pile="S5", stock="HT DT")
    name = "you" if seat == 0 else "seat 0 a"
    expected = [f"{name} ♠3", f"{name} call{'s' * (seat > 0)} the last card: everybody else draws 1"]
    expected += [["you get ♥T"], ["you get ♦T"]][seat - 1] if seat else []
    assert told(unasked, "S3", seat) == expected
    own = ["you do not shoot"] if seat == 2 else []
    assert told(asked, "S3 no", seat) == [expected[0], *own, *expected[1:]]


@pytest.mark.parametrize("seat", range(4))
def test_shots_are_told_when_all_have_answered(seat: int) -> None:
    """A player that could have shot back is told of like one that could not."""
    names = Names("abcd", seat)
    shots = [names.does(shooter, "shoots", "shoot") for shooter in (1, 3)]
    back = position("S3 C2 DA", "HA D2", "HT H8", "CA H2", pile="S5")
    no_way = position("S3 C4 DA", "HA D2", "HT H8", "CA H2", pile="S5")
    expected = [f"{names[0]} ♠3", *shots, "the deal is over"]
    assert told(no_way, "S3 shoot shoot", seat) == expected
    no = ["you do not shoot"] if seat == 0 else []
    assert told(back, "S3 shoot shoot no", seat) == [*expected[:-1], *no, expected[-1]]
    returned = [f"{names[0]} ♠3", *shots, names.does(0, "shoots back", "shoot back"), "the deal is over"]
    assert told(back, "S3 shoot shoot shoot", seat) == returned
    rules = dobon(4)
    state = GAME.parse_state(rules, back)
    for text in ("S3", "shoot"):
        play(rules, state, GAME.parse_move(rules, state, text))
    lines = [line.plain for line in BOARD.situation(rules, observed(rules, state, seat), names)]
    assert [line for line in lines if "shoots" in line] == (["  you       2  shoots"] if seat == 1 else [])


def test_calls_reshuffles_and_ends_are_told() -> None:
    where = position("S3 CK", *THREE[1:], pile="S5", stock="CA C2")
    assert told(where, "S3", call_caught=1.0)[1] == "somebody else calls the last card: seat 0 a draws 1"
    assert told(where, "S3", 1, call_draw=0)[1:] == ["seat 0 a calls the last card"]
    last = [card for card in PACK if card not in ("S3", "CK", "DA", "HA", "D5", "S6", "S5")]
    few = position("S3 CK", "DA HA", "D5 S6", pile=" ".join([*last[1:], "S5"]), stock=last[0])
    assert few["stock"] == last[:1]
    lines = told(few, "S3", 1)
    assert lines[1:3] == [
        "seat 0 a calls the last card: everybody else draws 1",
        "the stock was empty: the pile is shuffled into a new one",
    ]
    rest = [card for card in PACK if card not in ("CK", "S5", "SQ", "D5")]
    nothing = position("CK", f"{' '.join(rest)} D5", "SQ", pile="S5")
    assert told(nothing, "draw", 0) == ["you would have to draw, but there is no card"]
    assert told(position(*THREE, pile="S5"), "S3", max_turns=8)[-2:] == [
        "the deal is stopped after 8 turns",
        "the deal is over",
    ]


# --- What may be typed ------------------------------------------------------------------------------------------

TEXTS = ["S7", "H7", "SK", "S7+H7", "H7+S7", "S7+H7+D7", "H7+S7+D7", "S8:H", "S8:D", "C8+S8:H", "CT", "draw"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("s7", ["S7"]),
        ("7S", ["S7"]),
        ("♠7", ["S7"]),
        ("k", ["SK"]),
        ("10c", ["CT"]),
        ("10", ["CT"]),
        ("s7 h7", ["S7+H7"]),
        ("s7+h7", ["S7+H7"]),
        ("s7h7", ["S7+H7"]),
        ("h7 s7", ["H7+S7"]),
        ("7 h7", ["S7+H7"]),
        ("7 7", ["S7+H7", "H7+S7"]),
        ("h7 s7 d7", ["S7+H7+D7", "H7+S7+D7"]),
        ("s8", ["S8:H", "S8:D"]),
        ("s8 h", ["S8:H"]),
        ("S8:♥", ["S8:H"]),
        ("8s as d", ["S8:D"]),
        ("s8h", []),
        ("c8 s8 h", ["C8+S8:H"]),
        ("8 8", ["C8+S8:H"]),
        ("s8 c", []),
        ("s7 h", []),
        ("draw", ["draw"]),
        ("D", ["draw"]),
        ("shoot", []),
        ("", []),
        ("7 7 7 7", []),
    ],
)
def test_plays_that_are_meant(typed: str, meant: list[str]) -> None:
    assert [TEXTS[index] for index in BOARD.matching(typed, TEXTS)] == meant


@pytest.mark.parametrize("typed", ["shoot", "S", "y", "Yes", "dobon", "ron"])
def test_shots_that_are_meant(typed: str) -> None:
    assert BOARD.matching(typed, ["shoot", "no"]) == [0]


@pytest.mark.parametrize("typed", ["no", "N"])
def test_answers_that_are_meant(typed: str) -> None:
    assert BOARD.matching(typed, ["shoot", "no"]) == [1]


TURN_TO_PLAY = position("S3 D3 H9 S8 CK", "H7 HQ CQ", "D4 C8 DQ", pile="S5")


@pytest.mark.parametrize(
    ("where", "typed", "answer"),
    [
        (TURN_TO_PLAY, "h9", "B2.1: H9 has neither number nor suit of S5"),
        (TURN_TO_PLAY, "k", "B2.1: CK has neither number nor suit of S5"),
        (TURN_TO_PLAY, "sa", "B2.1: seat 0 does not hold SA"),
        (TURN_TO_PLAY, "a", "B2.1: seat 0 does not hold SA"),
        (TURN_TO_PLAY, "d3 s3", "B2.3: S3 goes down first, since no other fits S5, so another one ends on top"),
        (TURN_TO_PLAY, "s3 h9", "only cards of one number are put down together (B2.3)"),
        (TURN_TO_PLAY, "s3 h", "only an 8 names a suit (B3.2)"),
        (TURN_TO_PLAY, "s3 s3", "names a card twice"),
        (TURN_TO_PLAY, "s8", "That can be:"),
        (TURN_TO_PLAY, "draw", "B2.2: seat 0 can play S3, so it may not draw"),
        (TURN_TO_PLAY, "pass", "B2.2: only a card that was drawn just now can be kept; else draw"),
        (TURN_TO_PLAY, "-", "B2.2: only a card that was drawn just now can be kept; else draw"),
        (TURN_TO_PLAY, "shoot", "B5.1: seat 0 is not asked whether it shoots"),
        (TURN_TO_PLAY, "no", "B5.1: seat 0 is not asked whether it shoots"),
        (TURN_TO_PLAY, "0", "the list has the numbers 1 to"),
        (TURN_TO_PLAY, "foo", "'FOO' is no card"),
        (TURN_TO_PLAY, "+", "is no card"),
        (TURN_TO_PLAY, ":", "is no card"),
        (TURN_TO_PLAY, "?", "An 8 names a suit"),
        (TURN_TO_PLAY, "m", "two cards, the last one on top:"),
        (position("S2 H9", "CK C3", pile="H2 D2", pending=4), "h9", "B3.1: only a 2 answers a 2"),
        (position("S2 H9", "CK C3", pile="H2 D2", pending=4), "d", "B3.1: seat 0 can play S2, so it may not draw"),
        (
            position("S9 C3 DJ", "CK C4", pile="H4 S6", drawn="S9"),
            "c3",
            "B2.2: after a draw only what goes with S9 may be played",
        ),
        (SHOT, "pass", "B5.3: seat 0 is asked whether it shoots: shoot or no"),
        (SHOT, "s2", "B5.3: seat 0 is asked whether it shoots: shoot or no"),
    ],
)
def test_what_is_not_a_choice_is_answered(where: Position, typed: str, answer: str) -> None:
    rules = dobon(len(where["hands"]))
    assert answer in answers_to(typed, "dobon", rules, GAME.parse_state(rules, where))


# --- Who gets the keyboard --------------------------------------------------------------------------------------

HANDING_OVER = re.compile(r"Pass the keyboard to seat (\d)")


class Silent:
    """An agent that never shoots."""

    def choose(self, view: View) -> str:
        return "no"


def handed_over(rules: Any, state: Any, move: int, people: list[int]) -> list[str]:
    """To whom the keyboard goes after a move, up to the next turn, when nobody shoots."""
    session, screen = session_at("dobon", rules, state, people, lambda prompt, _: "" if "Enter" in prompt else "no")
    session.agents = dict.fromkeys(session.agents, Silent())
    hand_to_unasked = session._hand_to_unasked

    def hand_over_up_to_next_turn() -> None:
        hand_to_unasked()
        if session.state.phase != SHOOTING:
            if session.state.turn in people:
                session._hand_over(session.at[int(session.state.turn)])
            raise Quit

    session._hand_to_unasked = hand_over_up_to_next_turn  # type: ignore[method-assign]
    session._make(move, forced=False)
    with pytest.raises(Quit):
        session._play_on()
    return HANDING_OVER.findall(screen.text)


def test_the_keyboard_goes_where_it_went_if_others_had_been_asked() -> None:
    """From the prompts between people nobody learns who could have shot: they are the same in any world."""
    source = random.Random(5)
    checked = asked_others = 0
    for seed in range(40):
        rules = dobon(source.choice([2, 3, 4, 6]), multi=source.choice(["off", "chain"]))
        people = sorted(source.sample(range(rules.players), source.randint(2, rules.players)))
        for state in decisions(rules, seed, 2):
            if state.phase != TURN or source.random() < 0.5:
                continue
            move = source.choice(moves_of(rules, state))
            world = redealt(rules, observed(rules, state, state.turn), source.getrandbits(60))
            (after, asked), (after_there, asked_there) = (after_silence(rules, where, move) for where in (state, world))
            if (after.turn, after.phase) == (after_there.turn, after_there.phase):
                assert handed_over(rules, state, move, people) == handed_over(rules, world, move, people)
                checked += 1
                asked_others += asked != asked_there
    assert checked > 300
    assert asked_others > 50


def after_silence(rules: Any, state: Any, move: int) -> tuple[Any, list[int]]:
    """The state when a move was made and nobody shot it, and who was asked."""
    state, asked = state.copy(), []
    play(rules, state, move)
    while state.phase == SHOOTING:
        asked.append(int(state.turn))
        play(rules, state, moves_of(rules, state)[-1])
    return state, asked


@pytest.mark.parametrize("back", [False, True])
def test_what_is_shown_to_who_is_not_asked(back: bool) -> None:
    rules = dobon(3)
    state = GAME.parse_state(rules, position("SK C9 D8", "H7 H6", "D4 C8 DQ", pile="S5"))
    for text in ("SK", "shoot")[: 1 + back]:
        before = state.copy()
        play(rules, state, GAME.parse_move(rules, state, text))
    seat = 0 if back else 2
    shown = []
    for at in range(3):
        records = [observed(rules, record, at) for record in (before, state)]
        shown.append(BOARD.unasked(rules, *records, Names("abc", at)))
    assert shown[2 - seat] is None
    assert [line.plain for line in shown[seat] or []] == [
        f"  put down ♠K by {'you' if back else 'seat 0 a'}",
        f"  hand     {'♦8  ♣9   adds up to 17' if back else '♦4  ♣8  ♦Q   adds up to 24'}",
        f"You cannot shoot{' back' if back else ''}.",
    ]


def test_nothing_is_told_while_somebody_else_is_asked() -> None:
    """The time that others take to answer would tell that they are asked."""
    rules = dobon(3)
    state = GAME.parse_state(rules, position("S3 C9 DJ", "H7 HQ CQ", "HA D2", pile="S5"))
    session, screen = session_at("dobon", rules, state, [0], lambda *_: "quit")
    seen = []

    class Watching:
        def choose(self, view: View) -> str:
            seen.append(screen.text)
            return "no" if "no" in view.legal else view.legal[0]

    session.agents = dict.fromkeys(session.agents, Watching())
    session._make(GAME.parse_move(rules, state, "S3"), forced=False)
    with pytest.raises(Quit):
        session._play_on()
    assert seen[0] == ""
    assert "you            ♠3\n" in screen.text


def test_everybody_who_could_shoot_might_be_asked() -> None:
    """Whether somebody gets the keyboard is decided by the number of its cards alone."""
    source = random.Random(1)
    could = spared = 0
    for _ in range(20_000):
        pack = source.sample(PACK, 52)
        number = pack[0][1]
        put = [card for card in pack[: source.choice([1, 1, 2, 12])] if card[1] == number]
        rest = [card for card in pack if card not in put]
        hand = rest[: source.randint(1, 9)]
        if source.random() < 0.2:
            hand = [card for card in rest if card[1] == number][: source.randint(1, 3)] or hand
        cards, held = (cards_of(parse_card(card) for card in these) for these in (put, hand))
        if qualifies(np.int64(held), np.int64(value_of(held)), np.int64(cards)):
            assert _may_shoot(len(hand), cards)
            could += 1
        spared += not _may_shoot(len(hand), cards)
    assert could > 500
    assert spared > 5000


# --- Whole matches ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_whole_match_of_people_and_agents_at_one_keyboard(players: int) -> None:
    """With returns, calls and all that: nobody sees another's hand, and each end is told to all."""
    source = random.Random(players)

    def answer(prompt: str, text: str) -> str:
        if prompt.startswith("Pass the keyboard"):
            assert not re.search(r"  hand |^    \S+.* gets? ", since_cleared(screen), re.M)
        table = text.rpartition("your turn")[2]
        if "Shoot" in prompt:
            return source.choice(["y", "n"])
        return "" if "Enter" in prompt else str(source.randint(1, 2 if " 2) " in table else 1))

    screen = Scripted(answer, shared=True)
    plan = make_plan("greedy", 1, game="dobon", players=players, seed=players)
    Session(plan, list(range((players + 2) // 2)), screen).run()
    ends = re.findall(r"    the deal is over\n\n── game (\d+) of 10 is over", screen.text)
    assert ends == [str(number) for number in range(1, 11)]
    for end in re.findall(rf"\n{'─' * screen.width}\n((?:(?!\n─{{9}}).)*the deal is over)", screen.text, re.S):
        assert not re.search(r"  hand | gets? |does not shoot|keeps|no choice|\byou\b", end)
    assert len(re.findall(r"(shoots(?: back)? \n|have no cards left|has no cards left)", screen.text)) >= 10
