"""Ratings: recovered where the strengths are known, the same as those of `choix`, with intervals that cover."""

import json
from itertools import permutations
from pathlib import Path

import choix
import numpy as np
import pandas as pd
import pytest
from agari.experiments import ratings
from agari.experiments.cli import main
from agari.experiments.plan import Arm, plan_with_arms
from agari.experiments.ratings import SCALE, Finishes, rate, rate_finishes
from agari.experiments.store import load
from agari.experiments.tournament import run, run_plan
from agari.sim.errors import InputError
from agari.sim.games import ruleset
from click.testing import CliRunner

Table = list[list[str]]


def finishes(games: Table, matches: list[int] | None = None, places: list[list[int]] | None = None) -> Finishes:
    """Games as lists of agents from the first to the last, each a match of its own unless it is said."""
    labels = sorted({agent for game in games for agent in game})
    return Finishes(
        labels,
        np.arange(len(games)) if matches is None else np.array(matches),
        np.array([[labels.index(agent) for agent in game] for game in games]),
        np.array([range(1, len(game) + 1) for game in games] if places is None else places),
    )


def drawn(strengths: list[float], tables: list[list[int]], each: int, spread: float = 0.0, seed: int = 0) -> Finishes:
    """Matches as the model has them, one game each of some tables; in a match strengths may be off by `spread`.

    Agents with the greatest exponential of strength, less Gumbel noise, come first: that is Plackett and Luce's model.
    """
    random = np.random.default_rng(seed)
    agents = np.tile(tables, (each, 1))
    units = np.repeat(np.arange(each), len(tables))
    off = spread * random.normal(size=(each, len(strengths)))
    values = np.array(strengths)[agents] + off[units[:, None], agents] + random.gumbel(size=agents.shape)
    places = np.argsort(np.argsort(-values, axis=1), axis=1) + 1
    return Finishes([f"agent {index}" for index in range(len(strengths))], units, agents, places)


def strengths_of(table: pd.DataFrame) -> np.ndarray:
    """Log-strengths in the order of the labels."""
    return table.sort_values("agent")["strength"].to_numpy()


def orders_of(games: Finishes) -> list[list[int]]:
    """Agents from the first to the last, as choix has them."""
    return [list(map(int, row[np.argsort(place)])) for row, place in zip(games.agents, games.places, strict=True)]


