"""Whole matches: who is asked, what is counted, what replays, and what a bad agent leads to."""

import pickle
import random
import signal
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from agari.agents.match import LOG_LENGTH, AgentFault, EndlessGame, PlayedGame, play_match
from agari.agents.policies import GreedyAgent, RandomAgent
from agari.agents.registry import parse_agents
from agari.agents.view import Agent, View
from agari.sim.cards import parse_cards
from agari.sim.daifugo.record import new_game
from agari.sim.daifugo.rules import Rules
from agari.sim.daifugo.state import TRIBUTE
from agari.sim.errors import InputError
from agari.sim.game import payoff
from agari.sim.rng import AGENT, key_of

from ..daifugo_table import GAME, federation, moves_of, play_text, random_options
from ..playing import fields

FEDERATION = federation()


def played(
    agents: Sequence[Any] | str, rules: Rules = FEDERATION, games: int = 4, key: int = 1, rotation: int = 0
) -> list[PlayedGame]:
    """A match; agents given as text repeat around the table."""
    if isinstance(agents, str):
        specs = parse_agents(agents)
        agents = [specs[seat % len(specs)].build() for seat in range(rules.players)]
    labels = [f"agent {seat}" for seat in range(rules.players)]
    return list(play_match(GAME, rules, agents, labels, games, key, rotation))


def results(match: list[PlayedGame]) -> list[Any]:
    """All of a match but the clock."""
    return [
        (game.number, game.deal_key, game.moves, game.participants, game.plays, game.decisions, fields(game.state))
        for game in match
    ]


class Through:
    """An agent in Python that chooses as another does, and notes what it was asked."""

    def __init__(self, agent: Agent) -> None:
        self.agent, self.views = agent, []

    def choose(self, view: View) -> int | str:
        self.views.append(view)
        return self.agent.choose(view)


class Does:
    """An agent that does what a function says."""

    def __init__(self, choose: Callable[[View], Any]) -> None:
        self.choose = choose


# --- Results ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [4, 5, 6])
def test_the_same_in_the_kernel_and_from_python(players: int) -> None:
    rules = federation(players)
    kernel = [(RandomAgent, GreedyAgent)[seat % 2]() for seat in range(players)]
    python = [Through((RandomAgent, GreedyAgent)[seat % 2]()) for seat in range(players)]
    mixed = [one if seat % 3 else other for seat, (one, other) in enumerate(zip(kernel, python, strict=True))]
    assert results(played(kernel, rules)) == results(played(python, rules)) == results(played(mixed, rules))


def test_same_keys_same_match_and_other_keys_another() -> None:
    text = "mc(playouts=30),greedy,random"
    first = results(played(text))
    assert first == results(played(text))
    assert first[0][:2] == results(played(text, games=1))[0][:2]
    assert first != results(played(text, key=2))
    assert first != results(played(text, rotation=1))


def test_rotations_play_the_same_deals() -> None:
    matches = [played("random,greedy", rotation=rotation) for rotation in range(3)]
    for games in zip(*matches, strict=True):
        assert len({game.deal_key for game in games}) == 1
        assert len({tuple(game.participants) for game in games}) == 1
        assert len({tuple(GAME.record(FEDERATION, game.state, game.moves)["hands_at_deal"]) for game in games}) == 1


def test_random_numbers_that_an_agent_draws_change_nothing_for_others() -> None:
    def greedy_after_drawing(view: View) -> int:
        view.random.random(1000)
        random.random()
        return GreedyAgent().choose(view)

    agents = [Does(greedy_after_drawing), GreedyAgent(), RandomAgent(), parse_agents("mc(playouts=20)")[0].build()]
    assert results(played(agents)) == results(played([GreedyAgent(), *agents[1:]]))


def test_agents_random_numbers_are_those_of_the_decision() -> None:
    def draw(view: View) -> int:
        drawn.append(int(view.random.integers(10**9)))
        return int(view.random.choice(view.moves))

    runs = []
    for _ in range(2):
        drawn: list[int] = []
        match = played([Does(draw) for _ in range(4)])
        runs.append((drawn, results(match)))
    assert runs[0] == runs[1]
    assert len(set(runs[0][0])) == len(runs[0][0]) > 50


