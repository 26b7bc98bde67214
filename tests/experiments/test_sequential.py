"""Runs that end when the answer is clear: how often it is wrong, how soon it comes, and that workers do not matter."""

import json
import math
import re
import time
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from agari.experiments import tournament
from agari.experiments.cli import main
from agari.experiments.plan import Plan, make_plan, manifest_of, plan_of
from agari.experiments.sequential import Question, Trial, differences, parse_question, reach
from agari.experiments.store import load, read_manifest
from agari.experiments.tournament import Chunk, Deal, DealFault, RunStopped, play_chunk, resume, run, trial_of
from agari.sim.errors import InputError
from click.testing import CliRunner

from .rows import rows_of
from .synthetic import results_frame

ALPHA = 0.05
QUESTION = Question("a", "b", ALPHA)

Draw = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]
FAIR: dict[str, Draw] = {
    "normal": lambda random, size: random.normal(size=size),
    "heavy tails": lambda random, size: random.standard_t(3, size),
    "no variance": lambda random, size: random.standard_cauchy(size),
    "mostly equal": lambda random, size: random.choice([-1.0, 0.0, 1.0], size, p=[0.05, 0.9, 0.05]),
    "steps": lambda random, size: random.choice([-1.0, 1.0], size),
    "skewed": lambda random, size: random.exponential(size=size) - 1,
    "skewed, the other way": lambda random, size: 1 - random.exponential(size=size),
}


def ends(values: np.ndarray, alpha: float = ALPHA) -> tuple[np.ndarray, np.ndarray]:
    """Of trials, a row of differences each, looked at after every match: the first clear match (0: none), the verdicts.

    What `Trial` does, for many at once; `test_a_trial_is_what_is_simulated` holds the two together.
    """
    numbers = np.arange(1, values.shape[1] + 1)
    means = values.cumsum(axis=1) / numbers
    variances = np.maximum((values**2).cumsum(axis=1) / numbers - means**2, 0.0)
    shares = np.array([reach(int(number), 1.0, alpha) for number in numbers])
    with np.errstate(invalid="ignore"):
        clear = np.abs(means) > np.sqrt(variances) * shares
    clear &= np.isfinite(shares)
    first = np.where(clear.any(axis=1), clear.argmax(axis=1) + 1, 0)
    return first, np.where(first > 0, np.sign(means[np.arange(len(values)), first - 1]), 0)


def most(probability: float, trials: int) -> float:
    """The share that is exceeded once in some thousand times where events have this probability: four deviations."""
    return probability + 4 * math.sqrt(probability * (1 - probability) / trials)


