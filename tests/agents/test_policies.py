"""Policies and agents choose by what their seat can see, and the greedy one stays out of fouls while it can."""

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from agari.agents.policies import GREEDY, POLICIES, RANDOM, GreedyAgent, RandomAgent, policy_move, policy_of
from agari.agents.registry import parse_agent
from agari.agents.view import View
from agari.sim.cards import CARDS, SUITS, format_cards
from agari.sim.daifugo.play import is_foul, makes_revolution
from agari.sim.daifugo.rules import FOUL_FEDERATION, Rules
from agari.sim.daifugo.state import TRIBUTE
from agari.sim.game import legal_moves, play, redeal
from agari.sim.games import ruleset
from agari.sim.rng import key_of

from ..daifugo_table import (
    GAME,
    MOVES,
    decisions,
    federation,
    moves_of,
    observed,
    position,
    random_hands,
    random_options,
    redealt,
    view_of,
)

FEDERATION = federation()


def choices(step: int, games: int = 3) -> Iterator[tuple[Rules, Any]]:
    """States with a choice in matches by the federation's rules and by others: one in `step`, and all tributes."""
    chosen = [federation(4), federation(5), federation(6), ruleset("house", 3).rules, ruleset("uecda").rules]
    chosen += [GAME.options.parse(random_options(random.Random(seed)) | {"lead_pass": False}) for seed in range(4)]
    for seed, rules in enumerate(chosen):
        for number, state in enumerate(decisions(rules, seed, games)):
            if (state.phase == TRIBUTE or number % step == 0) and len(moves_of(rules, state)) > 1:
                yield rules, state


@pytest.mark.parametrize("policy", range(len(POLICIES)), ids=POLICIES)
def test_a_policy_chooses_the_same_from_state_and_observation(policy: int) -> None:
    checked = 0
    for rules, state in choices(step=1):
        observation, key = observed(rules, state, state.turn), key_of(checked)
        count = legal_moves(rules, state, MOVES)
        choice = policy_move(policy, rules, state, MOVES, count, key)
        assert policy_move(policy, rules, observation, MOVES, count, key) == choice
        assert choice in MOVES.list[:count]
        checked += 1
    assert checked > 800


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("random", 1),
        ("greedy", 1),
        ("beginner", 1),
        ("uecda_default", 1),
        ("mc(playouts=30)", 7),
        ("mc(playouts=30,policy=random)", 7),
        ("ismcts(playouts=30)", 7),
    ],
)
def test_no_choice_changes_when_the_unseen_cards_are_dealt_again(name: str, step: int) -> None:
    agent = parse_agent(name).build()
    checked = 0
    for rules, state in choices(step):
        key = key_of(checked)
        choice = agent.choose(view_of(rules, state, key))
        for again in range(2):
            world = redealt(rules, observed(rules, state, state.turn), key_of(checked, again))
            assert agent.choose(view_of(rules, world, key)) == choice
        checked += 1
    assert checked > 100


def test_only_what_stands_in_the_view_is_used() -> None:
    """The view holds no reference to the true state: changing that afterwards changes nothing."""
    for rules, state in choices(step=50):
        view = view_of(rules, state, 1)
        before = parse_agent("mc(playouts=20)").build().choose(view)
        redeal(rules, view.record, state, 99)
        assert parse_agent("mc(playouts=20)").build().choose(view) == before


def test_policies_as_agents() -> None:
    assert (POLICIES[RANDOM], POLICIES[GREEDY]) == ("random", "greedy")
    assert (policy_of(RandomAgent()), policy_of(GreedyAgent())) == (RANDOM, GREEDY)

    class Cautious(GreedyAgent):
        def choose(self, view: View) -> int:
            return int(view.moves[0])

    assert policy_of(Cautious()) == -1  # it decides for itself
    assert policy_of(parse_agent("mc").build()) == -1


