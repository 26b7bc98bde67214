"""Games dealt as a study wants them: who leads, who has the extra cards, and ranks of a game before that never was."""

from collections.abc import Mapping
from random import Random
from typing import Any

from ..cards import CARDS, JOKER, NATURALS
from ..game import deal
from ..rng import STAGING, derive
from .rules import Rules


def conditions(rules: Rules) -> dict[str, int]:
    """Return what can be set, and how many levels it has: `leader` and `extra` by seats, `ranks` is there or not."""
    uneven = (52 + rules.jokers - rules.blind) % rules.players > 0
    return {
        "leader": rules.players,
        **({"extra": rules.players} if uneven else {}),
        **({"ranks": 2} if rules.ranks_every != 1 else {}),
    }


def stage(rules: Rules, state: Any, key: int, levels: Mapping[str, int]) -> None:
    """Deal a single game of the cards of `key` into a state.

    ``ranks`` = 1: with ranks drawn at random, as if there had been a game before. Else, without ranks: ``extra`` = s
    moves the extra cards on by s seats (D2.2: they stay the same cards, and all others stay where they are), and with
    ``leader`` = s seat s leads: under rules in which ♦3 does not say who, since agents conclude from it who has it.
    """
    source = Random(int(derive(key, STAGING)))
    if levels.get("ranks"):
        players = range(rules.players)
        state.seated[: rules.players] = players
        state.ranking[: rules.players] = source.sample(players, rules.players)
        deal(rules, state, 1, key)
        return
    deal(rules, state, 0, key)
    if "extra" in levels:
        _move_extra_cards(rules, state, levels["extra"], source)
    if "leader" in levels:
        state.first_leader = state.turn = levels["leader"]


def _move_extra_cards(rules: Rules, state: Any, shift: int, source: Random) -> None:
    """Move the extra cards on by so many seats; which card of a hand is the extra one is drawn."""
    players, first = rules.players, int(state.dealt_from)
    larger = [(first + index) % players for index in range((52 + rules.jokers - rules.blind) % players)]
    extras = [_draw(int(state.hands[seat]) & CARDS, source) for seat in larger]
    for move, seats in ((-1, larger), (1, [(seat + shift) % players for seat in larger])):
        for seat, card in zip(seats, extras, strict=True):
            state.hands[seat] += move * card
            state.dealt[seat] += move * card
            state.sizes[seat] += move
    state.dealt_from = (first + shift) % players


def _draw(hand: int, source: Random) -> int:
    """Return one card of a hand, each equally likely."""
    cards = [1 << bit for bit in range(52) if hand & NATURALS & 1 << bit] + [JOKER] * (hand >> 52)
    return source.choice(cards)