def wrong_answers(draw: Draw, trials: int, matches: int, alpha: float = ALPHA) -> float:
    """How often there is an answer although there is no difference."""
    random = np.random.default_rng(0)
    pieces = [draw(random, (500, matches)) for _ in range(trials // 500)]
    return float(np.mean([(ends(piece, alpha)[0] > 0).mean() for piece in pieces]))


# The error rate and the power


@pytest.mark.parametrize("name", FAIR)
def test_without_a_difference_answers_are_rare(name: str) -> None:
    """Looked at after each of a thousand matches, an answer comes in at most 5 % of runs."""
    assert wrong_answers(FAIR[name], 2000, 1000) <= most(ALPHA, 2000)


def test_a_usual_interval_would_not_do() -> None:
    """What this is for: 95 % intervals looked at again and again are wrong in a third of all runs."""
    values = np.random.default_rng(0).normal(size=(1000, 1000))
    numbers = np.arange(1, 1001)
    means = values.cumsum(axis=1) / numbers
    assert (np.abs(means) > 1.96 / np.sqrt(numbers))[:, 26:].any(axis=1).mean() > 0.3


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("name", FAIR)
def test_without_a_difference_answers_are_rare_in_long_runs(name: str, alpha: float) -> None:
    assert wrong_answers(FAIR[name], 10_000, 10_000, alpha) <= most(alpha, 10_000)


def drawn_from(values: np.ndarray) -> Draw:
    """Differences as these are distributed."""
    return lambda random, size: random.choice(values, size)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["federation", "house", "voodoo_prince", "dobon"])
def test_two_of_the_same_agent_are_seldom_told_apart(game: str, folder: Path) -> None:
    """An agent against itself under another label, and agents that differ with the difference taken out."""
    agents = ["mc(playouts=2)", "mc(playouts=2,seed=1)", "greedy", "random"]
    results = run(folder / "run", ",".join(agents), 300, game=game, players=4).results
    for pair in combinations(agents, 2):
        found = differences(results, Question(*pair, ALPHA)).to_numpy()
        assert wrong_answers(drawn_from(found - found.mean()), 2000, 1000) <= most(ALPHA, 2000), pair


@pytest.mark.parametrize(("difference", "soon"), [(2.0, 32), (1.0, 45), (0.5, 85), (0.2, 300), (0.1, 1000)])
def test_a_difference_is_found(difference: float, soon: int) -> None:
    """In standard deviations of a match: the greater, the sooner; half of all runs end by then, and hardly one errs."""
    values = np.random.default_rng(0).normal(difference, size=(400, 3000))
    first, verdicts = ends(values)
    assert np.median(first) <= soon
    assert (verdicts == 1).mean() > 0.97
    assert (verdicts == -1).sum() <= 2


def test_the_interval_holds_at_all_times() -> None:
    """The true mean is in all intervals of a run, but for 5 % of runs: hence also where the run ends."""
    values = np.random.default_rng(0).normal(size=(1000, 1000))
    outside = ends(values)[0] > 0  # the interval about 3 + x leaves out 3 where that about x leaves out 0
    assert outside.mean() <= most(ALPHA, 1000)


def test_the_formula() -> None:
    """The interval ends where the martingale M of Wang and Ramdas is 1 / alpha."""
    for matches, variance, alpha in ((27, 2.0, 0.05), (100, 0.3, 0.01), (10_000, 7.0, 0.2)):
        width = reach(matches, variance, alpha)
        total, squares = matches * width, matches * (variance + width**2)
        share = total**2 / ((matches + 100) * squares)
        log_m = math.log(100 / (matches + 100)) / 2 - matches / 2 * math.log1p(-share)
        assert log_m == pytest.approx(-math.log(alpha))
    assert reach(26, 1.0, 0.05) == math.inf
    assert reach(27, 0.0, 0.05) == 0
    assert reach(1000, 1.0, 1e-200) > reach(1000, 1.0, 1e-20)


# A trial


def test_a_trial_is_what_is_simulated() -> None:
    for seed in range(20):
        values = np.random.default_rng(seed).normal(0.3, size=400)
        trial = Trial(QUESTION)
        for number, value in enumerate(values):
            trial.note(number, [value])
        first, verdict = ends(values[None])
        assert trial.last == (first[0] - 1 if first[0] else None)
        assert {"yes": 1, "no": -1, "undecided": 0}[trial.answer.verdict] == verdict[0]


def test_chunks_are_taken_in_order_and_the_answer_stays() -> None:
    random = np.random.default_rng(0)
    chunks = [random.normal(0.8, size=10) for _ in range(12)]
    straight = Trial(QUESTION)
    for number, chunk in enumerate(chunks):
        straight.note(number, chunk)
    assert straight.last is not None
    assert straight.answer.matches == 10 * (straight.last + 1)
    assert straight.answer.difference == pytest.approx(np.concatenate(chunks[: straight.last + 1]).mean())
    for _ in range(10):
        trial = Trial(QUESTION)
        for number in random.permutation(12):
            trial.note(int(number), chunks[number])
        assert (trial.answer, trial.last) == (straight.answer, straight.last)


def test_a_missing_chunk_is_waited_for() -> None:
    trial = Trial(QUESTION)
    for number in (0, 2, 3, 4):
        trial.note(number, [5.0, 5.1, 4.9] * 10)
    assert (trial.next, trial.last, trial.answer.matches) == (1, 0, 30)
    trial = Trial(QUESTION)
    for number in (1, 2, 3, 4):
        trial.note(number, [5.0] * 30)
    assert (trial.next, trial.answered, trial.answer.matches, trial.answer.verdict) == (0, False, 0, "undecided")


def test_verdicts() -> None:
    for sign, verdict in ((1, "yes"), (-1, "no"), (0, "undecided")):
        trial = Trial(QUESTION)
        trial.note(0, [sign * value for value in (1.0, 2.0, 3.0) * 20])
        assert trial.answer.verdict == verdict
    assert Trial(QUESTION).answer.verdict == "undecided"


def test_differences_are_of_matches_that_both_play() -> None:
    results = results_frame(9, ["a", "b", "c", "d", "e"])  # each of four players, one after the other
    found = differences(results, QUESTION)
    expected = {}
    for match, rows in results.groupby("match"):
        points = rows.astype({"agent": str}).groupby("agent")["points"].mean()
        if {"a", "b"} <= set(points.index):
            expected[match] = points["a"] - points["b"]
    assert found.to_dict() == pytest.approx(expected)
    assert 0 < len(expected) < 9
    assert differences(results.to_dict("records"), QUESTION).equals(found)
    assert differences(results, Question("a", "nobody", 0.05)).empty


# Questions


def test_questions() -> None:
    labels = ["mc(playouts=200)", "greedy", "greedy"]
    assert parse_question("greedy>mc( playouts = 200 )", labels) == Question("greedy", "mc(playouts=200)", 0.05)
    assert str(parse_question(" mc(playouts=200)  > greedy", labels, 0.1)) == "mc(playouts=200) > greedy"
    quoted = ["m:N(name='a b c')", "m:N(name='ab c')", "m:N(name='a>b')", "m:N(name=ab,mode=last)"]
    for agent in quoted:
        for other in quoted:
            if agent != other:
                assert parse_question(f"{agent} > {other}", quoted) == Question(agent, other, 0.05)
                assert parse_question(f"{agent}>{other}", quoted) == Question(agent, other, 0.05)
    written = 'm:N( mode = \'last\', name="ab" ) > m:N(name="a b c")'  # as one may write them
    assert parse_question(written, quoted) == Question(quoted[3], quoted[0], 0.05)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("--until greedy", "agari: --until 'greedy': write it as \"A > B\", with two of the agents"),
        ("--until greedy>", "agari: --until 'greedy>': write it as \"A > B\", with two of the agents"),
        ("--until greedy>random>greedy", 'write it as "A > B", with two of the agents'),
        ("--until greedy<random", 'write it as "A > B", with two of the agents'),
        ("--until greedy>grady", "grady is none of the agents mc(playouts=10), greedy, random"),
        ("--until mc>greedy", "mc is none of the agents mc(playouts=10), greedy, random"),
        ("--until greedy>greedy", "copies of one agent share a label, so name two different agents"),
        ("--until greedy>random --alpha 0", "agari: --alpha 0: must be between 0 and 1, such as 0.05"),
        ("--until greedy>random --alpha 1", "agari: --alpha 1: must be between 0 and 1, such as 0.05"),
        ("--until greedy>random --alpha nan", "agari: --alpha nan: must be between 0 and 1, such as 0.05"),
        ("--until greedy>random --alpha 5%", "agari pit: Invalid value for '--alpha': '5%' is not a valid float."),
        ("--alpha 0.05", 'agari: --alpha goes with a question: --until "A > B"'),
    ],
)
def test_impossible_questions_are_refused_in_one_line(folder: Path, arguments: str, line: str) -> None:
    given = ["pit", "--agents", "mc(playouts=10),greedy,random", *arguments.split(), "--out", "run"]
    result = CliRunner().invoke(main, given, prog_name="agari")
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert line in result.stderr
    assert not (folder / "run").exists()


