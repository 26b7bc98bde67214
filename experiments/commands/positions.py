"""The commands that answer for each record of a file: legal, apply, replay, tribute, perft, analyze."""

import json
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from ...sim.errors import InputError, Unplayable, told
from ..jsonl import answer_each, print_rich, write_json

if TYPE_CHECKING:
    import numpy as np

    from ...agents.registry import AgentSpec
    from ...sim.game import Game

DEEPEST = 256  # plays: perft keeps room for so many states and lists of moves

Answer = Callable[["Game", dict[str, Any]], dict[str, Any]]


def reads_records(command: Callable[..., None]) -> Callable[..., None]:
    """Declare what all these commands take: the file, and the game that its records are of."""
    game = click.option("--game", default="daifugo", show_default=True, help="The game, or a ruleset of it.")
    return click.argument("file")(game(command))


@click.command()
@reads_records
def legal(file: str, game: str) -> None:
    """Print the legal plays of each position of FILE.

    FILE holds one JSON object a line, {"id", "rules", "state"}; - is standard input. Prints {"id", "legal"} for each.
    """
    write_each(file, game, legal_answer)


@click.command()
@reads_records
def apply(file: str, game: str) -> None:
    """Print the state after a play in each position of FILE.

    FILE holds one JSON object a line, {"id", "rules", "state", "play"}; - is standard input. Prints {"id", "state"} for
    each. For a play that is not legal the error says which clause of the rules forbids it.
    """
    write_each(file, game, apply_answer)


@click.command()
@reads_records
def replay(file: str, game: str) -> None:
    """Replay the games of FILE and print how each ends.

    FILE holds one JSON object a line, in Daifugo {"id", "rules", "hands", "blind", "leader", "previous", "plays",
    "last_of_set"}, in the other games whole matches, {"id", "rules", "rounds"} or {"id", "rules", "deals"}; - is
    standard input. Prints {"id", "ranking", "reasons", "points"} for each, of matches {"id", "totals", "places"}.
    """
    write_each(file, game, replay_answer)


@click.command()
@reads_records
def tribute(file: str, game: str) -> None:
    """Print what is given and what may be returned in each tribute of FILE.

    FILE holds one JSON object a line, {"id", "rules", "previous", "hands", "exchange": [{"returned"}]}; - is standard
    input. Prints {"id", "exchange", "after", "leader"} for each; "after" is null unless every return is given.
    """
    write_each(file, game, tribute_answer)


@click.command()
@reads_records
@click.option("--depth", type=click.IntRange(1, DEEPEST), help="Plays; by default as many as the record's perft has.")
def perft(file: str, game: str, depth: int | None) -> None:
    """Count the sequences of plays from each position of FILE.

    FILE holds one JSON object a line, or an array of them, {"name", "rules", "state", "perft"}; - is standard input.
    Prints {"name", "perft", "divide"} for each: the numbers of sequences of 1, 2 … plays, and the last one split by the
    first play.
    """
    write_each(file, game, lambda its_game, record: perft_answer(its_game, record, depth))


@click.command()
@reads_records
@click.option("--agent", default="mc", show_default=True, help='An agent that thinks, as in "mc(playouts=2000)".')
@click.option("--seed", type=int, default=0, show_default=True, help="Names the random streams.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line instead of tables.")
def analyze(file: str, game: str, agent: str, seed: int, as_json: bool) -> None:
    """Print what an agent thinks of each legal play in each position of FILE.

    FILE holds one JSON object a line, {"id", "rules", "state"}; - is standard input. Of each play: the mean result in
    points, its standard error and the number of playouts, the best mean first, plays without a standard error last. The
    agent sees what the seat to act sees, no other hand.
    """
    from ...agents.registry import parse_agent
    from ..plan import examine

    its_game = game_named(game)
    examine([agent], its_game)  # so that wrong options are an error of the command, not of the first position
    spec = parse_agent(agent)
    if not callable(getattr(spec.agent_class, "think", None)):
        raise InputError(f"agent {spec.label} cannot analyze: it has no method think(view); mc has")
    for answer in answer_each(file, lambda record: analyze_answer(its_game, record, spec, seed)):
        if as_json:
            write_json(answer)
        else:
            print_thoughts(answer)


def game_named(name: str) -> "Game":
    """Return the game that a text names, itself or one of its rulesets."""
    from ...sim.games import GAMES, game_with

    return next((game for game in GAMES if game.name == name), None) or game_with(name)


def write_each(file: str, game: str, answer: Answer) -> None:
    """Write the answer to each record of a file, all of one game, as a line of JSON."""
    its_game = game_named(game)
    for answered in answer_each(file, lambda record: answer(its_game, record)):
        write_json(answered)


def legal_answer(game: "Game", record: dict[str, Any]) -> dict[str, Any]:
    """Return ``{"id", "legal"}``: the legal plays of a position as text, sorted."""
    rules, state = read_position(game, record)
    texts = [game.format_move(rules, move) for move in moves_of(game, rules, state)]
    return {"id": record.get("id"), "legal": sorted(texts)}


def apply_answer(game: "Game", record: dict[str, Any]) -> dict[str, Any]:
    """Return ``{"id", "state"}``: the state after a legal play."""
    from ...sim.game import play

    rules, state = read_position(game, record)
    text = value_of(record, "play")
    if not isinstance(text, str):
        raise InputError(f"play: must be text, not {text!r}")
    try:
        move = game.parse_move(rules, state, text)
    except InputError as error:
        raise InputError(f"play: {error}") from None
    why = game.why_illegal(rules, state, move)
    if why:
        raise InputError(f"play: {text!r} is not legal: {why}")
    play(rules, state, move)
    return {"id": record.get("id"), "state": game.format_state(rules, state)}


