"""Playing any game by hand: what the tests of each game and of the contract do with rules and states."""

import random
from collections.abc import Iterator
from typing import Any

from agari.agents.view import View, view_of
from agari.sim.game import Game, blank, deal, legal_moves, moves_dtype, observe, payoff, play, redeal
from agari.sim.kernels import kernel
from agari.sim.rng import advance, below, key_of


def fields(record: Any) -> dict[str, Any]:
    """What stands in a record, by field: its bytes hold padding too."""
    return {name: record[name].tolist() for name in record.dtype.names}


@kernel
def random_game(rules, state, moves, key):
    """One generic kernel for every game: deal, play at random, and what it was worth to seat 0."""
    deal(rules, state, 0, key)
    plies = 0
    while state.turn >= 0:
        key = advance(key)
        count = legal_moves(rules, state, moves)
        play(rules, state, moves.list[below(key, count)])
        plies += 1
    return plies, payoff(rules, state, 0)


class Table:
    """A table at which one game is played."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.moves = blank(moves_dtype(game.max_moves))  # room for one list of legal moves at a time

    def moves_of(self, rules: Any, state: Any) -> list[int]:
        """The legal moves of a state."""
        return [int(move) for move in self.moves.list[: legal_moves(rules, state, self.moves)]]

    def legal_texts(self, rules: Any, state: Any) -> list[str]:
        """The legal moves of a state as text."""
        return [self.game.format_move(rules, move) for move in self.moves_of(rules, state)]

    def play_text(self, rules: Any, state: Any, *texts: str) -> Any:
        """The state itself after some moves, each of which must be legal where it is made."""
        for text in texts:
            move = self.game.parse_move(rules, state, text)
            assert move in self.moves_of(rules, state), (
                f"{text} is not legal: {self.game.why_illegal(rules, state, move)}"
            )
            play(rules, state, move)
        return state

    def observed(self, rules: Any, state: Any, seat: int) -> Any:
        """What a seat knows of a state."""
        observation = blank(self.game.state_dtype)
        observe(rules, state, seat, observation)
        return observation

    def redealt(self, rules: Any, observation: Any, key: int) -> Any:
        """A world drawn for an observation."""
        world = blank(self.game.state_dtype)
        redeal(rules, observation, world, key)
        return world

    def view_of(self, rules: Any, state: Any, key: int = 0) -> View:
        """What the seat to act is shown when it is asked."""
        return view_of(self.game, rules, state, key)

    def decisions(self, rules: Any, seed: int, games: int = 4) -> Iterator[Any]:
        """Every state of a match of random games in which somebody has to act; each is a copy."""
        source = random.Random(seed)
        state = blank(self.game.state_dtype)
        for number in range(games):
            deal(rules, state, number, key_of(seed, number))
            while state.turn >= 0:
                yield state.copy()
                play(rules, state, source.choice(self.moves_of(rules, state)))
