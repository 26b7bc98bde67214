"""Whole games as JSON records that replay, and tributes (the formats of docs/formats.md)."""

from typing import Any

from ..cards import NATURALS, format_cards
from ..errors import InputError
from ..game import blank, legal_moves, moves_dtype, payoff, play
from .moves import MAX_MOVES, size_of
from .notation import _Reader, check_pack, format_move, format_ranking, pack_of, parse_hands, parse_move, parse_previous
from .play import begin_play
from .referee import why_illegal
from .rules import LEAD_DIAMOND3_ALWAYS, LEAD_RANDOM, Rules
from .state import BLIND, LOT, PLAY, STATE_DTYPE
from .tribute import begin_tribute, giver, pair_count, receiver

DIAMOND_3 = 1 << 2


def new_game(
    rules: Rules, hands: list[int], blind: int, leader: int, previous: list[int] | None, last_of_set: bool
) -> Any:
    """Return the state of a game whose cards are dealt and whose tribute is done, with `leader` to lead."""
    state = blank(STATE_DTYPE)
    players = rules.players
    for holder, cards in [*enumerate(hands), (BLIND, blind)]:
        state.hands[holder] = state.dealt[holder] = cards
        state.sizes[holder] = size_of(cards)
    state.alive = (1 << players) - 1
    state.phase = PLAY
    state.jokers_ok, state.usable = 1, NATURALS
    state.turn = state.leader = state.first_leader = leader
    state.ranked = previous is not None
    state.previous[:players] = previous if previous is not None else -1
    state.last_of_set = last_of_set
    state.gone = pack_of(rules) - sum(hands) - blind
    state.observer = -1
    state.seated[:players] = range(players)
    return state
