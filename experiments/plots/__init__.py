"""The figures of a tournament: those that every game has, and those that a game brings.

A game called `name` may bring a module `name.py` here with its `FIGURES`, by the names of their files, and `COLUMNS`,
those of the results that they need beside those that all figures may use: of a large run no others are read. Where a
figure has the name of one that every game has, it takes its place. Each takes the results frame of a run and
`place_names`, the names of the places, first place first, where the game has such names. It returns a figure of its
own, without pyplot and its state, and what a run has no games for is said in the figure.
"""

import importlib
import importlib.util
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from ...sim.game import Game
from ..plan import tournament_of
from ..store import load, new_file
from . import every_game
from .drawing import name_rules
from .every_game import plot_seat_advantage, plot_standings

__all__ = ["figures_of", "plot_run", "plot_seat_advantage", "plot_standings"]

Plot = Callable[[pd.DataFrame, Sequence[str] | None], Figure]


def figures_of(game: Game) -> dict[str, Plot]:
    """Return the figures of a game, by name."""
    own = _own_module(game)
    return every_game.FIGURES | (own.FIGURES if own else {})


def columns_of_figures(game: Game) -> tuple[str, ...]:
    """Return the columns of the results that the figures of a game need."""
    own = _own_module(game)
    return every_game.COLUMNS + (own.COLUMNS if own else ())


def _own_module(game: Game) -> Any:
    """Return the module of a game's own figures, None where it has none."""
    found = importlib.util.find_spec(f".{game.name}", __package__)
    return importlib.import_module(f".{game.name}", __package__) if found else None


def plot_run(directory: Path | str, out: Path | str | None = None) -> list[Path]:
    """Write the figures of a run as PNGs into `out`, by default its directory's `plots`, and return their paths.

    Each says of which rules it is: the ruleset, the number of players, and the options that are not as in the ruleset.

    Raises InputError where there is no run, or one that is a part of a study, or the disk refuses.
    """
    run = load(directory)
    plan = tournament_of(directory, run.manifest)
    place_names = plan.game.place_names.get(plan.rules.players)
    folder = Path(directory) / "plots" if out is None else Path(out)
    paths = []
    results = run.table("results", columns_of_figures(plan.game))
    for name, plot in figures_of(plan.game).items():
        path = folder / f"{name}.png"
        with new_file(path) as file, warnings.catch_warnings():
            # A letter that the font lacks, or names too long for the layout: the figure shows it.
            warnings.simplefilter("ignore", UserWarning)
            name_rules(plot(results, place_names), plan.title).savefig(file, format="png", dpi=200)
        paths.append(path)
    return paths
