"""The plan of a tournament: from what a person asks for to a manifest, and back."""

import platform
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from ..agents.policies import policy_of
from ..agents.registry import is_foreign, parse_agent, plays, split_agents
from ..agents.search import SearchAgent
from ..sim.errors import InputError, shorten
from ..sim.game import Game, option_text
from ..sim.games import game_with, ruleset, set_options
from .schedule import chunk_count, chunk_matches, matches_per_chunk
from .sequential import ALPHA, Question, parse_question
from .workers import ProcessEnded, apart

STUDY = "study.toml"  # in the directory of a study, above those of its runs

MOST_MATCHES = 10**9
MOST_GAMES = 10_000  # in a match, which is played in one piece

# A guess at what a match takes, by which the size of the chunks is fixed before anything is played.
GAME_SECONDS = 1e-3  # of a game without the agents' own time: rules, rows and record
DECISIONS = 20  # of a seat in a game, forced ones left out
PLAYOUT_SECONDS = 2e-6
OWN_AGENT_SECONDS = 0.02  # of a decision of an agent that we do not know
QUICK_SECONDS = 5e-5  # of a decision of one of ours that is asked in Python, but does not search


class Arm(NamedTuple):
    """One way to play every match of a run; a tournament has one arm, a study several, compared with its first.

    All arms have the same match keys, so cards and random streams are the same as far as the rules let them be.
    """

    name: str  # empty in a tournament
    rules: Any
    staged: Mapping[str, int] | None = None  # conditions under which a single game is dealt (`Game.staging`)


class Plan(NamedTuple):
    """All that the rows of a run follow from, and the size of its chunks."""

    ruleset: str
    rules: Any
    games: int  # in a match
    matches: int
    agents: tuple[str, ...]  # their labels
    seed: int
    matches_per_chunk: int
    arms: tuple[Arm, ...]
    reproducible: bool  # whether the seed gives the same rows again: not where agents have budgets in milliseconds
    until: Question | None = None  # to which a clear answer ends the run

    @property
    def game(self) -> Game:
        """The game that is played."""
        return game_with(self.ruleset)

    @property
    def title(self) -> str:
        """The ruleset, the number of players, and the options that are not as in the ruleset."""
        return title_of(self.ruleset, self.rules)

    @property
    def is_study(self) -> bool:
        """Whether it is a part of a study, in which every match is played in several arms."""
        return len(self.arms) > 1

    @property
    def chunks(self) -> int:
        """How many chunks there are."""
        return chunk_count(self.matches, self.matches_per_chunk)

    def numbers(self, chunk: int) -> range:
        """Return the numbers of the matches of a chunk."""
        return chunk_matches(chunk, self.matches, self.matches_per_chunk)


def title_of(name: str, rules: Any) -> str:
    """Return a ruleset's name, the number of players, and the options of rules that are not as in the ruleset."""
    game = game_with(name)
    usual = game.presets[name].by_players
    preset = game.options.format(usual.get(rules.players, next(iter(usual.values()))))
    values = game.options.format(rules).items()
    changed = [
        f"{option}={option_text(value)}" for option, value in values if option != "players" and value != preset[option]
    ]
    return ", ".join([name, f"{rules.players} players", *changed])


def make_plan(
    agents: str,
    matches: int,
    game: str = "federation",
    players: int | None = None,
    options: Iterable[tuple[str, str]] = (),
    games: int | None = None,
    seed: int = 0,
    until: str | None = None,
    alpha: float | None = None,
) -> Plan:
    """Return the plan of a tournament; the arguments are those of `tournament.run`.

    Every agent is built once (`examine`), so that its options are known to be possible.
    """
    _, its_game, rules = ruleset(game, players, tuple(options))
    preset = its_game.presets[game]
    if games is None:
        games = preset.match_games[0]
    if rules == preset.by_players.get(rules.players) and games not in preset.match_games and not preset.any_games:
        *others, last = map(str, preset.match_games)
        allowed = f"{', '.join(others)} or {last}" if others else last
        raise InputError(f"a match of {game} has {allowed} games, not {games}")
    plan = plan_with_arms(game, rules, games, matches, agents, seed, (Arm("", rules),))
    return plan._replace(until=_question(until, alpha, plan.agents))


