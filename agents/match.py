"""Playing a match: several games in a row, by agents of any kind.

Policies play inside a kernel, which comes back to Python only when an agent written in Python has a choice to make.
A seat with a single legal move is not asked.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..sim.errors import shorten, told
from ..sim.game import Game, blank, deal, legal_moves, moves_dtype, observe, play
from ..sim.kernels import kernel
from ..sim.rng import AGENT, derive, key_of, one_way_key_of
from .policies import policy_move, policy_of
from .view import Agent, View, is_ctrl_c

MAX_SEATS = 6
LOG_LENGTH = 512
NO_MOVE = -1
LONGEST_GAME = 32_000  # moves; the decisions of a seat fit the results table

TABLE_DTYPE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("policy", "i8", (MAX_SEATS,)),  # by seat: the policy that plays it, -1: an agent in Python
                ("key", "i8", (MAX_SEATS,)),  # by seat: names its random streams in this game
                ("decisions", "i8", (MAX_SEATS,)),  # by seat: moves made, passes, returns and forced ones too
                ("plays", "i8", (MAX_SEATS,)),  # by seat: moves made that were not passes
                ("logged", "i8"),
                ("log", "i8", (LOG_LENGTH,)),  # moves since the log was last emptied
            ],
            align=True,
        ),
    )
)


class AgentFault(Exception):
    """An agent raised or answered with what is not a legal move."""

    def __init__(self, agent: str, problem: str, position: dict[str, Any]) -> None:
        super().__init__(f"agent {agent}: {problem}")
        self.agent, self.problem, self.position = agent, problem, position

    def __reduce__(self) -> tuple[type, tuple[str, str, dict[str, Any]]]:
        return AgentFault, (self.agent, self.problem, self.position)


class EndlessGame(Exception):
    """A game was not over after `LONGEST_GAME` moves; `position` is where it was left."""

    def __init__(self, position: dict[str, Any]) -> None:
        super().__init__(position)
        self.position = position

    def __str__(self) -> str:
        return f"a game was not over after {LONGEST_GAME} moves; where the lead may pass, set pass_limit"


class PlayedGame(NamedTuple):
    """A finished game: by seat where a list has one entry a seat."""

    number: int  #: in the match, 0-based
    deal_key: int
    state: Any
    moves: list[int]
    participants: list[int]
    plays: list[int]
    decisions: list[int]
    seconds: list[float]


@kernel
def advance_game(rules, state, observation, moves, table, move):
    """Make `move` (none if it is `NO_MOVE`) and play on until an agent in Python has a choice or the game is over.

    Returns how many legal moves that agent has, in ``moves.list``, with what it knows in `observation`; 0 when the game
    is over or the log is full.
    """
    while True:
        if move != NO_MOVE:
            seat = state.turn
            table.decisions[seat] += 1
            if move != 0:
                table.plays[seat] += 1
            table.log[table.logged] = move
            table.logged += 1
            play(rules, state, move)
        if state.turn < 0 or table.logged == LOG_LENGTH:
            return 0
        count = legal_moves(rules, state, moves)
        move = moves.list[0]
        if count > 1:
            seat = state.turn
            observe(rules, state, seat, observation)
            if table.policy[seat] < 0:
                return count
            key = derive(table.key[seat], table.decisions[seat])
            move = policy_move(table.policy[seat], rules, observation, moves, count, key)


def play_match(
    game: Game,
    rules: Any,
    agents: Sequence[Agent],
    labels: Sequence[str],
    games: int,
    match_key: int,
    rotation: int = 0,
    staged: Mapping[str, int] | None = None,
) -> Iterator[PlayedGame]:
    """Play the `games` games of a match and yield each when it is over.

    Args:
        agents: one for each participant; those that are policies play in the kernel.
        labels: what to call them in errors.
        match_key: names the deals, leaders and seat changes: the same for every rotation of the agents.
        rotation: tells apart the agents' own random streams.
        staged: the levels of conditions under which the first game is dealt (`Game.staging`); None: as the rules say.

    Raises:
        AgentFault: an agent raised or made an illegal move.
        EndlessGame: the agents find no end.
    """
    players = rules.players
    state, observation = blank(game.state_dtype), blank(game.state_dtype)
    moves, table = blank(moves_dtype(game.max_moves)), blank(TABLE_DTYPE)
    policies = [policy_of(agent) for agent in agents]
    for number in range(games):
        deal_key = key_of(match_key, number)
        if staged is not None and number == 0:
            game.staging.deal(rules, state, deal_key, staged)
        else:
            deal(rules, state, number, deal_key)
        participants = [int(participant) for participant in state.seated[:players]]
        table.decisions, table.plays = 0, 0
        for seat, participant in enumerate(participants):
            table.policy[seat] = policies[participant]
            table.key[seat] = one_way_key_of(match_key, number, AGENT, rotation, participant)
        seconds = [0.0] * players
        log: list[int] = []
        move = NO_MOVE
        while True:
            before, began = table.decisions.copy(), time.perf_counter()
            count = advance_game(rules, state, observation, moves, table, move)
            _share_time(table, before, time.perf_counter() - began, seconds)
            log += table.log[: table.logged].tolist()
            table.logged = 0
            move = NO_MOVE
            if state.turn < 0:
                break
            if len(log) > LONGEST_GAME:
                count = legal_moves(rules, state, moves)
                raise EndlessGame(_position(game, rules, state, moves.list[:count]))
            if count:
                seat = int(state.turn)
                key = int(derive(table.key[seat], table.decisions[seat]))
                view = View(game, rules, observation.copy(), moves.list[:count].copy(), key)
                began = time.perf_counter()
                move = ask(agents[participants[seat]], labels[participants[seat]], view, state, moves.list[:count])
                seconds[seat] += time.perf_counter() - began
        yield PlayedGame(
            number,
            deal_key,
            state.copy(),
            log,
            participants,
            table.plays[:players].tolist(),
            table.decisions[:players].tolist(),
            seconds,
        )


def _share_time(table: Any, before: np.ndarray, elapsed: float, seconds: list[float]) -> None:
    """Share the time of a stretch in the kernel among the policies that played in it, by their decisions."""
    made = [int(table.decisions[seat] - before[seat]) if table.policy[seat] >= 0 else 0 for seat in range(len(seconds))]
    total = sum(made)
    for seat, count in enumerate(made):
        if count:
            seconds[seat] += elapsed * count / total


def ask(agent: Agent, label: str, view: View, state: Any, legal: np.ndarray) -> int:
    """Return the move that an agent chooses; raises `AgentFault`, with the position, if that is no legal one.

    Args:
        legal: the legal moves, int64 of shape (n,), which the agent has not had in its hands.
    """
    game, rules = view.game, view.rules  # what the agent does to its view afterwards changes nothing here
    try:
        choice = agent.choose(view)
        shown = shorten(repr(choice))
        if isinstance(choice, str):
            named = [move for move in legal.tolist() if game.format_move(rules, move) == choice]
        elif isinstance(choice, int | np.integer) and not isinstance(choice, bool):
            named = [move for move in legal.tolist() if move == choice]
        else:
            named = []
    except BaseException as error:
        if is_ctrl_c(error):
            raise
        raise AgentFault(label, f"raised {told(error)}", _position(game, rules, state, legal)) from error
    if named:
        return int(named[0])
    some = ", ".join(game.format_move(rules, move) for move in legal[:6]) + (", …" if len(legal) > 6 else "")
    problem = f"chose {shown}, which is no legal move (legal: {some})"
    raise AgentFault(label, problem, _position(game, rules, state, legal))


def _position(game: Game, rules: Any, state: Any, legal: np.ndarray) -> dict[str, Any]:
    """Return the position as JSON, with the seat to act and its legal moves."""
    return {
        "game": game.name,
        "rules": game.options.format(rules),
        "state": game.format_state(rules, state),
        "seat": int(state.turn),
        "legal": [game.format_move(rules, move) for move in legal],
    }