# Runs

AGENTS, ASKED, MATCHES = "mc(playouts=2),greedy,random", "greedy > random", 130


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a run of one worker that ended before its last match."""
    return run(tmp_path_factory.mktemp("answered") / "run", AGENTS, MATCHES, until=ASKED, seed=7, workers=1).directory


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of the same run without a question."""
    return run(tmp_path_factory.mktemp("whole") / "run", AGENTS, MATCHES, seed=7).directory


def test_a_run_ends_when_the_answer_is_clear(answered: Path) -> None:
    played = load(answered)
    trial = trial_of(played)
    assert trial is not None
    assert trial.answer.verdict == "yes"
    matches = played.results["match"].nunique()
    assert 27 <= matches < 60
    assert played.chunks == set(range(trial.next)) == set(range(trial.last + 1))
    # One chunk less was not enough.
    per_chunk = played.manifest["matches_per_chunk"]
    before = Trial(trial.question)
    before.note(0, differences(played.results[played.results["match"] < matches - per_chunk], trial.question))
    assert before.answer.verdict == "undecided"


@pytest.mark.parametrize("count", [2, 5])
def test_rows_do_not_depend_on_the_number_of_workers(answered: Path, folder: Path, count: int) -> None:
    again = run(folder / "run", AGENTS, MATCHES, until=ASKED, seed=7, workers=count)
    assert rows_of(again.directory) == rows_of(answered)