@pytest.mark.parametrize("seed", range(8))
def test_records_replay(seed: int) -> None:
    options = random_options(random.Random(seed)) | {"lead_pass": False}
    for rules in (federation(4 + seed % 3), GAME.options.parse(options)):
        for game in played("random,greedy", rules, key=seed):
            record = GAME.record(rules, game.state, game.moves)
            assert GAME.options.parse(record["rules"]) == rules
            assert GAME.replay(rules, record) == {key: record[key] for key in ("ranking", "reasons", "points")}
            for seat, points in enumerate(record["points"]):
                assert points in (None, payoff(rules, game.state, seat))
            if record["exchange"]:
                tribute = GAME.tribute(rules, record | {"hands": record["hands_at_deal"]})
                assert tribute["after"] == record["hands"]
                assert [pair["given"] for pair in tribute["exchange"]] == [pair["given"] for pair in record["exchange"]]


# --- What is asked and counted ----------------------------------------------------------------------------------


def test_a_seat_is_asked_when_it_has_a_choice_and_only_then() -> None:
    agents = [Through(GreedyAgent()) for _ in range(4)]
    match = played(agents)
    views = [view for agent in agents for view in agent.views]
    assert min(len(view.moves) for view in views) == 2
    choices = 0
    for game in match:
        record = GAME.record(FEDERATION, game.state, game.moves)
        hands = [parse_cards(hand) for hand in record["hands"]]
        state = new_game(FEDERATION, hands, parse_cards(record["blind"]), record["leader"], record["previous"])
        for text in record["plays"]:
            choices += len(moves_of(FEDERATION, state)) > 1
            play_text(FEDERATION, state, text)
        choices += len(record["exchange"])
    assert len(views) == choices


def test_what_a_view_shows() -> None:
    agents = [Through(GreedyAgent()) for _ in range(4)]
    played(agents)
    for participant, agent in enumerate(agents):
        for view in agent.views:
            assert view.record.observer == view.record.turn == view.seat
            assert view.record.seated[view.seat] == participant
            assert len(view.legal) == len(view.moves) == len(set(view.legal))
            assert view.hand == GAME.format_hand(FEDERATION, view.record, view.seat)
            assert (view.field is None) == (view.record.field == 0)
            assert view.sizes == view.record.sizes[:4].tolist()
            assert view.record.key == 0
    assert any(view.field and view.field.startswith("S:") for view in agents[0].views)
    assert len({view.key for agent in agents for view in agent.views}) == sum(len(agent.views) for agent in agents)


def test_counts_add_up() -> None:
    for rules in (FEDERATION, federation(6)):
        for game in played("random,greedy", rules, games=8):
            assert sum(game.decisions) == len(game.moves)
            assert sum(game.plays) == sum(move != 0 for move in game.moves)
            returns = 2 if game.state.ranked else 0
            record = GAME.record(rules, game.state, game.moves)
            assert len(record["plays"]) + returns == len(game.moves)
            assert all(decisions >= plays >= 0 for decisions, plays in zip(game.decisions, game.plays, strict=True))
            assert sorted(game.participants) == list(range(rules.players))
            assert game.participants == game.state.seated[: rules.players].tolist()


def test_numbers_and_points_over_a_match() -> None:
    match = played("greedy", games=8)
    assert [game.number for game in match] == list(range(8))
    for game in match:
        points = [payoff(FEDERATION, game.state, seat) for seat in range(4)]
        assert sum(points) == (14 if game.number % 4 == 3 else 12)


def test_seconds_go_to_who_spent_them() -> None:
    def slow(view: View) -> int:
        time.sleep(0.002)
        return int(view.moves[0])

    agents = [Does(slow), GreedyAgent(), RandomAgent(), GreedyAgent()]
    began = time.perf_counter()
    match = played(agents)
    elapsed = time.perf_counter() - began
    seconds = [0.0] * 4
    asked = 0
    for game in match:
        for seat, participant in enumerate(game.participants):
            seconds[participant] += game.seconds[seat]
            asked += participant == 0
    assert seconds[0] > 0.5 * sum(seconds)
    assert 0.01 < seconds[0] < elapsed
    assert all(0 < spent < 0.1 for spent in seconds[1:])
    assert sum(seconds) <= elapsed