def plan_with_arms(
    game: str, rules: Any, games: int, matches: int, agents: str, seed: int, arms: tuple[Arm, ...]
) -> Plan:
    """Return the plan of a run whose matches are played in each of some arms; their rules have as many players."""
    _check_size(games, matches)
    examined = examine(split_agents(agents), game_with(game))
    decision_seconds = sum(agent.decision_seconds for agent in examined) / len(examined)
    one_arm_seconds = rules.players * games * (GAME_SECONDS + rules.players * DECISIONS * decision_seconds)
    per_chunk = matches_per_chunk(matches, len(arms) * one_arm_seconds)
    labels = tuple(agent.label for agent in examined)
    reproducible = all(agent.reproducible for agent in examined)
    return Plan(game, rules, games, matches, labels, seed, per_chunk, arms, reproducible)


def _question(until: str | None, alpha: float | None, labels: Sequence[str]) -> Question | None:
    """Return the question to be answered, None: there is none."""
    if until is not None:
        return parse_question(until, labels, ALPHA if alpha is None else alpha)
    if alpha is not None:
        raise InputError('--alpha goes with a question: --until "A > B"')
    return None


def _check_size(games: int, matches: int) -> None:
    if not 1 <= games <= MOST_GAMES:
        raise InputError(f"a match has from 1 to {MOST_GAMES} games, not {games}")
    if not 1 <= matches <= MOST_MATCHES:
        raise InputError(f"{matches} matches: must be from 1 to {MOST_MATCHES}")


class Examined(NamedTuple):
    """What there is to know of an agent before it plays."""

    label: str
    decision_seconds: float  # about what a decision takes
    reproducible: bool


def examine(agents: Sequence[str], game: Game) -> list[Examined]:
    """Build each of the agents that texts name, and return what is to know of them.

    What is not ours is imported and built in a process of its own, so that nothing it does (threads that never end, or
    the end of the program) comes upon this one. Raises InputError for an agent that cannot be had, or does not play the
    game.
    """
    if not any(map(is_foreign, agents)):
        return [_examine(agent, game.name) for agent in agents]
    examined: list[Examined] = []
    try:
        for agent in apart(partial(_examine, game=game.name), agents):
            examined.append(agent)
    except ProcessEnded as ended:
        raise InputError(f"agent {shorten(agents[len(examined)])}: {ended} when it was imported and built") from None
    return examined