def test_rows_are_those_of_a_run_without_a_question(answered: Path, whole: Path) -> None:
    rows, kept = rows_of(whole), rows_of(answered)
    assert {name: rows[name] for name in kept} == kept
    assert len(kept) < len(rows)


def test_a_killed_run_comes_to_the_same_end(answered: Path, whole: Path, folder: Path) -> None:
    """Whatever parts it had: fewer, others in between, or some after the end that were not deleted yet."""
    chunks = sorted(path.name for path in (answered / "results").iterdir())
    after = sorted({path.name for path in (whole / "results").iterdir()} - set(chunks))
    for number, there in enumerate(([], chunks[:2] + chunks[3:5], chunks + after[:3], chunks[1:] + after[1:2])):
        copy = folder / f"copy{number}"
        for table in ("results", "games"):
            (copy / table).mkdir(parents=True)
            for name in there:
                (copy / table / name).write_bytes((whole / table / name).read_bytes())
        (copy / "manifest.json").write_bytes((answered / "manifest.json").read_bytes())
        resume(copy, workers=2)
        assert rows_of(copy) == rows_of(answered)


def test_a_finished_run_is_not_played_on(answered: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament, "_Runner", None)
    before = {path: path.stat().st_mtime_ns for path in answered.rglob("*.parquet")}
    resume(answered)
    assert {path: path.stat().st_mtime_ns for path in answered.rglob("*.parquet")} == before


def test_without_a_clear_answer_all_is_played(folder: Path) -> None:
    played = run(folder / "run", "greedy,random", 40, until=ASKED, alpha=1e-40)
    assert played.results["match"].nunique() == 40
    trial = trial_of(played)
    assert trial is not None
    assert (trial.answer.verdict, trial.answer.matches) == ("undecided", 40)


FAULTY: set[int] = set()  # chunks, for workers that are forked after it is filled


def play_chunk_or_fail(plan: Plan, chunk: int) -> Chunk:
    """Play a chunk, the first of them late, or fail."""
    if chunk in FAULTY:
        raise DealFault(Deal(chunk, "", 0, 0, 0), "an agent failed", None)
    time.sleep(0.5 * (chunk == 0))
    return play_chunk(plan, chunk)


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[int]]:
    """Chunks that fail, to be filled."""
    monkeypatch.setattr(tournament, "play_chunk", play_chunk_or_fail)
    yield FAULTY
    FAULTY.clear()


def test_a_fault_after_the_end_is_none(answered: Path, folder: Path, faulty: set[int]) -> None:
    """Nobody would have met it with one worker, so it does not count though it is met while chunk 0 is played."""
    end = max(load(answered).chunks)
    faulty |= {end + 1, end + 2}
    again = run(folder / "run", AGENTS, MATCHES, until=ASKED, seed=7, workers=end + 3)
    assert rows_of(again.directory) == rows_of(answered)


def test_a_fault_before_the_end_ends_the_run(answered: Path, folder: Path, faulty: set[int]) -> None:
    end = max(load(answered).chunks)
    faulty |= {end, end + 1}
    with pytest.raises(RunStopped, match=f"an agent failed; match {end},"):
        run(folder / "run", AGENTS, MATCHES, until=ASKED, seed=7, workers=end + 3)
    faulty.clear()
    assert rows_of(resume(folder / "run").directory) == rows_of(answered)


