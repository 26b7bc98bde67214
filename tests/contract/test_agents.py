"""What agents and matches must be in every game: nobody uses what it cannot see, and searches are the same search."""

import itertools
import json
import random
from typing import Any

import numpy as np
import pytest
from agari.agents.match import AgentFault, play_match
from agari.agents.policies import POLICIES, policy_move
from agari.agents.registry import AGENTS, parse_agent, plays
from agari.agents.view import View
from agari.sim.game import legal_moves, redeal
from agari.sim.rng import key_of

from ..naive import ismcts as slow
from ..playing import fields
from .rulesets import EVERY, ONE_EACH, PRESETS, Played, name_of

every_rules = pytest.mark.parametrize("played", EVERY, ids=name_of)
one_each = pytest.mark.parametrize("played", ONE_EACH, ids=name_of)


def choices(played: Played, seed: int, count: int, step: int = 1) -> list[Any]:
    """So many states with a choice, one in `step` of those of matches of two random games."""
    decisions = (
        state for number in itertools.count(seed) for state in played.table.decisions(played.rules, number, games=2)
    )
    choosing = (state for state in decisions if len(played.table.moves_of(played.rules, state)) > 1)
    return list(itertools.islice(choosing, 0, count * step, step))


@every_rules
def test_a_policy_chooses_the_same_from_state_and_observation(played: Played) -> None:
    rules, table = played.rules, played.table
    for number, state in enumerate(choices(played, 1, 80)):
        seen, key = table.observed(rules, state, state.turn), key_of(number)
        count = legal_moves(rules, state, table.moves)
        for policy in range(len(POLICIES)):
            choice = policy_move(policy, rules, state, table.moves, count, key)
            assert policy_move(policy, rules, seen, table.moves, count, key) == choice
            assert choice in table.moves.list[:count]


@pytest.mark.parametrize("name", [name for name in AGENTS if name not in ("mc", "ismcts", "advanced")] + [
    "mc(playouts=30)", "mc(playouts=30,policy=random)", "ismcts(playouts=30)", "ismcts(playouts=30,policy=random)",
])  # fmt: skip
@one_each
def test_no_choice_changes_when_what_is_unseen_is_dealt_again(played: Played, name: str) -> None:
    spec = parse_agent(name)
    if not plays(spec.agent_class, played.game.name):
        return
    agent, rules, table = spec.build(), played.rules, played.table
    for number, state in enumerate(choices(played, 2, 40, step=3)):
        key = key_of(number)
        choice = agent.choose(table.view_of(rules, state, key))
        assert choice in table.moves_of(rules, state)
        for again in range(2):
            world = table.redealt(rules, table.observed(rules, state, state.turn), key_of(number, again))
            assert agent.choose(table.view_of(rules, world, key)) == choice


@one_each
def test_only_what_stands_in_the_view_is_used(played: Played) -> None:
    for name in ("mc(playouts=20)", "ismcts(playouts=20)"):
        for state in choices(played, 3, 12, step=5):
            view = played.table.view_of(played.rules, state, 1)
            before = parse_agent(name).build().choose(view)
            redeal(played.rules, view.record, state, 99)
            assert parse_agent(name).build().choose(view) == before


@one_each
def test_what_a_view_says(played: Played) -> None:
    game, rules, table = played.game, played.rules, played.table
    for state in table.decisions(rules, 4, 1):
        view = table.view_of(rules, state)
        assert view.seat == state.turn
        assert view.legal == table.legal_texts(rules, state)
        assert view.hand == game.format_hand(rules, state, state.turn)
        assert view.field == game.format_field(rules, state)
        assert set(json.loads(json.dumps(view.state))) == set(game.format_state(rules, state))
        assert view.sizes == [len(game.format_hand(rules, state, seat).split()) for seat in range(rules.players)]
        assert view.record.observer == state.turn