@pytest.fixture
def few_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bootstrap with fewer samples, where many are rated."""
    monkeypatch.setattr(ratings, "SAMPLES", 200)


# The estimate


def test_two_agents_by_hand() -> None:
    table = rate_finishes(finishes([["a", "b"]] * 3 + [["b", "a"]]))
    assert table["agent"].tolist() == ["a", "b"]
    assert table["rating"].tolist() == pytest.approx([SCALE * np.log(3) / 2, -SCALE * np.log(3) / 2])
    assert table["ahead"].tolist() == pytest.approx([0.5, 0.25])
    assert table[["matches", "games"]].to_numpy().tolist() == [[4, 4], [4, 4]]


def test_ten_to_one_is_400_points() -> None:
    table = rate_finishes(finishes([["a", "b"]] * 10 + [["b", "a"]]))
    assert table["rating"].tolist() == pytest.approx([200, -200])


@pytest.mark.parametrize(
    "tables",
    [[[0, 1, 2, 3]], [[0, 1, 2], [1, 2, 3], [0, 3, 2]], [[0, 1, 2, 2], [3, 3, 1, 0]], [[0, 0, 0, 1, 2, 3]]],
    ids=["all meet", "some meet", "an agent twice", "an agent three times"],
)
def test_known_strengths_are_recovered(tables: list[list[int]], few_samples: None) -> None:
    strengths = [1.2, 0.3, -0.1, -1.4]
    games = drawn(strengths, tables, 40_000 // len(tables))
    table = rate_finishes(games)
    assert strengths_of(table) == pytest.approx(strengths, abs=0.05)
    inside = (table["low"] <= SCALE * np.array(strengths)) & (SCALE * np.array(strengths) <= table["high"])
    assert inside.sum() >= 3


@pytest.mark.parametrize("tables", [[[0, 1, 2, 3]], [[0, 1, 2, 2], [3, 3, 1, 0]], [[0, 1, 1], [2, 3, 0], [2, 2, 1]]])
def test_the_estimate_is_that_of_choix(tables: list[list[int]], few_samples: None) -> None:
    games = drawn([1.0, 0.5, 0.0, -1.5], tables, 200)
    expected = choix.ilsr_rankings(4, orders_of(games), max_iter=1000)
    assert strengths_of(rate_finishes(games)) == pytest.approx(expected, abs=1e-6)


def test_the_order_of_games_and_seats_is_of_no_matter(few_samples: None) -> None:
    games = drawn([1.0, 0.5, 0.0, -1.5], [[0, 1, 2, 2], [3, 3, 1, 0]], 100)
    shuffled = np.random.default_rng(1).permutation(len(games.units))
    turned = Finishes(games.labels, games.units[shuffled], games.agents[shuffled, ::-1], games.places[shuffled, ::-1])
    pd.testing.assert_frame_equal(rate_finishes(games), rate_finishes(turned))


def test_extreme_strengths_converge(few_samples: None) -> None:
    games = finishes([["a", "b", "c"]] * 100_000 + [["b", "a", "c"], ["a", "c", "b"]])
    table = rate_finishes(games)
    a, b, c = strengths_of(table)
    assert np.isfinite(table.drop(columns="agent").to_numpy()).all()
    assert min(a - b, b - c) > 9


# Shared places


def test_shared_places_count_as_all_orders_that_agree_with_them() -> None:
    """Each such order in equal parts: twelve games with ties are the same as twelve without."""
    tied = finishes(
        [["a", "b", "c", "d"]] * 12 + [["d", "c", "b", "a"]] * 6, places=[[1, 2, 2, 2]] * 12 + [[1, 1, 3, 4]] * 6
    )
    lots: Table = [["a", *rest] for rest in permutations("bcd")] * 2 + [["d", "c", "b", "a"], ["c", "d", "b", "a"]] * 3
    assert strengths_of(rate_finishes(tied)) == pytest.approx(strengths_of(rate_finishes(finishes(lots))))


def test_a_tie_is_half_a_win() -> None:
    table = rate_finishes(finishes([["a", "b"]] * 3, places=[[1, 2], [1, 1], [1, 1]]))
    assert table["ahead"].tolist() == pytest.approx([0.5, 1 / 3])


def test_all_alike_are_of_equal_strength() -> None:
    table = rate_finishes(finishes([["a", "b", "b", "c"]] * 5, places=[[1, 1, 1, 1]] * 5))
    assert table["strength"].tolist() == pytest.approx([0, 0, 0])


# Intervals


@pytest.mark.parametrize(("matches", "spread"), [(12, 0.0), (40, 0.5)])
def test_intervals_cover_the_truth(matches: int, spread: float, few_samples: None) -> None:
    """Of 95 % intervals about 95 % do, where the games of a match hang together too: by its own luck of strengths.

    With a spread the truth is what a great many matches would give, since the model is then only a model.
    """
    strengths, tables = [0.7, 0.0, -0.7], [[0, 1, 2]] * 6
    truth = strengths_of(rate_finishes(drawn(strengths, tables, 40_000, spread, seed=99)))
    covered, rounds = np.zeros(3), 200
    for seed in range(rounds):
        table = rate_finishes(drawn(strengths, tables, matches, spread, seed)).sort_values("agent")
        covered += ((table["low"] / SCALE <= truth) & (truth <= table["high"] / SCALE)).to_numpy()
    # 95 % of 200 give 190 ± 3; so many at once are beyond four of these.
    assert (covered / rounds > 0.89).all(), covered / rounds
    assert (covered / rounds < 0.995).all(), covered / rounds


def test_the_unit_is_the_match(few_samples: None) -> None:
    """The same games twice in each match are no more evidence; in other matches they are."""
    games = drawn([0.5, 0.0, -0.5], [[0, 1, 2]], 200)

    def width(units: np.ndarray) -> float:
        table = rate_finishes(Finishes(games.labels, units, *(np.tile(part, (2, 1)) for part in games[2:])))
        return (table["high"] - table["low"]).iloc[0]

    once = rate_finishes(games)
    assert width(np.tile(games.units, 2)) == pytest.approx((once["high"] - once["low"]).iloc[0])
    apart = width(np.concatenate([games.units, 200 + games.units]))
    assert apart == pytest.approx((once["high"] - once["low"]).iloc[0] / 2**0.5, rel=0.15)


def test_blocks_of_matches_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bootstrap goes through the matches in blocks; where they end is of little matter."""
    games = drawn([0.5, 0.0, -0.5], [[0, 1, 2]], 100)
    whole = rate_finishes(games)
    monkeypatch.setattr(ratings, "BLOCK", 7 * ratings.SAMPLES)
    pieces = rate_finishes(games)
    assert (pieces["high"] - pieces["low"]).to_numpy() == pytest.approx(whole["high"] - whole["low"], rel=0.1)


