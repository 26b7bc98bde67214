"""The sample client of the contest: what it is known to do, position by position."""

from typing import Any

import pytest
from agari.agents.uecda_default import UecdaDefaultAgent
from agari.sim.daifugo.state import TRIBUTE

from ..daifugo_table import GAME, PACK, Position, decisions, moves_of, position, uecda, view_of

UECDA = uecda()


def table(hand: str, field: Position | None) -> list[str]:
    used = hand + (field["play"] if field else "")
    spare = [card for card in PACK if card not in used]
    return [hand, *(" ".join(spare[seat : seat + 4 : 3]) for seat in range(3))]


def choice(hand: str, on: str = "", lock: str = "", span: str = "", rules: Any = UECDA, **changes: Any) -> str:
    """What it plays from a hand, as a leader or on a play of seat 3."""
    field = {"play": on, "owner": 3, "lock": lock, "span": span.split() or None} if on else None
    state = GAME.parse_state(rules, position(*table(hand, field), field=field, **changes))
    return GAME.format_move(rules, UecdaDefaultAgent().choose(view_of(rules, state)))


@pytest.mark.parametrize(
    ("hand", "lead"),
    [
        ("S3 H5 H6 H7 D9 C9", "Q:H5 H6 H7"),  # a sequence before groups and singles
        ("S4 S5 S6 H7 H8 H9 HT D3", "Q:H7 H8 H9 HT"),  # the longest one
        ("H4 H5 H6 S7 S8 S9 D3", "Q:H4 H5 H6"),  # of equal lengths the lowest
        ("D4 D5 D6 H4 H5 H6 SK", "Q:H4 H5 H6"),  # then the first row
        ("S3 H6 D6 S9 H9 D9 C2", "G:S9 H9 D9"),  # the largest group
        ("S3 H6 D6 S9 H9 C2", "G:H6 D6"),  # of equal sizes the lowest
        ("H4 S6 D9 C2", "S:H4"),  # else the weakest single
        ("D4 S6 D9 C2 JK", "G:D4 JK=S4"),  # the joker makes a group
        ("S4 S6 D9 C2 JK", "Q:S4 S6 JK=S5"),  # or a sequence
        ("S7 H7 D7 C7 JK", "G:S7 H7 D7 C7 JK"),
        ("JK", "S:JK"),
    ],
)
def test_leads(hand: str, lead: str) -> None:
    assert choice(hand) == lead


def test_leads_are_mirrored_in_a_revolution() -> None:
    assert choice("S3 H6 D9 C2", revolution=True) == "S:C2"
    assert choice("H6 D6 S9 H9 C2", revolution=True) == "G:S9 H9"
    assert choice("H4 H5 H6 S7 S8 S9 D3", revolution=True) == "Q:S7 S8 S9"


@pytest.mark.parametrize(
    ("hand", "on", "lock", "follow"),
    [
        ("S4 H9 DJ", "S:D5", "", "S:H9"),  # the weakest that is stronger
        ("H9 D9 DJ C2", "S:D5", "", "S:DJ"),  # breaks no group
        ("H8 H9 HT DJ", "S:D5", "", "S:DJ"),  # and no sequence
        ("H9 D9 JK", "S:D5", "", "S:JK"),  # rather the joker
        ("H9 D9 S3", "S:D5", "", "-"),
        ("H9 DJ", "S:D5", "D", "S:DJ"),  # of the locked suit
        ("S3 H9", "S:JK", "", "-"),  # no thought of the 3 of spades
        ("H9 D9 SJ DJ HJ", "G:S5 D5", "", "G:H9 D9"),  # exactly as many
        ("S9 H9 D9 SJ DJ", "G:S5 D5", "", "G:SJ DJ"),  # a larger group is not broken
        ("S9 H9 D9 JK", "G:S5 D5", "", "-"),
        ("S9 H9 D9 CJ JK", "G:S5 D5", "", "G:CJ JK=SJ"),  # one less and the joker
        ("S9 H9 CJ JK", "G:H5 D5", "HD", "G:H9 JK=D9"),
    ],
)
def test_follows(hand: str, on: str, lock: str, follow: str) -> None:
    assert choice(hand, on, lock) == follow


@pytest.mark.parametrize(
    ("hand", "changes", "follow"),
    [
        ("H7 H8 H9 D3", {}, "Q:H7 H8 H9"),
        ("H7 H8 H9 HT D3", {}, "-"),  # a longer one is not broken
        ("H5 H7 H8 H9 D3", {}, "Q:H7 H8 H9"),
        ("H6 H7 H8 H9 D3", {}, "Q:H7 H8 H9"),  # what is too weak is left out first
        ("H7 H9 D3 JK", {}, "Q:H7 H9 JK=H8"),
        ("H7 H8 H9 SJ SQ SK", {"lock": "S"}, "Q:SJ SQ SK"),
    ],
)
def test_follows_on_sequences(hand: str, changes: dict[str, Any], follow: str) -> None:
    assert choice(hand, "Q:S4 S5 S6", span="4 6", **changes) == follow


def test_follows_on_sequences_are_mirrored_in_a_revolution() -> None:
    assert choice("H7 H8 H9 DT", "Q:ST SJ SQ", span="T Q", revolution=True) == "Q:H7 H8 H9"
    assert choice("H7 H8 H9 HT D3", "Q:ST SJ SQ", span="T Q", revolution=True) == "Q:H7 H8 H9"
    assert choice("H6 H7 H8 H9 D3", "Q:ST SJ SQ", span="T Q", revolution=True) == "-"


def test_gives_back_its_lowest_cards() -> None:
    checked = 0
    for state in decisions(UECDA, seed=1, games=30):
        if state.phase == TRIBUTE:
            view = view_of(UECDA, state)
            returned = GAME.format_move(UECDA, UecdaDefaultAgent().choose(view)).split()
            held = [GAME.format_move(UECDA, move) for move in moves_of(UECDA, state)]
            cards = sorted({card for text in held for card in text.split() if card != "JK"}, key=PACK.index)
            assert returned == cards[: len(returned)]
            checked += 1
    assert checked > 30
