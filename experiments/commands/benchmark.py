"""The command that measures."""

import click

from ..jsonl import write_json, write_text

MOST = 10_000_000  # positions in a set, and games


@click.command()
@click.option("--game", "name", default="federation", show_default=True, help="Ruleset to measure.")
@click.option("--players", type=int, help="Number of players.")
@click.option(
    "--positions", type=click.IntRange(1, MOST), default=200_000, show_default=True, help="Positions in a set."
)
@click.option("--games", type=click.IntRange(1, MOST), default=200_000, show_default=True, help="Random games to play.")
@click.option("--peers", "with_peers", is_flag=True, help="Also the nearest games of OpenSpiel and RLCard.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a figure.")
@click.option("--signature", "only_signature", is_flag=True, help="Print the hash of a fixed set of games instead.")
def bench(
    name: str, players: int | None, positions: int, games: int, with_peers: bool, as_json: bool, only_signature: bool
) -> None:
    """Measure move generation, games, playouts and start-up on one core, beside the naive twin."""
    if only_signature:
        from ..signature import signature

        write_text(f"{signature()}\n")
        return
    from itertools import chain

    from ...sim.games import ruleset
    from ..benchmark import Bench, Figure, peers

    chosen = ruleset(name, players)
    measure = Bench(chosen, positions, games)
    if not as_json:
        twin = (
            "x: times as fast as the naive twin" if measure.twin else "no naive twin: it is in the tests of a checkout"
        )
        write_text(f"{name}, {chosen.rules.players} players; one core; {twin}\n")
    figure: Figure
    for figure in chain(measure.figures(), peers() if with_peers else ()):
        if as_json:
            write_json({**figure._asdict(), "ratio": figure.ratio})
            continue
        ratio = f"{figure.ratio:10,.0f}x" if figure.ratio is not None else " " * 11
        value = f"{figure.value:13,.2f}" if figure.value < 1000 else f"{figure.value:13,.0f}"
        write_text(f"{figure.name:<46}{value} {figure.unit:<10}{ratio}  {figure.of}\n")