def test_a_single_match_has_no_interval() -> None:
    table = rate_finishes(finishes([["a", "b"], ["b", "a"], ["a", "b"]], matches=[0, 0, 0]))
    assert table[["low", "high", "ahead_low", "ahead_high"]].isna().all(axis=None)
    assert table["ahead"].tolist() == pytest.approx([0.5, 1 / 3])


def test_samples_are_finite_where_the_estimate_is() -> None:
    """Though it hangs on one game in a hundred matches, which a bootstrap that leaves matches out often misses."""
    table = rate_finishes(finishes([["a", "b"]] * 99 + [["b", "a"]]))
    assert np.isfinite(table[["low", "high"]].to_numpy()).all()
    assert table["low"][0] > table["high"][1]


def test_seeds(few_samples: None) -> None:
    games = drawn([0.5, 0.0, -0.5], [[0, 1, 2]], 50)
    pd.testing.assert_frame_equal(rate_finishes(games, 3), rate_finishes(games, 3))
    assert rate_finishes(games, 3)["low"].tolist() != rate_finishes(games, 4)["low"].tolist()
    assert rate_finishes(games, 3)["rating"].tolist() == rate_finishes(games, 4)["rating"].tolist()


# What cannot be rated


@pytest.mark.parametrize(
    ("games", "line"),
    [
        ([["a", "a", "a"]], "there is only a in these games: rate two agents or more"),
        ([["a", "b"], ["b", "a"], ["c", "d"], ["d", "c"]], "a and c never met, nor through others"),
        ([["a", "b", "c"], ["b", "a", "c"]], "c was never ahead of a, nor through others, so no rating is finite"),
        ([["a", "b"], ["b", "a"], ["b", "c"], ["c", "d"], ["d", "c"]], "c was never ahead of a, nor through others"),
    ],
)
def test_no_finite_answer_is_said_in_one_line(games: Table, line: str) -> None:
    with pytest.raises(InputError, match=line):
        rate_finishes(finishes(games))


def test_through_others_is_enough() -> None:
    table = rate_finishes(finishes([["a", "b"], ["b", "a"], ["b", "c"], ["c", "b"], ["c", "b"]]))
    assert table["agent"].tolist()[0] == "c"


