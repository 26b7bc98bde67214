"""The kernels against the slow twin: legal plays, what every play does, tributes, and how games end (tests/twin)."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ..daifugo_table import DRAWN, Options, random_options
from ..twin import __main__ as long_run
from ..twin.faults import FAULTS, Fault, make, try_fault
from ..twin.tally import VALUES, Tally, seen
from ..twin.walk import PRESET_OPTIONS, match, walk

ANY_OPTIONS = st.fixed_dictionaries({option: st.sampled_from(values) for option, values in DRAWN.items()}).flatmap(
    lambda options: st.lists(st.integers(-3, 9), min_size=options["players"], max_size=options["players"]).map(
        lambda points: options | {"points": points}
    )
)
SOON_NOTICED = [fault for fault in FAULTS if fault.clause in ("D1.2", "D2.2", "D7.1", "D9.5")]
SEEDS = st.integers(0, 2**64 - 1)


def test_twenty_thousand_positions() -> None:
    """Under the options that hypothesis draws; nearly every clause is met."""
    tally = Tally()

    @settings(max_examples=2200)
    @given(ANY_OPTIONS, SEEDS)
    def look(options: Options, seed: int) -> None:
        tally.add(seen(walk(random.Random(f"{seed} {options}"), options)))

    look()
    assert tally.distinct >= 20_000, tally.distinct
    assert [value for value in VALUES if tally.values()[value] < 200] == []
    assert len([label for label, count in tally.clauses().items() if count == 0]) <= 10, tally.rare(1)


@pytest.mark.parametrize("name", PRESET_OPTIONS)
def test_presets(name: str) -> None:
    """Matches with their deals and tributes, and positions, of each ruleset with each number of players."""
    source, tally = random.Random(name), Tally()
    tally.add(seen(match(source, PRESET_OPTIONS[name], games=4)))
    while tally.distinct < 500:
        tally.add(seen(walk(source, PRESET_OPTIONS[name])))
    assert tally.presets()[name] == tally.distinct


def test_figures_do_not_depend_on_the_number_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_run, "PART", 300)
    one, two = (long_run.compare(seed=3, positions=1000, workers=workers) for workers in (1, 2))
    assert one.report() == two.report()
    assert 1000 <= one.distinct < 1600


def test_random_options_take_every_value() -> None:
    source, taken = random.Random(1), set[tuple[str, Any]]()
    for _ in range(500):
        taken |= {(option, value) for option, value in random_options(source).items() if option != "points"}
    assert taken == set(VALUES)


def test_the_copy_without_a_fault_agrees() -> None:
    """Else a fault would be noticed whatever it is."""
    answer = try_fault(None, seed=1, positions=1000)
    assert (answer.caught, answer.position) == (False, 1000)


@pytest.mark.parametrize("fault", SOON_NOTICED, ids=lambda fault: fault.what)
def test_some_faults_are_noticed(fault: Fault) -> None:
    assert try_fault(fault, seed=1).caught


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.what)
def test_faults_can_be_made(fault: Fault, tmp_path: Any) -> None:
    """Each changes something that stands once in the kernels as they are."""
    make(fault, tmp_path)
    assert fault.text != fault.changed


@pytest.mark.slow
def test_a_million_positions() -> None:
    """Every value of every option, every ruleset and every clause is met often enough."""
    tally = long_run.compare(seed=1, positions=1_000_000, workers=2)
    assert tally.distinct >= 1_000_000
    assert tally.rare(10) == []


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.what)
def test_every_fault_is_noticed(fault: Fault) -> None:
    assert try_fault(fault, seed=1).caught