def test_random_is_uniform() -> None:
    state = GAME.parse_state(FEDERATION, position("S4 H4 C9 DQ", "C5", "C6", "C7"))
    agent, moves = RandomAgent(), moves_of(FEDERATION, state)
    counts = Counter(agent.choose(view_of(FEDERATION, state, key_of(key))) for key in range(5000))
    assert set(counts) == set(moves)
    assert len(moves) == 5
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 18.5  # χ² of 4 degrees, p = 0.001


# --- Greedy and fouls -------------------------------------------------------------------------------------------


def danger(rules: Rules, state: Any, move: int) -> int:
    """2: a foul; 1: nothing stays in the hand but cards that would make one as the last play; 0: neither."""
    rest = format_cards(int(state.hands[state.turn]) - (move & CARDS)).split()
    if not rest:
        return 2 if is_foul(rules, move, state.revolution) else 0
    turned = bool(state.revolution) ^ bool(makes_revolution(rules, move))
    forbidden = {"JK", *(suit + rank for suit in SUITS for rank in ("8", "3" if turned else "2"))}
    if rules.foul_finish == FOUL_FEDERATION:
        forbidden.add("S3")
    return int(forbidden >= set(rest))


@pytest.mark.parametrize("foul_finish", ["federation", "house"])
def test_greedy_walks_into_no_foul_while_another_way_exists(foul_finish: str) -> None:
    source = random.Random(1)
    rules = federation(foul_finish=foul_finish)
    agent, met = GreedyAgent(), Counter()
    for _ in range(300):
        begin = position(*random_hands(source, 4, 2, most=16), revolution=source.random() < 0.5)
        state = GAME.parse_state(rules, begin)
        while state.turn >= 0:
            moves = moves_of(rules, state)
            choice = agent.choose(view_of(rules, state))
            dangers = {GAME.format_move(rules, move): danger(rules, state, move) for move in moves}
            least = min(dangers.values())
            assert dangers[GAME.format_move(rules, choice)] == least, (GAME.format_state(rules, state), choice, dangers)
            met[least, max(dangers.values())] += 1
            play(rules, state, source.choice(moves))
    for met_and_avoided in ((0, 2), (0, 1), (1, 2)):
        assert met[met_and_avoided] > 20


@pytest.mark.parametrize(("hand", "revolution"), [("S4 H4 D4 C4 D3", False), ("S4 H4 D4 C4 D2", True)])
def test_greedy_looks_beyond_its_own_revolution(hand: str, revolution: bool) -> None:
    """What is left after it must not be what the turned order forbids as a last play."""
    state = GAME.parse_state(FEDERATION, position(hand, "S9 H9", "S5 H5", "S7 H7", revolution=revolution))
    choice = GreedyAgent().choose(view_of(FEDERATION, state))
    assert GAME.format_move(FEDERATION, choice) == f"S:{hand[-2:]}"


@pytest.mark.parametrize(("j_back", "choice"), [("on", "S:C5"), ("off", "S:SJ")])
def test_greedy_looks_beyond_its_own_j_back(j_back: str, choice: str) -> None:
    """A J that nothing can beat but for the order that it turns round does not keep the lead."""
    rules = ruleset("house", 4, [("j_back", j_back)]).rules
    state = GAME.parse_state(rules, position("C5 SJ", "D4 C6", "H7 D6", "C4 S9"))
    assert GAME.format_move(rules, GreedyAgent().choose(view_of(rules, state))) == choice


@pytest.mark.parametrize(
    "module", ["agari.agents.policies", "agari.agents.match", "agari.agents.montecarlo", "agari.agents.ismcts"]
)
def test_policies_play_whatever_is_imported_first(module: str) -> None:
    """No module may depend on another one's having registered a game's policy: kernels in the cache would hide it."""
    script = (
        f"import {module}\nfrom agari.agents.greedy import greedy_move\nfrom agari.sim.games import GAMES\n"
        "print(all(game.options.rules_class in greedy_move.implementations for game in GAMES))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