# Runs, and the command


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of small runs."""
    folder = tmp_path_factory.mktemp("runs")
    run(folder / "one", "greedy,random", 6, seed=1, workers=1)
    run(folder / "two", "greedy,uecda_default", 6, seed=1, workers=1)
    run(folder / "three", "greedy,random", 6, seed=2, workers=1)
    run(folder / "dobon", "greedy,random", 2, game="dobon", workers=1)
    run(folder / "five", "greedy,random", 2, players=5, workers=1)
    return folder


def test_runs_are_rated_together(runs: Path) -> None:
    table = rate([load(runs / name) for name in ("one", "two", "three")])
    rows = table.set_index("agent")
    # Runs of one seed have the same deals: together they are six matches, and with those of another seed twelve.
    assert rows["matches"].to_dict() == {"greedy": 12, "random": 12, "uecda_default": 6}
    assert rows["games"].to_dict() == {"greedy": 288, "random": 192, "uecda_default": 96}
    assert rows["rating"]["greedy"] > rows["rating"]["random"]

    orders = []
    for name in ("one", "two", "three"):
        results = load(runs / name).results.sort_values("place").astype({"agent": str})
        for _, game in results.groupby(["match", "rotation", "game"]):
            orders.append([sorted(rows.index).index(agent) for agent in game["agent"]])
    assert strengths_of(table) == pytest.approx(choix.ilsr_rankings(3, orders), abs=1e-6)


def test_a_run_given_twice_is_no_more_evidence(runs: Path) -> None:
    once, twice = rate([load(runs / "one")]), rate([load(runs / "one")] * 2)
    assert twice["rating"].tolist() == pytest.approx(once["rating"].tolist())
    assert twice["high"].tolist() == pytest.approx(once["high"].tolist())


def agari(*arguments: object) -> tuple[int, str, str]:
    """Exit code, output and errors of a command."""
    result = CliRunner().invoke(main, ["rate", *map(str, arguments)], prog_name="agari")
    return result.exit_code, result.stdout, result.stderr


def test_the_command_prints_a_table(runs: Path) -> None:
    code, output, errors = agari(runs / "one", runs / "two")
    assert (code, errors) == (0, "")
    assert output.startswith("federation, 4 players: ratings by whole finish orders")
    rows = [line.split() for line in output.splitlines() if "…" in line]
    assert [row[0] for row in rows] == rate([load(runs / "one"), load(runs / "two")])["agent"].tolist()
    assert rows[0][1].startswith("+")
    assert "50.0%" in rows[0]


def test_the_command_prints_json(runs: Path) -> None:
    code, output, _ = agari(runs / "one", "--json", "--seed", 5)
    answer = json.loads(output)
    assert code == 0
    assert answer["ratings"] == rate([load(runs / "one")], seed=5).to_dict("records")
    assert answer["seed"] == 5
    assert agari(runs / "one", "--json", "--seed", 5)[1] == output


def test_runs_of_other_rules_are_refused(runs: Path) -> None:
    for other, title in (("dobon", "dobon, 4 players"), ("five", "federation, 5 players")):
        code, output, errors = agari(runs / "one", runs / other)
        assert (code, output) == (2, "")
        expected = f"{runs / 'one'} is of federation, 4 players, {runs / other} of {title}: rate runs of the same rules"
        assert errors == f"agari: {expected} together\n"


def test_a_part_of_a_study_is_refused(runs: Path, tmp_path: Path) -> None:
    """Its arms are not of one kind of game, even if their rules are."""
    _, _, rules = ruleset("federation", 4)
    arms = (Arm("as it is", rules), Arm("once more", rules))
    run_plan(tmp_path / "part", plan_with_arms("federation", rules, 4, 1, "greedy,random", 0, arms), workers=1)
    code, output, errors = agari(runs / "one", tmp_path / "part")
    assert (code, output, errors.count("\n")) == (2, "", 1)
    assert "is a part of a study, with 2 arms" in errors


def test_what_cannot_be_rated_is_refused_in_one_line(runs: Path, tmp_path: Path) -> None:
    run(tmp_path / "run", "greedy", 1, workers=1)
    for arguments, line in (
        ([tmp_path / "run"], "there is only greedy in these games"),
        ([tmp_path], "is not the directory of a run"),
        ([], "Missing argument 'DIRECTORY...'"),
        ([runs / "one", "--seed", -1], "Invalid value for '--seed'"),
    ):
        code, output, errors = agari(*arguments)
        assert (code, output, errors.count("\n")) == (2, "", 1)
        assert line in errors
    for part in (tmp_path / "run" / "results").iterdir():
        part.unlink()
    assert "no match has been played yet" in agari(tmp_path / "run")[2]
