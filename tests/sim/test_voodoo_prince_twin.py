"""The kernels of Voodoo Prince against the slow twin: deals, legal moves, what every move does, and how rounds end."""

import random
from collections import Counter
from typing import Any

import pytest
from agari.sim.errors import InputError
from agari.sim.game import blank, deal, payoff, play
from agari.sim.rng import key_of
from hypothesis import given, settings
from hypothesis import strategies as st

from ..naive import voodoo_prince as naive
from ..voodoo_table import EVERY_RULES, GAME, Position, moves_of, shown

SEEDS = st.integers(0, 2**64 - 1)


class Tally:
    """How often each thing was met."""

    def __init__(self) -> None:
        self.distinct: set[str] = set()
        self.met: Counter[str] = Counter()

    def look(self, rules: Position, before: Position, after: Position, move: str) -> None:
        """Count what a move from one state to another shows."""
        trick, players = before["trick"], rules["players"]
        self.met[f"players {players}"] += 1
        self.distinct.add(repr((rules, before)))
        if move.startswith("trump"):
            self.met["V1.3 names trump"] += 1
        elif not trick:
            self.met["V2.1 leads a trump" if move[0] == before["trump"] else "V2.1 leads"] += 1
        elif move[0] != trick[0][1][0]:
            self.met["V2.1 trumps" if move[0] == before["trump"] else "V2.1 discards"] += 1
        if move.startswith("trump") or after["trick"]:
            return
        cards = [card for _, card in trick] + [move]
        seat, won = next(
            (seat, more - had) for seat, (had, more) in enumerate(zip(before["tricks"], after["tricks"], strict=True))
            if more > had
        )  # fmt: skip
        card = next(card for by, card in [*trick, [before["turn"], move]] if by == seat)
        colour, top = card[0], f"{card[0]}{naive.HIGHEST[players]}"
        trump = colour == before["trump"]
        if naive.rank(card) == 0 and top in cards:
            self.met["V2.3 0 beats the highest trump" if trump else "V2.3 0 beats the highest"] += 1
        elif naive.rank(card) == 0:
            self.met["V2.3 0 wins alone"] += 1
        if trump and cards[0][0] != colour:
            self.met["V2.2 won by a trump"] += 1
        if won == 2:
            self.met["V2.4 won with 5 or 7"] += 1
        elif any(naive.rank(other) in (5, 7) for other in cards):
            self.met["V2.4 5 or 7 in a lost trick"] += 1
        if seat in after["left"]:
            self.met["V3.1 leaves"] += 1
            if after["tricks"][seat] > naive.TRICKS_TO_LEAVE[players]:
                self.met["V3.1 overshoots"] += 1
            if after["turn"] is None:
                self.met["V3.3 ends, " + (rules["two_player_last"] if players == 2 else "more")] += 1
            elif after["turn"] != (seat + 1) % players:
                self.met["V3.2 a gone seat is passed over"] += 1


def random_position(source: random.Random, rules: Position) -> Position:
    """A position before a lead that need not come from a deal; hands may run out before the round can end."""
    players = rules["players"]
    need = naive.TRICKS_TO_LEAVE[players]
    cards = naive.deck(rules)
    source.shuffle(cards)
    left = source.sample(range(players), source.randrange(players - 1))
    size = source.randint(1, naive.HAND[players])
    leader = source.choice([seat for seat in range(players) if seat not in left])
    state = naive.new_round(rules, leader, source.choice(naive.COLOURS), [[] for _ in range(players)])
    state["tricks"] = [
        source.choice((need, need, need + 1)) if s in left else source.randrange(need) for s in range(players)
    ]
    for place, seat in enumerate(left):
        state["left"].append(seat)
        later = [state["tricks"][other] for other in range(players) if other != seat and other not in left[:place]]
        gone = sum(state["tricks"][other] for other in left[:place])
        state["scores"][seat] = source.randint(gone, gone + sum(min(won, need - 1) for won in later))
    if source.random() < 0.5:  # low and high cards, which are special
        cards.sort(key=lambda card: naive.rank(card) not in (0, 5, 7, naive.HIGHEST[players]))
        cards = cards[: players * size + 3]
        source.shuffle(cards)
    for seat in range(players):
        hand, cards = cards[:size], cards[size:]
        if seat in left:
            cards += hand
        else:
            state["hands"][seat] = naive.in_order(hand)
    state["played"] = naive.in_order(cards[: source.randint(0, len(cards))])
    return state


def compare(source: random.Random, rules: Any, state: Any, tally: Tally) -> None:
    """Play a round out by random moves, on both sides; `state` is what the kernels begin with."""
    options = GAME.options.format(rules)
    slow = GAME.format_state(rules, state)
    while slow["turn"] is not None:
        if not slow["hands"][slow["turn"]]:
            with pytest.raises(InputError, match="no cards left"):
                moves_of(rules, state)
            tally.met["V3.6 runs out"] += 1
            return
        moves = moves_of(rules, state)
        texts = [GAME.format_move(rules, move) for move in moves]
        assert len(set(texts)) == len(texts)
        assert set(texts) == naive.legal(options, slow)
        assert [GAME.parse_move(rules, state, text) for text in texts] == moves
        choice = source.randrange(len(moves))
        if source.random() < 0.02:  # every move
            for move, text in zip(moves, texts, strict=True):
                other = state.copy()
                play(rules, other, move)
                assert shown(GAME.format_state(rules, other)) == shown(naive.apply(options, slow, text))
        after = naive.apply(options, slow, texts[choice])
        play(rules, state, moves[choice])
        assert shown(GAME.format_state(rules, state)) == shown(after)
        tally.look(options, slow, after, texts[choice])
        slow = after
    assert [payoff(rules, state, seat) for seat in range(rules.players)] == slow["scores"]


def test_twenty_thousand_positions() -> None:
    """Rounds from their deal and from positions that somebody composed; everything that the rules know is met."""
    tally = Tally()

    @settings(max_examples=300)
    @given(st.sampled_from(EVERY_RULES), SEEDS)
    def look(rules: Any, seed: int) -> None:
        source = random.Random(f"{seed} {rules}")
        state = blank(GAME.state_dtype)
        for number in range(2):
            deal(rules, state, number, key_of(seed, number))
            compare(source, rules, state, tally)
        for _ in range(2):
            where = random_position(source, GAME.options.format(rules))
            compare(source, rules, GAME.parse_state(rules, where), tally)

    look()
    assert len(tally.distinct) >= 20_000, len(tally.distinct)
    assert len(tally.met) == 4 + 5 + 6 + 2 + 3 + 1 + 1, sorted(tally.met)
    assert min(tally.met.values()) >= 20, tally.met.most_common()


@pytest.mark.slow
def test_five_hundred_thousand_positions() -> None:
    tally = Tally()
    source = random.Random(1)
    while sum(tally.met[f"players {players}"] for players in (2, 3, 4, 5)) < 500_000:
        rules = source.choice(EVERY_RULES)
        state = blank(GAME.state_dtype)
        deal(rules, state, 0, source.getrandbits(62))
        compare(source, rules, state, tally)
        compare(source, rules, GAME.parse_state(rules, random_position(source, GAME.options.format(rules))), tally)
    assert min(tally.met.values()) >= 700, tally.met.most_common()