@pytest.mark.parametrize("search", ["mc", "ismcts"])
@pytest.mark.parametrize("played", PRESETS, ids=name_of)
def test_a_search_spends_its_playouts_and_thinks_the_same_twice(played: Played, search: str) -> None:
    for number, state in enumerate(choices(played, 5, 8, step=9)):
        view = played.table.view_of(played.rules, state, number)
        for playouts in (1, 7, 100):
            agent = AGENTS[search](playouts=playouts)
            first, second = agent.think(view), agent.think(view)
            assert first.playouts.sum() == playouts
            assert np.array_equal(first.mean, second.mean, equal_nan=True)
            chosen = first.moves.tolist().index(agent.choose(view))
            assert first.playouts[chosen] == first.playouts.max()


@pytest.mark.parametrize("played", PRESETS, ids=name_of)
def test_the_tree_is_that_of_the_slow_twin(played: Played) -> None:
    for policy in ("greedy", "random"):
        agent: Any = AGENTS["ismcts"](playouts=60, policy=policy, seed=3)
        for number, state in enumerate(choices(played, 6, 4, step=13)):
            view = played.table.view_of(played.rules, state, number)
            expected = slow.think(view, 60, agent.least(len(view.moves)), policy, 3)
            assert agent.think(view).playouts.tolist() == [visits for visits, _ in expected]


class Same:
    """The greedy agent, asked in Python."""

    def __init__(self) -> None:
        self.agent = parse_agent("greedy").build()

    def choose(self, view: View) -> str:
        """Its move as text."""
        return view.legal[view.moves.tolist().index(self.agent.choose(view))]


@every_rules
def test_a_match_is_the_same_in_the_kernel_and_in_python(played: Played) -> None:
    players, games = played.rules.players, 3
    kinds: list[list[Any]] = [[parse_agent("greedy").build()] * players, [Same()] * players]
    matches = [list(play_match(played.game, played.rules, agents, ["greedy"] * players, games, 7)) for agents in kinds]
    for one, other in zip(*matches, strict=True):
        assert (one.moves, one.participants, one.decisions, one.plays) == (
            other.moves,
            other.participants,
            other.decisions,
            other.plays,
        )
        assert fields(one.state) == fields(other.state)
        assert sum(one.decisions) == len(one.moves)


@every_rules
def test_an_illegal_move_is_told_with_its_position(played: Played) -> None:
    class Illegal:
        def choose(self, view: View) -> int:
            return 1 << 62

    players = played.rules.players
    agents = [Illegal(), *(parse_agent("random").build() for _ in range(players - 1))]

    def play() -> None:
        for key in range(50):
            list(play_match(played.game, played.rules, agents, ["bad"] * players, 2, key))

    with pytest.raises(AgentFault, match="agent bad: chose 4611686018427387904, which is no legal move") as fault:
        play()
    position = fault.value.position
    assert played.game.options.parse(position["rules"]) == played.rules
    assert len(position["legal"]) > 1
    assert position["seat"] in range(players)


@pytest.mark.parametrize("played", PRESETS, ids=name_of)
def test_greedy_beats_random(played: Played) -> None:
    """Clearly, at every number of players, by the points of the game."""
    players = played.rules.players
    source = random.Random(8)
    differences = []
    for match in range(60):
        seats = [seat % 2 for seat in range(players)]
        source.shuffle(seats)
        points: list[list[float]] = [[], []]
        for rotation in range(players):
            who = [seats[(seat + rotation) % players] for seat in range(players)]
            agents = [parse_agent(("greedy", "random")[each]).build() for each in who]
            for game in play_match(played.game, played.rules, agents, [""] * players, 5, key_of(match), rotation):
                for row, participant in zip(
                    played.game.outcome(played.rules, game.state), game.participants, strict=True
                ):
                    points[who[participant]].append(row["points"])
        differences.append(np.mean(points[0]) - np.mean(points[1]))
    assert np.mean(differences) > 3 * np.std(differences, ddof=1) / np.sqrt(len(differences)) > 0
