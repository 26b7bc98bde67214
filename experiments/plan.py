"""The plan of a tournament: from what a person asks for to a manifest, and back."""

import platform
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, NamedTuple

from ..agents.montecarlo import MonteCarloAgent
from ..agents.policies import policy_of
from ..agents.registry import parse_agents
from ..agents.view import Agent
from ..sim.errors import InputError
from ..sim.game import Game
from ..sim.games import GAMES, ruleset, set_options
from .schedule import chunk_count, chunk_matches, matches_per_chunk

MOST_MATCHES = 10**9
MOST_GAMES = 10_000  # in a match, which is played in one piece

# A guess at what a match takes, by which the size of the chunks is fixed before anything is played.
GAME_SECONDS = 1e-3  # of a game without the agents' own time: rules, rows and record
DECISIONS = 20  # of a seat in a game, forced ones left out
PLAYOUT_SECONDS = 2e-6
OWN_AGENT_SECONDS = 0.02  # of a decision of an agent that we do not know


class Plan(NamedTuple):
    """All that the rows of a run follow from, and the size of its chunks."""

    ruleset: str
    rules: Any
    games: int  # in a match
    matches: int
    agents: tuple[str, ...]  # their labels
    seed: int
    matches_per_chunk: int
    reproducible: bool  # whether the seed gives the same rows again: not where agents have budgets in milliseconds

    @property
    def game(self) -> Game:
        """The game that is played."""
        return next(game for game in GAMES if self.ruleset in game.presets)

    @property
    def chunks(self) -> int:
        """How many chunks there are."""
        return chunk_count(self.matches, self.matches_per_chunk)

    def numbers(self, chunk: int) -> range:
        """Return the numbers of the matches of a chunk."""
        return chunk_matches(chunk, self.matches, self.matches_per_chunk)


def make_plan(
    agents: str,
    matches: int,
    game: str = "federation",
    players: int | None = None,
    options: Iterable[tuple[str, str]] = (),
    games: int | None = None,
    seed: int = 0,
) -> Plan:
    """Return the plan of a tournament; the arguments are those of `tournament.run`.

    Every agent is built once, so that its options are known to be possible.
    """
    _, its_game, rules = ruleset(game, players, tuple(options))
    preset = its_game.presets[game]
    if games is None:
        games = preset.match_games[0]
    if rules == preset.by_players[rules.players] and games not in preset.match_games and not preset.any_games:
        *others, last = map(str, preset.match_games)
        allowed = f"{', '.join(others)} or {last}" if others else last
        raise InputError(f"a match of {game} has {allowed} games, not {games}")
    _check_size(games, matches)
    specs = parse_agents(agents)
    built = [spec.build() for spec in specs]
    decision_seconds = sum(map(_decision_seconds, built)) / len(built)
    match_seconds = rules.players * games * (GAME_SECONDS + rules.players * DECISIONS * decision_seconds)
    labels = tuple(spec.label for spec in specs)
    reproducible = not any(agent.milliseconds for agent in built if isinstance(agent, MonteCarloAgent))
    return Plan(game, rules, games, matches, labels, seed, matches_per_chunk(matches, match_seconds), reproducible)


def _check_size(games: int, matches: int) -> None:
    if not 1 <= games <= MOST_GAMES:
        raise InputError(f"a match has from 1 to {MOST_GAMES} games, not {games}")
    if not 1 <= matches <= MOST_MATCHES:
        raise InputError(f"{matches} matches: must be from 1 to {MOST_MATCHES}")


def _decision_seconds(agent: Agent) -> float:
    """Return about what a decision of an agent takes."""
    if policy_of(agent) >= 0:
        return 0.0
    if isinstance(agent, MonteCarloAgent):
        return agent.milliseconds / 1000 or agent.playouts * PLAYOUT_SECONDS
    return OWN_AGENT_SECONDS


def versions() -> dict[str, str]:
    """Return the versions of what a run was played with."""
    return {
        "agari": version("agari"),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "platform": platform.platform(),
    }


def manifest_of(plan: Plan) -> dict[str, Any]:
    """Return the manifest of a run that begins now."""
    return {
        "game": plan.ruleset,
        "players": plan.rules.players,
        "rules": plan.game.format_rules(plan.rules),
        "games_per_match": plan.games,
        "matches": plan.matches,
        "agents": list(plan.agents),
        "seed": plan.seed,
        "matches_per_chunk": plan.matches_per_chunk,
        "reproducible": "rows" if plan.reproducible else "conclusions only",
        "versions": versions(),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def plan_of(manifest: Mapping[str, Any]) -> Plan:
    """Return the plan that a manifest holds."""
    try:
        game = next((game for game in GAMES if manifest["game"] in game.presets), None)
        if game is None:
            raise InputError(f"this version does not know the game of the run, {manifest['game']!r}")
        numbers = [manifest[name] for name in ("games_per_match", "matches", "seed", "matches_per_chunk")]
        agents = manifest["agents"]
        if any(type(number) is not int for number in numbers) or numbers[3] < 1:
            raise ValueError(f"numbers {numbers}")
        if not isinstance(agents, list) or not agents or not all(isinstance(label, str) for label in agents):
            raise ValueError(f"agents {agents}")
        games, matches, seed, per_chunk = numbers
        _check_size(games, matches)
        rules, reproducible = game.parse_rules(manifest["rules"]), manifest["reproducible"] == "rows"
        return Plan(manifest["game"], rules, games, matches, tuple(agents), seed, per_chunk, reproducible)
    except InputError as error:
        raise InputError(f"the manifest of the run: {error}") from None
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"the manifest of the run is not as this version writes it: {error!r}") from None


def refuse_other_plan(
    manifest: Mapping[str, Any],
    agents: str | None = None,
    matches: int | None = None,
    game: str | None = None,
    players: int | None = None,
    options: Iterable[tuple[str, str]] = (),
    games: int | None = None,
    seed: int | None = None,
) -> None:
    """Raise an InputError that says what differs if what is given is not what a run was started with."""
    plan = plan_of(manifest)
    way_out = "resume it as it is, or start another"
    labels = None if agents is None else tuple(spec.label for spec in parse_agents(agents))
    for name, asked, had in (
        ("game", game, plan.ruleset),
        ("players", players, plan.rules.players),
        ("games", games, plan.games),
        ("matches", matches, plan.matches),
        ("agents", labels and ",".join(labels), ",".join(plan.agents)),
        ("seed", seed, plan.seed),
    ):
        if asked is not None and asked != had:
            raise InputError(f"the run was started with --{name} {had}, not {asked}: {way_out}")
    for option, text in options:
        if set_options(plan.ruleset, plan.game, plan.rules, [(option, text)]) != plan.rules:
            had = plan.game.format_rules(plan.rules)[option]
            raise InputError(f"the run was started with {option} {had}, not {text}: {way_out}")
