"""The deal (D2) and what carries over from game to game: seats, ranks, the first leader (D9)."""

import numpy as np

from ..cards import JOKER, NATURALS
from ..game import deal
from ..kernels import kernel, scratch64
from ..rng import CHANCE, DEAL, SEATS, advance, below, derive
from .play import begin_play
from .rules import FROM_DAIFUGO, MAX_PLAYERS, Rules
from .state import BLIND, PLAY
from .tribute import begin_tribute


@kernel
def shuffle_seats(rules, state, key):
    """Seat the participants at random (D9.3); ranks that are kept go with the participant."""
    players = rules.players
    if state.ranked:
        for place in range(players):
            state.previous[place] = state.seated[state.previous[place]]
    stream = key
    for seat in range(players):
        state.seated[seat] = seat
    for seat in range(players - 1, 0, -1):
        stream = advance(stream)
        other = below(stream, seat + 1)
        participant = state.seated[seat]
        state.seated[seat] = state.seated[other]
        state.seated[other] = participant
    if state.ranked:
        for place in range(players):
            participant = state.previous[place]
            for seat in range(players):
                if state.seated[seat] == participant:
                    state.previous[place] = seat
                    break


@kernel
def deal_cards(rules, state, key):
    """Deal the pack: the blind first, then the hands one card at a time from the first of the dealing order (D2)."""
    players = rules.players
    pack = scratch64()
    for card in range(52):
        pack[card] = np.int64(1) << card
    total = 52 + rules.jokers
    for card in range(52, total):
        pack[card] = JOKER
    stream = derive(key, DEAL)
    start = below(stream, players)
    stream = advance(stream)
    state.first_leader = below(stream, players)
    if rules.deal_from == FROM_DAIFUGO and state.ranked:
        start = np.int64(state.previous[0])
    state.dealt_from = start
    # The blind is drawn from the natural cards, the hands from all that is left.
    blind = np.int64(0)
    for drawn in range(rules.blind):
        stream = advance(stream)
        other = drawn + below(stream, 52 - drawn)
        blind += pack[other]
        pack[other] = pack[drawn]
    state.hands[BLIND] = blind
    state.sizes[BLIND] = rules.blind
    # A uniform shuffle makes dealing in blocks the same as dealing one by one.
    left = total - rules.blind
    each, more = left // players, left % players
    card = rules.blind
    seat = start
    for index in range(players):
        size = each + (1 if index < more else 0)
        hand = np.int64(0)
        for _ in range(size):
            stream = advance(stream)
            other = card + below(stream, total - card)
            hand += pack[other]
            pack[other] = pack[card]
            card += 1
        state.hands[seat] = hand
        state.sizes[seat] = size
        seat = seat + 1 if seat + 1 < players else np.int64(0)


@deal.register(Rules)
@kernel
def daifugo_deal(rules, state, game, key):
    """Deal game number `game` of a match: seats, ranks, cards, tribute or first lead (D2, D9)."""
    players = rules.players
    state.ranked = np.int64(game > 0 and not (rules.ranks_every > 0 and game % rules.ranks_every == 0))
    for place in range(players):
        state.previous[place] = state.ranking[place] if state.ranked else -1
    if game == 0 or (rules.seats_every > 0 and game % rules.seats_every == 0):
        shuffle_seats(rules, state, derive(key, SEATS))
    state.game = game
    state.last_of_set = np.int64(rules.ranks_every > 0 and (game + 1) % rules.ranks_every == 0)
    state.key = derive(key, CHANCE)
    state.observer = -1
    state.field = 0
    state.jokers_ok = 1
    state.usable = NATURALS
    state.suits = 0
    state.locked = 0
    state.owner = 0
    state.alive = (1 << players) - 1
    state.passed = 0
    state.revolution = 0
    state.jback = 0
    state.phase = PLAY
    state.passes = 0
    state.out_count = 0
    state.sunk_count = 0
    state.pending = 0
    state.gone = 0
    for holder in range(8):
        state.hands[holder] = 0
        state.sizes[holder] = 0
    for seat in range(MAX_PLAYERS):
        state.jokers_shown[seat] = 0
    for pair in range(2):
        state.given[pair] = 0
        state.returned[pair] = 0
    deal_cards(rules, state, key)
    for holder in range(8):
        state.dealt[holder] = state.hands[holder]
    if state.ranked and rules.tribute:
        begin_tribute(rules, state)
    else:
        begin_play(rules, state)
