"""Recorded games of a run, step by step."""

import functools
import json
import operator
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from rich.text import Text

from ...sim.errors import InputError
from ...sim.game import Game, blank, observe, play
from ..plan import Plan, plan_of
from ..store import Run, load
from .board import Names, board_of, place_cells, place_head
from .menu import MOST_DIGITS
from .screen import Quit, Screen

PROMPT = "Enter next, p back, a number jumps, q quits: "
MOST_STRETCHES = 4  # of matches that are named in an error
HELP = "Enter or n: next step. p or b: back. A number: that step, 0 is the deal. q: quit."


class Recorded(NamedTuple):
    """A game of a run, played again."""

    title: str
    game: Game
    rules: Any
    labels: tuple[str, ...]  # the agents, by seat
    states: list[Any]  # full states: the deal, then after each move
    moves: list[int]
    results: list[dict[str, Any]]  # rows of the results, the best place first


def read_game(directory: Path, match: int, rotation: int, game: int, arm: int = 0) -> Recorded:
    """Return a game of the run in a directory; raises InputError that says what there is where it is not there."""
    run = load(directory)
    plan = plan_of(run.manifest)
    for name, number, count in (
        ("match", match, plan.matches),
        ("arm", arm, len(plan.arms)),
        ("rotation", rotation, plan.rules.players),
        ("game", game, plan.games),
    ):
        if not 0 <= number < count:
            raise InputError(f"{directory} has no {name} {number}: they are 0 to {count - 1}")
    part = replace(run, chunks=run.chunks & {match // plan.matches_per_chunk})
    if not part.chunks:
        raise InputError(f"match {match} has not been played yet: {_played(run, plan)}")
    where = {"match": match, "arm": arm, "rotation": rotation, "game": game}
    results = _rows(part, "results", where)
    if not results:  # of copies of one agent a study plays no rotations that would only change them for each other
        raise InputError(f"{directory} has no rotation {rotation} of match {match}")
    record = json.loads(_rows(part, "games", where)[0]["record"])
    rules = plan.arms[arm].rules
    state, texts = plan.game.opening(rules, record)
    states, moves = [state.copy()], []
    for text in texts:
        moves.append(plan.game.parse_move(rules, state, text))
        play(rules, state, moves[-1])
        states.append(state.copy())
    return Recorded(
        ", ".join(f"{name} {number}" for name, number in where.items() if name != "arm" or plan.is_study),
        plan.game,
        rules,
        tuple(row["agent"] for row in results),
        states,
        moves,
        sorted(results, key=lambda row: int(row["place"])),
    )


def _rows(run: Run, table: str, where: dict[str, int]) -> list[dict[str, Any]]:
    """Return the rows of a game."""
    rows = run.table(table)
    chosen = rows[functools.reduce(operator.and_, (rows[name] == number for name, number in where.items()))]
    return chosen.to_dict("records")  # type: ignore[return-value]


def _played(run: Run, plan: Plan) -> str:
    """Return which matches of a run there are, as `0 to 3, 8 to 11`."""
    stretches: list[list[int]] = []
    for chunk in sorted(run.chunks):
        numbers = plan.numbers(chunk)
        if stretches and stretches[-1][1] + 1 == numbers[0]:
            stretches[-1][1] = numbers[-1]
        else:
            stretches.append([numbers[0], numbers[-1]])
    named = ", ".join(f"{first} to {last}" for first, last in stretches[:MOST_STRETCHES])
    return f"there are {named}{', …' if len(stretches) > MOST_STRETCHES else ''}" if named else "there is none"


class Watch:
    """A recorded game on a screen. A move that is not seen makes one step with the next one that is.

    Args:
        seat: from where to look on; by default all hands are open.
    """

    def __init__(self, recorded: Recorded, screen: Screen, seat: int | None = None) -> None:
        if seat is not None and not 0 <= seat < recorded.rules.players:
            raise InputError(f"the game has no seat {seat}: they are 0 to {recorded.rules.players - 1}")
        self.recorded, self.screen = recorded, screen
        self.board = board_of(recorded.game)
        self.names = Names(recorded.labels)
        self.records = recorded.states if seat is None else [self._seen(state, seat) for state in recorded.states]
        shown = (number for number, record in enumerate(self.records) if self.board.visible(recorded.rules, record))
        self.steps = sorted({0, *shown, len(recorded.moves)})  # numbers of the records that are shown

    def _seen(self, state: Any, seat: int) -> Any:
        observation = blank(self.recorded.game.state_dtype)
        observe(self.recorded.rules, state, seat, observation)
        return observation

    @property
    def last(self) -> int:
        """The number of the last step."""
        return len(self.steps) - 1

    def print_all(self) -> None:
        """Write all steps, one after the other."""
        for step in range(len(self.steps)):
            self._show(step)

    def run(self) -> None:
        """Show one step at a time, until somebody quits."""
        step = 0
        self.screen.clear()
        self._show(step)
        while True:
            try:
                typed = self.screen.ask(PROMPT).lower()
            except Quit:
                return
            wanted, problem = step, ""
            if typed in ("q", "quit"):
                return
            if typed in ("", "n"):
                wanted = step + 1
                problem = "that was the last step" if wanted > self.last else ""
            elif typed in ("p", "b"):
                wanted = step - 1
                problem = "this is the first step" if wanted < 0 else ""
            elif typed.isdecimal():
                wanted = int(typed[:MOST_DIGITS])
                problem = f"the steps are 0 to {self.last}" if wanted > self.last else ""
            else:
                problem = HELP
            if problem:
                self.screen.write(problem)
                continue
            step = wanted
            self.screen.clear()
            self._show(step)

    def _show(self, step: int) -> None:
        self.screen.headline(f"{self.recorded.title}, step {step} of {self.last}")
        self.screen.write(*self._lines(step))
        if step == self.last:
            self.screen.table(self._results())

    def _lines(self, step: int) -> Iterator[Text]:
        rules, record = self.recorded.rules, self.records[self.steps[step]]
        if step == 0:
            yield from self.board.dealt(rules, record, self.names)
        else:
            for number in range(self.steps[step - 1], self.steps[step]):
                before, after = self.records[number : number + 2]
                move = self.recorded.moves[number] if self.board.visible(rules, before) else None
                yield from self.board.told(rules, before, move, after, self.names)
        yield Text()
        yield from self.board.situation(rules, record, self.names)

    def _results(self) -> Iterator[tuple[str, ...]]:
        game, players = self.recorded.game, self.recorded.rules.players
        yield *place_head(game, players), "who", "how", "points"
        for row in self.recorded.results:
            who, how = f"seat {row['seat']} {row['agent']}", game.reasons[row["reason"]]
            yield *place_cells(game, players, int(row["place"])), who, how, f"{row['points']:g}"
