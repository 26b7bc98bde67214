"""What an agent is given: all that its seat knows, and the moves that it may make."""

import signal
import threading
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from ..sim.game import Game, blank, hand_size, legal_moves, moves_dtype, observe


class View:
    """A decision to be made: the seat's observation and its legal moves.

    Attributes:
        rules: the options in force, a NamedTuple.
        record: the observation, a numpy record of the game's state dtype with all hidden things blank.
        moves: the legal moves, int64 array of shape (n,), n ≥ 1, not to be written to; 0 is a pass.
        key: int64, names the random stream of this decision, the same in every run with the same seed.
    """

    def __init__(self, game: Game, rules: Any, record: Any, moves: np.ndarray, key: int) -> None:
        moves.flags.writeable = False
        self.game, self.rules, self.record, self.moves, self.key = game, rules, record, moves, key

    @property
    def seat(self) -> int:
        """The seat that decides, 0 … players − 1."""
        return int(self.record.turn)

    @cached_property
    def legal(self) -> list[str]:
        """The legal moves as text, in the order of `moves`: ``S:H9``, ``G:S7 JK``, ``-`` for a pass."""
        return [self.game.format_move(self.rules, move) for move in self.moves]

    @property
    def hand(self) -> str:
        """The seat's hand as text."""
        return self.game.format_hand(self.rules, self.record, self.seat)

    @property
    def field(self) -> str | None:
        """What lies on the table to be answered, as text; None when nothing does."""
        return self.game.format_field(self.rules, self.record)

    @property
    def sizes(self) -> list[int]:
        """How many cards each seat holds."""
        return [int(hand_size(self.rules, self.record, seat)) for seat in range(self.rules.players)]

    @cached_property
    def state(self) -> dict[str, Any]:
        """What the seat knows, as the state is written in JSON; what it does not know is empty."""
        return self.game.format_state(self.rules, self.record)

    @cached_property
    def random(self) -> np.random.Generator:
        """A random generator of this decision's own: what an agent draws from it is the same in every run."""
        return np.random.Generator(np.random.PCG64(self.key & (2**64 - 1)))


def view_of(game: Game, rules: Any, state: Any, key: int) -> View:
    """Return what the seat to act is given in a state of a game; `key` (int64) names the decision's random stream."""
    observation, moves = blank(game.state_dtype), blank(moves_dtype(game.max_moves))
    observe(rules, state, state.turn, observation)
    count = legal_moves(rules, observation, moves)
    return View(game, rules, observation, moves.list[:count].copy(), key)


class Agent(Protocol):
    """Whoever decides. One object is built for each seat and match.

    A class that does not play all games names those that it plays in ``games``, a tuple of texts.
    """

    def choose(self, view: View) -> int | str:
        """Return one of ``view.moves``, or its text, one of ``view.legal``."""
        ...


def is_ctrl_c(error: BaseException) -> bool:
    """Return whether an error in an agent's code is Ctrl-C; in a worker it is the agent's own.

    Workers ignore Ctrl-C, or play in a thread beside the main one, which alone is told of it.
    """
    heard = threading.current_thread() is threading.main_thread()
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    return isinstance(error, KeyboardInterrupt) and heard and not ignored
