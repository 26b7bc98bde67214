"""Agents by name: from ``mc(playouts=400)`` or ``my_module:MyAgent(x=3)`` to an agent."""

import ast
import importlib
import inspect
import keyword
import os
import re
import sys
from typing import Any, NamedTuple

from ..sim.errors import InputError, shorten, told
from .ismcts import IsmctsAgent
from .levels import AdvancedAgent, BeginnerAgent, IntermediateAgent
from .montecarlo import MonteCarloAgent
from .policies import GreedyAgent, RandomAgent
from .uecda_default import UecdaDefaultAgent
from .view import Agent, is_ctrl_c

_PIECES = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|.""", re.DOTALL)  # a quoted text, or one letter

AGENTS: dict[str, type] = {
    "random": RandomAgent,
    "greedy": GreedyAgent,
    "mc": MonteCarloAgent,
    "ismcts": IsmctsAgent,
    "uecda_default": UecdaDefaultAgent,
    "beginner": BeginnerAgent,
    "intermediate": IntermediateAgent,
    "advanced": AdvancedAgent,
}


class AgentSpec(NamedTuple):
    """An agent as it was named: `label` is its canonical text, equal for equal agents."""

    label: str
    agent_class: Any  #: a class with a method `choose`
    options: dict[str, Any]

    def build(self) -> Agent:
        """Return a new agent."""
        try:
            return self.agent_class(**self.options)
        except InputError as error:
            raise InputError(f"agent {shorten(self.label)}: {error}") from None
        except BaseException as error:
            if is_ctrl_c(error):
                raise
            raise InputError(f"agent {shorten(self.label)}: raised {told(error)}") from error


def plays(agent_class: type, game: str) -> bool:
    """Return whether agents of a class play the game of a name: all do, unless ``games`` in the class names some."""
    return game in getattr(agent_class, "games", (game,))


def parse_agents(text: str) -> list[AgentSpec]:
    """Return the agents of a list such as ``mc(playouts=200),greedy,random``."""
    return [parse_agent(name) for name in split_agents(text)]


def split_agents(text: str) -> list[str]:
    """Return the texts of a list of agents: what stands between commas outside of parentheses and quotes."""
    names, depth = [""], 0
    for piece in _PIECES.findall(text):
        depth += (piece in "([{") - (piece in ")]}")
        if piece == "," and depth <= 0:
            names.append("")
        else:
            names[-1] += piece
    return [name.strip() for name in names]


def is_foreign(text: str) -> bool:
    """Return whether a text names an agent that is not ours, whose module may do anything when it is imported."""
    return ":" in text.partition("(")[0]


def parse_agent(text: str) -> AgentSpec:
    """Return the agent that a text names: a built-in one or ``module:Class``, with options in parentheses.

    Values of options are Python constants; a bare word is text. Nothing is built yet, but the options are checked
    against the class.
    """
    name, options = parse_call(text)
    text = shorten(text)  # from here on it is only shown
    agent_class = _find_class(name, text)
    parameters = inspect.signature(agent_class).parameters
    takes_any = any(parameter.kind == parameter.VAR_KEYWORD for parameter in parameters.values())
    for option in options:
        if option not in parameters and not takes_any:
            known = ", ".join(parameters) or "none"
            raise InputError(f"agent {text}: unknown option {shorten(option)!r}; its options are: {known}")
    for parameter in parameters.values():
        required = parameter.default is parameter.empty and parameter.kind not in (
            parameter.VAR_KEYWORD,
            parameter.VAR_POSITIONAL,
        )
        if required and parameter.name not in options:
            raise InputError(f"agent {text}: option {parameter.name!r} must be given")
    order = [*parameters, *options]
    shown = ",".join(f"{option}={_format_value(options[option])}" for option in sorted(options, key=order.index))
    return AgentSpec(f"{name}({shown})" if options else name, agent_class, options)


def describe_options(agent_class: type) -> dict[str, Any]:
    """Return the options of an agent class with their defaults."""
    return {name: parameter.default for name, parameter in inspect.signature(agent_class).parameters.items()}


def parse_call(text: str) -> tuple[str, dict[str, Any]]:
    """Return name and options of ``name``, ``name(a=1,b=word)`` or ``module:Class(a=1)``."""
    problem = InputError(
        f"{shorten(repr(text))} is no agent: write a name such as greedy, mc(playouts=200) or my_module:MyAgent(x=3)"
    )
    name, parenthesis, rest = text.strip().partition("(")
    name = name.strip()
    if not all(part.isidentifier() for part in name.replace(":", ".", 1).split(".")):
        raise problem
    if not parenthesis:
        return name, {}
    try:
        call = ast.parse(f"call({rest}", mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise problem from None
    if not isinstance(call, ast.Call) or call.args or not isinstance(call.func, ast.Name) or call.func.id != "call":
        raise problem
    options = {}
    for option in call.keywords:
        if option.arg is None or option.arg in options:
            raise problem
        if isinstance(option.value, ast.Name):
            options[option.arg] = option.value.id
            continue
        try:
            options[option.arg] = ast.literal_eval(option.value)
        except (ValueError, TypeError, MemoryError, RecursionError):
            raise problem from None
        try:
            ast.literal_eval(repr(options[option.arg]))
        except ValueError:  # infinity has no name, and a number may have more digits than Python writes
            raise InputError(
                f"agent {shorten(text)}: option {shorten(option.arg)!r} cannot be written down again: "
                "a number must be finite, and not of thousands of digits"
            ) from None
    return name, options


def _format_value(value: Any) -> str:
    """Return the value of an option as it may be written: the inverse of what `parse_call` does."""
    bare = isinstance(value, str) and value.isidentifier() and not keyword.iskeyword(value)
    return value if bare else repr(value)


def _find_class(name: str, text: str) -> type:
    if ":" not in name:
        if name not in AGENTS:
            known = ", ".join(AGENTS)
            raise InputError(f"unknown agent {shorten(name)!r}; the agents are {known}, or your own my_module:MyAgent")
        return AGENTS[name]
    module_name, _, class_name = name.partition(":")
    if os.getcwd() not in sys.path:  # a user's module lies beside where the command runs
        sys.path.insert(0, os.getcwd())
    try:
        agent_class = getattr(importlib.import_module(module_name), class_name, None)
    except ImportError as error:
        raise InputError(f"agent {text}: cannot import {module_name}: {error}") from None
    except BaseException as error:
        if is_ctrl_c(error):
            raise
        raise InputError(f"agent {text}: importing {module_name} raised {told(error)}") from error
    if not isinstance(agent_class, type) or not callable(getattr(agent_class, "choose", None)):
        raise InputError(f"agent {text}: {module_name} has no class {class_name} with a method choose(view)")
    return agent_class