def test_games_longer_than_the_log() -> None:
    """Where all may pass for ever a game can be very long; nothing of it is lost."""
    rules = federation(lead_pass=True, owner_continues=True, clear_unbeatable=False)

    def hesitant(view: View) -> int:
        return 0 if 0 in view.moves and view.random.random() < 0.97 else int(max(view.moves))

    for agents in ([Does(hesitant) for _ in range(4)], [Does(hesitant), RandomAgent(), RandomAgent(), RandomAgent()]):
        (game,) = played(agents, rules, games=1)
        record = GAME.record(rules, game.state, game.moves)
        assert GAME.replay(rules, record)["ranking"] == record["ranking"]
        if len(agents) == 4 and isinstance(agents[1], Does):
            assert len(game.moves) > LOG_LENGTH


# --- Bad agents -------------------------------------------------------------------------------------------------


def fault(choose: Callable[[View], Any], rules: Rules = FEDERATION, games: int = 1) -> AgentFault:
    """What comes of a match in which participant 2 is bad."""
    agents = [RandomAgent(), GreedyAgent(), Does(choose), GreedyAgent()]
    with pytest.raises(AgentFault) as error:
        list(play_match(GAME, rules, agents, ["one", "two", "bad", "three"], games, 3))
    assert error.value.agent == "bad"
    assert "\n" not in str(error.value)
    assert str(error.value).startswith("agent bad: ")
    return error.value


def raises(view: View) -> int:
    raise ValueError("no idea")


def test_an_agent_that_raises() -> None:
    error = fault(raises)
    assert str(error) == "agent bad: raised ValueError: no idea"
    assert isinstance(error.__cause__, ValueError)


@pytest.mark.parametrize("answer", [None, -5, "S:S9 S9", "", 1.0, True, 2**80, [0], (1 << 54) | (1 << 60)])
def test_an_agent_that_makes_no_legal_move(answer: Any) -> None:
    error = fault(lambda view: answer)
    assert str(error).startswith(f"agent bad: chose {answer!r}, which is no legal move (legal: ")


def test_the_position_of_a_fault_can_be_read() -> None:
    position = fault(raises).position
    rules = GAME.options.parse(position["rules"])
    assert rules == FEDERATION
    state = GAME.parse_state(rules, position["state"])
    assert GAME.format_state(rules, state) == position["state"]


def test_a_fault_survives_the_way_from_a_worker() -> None:
    error = fault(raises)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.position) == (AgentFault, str(error), error.position)


def test_answers_that_are_accepted() -> None:
    moves = [lambda view: view.moves[0], lambda view: int(view.moves[0]), lambda view: view.legal[0]]
    matches = [results(played([Does(choose) for _ in range(4)])) for choose in moves]
    assert matches[0] == matches[1] == matches[2]


def test_games_before_a_fault_are_kept() -> None:
    def later(view: View) -> int:
        return int(view.moves[0]) if view.record.game < 2 else raises(view)

    match = play_match(GAME, FEDERATION, [Does(later)] * 4, ["bad"] * 4, 4, 3)
    assert [next(match).number, next(match).number] == [0, 1]
    with pytest.raises(AgentFault):
        next(match)


def test_what_an_agent_does_to_its_view_changes_no_rule() -> None:
    """It can write to what it was given only by force, and then its answer is still held against the legal moves."""
    four_twos = (2 << 54) | (15 << 48)

    def writes(view: View) -> int:
        view.moves[0] = four_twos
        return four_twos

    def forces(view: View) -> int:
        view.moves.flags.writeable = True
        view.moves[:] = four_twos
        view.legal.clear()
        view.record.hands[:] = 0
        return four_twos

    def renames(view: View) -> str:
        view.legal[0] = "G:S2 H2 D2 C2"
        return view.legal[0]

    assert "read-only" in str(fault(writes))
    assert f"chose {four_twos}, which is no legal move (legal: -, S:HA" in str(fault(forces))
    assert "chose 'G:S2 H2 D2 C2', which is no legal move (legal: -, S:HA" in str(fault(renames))


