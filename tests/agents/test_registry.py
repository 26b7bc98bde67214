"""Agents by name."""

import signal
import sys
from pathlib import Path

import pytest
from agari.agents.montecarlo import MonteCarloAgent
from agari.agents.registry import AGENTS, describe_options, parse_agent, parse_agents, plays
from agari.experiments.plan import examine
from agari.sim.errors import InputError
from agari.sim.games import ruleset

from ..daifugo_table import GAME, federation, position, view_of

OWN = """
class First:
    def choose(self, view):
        return view.legal[0]


class Nth:
    def __init__(self, n, text="a b", **more):
        self.n, self.text, self.more = n, text, more

    def choose(self, view):
        return view.moves[self.n % len(view.moves)]


class Fussy:
    def __init__(self, n=1):
        raise RuntimeError("not today")

    def choose(self, view):
        return 0


class Deaf:
    pass


def choose(view):
    return 0
"""


@pytest.fixture(autouse=True)
def own_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user's module beside where the command runs."""
    (tmp_path / "own_agents.py").write_text(OWN, encoding="utf-8")
    (tmp_path / "broken_agents.py").write_text("1 / 0\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("own_agents", "broken_agents"):
        monkeypatch.delitem(sys.modules, name, raising=False)


def refused(text: str) -> str:
    with pytest.raises(InputError) as error:
        [spec.build() for spec in parse_agents(text)]
    assert "\n" not in str(error.value)
    return str(error.value)


def test_built_in_agents() -> None:
    assert list(AGENTS)[:3] == ["random", "greedy", "mc"]
    assert [type(parse_agent(name).build()) for name in AGENTS] == list(AGENTS.values())
    assert [parse_agent(name).label for name in AGENTS] == list(AGENTS)


def test_options_reach_the_agent() -> None:
    agent = parse_agent("mc(playouts=250, policy=random, seed=-3, milliseconds=1.5)").build()
    assert (agent.playouts, agent.playout_policy, agent.seed, agent.milliseconds) == (250, 0, -3, 1.5)
    assert describe_options(MonteCarloAgent) == {
        "playouts": 1000,
        "milliseconds": 0.0,
        "policy": "greedy",
        "seed": 0,
    }


def test_equal_agents_have_equal_labels() -> None:
    texts = [
        "mc(playouts=9,seed=2)",
        " mc( seed=2 , playouts=9 ) ",
        "mc(seed = 2,playouts = 9)",
        "mc(playouts=9,seed=2,)",
    ]
    assert {parse_agent(text).label for text in texts} == {"mc(playouts=9,seed=2)"}
    assert parse_agent('mc(policy="random")').label == parse_agent("mc(policy=random)").label == "mc(policy=random)"
    assert parse_agent("mc()").label == parse_agent("mc").label == "mc"


@pytest.mark.parametrize(
    "text", ["mc(playouts=9,seed=-2)", "own_agents:Nth(n=3,text=word)", "own_agents:Nth(n=[1, 2],text='a, b (c)')"]
)
def test_labels_name_the_same_agent_again(text: str) -> None:
    spec = parse_agent(text)
    assert spec.label == text
    assert parse_agent(spec.label) == spec
    assert parse_agents(spec.label) == [spec]


@pytest.mark.parametrize(
    "text", ["'('", '"it\'s, ("', r"'it\'s, ('", r"'\\'", "['(', {'a': ',)'}]", "'()'", "'\"'", "'#'", "b'),'"]
)
def test_what_stands_in_quotes_ends_nothing(text: str) -> None:
    """Neither parentheses, nor commas, nor the other kind of quote."""
    names = [f"own_agents:Nth(n=1,text={text})", "greedy"]
    specs = parse_agents(",".join(names))
    assert specs == [parse_agent(name) for name in names]
    assert parse_agents(",".join(spec.label for spec in specs)) == specs


@pytest.mark.parametrize("value", ["1e999", "-1e999", "[1, {2: -1e999}]", "1e999j", "1e999-1e999j", "0x" + "f" * 5000])
def test_numbers_that_cannot_be_written_are_refused(value: str) -> None:
    """Their label would name another agent."""
    message = refused(f"own_agents:Nth(n={value})")
    assert "option 'n' cannot be written down again: a number must be finite, and not of thousands of digits" in message
    assert len(message) < 800


@pytest.mark.parametrize(
    "text",
    [
        "mc(playouts={})",
        "mc(seed={})",
        "mc(milliseconds={})",
        "mc(policy='x{}')",
        "mc(x{}=1)",
        "own_agents:Fussy(n={})",
        "own_agents:Nobody(n={})",
        "own_agents:First(n={})",
        "x{}",
        "x {}",
        "mc({})",
    ],
)
@pytest.mark.parametrize("digits", [4000, 100_000])
def test_no_refusal_is_long(text: str, digits: int) -> None:
    assert len(refused(text.format("9" * digits))) < 1500


def test_lists_of_agents() -> None:
    specs = parse_agents("mc(playouts=200,policy=random), greedy,own_agents:Nth(n=1,text='x,y') ,random")
    assert [spec.label for spec in specs] == [
        "mc(playouts=200,policy=random)",
        "greedy",
        "own_agents:Nth(n=1,text='x,y')",
        "random",
    ]


def test_a_users_own_class() -> None:
    rules = federation()
    view = view_of(rules, GAME.parse_state(rules, position("S4 H9", "C5", "C6", "C7")))
    assert parse_agent("own_agents:First").build().choose(view) == "S:S4"
    agent = parse_agent("own_agents:Nth(n=1,text='two words',speed=7)").build()
    assert (agent.n, agent.text, agent.more) == (1, "two words", {"speed": 7})
    assert agent.choose(view) == view.moves[1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("genius", "unknown agent 'genius'; the agents are random, greedy, mc, "),
        ("", "'' is no agent"),
        ("greedy,,random", "'' is no agent"),
        ("mc(playouts=200", "'mc(playouts=200' is no agent"),
        ("greedy,mc(playouts=200", "'mc(playouts=200' is no agent"),
        ("mc(200)", "'mc(200)' is no agent"),
        ("mc(playouts=2)(3)", "'mc(playouts=2)(3)' is no agent"),
        ("mc(playouts=1+x)", "'mc(playouts=1+x)' is no agent"),
        ("mc(playouts=open('x'))", "is no agent"),
        ("mc(playouts=1,playouts=2)", "is no agent"),
        ("mc(**x)", "'mc(**x)' is no agent"),
        ("my agent", "'my agent' is no agent"),
        ("mc(colour=red)", "agent mc(colour=red): unknown option 'colour'; its options are: playouts, milliseconds,"),
        ("greedy(x=1)", "agent greedy(x=1): unknown option 'x'; its options are: none"),
        ("mc(policy=clever)", "agent mc(policy=clever): policy=clever: the policies are random, greedy"),
        ("mc(playouts=0)", "agent mc(playouts=0): playouts=0: must be"),
        ("no_such_module:Agent", "agent no_such_module:Agent: cannot import no_such_module"),
        ("broken_agents:Agent", "agent broken_agents:Agent: importing broken_agents raised ZeroDivisionError"),
        ("own_agents:Nobody", "agent own_agents:Nobody: own_agents has no class Nobody with a method choose(view)"),
        ("own_agents:Deaf", "agent own_agents:Deaf: own_agents has no class Deaf with a method choose(view)"),
        ("own_agents:choose", "agent own_agents:choose: own_agents has no class choose"),
        ("own_agents:Nth", "agent own_agents:Nth: option 'n' must be given"),
        ("own_agents:Fussy(n=2)", "agent own_agents:Fussy(n=2): raised RuntimeError: not today"),
    ],
)
def test_what_is_refused_in_one_line(text: str, message: str) -> None:
    assert message in refused(text)


