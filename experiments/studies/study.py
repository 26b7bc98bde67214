"""What a study is: a question and all that its answer follows from, as a TOML file and as the plans of its runs."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from ...agents.registry import split_agents
from ...sim.errors import InputError, shorten
from ...sim.game import Game
from ...sim.games import game_with, ruleset
from ..plan import MOST_MATCHES, Arm, Plan, plan_with_arms, title_of
from ..toml_file import read_toml
from . import rule, seat, tribute

QUESTIONS: dict[str, ModuleType] = {"tribute": tribute, "seat": seat, "rule": rule}

AGENTS = "greedy"
COUNTS = {"deals": 1000, "matches": 200}  # how many are played of each part, where nothing is said

KEYS = ("question", "game", "players", "rules", "agents", "option", "values", "deals", "matches", "games", "seed")


class Study(NamedTuple):
    """A question, and all that its answer follows from."""

    question: str
    ruleset: str
    rules: Any
    agents: str
    counts: dict[str, int]  # part -> how many deals or matches
    games: int  # in a match
    seed: int
    option: str = ""  # of the question `rule`: the option that is changed
    values: tuple[Any, ...] = ()  # … and its values, the one that the others are compared with first

    @property
    def game(self) -> Game:
        """The game that is played."""
        return game_with(self.ruleset)

    @property
    def title(self) -> str:
        """The ruleset, the number of players, and the options that are not as in the ruleset."""
        return title_of(self.ruleset, self.rules)

    @property
    def played(self) -> str:
        """Who plays how much."""
        counts = " and ".join(f"{count:,} {part}" for part, count in self.counts.items())
        return f"{self.agents} · {counts} · seed {self.seed}"

    @property
    def plans(self) -> dict[str, Plan]:
        """The plans of its runs, by part."""
        arms: dict[str, tuple[Arm, ...]] = QUESTIONS[self.question].arms(self)
        plans = {}
        for part, count in self.counts.items():
            games = 1 if part == "deals" else self.games
            plans[part] = plan_with_arms(self.ruleset, self.rules, games, count, self.agents, self.seed, arms[part])
        return plans


def make_study(
    question: str,
    game: str = "federation",
    players: int | None = None,
    options: Iterable[tuple[str, Any]] = (),
    agents: str = AGENTS,
    option: str | None = None,
    values: Sequence[Any] = (),
    deals: int | None = None,
    matches: int | None = None,
    games: int | None = None,
    seed: int = 0,
) -> Study:
    """Return a study; raises InputError where its question cannot be asked of the game, or something is amiss."""
    if question not in QUESTIONS:
        raise InputError(f"unknown question {shorten(repr(question))}; the questions are {', '.join(QUESTIONS)}")
    _, its_game, rules = ruleset(game, players, tuple(options))
    asked = {"deals": deals, "matches": matches}
    module = QUESTIONS[question]
    for part, count in asked.items():
        if count is not None and part not in module.PARTS:
            raise InputError(f"a study of the {question} plays no {part}, but {' and '.join(module.PARTS)}")
        if count is not None and not 0 <= count <= MOST_MATCHES:
            raise InputError(f"{part} {count}: must be from 0 to {MOST_MATCHES}")
    counts = {part: COUNTS[part] if asked[part] is None else int(asked[part] or 0) for part in module.PARTS}
    counts = {part: count for part, count in counts.items() if count}
    if not counts:
        raise InputError(f"there is nothing to play: {' and '.join(module.PARTS)} 0")
    if games is None:
        games = its_game.presets[game].match_games[0]
    elif "matches" not in counts:
        raise InputError("games is the number of games in a match, and no matches are played")
    if question != "rule" and (option is not None or values):
        raise InputError(f"option and values go with the question rule, not with {question}")
    agents = ",".join(split_agents(agents))
    study: Study = module.checked(
        Study(question, game, rules, agents, counts, games, seed, option or "", tuple(values))
    )
    return study


def read_study(path: Path | str) -> Study:
    """Return the study that a TOML file describes; raises InputError with its name where it cannot be had."""
    values = read_toml(path)
    try:
        return make_study(**_arguments(values))
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _arguments(values: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of `make_study` that a file gives."""
    unknown = [key for key in values if key not in KEYS]
    if unknown:
        raise InputError(f"unknown key {shorten(repr(unknown[0]))}; the keys are {', '.join(KEYS)}")
    if "question" not in values:
        raise InputError(f"it asks no question: question = one of {', '.join(QUESTIONS)}")
    kinds: dict[str, tuple[type, str]] = {
        **dict.fromkeys(("question", "game", "option"), (str, "a text")),
        **dict.fromkeys(("players", "deals", "matches", "games", "seed"), (int, "a whole number")),
        "rules": (dict, "a table of options, [rules]"),
        "values": (list, "a list of values"),
    }
    for key, (kind, what) in kinds.items():
        if key in values and (not isinstance(values[key], kind) or isinstance(values[key], bool)):
            raise InputError(f"{key} must be {what}, not {shorten(repr(values[key]))}")
    agents = values.pop("agents", AGENTS)
    if isinstance(agents, list) and agents and all(isinstance(label, str) for label in agents):
        agents = ",".join(agents)
    if not isinstance(agents, str):
        raise InputError(f"agents must be a text or a list of texts, not {shorten(repr(agents))}")
    return {"agents": agents, "options": tuple(values.pop("rules", {}).items()), **values}


def format_study(study: Study) -> str:
    """Return a study as a TOML file that says all of it: the inverse of `read_study`."""
    options = study.game.options.format(study.rules)
    values: dict[str, Any] = {
        "question": study.question,
        "game": study.ruleset,
        "players": options.pop("players"),
        "agents": study.agents,
        **({"option": study.option, "values": list(study.values)} if study.option else {}),
        **{part: study.counts.get(part, 0) for part in QUESTIONS[study.question].PARTS},
        **({"games": study.games} if "matches" in study.counts else {}),
        "seed": study.seed,
    }
    lines = [f"{key} = {_toml(value)}" for key, value in values.items()]
    rules = [f"{key} = {_toml(value)}" for key, value in options.items()]
    return "\n".join([*lines, "", "[rules]", *rules, ""])


def _toml(value: Any) -> str:
    """Return a text, number, truth value or flat list as TOML: as in JSON, but for two things about letters."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