def test_the_manifest_holds_the_question(answered: Path) -> None:
    manifest = read_manifest(answered)
    assert (manifest["until"], manifest["alpha"]) == (ASKED, 0.05)
    plan = make_plan("greedy,random", 5, until="random > greedy", alpha=0.2)
    assert plan_of(manifest_of(plan)) == plan
    assert plan.until == Question("random", "greedy", 0.2)
    for change in ({"until": "random"}, {"until": 3}, {"alpha": "0.05"}, {"alpha": 7}, {"until": "a > b"}):
        with pytest.raises(InputError, match="the manifest of the run"):
            plan_of(manifest_of(plan) | change)
    assert not {"until", "alpha"} & manifest_of(make_plan("greedy,random", 5)).keys()


# What people see


def agari(*arguments: object) -> tuple[int, str, str]:
    """Exit code, output and errors of a command."""
    result = CliRunner().invoke(main, [*map(str, arguments)], prog_name="agari")
    return result.exit_code, result.stdout, result.stderr.replace("compiling, once\n", "")


def test_pit_says_the_answer(folder: Path) -> None:
    asked = ["--agents", "greedy,random", "--until", "random > greedy", "--alpha", "0.1", "--matches", 500]
    code, output, errors = agari("pit", *asked, "--out", folder / "run")
    assert (code, errors) == (0, "")
    matches = load(folder / "run").results["match"].nunique()
    assert f"federation, 4 players: {matches} of at most 500 matches, all rotations" in output
    line = rf"random > greedy: no, after {matches} matches that both played; -\d\.\d\d ±\d\.\d\d points a game, "
    assert re.search(f"^{line}90 % at any time$", output, re.M)
    answer = json.loads(agari("standings", folder / "run", "--json")[1])["until"]
    assert (answer["question"], answer["alpha"], answer["verdict"]) == ("random > greedy", 0.1, "no")
    assert answer["low"] < answer["difference"] < answer["high"] < 0
    assert agari("standings", folder / "run")[1] in output


def test_an_answer_of_few_matches(folder: Path) -> None:
    asked = ["--agents", "greedy,random", "--until", "greedy > random", "--matches", 3, "--out", folder / "run"]
    assert "greedy > random: undecided, after 3 matches that both played\n" in agari("pit", *asked)[1]
    answer = json.loads(agari("standings", folder / "run", "--json")[1])["until"]
    assert (answer["low"], answer["high"]) == (None, None)
    assert answer["difference"] > 0
    assert "until" not in json.loads(agari("standings", folder / "run", "--json")[1])["standings"]


def test_resuming_asks_the_same(answered: Path) -> None:
    for given, line in (
        (["--until", "random > greedy"], f"was started with --until {ASKED}, not random > greedy: resume it as it is"),
        (["--alpha", "0.01"], "was started with --alpha 0.05, not 0.01: resume it as it is, or start another"),
        (["--until", "greedy"], "write it as"),
    ):
        code, output, errors = agari("pit", "--resume", "--out", answered, *given)
        assert (code, output, errors.count("\n")) == (2, "", 1)
        assert line in errors
    code, output, _ = agari("pit", "--resume", "--out", answered, "--until", "greedy>random", "--alpha", "0.05")
    assert code == 0
    assert "greedy > random: yes" in output


def test_a_run_without_a_question_stays_so(folder: Path) -> None:
    run(folder / "run", "greedy,random", 2, workers=1)
    errors = agari("pit", "--resume", "--out", folder / "run", "--until", ASKED)[2]
    assert errors == f"agari: the run was started without --until {ASKED}: resume it as it is, or start another\n"


def test_progress_tells_the_answer_so_far(folder: Path) -> None:
    told: list[tournament.Progress] = []
    run(folder / "run", "greedy,random", MATCHES, until=ASKED, workers=1, tell=told.append)
    answers = [progress.answer for progress in told if progress.answer]
    assert len(answers) == len(told)
    assert [answer.matches for answer in answers] == sorted(answer.matches for answer in answers)
    assert answers[0].verdict == "undecided"
    assert answers[-1].verdict == "yes"