def _examine(text: str, game: str) -> Examined:
    spec = parse_agent(text)
    if not plays(spec.agent_class, game):
        raise InputError(f"agent {spec.label} plays {', '.join(spec.agent_class.games)}, not {game}")
    agent = spec.build()
    if policy_of(agent) >= 0:
        return Examined(spec.label, 0.0, True)
    if isinstance(agent, SearchAgent):
        seconds = agent.milliseconds / 1000 or agent.playouts * PLAYOUT_SECONDS
        return Examined(spec.label, seconds, not agent.milliseconds)
    return Examined(spec.label, OWN_AGENT_SECONDS if is_foreign(text) else QUICK_SECONDS, True)


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
    question = {"until": str(plan.until), "alpha": plan.until.alpha} if plan.until else {}
    return {
        "game": plan.ruleset,
        "players": plan.rules.players,
        "rules": plan.game.options.format(plan.rules),
        **_format_arms(plan),
        "games_per_match": plan.games,
        "matches": plan.matches,
        "agents": list(plan.agents),
        "seed": plan.seed,
        **question,
        "matches_per_chunk": plan.matches_per_chunk,
        "reproducible": "rows" if plan.reproducible else "conclusions only",
        "versions": versions(),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _format_arms(plan: Plan) -> dict[str, Any]:
    """Return what a manifest says of the arms of a study: options that are not as in the rules, and conditions."""
    if not plan.is_study:
        return {}
    base = plan.game.options.format(plan.rules)
    arms = []
    for name, rules, staged in plan.arms:
        changed = {k: v for k, v in plan.game.options.format(rules).items() if v != base[k]}
        arms.append({"name": name, "rules": changed, "staged": None if staged is None else dict(staged)})
    return {"arms": arms}


def _parse_arms(game: Game, rules: Any, manifest: Mapping[str, Any]) -> tuple[Arm, ...]:
    """Return the arms of a manifest."""
    if "arms" not in manifest:
        return (Arm("", rules),)
    base = game.options.format(rules)
    return tuple(
        Arm(arm["name"], game.options.parse({**base, **arm["rules"]}), arm["staged"]) for arm in manifest["arms"]
    )


def plan_of(manifest: Mapping[str, Any]) -> Plan:
    """Return the plan that a manifest holds."""
    try:
        game = game_with(manifest["game"])
        numbers = [manifest[name] for name in ("games_per_match", "matches", "seed", "matches_per_chunk")]
        agents = manifest["agents"]
        if any(type(number) is not int for number in numbers) or numbers[3] < 1:
            raise ValueError(f"numbers {numbers}")
        if not isinstance(agents, list) or not agents or not all(isinstance(label, str) for label in agents):
            raise ValueError(f"agents {agents}")
        if not isinstance(manifest.get("until", ""), str):
            raise ValueError(f"until {manifest['until']}")
        games, matches, seed, per_chunk = numbers
        _check_size(games, matches)
        rules, reproducible = game.options.parse(manifest["rules"]), manifest["reproducible"] == "rows"
        arms = _parse_arms(game, rules, manifest)
        until = _question(manifest.get("until"), manifest.get("alpha"), agents)
        return Plan(manifest["game"], rules, games, matches, tuple(agents), seed, per_chunk, arms, reproducible, until)
    except InputError as error:
        raise InputError(f"the manifest of the run: {error}") from None
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"the manifest of the run is not as this version writes it: {error!r}") from None


def tournament_of(directory: Any, manifest: Mapping[str, Any]) -> Plan:
    """Return the plan of a run that is a tournament; raises InputError where it is a part of a study."""
    plan = plan_of(manifest)
    if plan.is_study:
        report = f"agari study {Path(directory).parent / STUDY}"
        raise InputError(f"{directory} is a part of a study, with {len(plan.arms)} arms: {report} shows its report")
    return plan


def refuse_other_plan(
    manifest: Mapping[str, Any],
    agents: str | None = None,
    matches: int | None = None,
    game: str | None = None,
    players: int | None = None,
    options: Iterable[tuple[str, str]] = (),
    games: int | None = None,
    seed: int | None = None,
    until: str | None = None,
    alpha: float | None = None,
) -> None:
    """Raise an InputError that says what differs if what is given is not what a run was started with."""
    plan = plan_of(manifest)
    way_out = "resume it as it is, or start another"
    labels = None if agents is None else tuple(agent.label for agent in examine(split_agents(agents), plan.game))
    for name, asked, had in (
        ("game", game, plan.ruleset),
        ("players", players, plan.rules.players),
        ("games", games, plan.games),
        ("matches", matches, plan.matches),
        ("agents", labels and ",".join(labels), ",".join(plan.agents)),
        ("seed", seed, plan.seed),
        ("until", until and str(parse_question(until, plan.agents)), plan.until and str(plan.until)),
        ("alpha", alpha, plan.until and plan.until.alpha),
    ):
        if asked is not None and asked != had:
            had_text, asked_text = shorten(str(had)), shorten(str(asked))
            how = f"without --{name} {asked_text}" if had is None else f"with --{name} {had_text}, not {asked_text}"
            raise InputError(f"the run was started {how}: {way_out}")
    had_options = plan.game.options.format(plan.rules)
    asked_options = plan.game.options.format(set_options(plan.ruleset, plan.game, plan.rules, options))
    for option, value in asked_options.items():
        if value != had_options[option]:
            shown = [option_text(had_options[option]), shorten(option_text(value))]
            raise InputError(f"the run was started with {option} {shown[0]}, not {shown[1]}: {way_out}")