@pytest.mark.parametrize("value", ["(" * 5000, "-" * 100_000 + "1", "{[]: 1}", "{{}}"])
def test_values_that_python_cannot_read_are_refused(value: str) -> None:
    with pytest.raises(InputError, match="is no agent"):
        parse_agent(f"mc(playouts={value})")


def test_ctrl_c_while_an_agent_is_built_is_no_error_of_the_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    """But where Ctrl-C is ignored, as in workers, a KeyboardInterrupt is the agent's."""

    def interrupts(self: object) -> None:
        raise KeyboardInterrupt

    spec = parse_agent("own_agents:First")
    monkeypatch.setattr(spec.agent_class, "__init__", interrupts)
    with pytest.raises(KeyboardInterrupt):
        spec.build()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with pytest.raises(InputError, match="agent own_agents:First: raised KeyboardInterrupt"):
            spec.build()
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("error", ["SystemExit(0)", "ValueError('two' + chr(10) + 'lines')"])
def test_a_class_that_ends_the_program_is_an_error(
    error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """At its import or when it is built: the program must not end as if all were done."""
    name = f"ends_{abs(hash(request.node.name))}"
    (tmp_path / f"{name}_import.py").write_text(f"raise {error}")
    (tmp_path / f"{name}_build.py").write_text(
        f"class Ends:\n    def __init__(self):\n        raise {error}\n    def choose(self, view): ...\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InputError, match="raised") as imported:
        parse_agent(f"{name}_import:Ends")
    with pytest.raises(InputError, match="raised") as built:
        parse_agent(f"{name}_build:Ends").build()
    assert "\n" not in str(imported.value) + str(built.value)


def test_an_agent_may_play_some_games_only() -> None:
    daifugo = ruleset("federation").game
    assert plays(AGENTS["uecda_default"], "daifugo")
    assert plays(AGENTS["greedy"], "whist")
    assert not plays(AGENTS["uecda_default"], "whist")
    with pytest.raises(InputError, match=r"^agent uecda_default plays daifugo, not whist$"):
        examine(["random", "uecda_default"], daifugo._replace(name="whist"))
