"""The figures of a tournament: those that every game has, and those that a game brings.

A game called `name` may bring a module `name.py` here with its `FIGURES`, by the names of their files. Where one has
the name of a figure that every game has, it takes its place. Each takes the results frame of a run and `place_names`,
the names of the places, first place first, where the game has such names. It returns a figure of its own, without
pyplot and its state, and what a run has no games for is said in the figure.
"""

import importlib
import importlib.util
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

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
    own: dict[str, Plot] = {}
    if importlib.util.find_spec(f".{game.name}", __package__):
        own = importlib.import_module(f".{game.name}", __package__).FIGURES
    return every_game.FIGURES | own


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
    for name, plot in figures_of(plan.game).items():
        path = folder / f"{name}.png"
        with new_file(path) as file, warnings.catch_warnings():
            # A letter that the font lacks, or names too long for the layout: the figure shows it.
            warnings.simplefilter("ignore", UserWarning)
            name_rules(plot(run.results, place_names), plan.title).savefig(file, format="png", dpi=200)
        paths.append(path)
    return paths