class Awkward:
    """An answer that cannot even be shown."""

    def __repr__(self) -> str:
        raise ZeroDivisionError("not me")


@pytest.mark.parametrize("error", [SystemExit(3), GeneratorExit(), MemoryError(), KeyboardInterrupt()])
def test_whatever_an_agent_raises_is_its_fault(error: BaseException) -> None:
    """In a worker, that is, where Ctrl-C is ignored: elsewhere a KeyboardInterrupt may be a person's."""

    def fails(view: View) -> int:
        raise error

    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert f"raised {type(error).__name__}" in str(fault(fails))
    finally:
        signal.signal(signal.SIGINT, before)
    assert "raised ZeroDivisionError" in str(fault(lambda view: Awkward()))


class Speechless(Exception):
    """An error whose message cannot be had."""

    def __str__(self) -> str:
        raise RuntimeError("no message")


def test_faults_that_are_hard_to_tell() -> None:
    def speechless(view: View) -> int:
        raise Speechless

    def blinds(view: View) -> None:
        view.game = view.rules = view.record = view.moves = None

    assert str(fault(speechless)) == "agent bad: raised Speechless"
    assert "chose None, which is no legal move" in str(fault(blinds))
    assert len(str(fault(lambda view: "x" * 100_000))) < 1000


def test_ctrl_c_of_a_person_is_not_the_agents_fault() -> None:
    def interrupted(view: View) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        played([Does(interrupted)] * 4)


def test_a_fault_in_the_tribute_says_so() -> None:
    """A state as text has no tribute in it, so its position is not to be taken for one."""

    def fails_in_tribute(view: View) -> int:
        return raises(view) if view.record.phase == TRIBUTE else int(view.moves[-1])

    agents = [Does(fails_in_tribute)] * 4
    with pytest.raises(AgentFault) as error:
        list(play_match(GAME, FEDERATION, agents, ["bad"] * 4, 4, 3))
    position = error.value.position
    assert position["state"]["phase"] == "tribute"
    assert all(":" not in text for text in position["legal"])
    with pytest.raises(InputError, match=r"state\.phase: is 'tribute'"):
        GAME.parse_state(FEDERATION, position["state"])


def test_a_game_that_does_not_end_is_stopped() -> None:
    rules = federation(lead_pass=True)
    with pytest.raises(
        EndlessGame, match="not over after 32000 moves; where the lead may pass, set pass_limit"
    ) as error:
        played([Does(lambda view: 0 if 0 in view.moves else int(view.moves[0]))] * 4, rules, games=1)
    position = error.value.position
    state = GAME.parse_state(rules, position["state"])
    assert state.turn == position["seat"]
    assert position["legal"] == [GAME.format_move(rules, move) for move in moves_of(rules, state)]
    assert "-" in position["legal"]
    again = pickle.loads(pickle.dumps(error.value))
    assert (str(again), again.position) == (str(error.value), position)


def undo_scramble(bits: int) -> int:
    """The stream's state of which `rng.scramble` made these bits."""
    for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9), (30, 1)):
        undone = bits
        for _ in range(64 // shift + 1):
            undone = bits ^ (undone >> shift)
        bits = undone * pow(factor, -1, 2**64) % 2**64
    return bits


def undo_derive(key: int, part: int) -> int:
    """The key of which `rng.derive` made this one."""
    golden = 0x9E3779B97F4A7C15
    return undo_scramble((undo_scramble(key % 2**64) - part * golden - golden) % 2**64)


def test_the_key_of_a_decision_does_not_lead_back_to_the_deal() -> None:
    """`derive` can be undone, so what an agent is given must not be derived from what the deal is derived from."""
    assert undo_derive(key_of(5, 6, 7), 7) == key_of(5, 6) % 2**64
    through = Through(GreedyAgent())
    match = played([through] * 4, games=1, key=12345)
    hidden = {12345, match[0].deal_key % 2**64}
    for view in through.views:
        for decision in range(view.record.sizes.sum() * 4):
            table_key = undo_derive(view.key, decision)
            for participant in range(4):
                keys = [undo_derive(table_key, participant)]
                for part in (0, AGENT, 0):
                    keys.append(undo_derive(keys[-1], part))
                assert hidden.isdisjoint([table_key, *keys])