def replay_answer(game: "Game", record: dict[str, Any]) -> dict[str, Any]:
    """Return ``{"id", "ranking", "reasons", "points"}`` of a recorded game."""
    return {"id": record.get("id"), **game.replay(read_rules(game, record), record, "")}


def tribute_answer(game: "Game", record: dict[str, Any]) -> dict[str, Any]:
    """Return ``{"id", "exchange", "after", "leader"}`` of a tribute."""
    if game.tribute is None:
        raise InputError(f"in {game.name} there is no tribute")
    return {"id": record.get("id"), **game.tribute(read_rules(game, record), record, "")}


def perft_answer(game: "Game", record: dict[str, Any], depth: int | None = None) -> dict[str, Any]:
    """Return ``{"name", "perft", "divide"}`` of a position, to the depth that its own perft has where none is given."""
    from ...sim.perft import divide

    rules, state = read_position(game, record)
    if depth is None:
        counted = value_of(record, "perft")
        if not isinstance(counted, list) or not 1 <= len(counted) <= DEEPEST:
            raise InputError(f"perft: must be a list of 1 to {DEEPEST} numbers, or give --depth")
        depth = len(counted)
    moves, counts = divide(rules, state, depth)
    texts = [game.format_move(rules, move) for move in moves]
    return {
        "name": record.get("name"),
        "perft": counts.sum(axis=0).tolist(),
        "divide": dict(sorted(zip(texts, counts[:, -1].tolist(), strict=True))),
    }


def analyze_answer(game: "Game", record: dict[str, Any], spec: "AgentSpec", seed: int) -> dict[str, Any]:
    """Return ``{"id", "agent", "seat", "hand", "field", "thoughts"}``: what an agent thinks of the plays, best first.

    A thought is ``{"play", "mean", "standard_error", "playouts"}``, null where there are too few playouts for a number.
    Those without a standard error come last.

    The seed alone names the random streams, so a position is analyzed the same wherever it stands.
    """
    from ...agents.view import view_of
    from ...sim.rng import AGENT, key_of

    rules, state = read_position(game, record)
    view = view_of(game, rules, state, key_of(seed, AGENT))
    agent: Any = spec.build()
    try:
        found = agent.think(view)
        rows = list(zip(found.moves, found.mean, found.standard_error, found.playouts, strict=True))
        rows.sort(key=_how_good, reverse=True)
        thoughts = [
            {
                "play": game.format_move(rules, move),
                "mean": float(mean) if math.isfinite(mean) else None,
                "standard_error": float(deviation) if math.isfinite(deviation) else None,
                "playouts": int(playouts),
            }
            for move, mean, deviation, playouts in rows
        ]
    except Unplayable as error:
        raise InputError(f"state: {error}") from None
    except (Exception, SystemExit) as error:
        raise InputError(f"agent {spec.label}: raised {told(error)}") from error
    return {
        "id": record.get("id"),
        "agent": spec.label,
        "seat": view.seat,
        "hand": view.hand,
        "field": view.field,
        "thoughts": thoughts,
    }


def _how_good(row: tuple[Any, ...]) -> tuple[bool, float]:
    """Return what to sort plays by: the mean, but first whether it is more than the luck of a single playout."""
    _, mean, deviation, _ = row
    return math.isfinite(deviation), mean if math.isfinite(mean) else -math.inf


def print_thoughts(analysis: dict[str, Any]) -> None:
    """Print an analysis for people: what the seat sees, and a table of its plays."""
    from rich import box
    from rich.table import Table

    field = "leads" if analysis["field"] is None else f"is to follow {analysis['field']}"
    name = "" if analysis["id"] is None else f"position {json.dumps(analysis['id'])}: "
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("play")
    for heading in ("mean points", "standard error", "playouts"):
        table.add_column(heading, justify="right")
    for thought in analysis["thoughts"]:
        numbers = [thought["mean"], thought["standard_error"]]
        shown = ["" if number is None else f"{number:.3f}" for number in numbers]
        table.add_row(thought["play"], *shown, str(thought["playouts"]))
    print_rich(f"{name}seat {analysis['seat']} {field} and holds {analysis['hand']}", table)


def read_rules(game: "Game", record: dict[str, Any]) -> Any:
    """Return the rules of a record of a game; one that says of which game it is must not be of another."""
    from ...sim.games import GAMES

    own = record.get("game")
    if own != game.name and own in [other.name for other in GAMES]:
        raise InputError(f"game: is {own}, so say --game {own}")
    try:
        return game.options.parse(value_of(record, "rules"))
    except InputError as error:
        problem = str(error)
        raise InputError(problem if problem.startswith("rules") else f"rules: {problem}") from None


def read_position(game: "Game", record: dict[str, Any]) -> tuple[Any, Any]:
    """Return rules and state of a record of a game; in the state somebody is to act."""
    rules = read_rules(game, record)
    return rules, game.parse_state(rules, value_of(record, "state"), "state")


def value_of(record: dict[str, Any], key: str) -> Any:
    """Return a value of a record that must be there."""
    if key not in record:
        raise InputError(f"{key}: is missing")
    return record[key]


def moves_of(game: "Game", rules: Any, state: Any) -> "np.ndarray":
    """Return the legal moves in a state, int64 of shape (n,)."""
    from ...sim.game import blank, legal_moves, moves_dtype

    moves = blank(moves_dtype(game.max_moves))
    count = legal_moves(rules, state, moves)
    return moves.list[:count].copy()
