"""The commands for people at a terminal: play, watch."""

import random
from pathlib import Path
from typing import Any

import click

from ...sim.errors import InputError
from ..cli import Failure
from .tournaments import as_in_pit, asked_rules, run_argument

MOST_SEED = 10**9  # of a seed that is drawn, so that it can be typed again


@click.command(params=as_in_pit("game", "players", "options", "rules", "games"))
@click.option(
    "--agents",
    default="greedy",
    show_default=True,
    help='Who plays against you, as in "mc(playouts=500),greedy"; fewer than the free seats repeat.',
)
@click.option("--seat", "seats", type=int, multiple=True, help="Where you sit in the first game; repeatable.")
@click.option("--hotseat", "--people", "people", type=int, default=1, show_default=True, help="People at the keyboard.")
@click.option("--seed", type=int, help="The same seed deals the same cards.", show_default="a random one, shown")
def play(
    agents: str,
    seats: tuple[int, ...],
    people: int,
    seed: int | None,
    rules: Path | None,
    options: tuple[str, ...],
    **given: Any,
) -> None:
    """Play a match against agents at the terminal.

    A move is chosen by its number or by typing its cards; ? is help, q quits. With --hotseat several people take turns
    at one keyboard, with a screen between them. The cards are those of the first match of agari pit with the same seed.
    """
    from ...agents.match import AgentFault
    from ..plan import make_plan
    from ..terminal.screen import Quit, Screen
    from ..terminal.session import Session

    if seed is None:
        seed = random.SystemRandom().randrange(MOST_SEED)
    plan = make_plan(agents, 1, seed=seed, **asked_rules(rules, options, given))
    players = plan.rules.players
    chosen = _choose_seats(seats, people, players)
    if len(plan.agents) > max(players - people, 1):
        raise InputError(f"--agents names {len(plan.agents)}, but {players - people} seats are free")
    screen = Screen(shared=people > 1)
    games = "1 game" if plan.games == 1 else f"{plan.games} games"
    again = f"The same match again: --seed {seed}"
    screen.write(f"{plan.title}, {games}. {again}")
    screen.write("A number or cards choose a move; ? is help, q quits.")
    try:
        Session(plan, chosen, screen).run()
        screen.write(again)
    except Quit:
        screen.write(f"Bye. {again}")
    except AgentFault as fault:
        raise Failure(f"{fault} (--seed {seed})", 1) from None


def _choose_seats(given: tuple[int, ...], people: int, players: int) -> list[int]:
    """Return where people sit in the first game: as given, and then at the first seats that are free."""
    if not 1 <= people <= players:
        raise InputError(f"--hotseat {people}: from 1 to {players} people can play")
    for seat in given:
        if not 0 <= seat < players:
            raise InputError(f"--seat {seat}: the seats are 0 to {players - 1}")
        if given.count(seat) > 1:
            raise InputError(f"--seat {seat} is given twice")
    if len(given) > people:
        raise InputError(f"--seat is given {len(given)} times; for more than one person say --hotseat {len(given)}")
    return [*given, *(seat for seat in range(players) if seat not in given)][:people]


@click.command()
@run_argument
@click.option("--match", type=int, default=0, show_default=True, help="The match.")
@click.option("--game", type=int, default=0, show_default=True, help="The game within the match.")
@click.option("--rotation", type=int, default=0, show_default=True, help="The rotation of the agents.")
@click.option("--arm", type=int, default=0, show_default=True, help="In a part of a study: the arm.")
@click.option("--seat", type=int, help="Look on from this seat.", show_default="all hands are open")
def watch(directory: Path, match: int, game: int, rotation: int, arm: int, seat: int | None) -> None:
    """Step through a recorded game of the run in DIRECTORY.

    Where standard input or output is no terminal, all steps are printed.
    """
    from ..terminal.screen import Screen
    from ..terminal.watching import Watch, read_game

    screen = Screen()
    watching = Watch(read_game(directory, match, rotation, game, arm), screen, seat)
    if screen.interactive:
        watching.run()
    else:
        watching.print_all()
