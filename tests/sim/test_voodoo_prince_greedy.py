"""The greedy player of Voodoo Prince: what it sees, what it knows, and that it is stronger than chance."""

import random
from typing import Any

import numpy as np
import pytest
from agari.agents.match import play_match
from agari.agents.montecarlo import MonteCarloAgent
from agari.agents.policies import GREEDY, GreedyAgent, RandomAgent, policy_move
from agari.agents.voodoo_prince import BASE, EXPECTED, FIRST_ROW
from agari.sim.game import payoff
from agari.sim.rng import key_of

from ..voodoo_table import (
    EVERY_RULES,
    GAME,
    MOVES,
    Position,
    decisions,
    moves_of,
    observed,
    position,
    redealt,
    rules_of,
)


def choice(rules: Any, state: Any) -> str:
    """What greedy does."""
    count = len(moves_of(rules, state))
    return str(GAME.format_move(rules, policy_move(GREEDY, rules, state, MOVES, count, 0)))


def chosen(where: Position, **options: Any) -> str:
    """What greedy does in a position."""
    rules = rules_of(len(where["hands"]), **options)
    return choice(rules, GAME.parse_state(rules, where))


@pytest.mark.parametrize("rules", EVERY_RULES, ids=str)
def test_it_looks_at_nothing_hidden(rules: Any) -> None:
    """The same from a state, from the observation of its seat, and from other worlds that fit."""
    for number, state in enumerate(decisions(rules, 1, games=10)):
        observation = observed(rules, state, int(state.turn))
        text = choice(rules, state)
        assert text == choice(rules, observation)
        assert text == choice(rules, redealt(rules, observation, number))


def test_what_a_seat_may_expect() -> None:
    """The end of a round is known: who leaves scores the tricks of the others, who is left over its own."""
    for kind, players, last in ((1, 2, 4), (2, 2, 7 - 4), (3, 3, 2), (5, 5, 2)):
        base = int(BASE[kind])
        need = {2: 7, 3: 4, 5: 3}[players]
        own = 4 if players == 2 else 2
        tricks = [own, *[need] * (players - 1)]
        row = FIRST_ROW[kind] + sum(won * base**seat for seat, won in enumerate(tricks))
        if players == 2:  # the other one leaves now
            assert EXPECTED[row].tolist()[:2] == [last, own]
        else:
            assert EXPECTED[row, 0] == last
    assert np.isfinite(EXPECTED).all()
    row = FIRST_ROW[4]
    assert len(set(EXPECTED[row, :4].tolist())) == 1  # at the beginning all seats may expect the same
    early, late = (
        FIRST_ROW[4] + sum(won * 5**seat for seat, won in enumerate(t)) for t in ((2, 0, 0, 0), (2, 2, 2, 2))
    )
    assert EXPECTED[late, 0] > EXPECTED[early, 0]


def test_it_leaves_late() -> None:
    """With the last card of a trick: not while the others have nothing, but at once before it would be left over."""
    hands = ["R9 R1 P1", "P2 P3", "P4 P5", "P6 P8"]
    trick = "1:R4 2:R3 3:R2"
    assert chosen(position(*hands, trick=trick, tricks=[2, 0, 0, 0])) == "R1"
    left = {"left": [3], "scores": [None, None, None, 4], "tricks": [2, 2, 2, 3]}
    assert chosen(position(*hands[:3], "", trick="1:R4 2:R3", **left)) == "R9"
    two = {"left": [3, 2], "scores": [None, None, 4, 2], "tricks": [2, 2, 3, 3]}
    assert chosen(position(*hands[:2], "", "", trick="1:R4", **two)) == "R9"


def test_it_knows_that_a_7_counts_as_two() -> None:
    """It leaves with it at once where the other one would be before it, and not where the others have nothing."""
    two = {"left": [3, 2], "scores": [None, None, 4, 3], "tricks": [1, 2, 3, 3]}
    assert chosen(position("R7 R8 P1", "P2 P3", "", "", trick="1:R4", **two)) == "R7"
    assert chosen(position("R7 R8 P1", "P2 P3", "P4 P5", "P6 P8", trick="1:R3 2:R4 3:R2", tricks=[1, 0, 0, 0])) == "R8"


def test_it_knows_when_a_0_wins() -> None:
    """Beside the highest of its colour: it leaves with that in time, and does not by mistake."""
    two = {"left": [3, 2], "scores": [None, None, 4, 3], "tricks": [2, 2, 3, 3]}
    assert chosen(position("R0 R8 P1", "P2 P3", "", "", trick="1:R12", **two)) == "R0"
    hands = ["R0 R8 P1", "P2 P3", "P4 P5", "P6 P8"]
    assert chosen(position(*hands, trick="1:R12 2:R3 3:R4", tricks=[2, 0, 0, 0])) == "R8"


def test_it_names_what_it_has_most_of() -> None:
    hand = "R1 R9 R12 R11 R10 R7 Y1 Y2 G1 G2 B1 B2 P1"
    others = ["Y5 Y6", "G5 G6", "B5 B6"]
    assert chosen(position(hand, *others, trump=None)) == "trump:R"


# --- Strength ---------------------------------------------------------------------------------------------------


def advantage(rules: Any, agent: Any, others: Any, matches: int) -> tuple[float, float]:
    """What a match's rounds bring one agent more than the others on average, over all seats, with standard error."""
    players, means = rules.players, []
    for match in range(matches):
        total = 0.0
        for rotation in range(players):
            agents = [agent if seat == rotation else others for seat in range(players)]
            for played in play_match(GAME, rules, agents, ["x"] * players, 5, key_of(match), rotation):
                scores = [float(payoff(rules, played.state, seat)) for seat in range(players)]
                total += scores[rotation] - (sum(scores) - scores[rotation]) / (players - 1)
        means.append(total / (5 * players))
    return float(np.mean(means)), float(np.std(means) / len(means) ** 0.5)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_greedy_beats_random(players: int) -> None:
    mean, error = advantage(rules_of(players), GreedyAgent(), RandomAgent(), matches=60)
    assert mean - 4 * error > 0.5


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_search_beats_greedy(players: int) -> None:
    mean, error = advantage(rules_of(players), MonteCarloAgent(playouts=1000), GreedyAgent(), matches=60)
    assert mean - 1.96 * error > 0


def test_search_plays_any_position() -> None:
    """Those too that nobody comes to, as long as nobody runs out of cards."""
    source = random.Random(1)
    for players in (2, 3, 4, 5):
        rules = rules_of(players)
        agents = [MonteCarloAgent(playouts=20), *[GreedyAgent()] * (players - 1)]
        for played in play_match(GAME, rules, agents, ["x"] * players, 5, source.getrandbits(60)):
            assert played.state.turn == -1
