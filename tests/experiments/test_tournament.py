"""Tournaments: what is played follows from the plan alone, in however many processes and pieces."""

import io
import json
import multiprocessing
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as parquet
import pytest
from agari.agents.match import play_match
from agari.agents.registry import parse_agents
from agari.experiments import store, tournament, workers
from agari.experiments.columns import CLOCK_COLUMNS, TABLES, columns_of
from agari.experiments.plan import Plan, make_plan, manifest_of, plan_of, refuse_other_plan
from agari.experiments.schedule import match_of
from agari.experiments.store import Run, load, read_manifest
from agari.experiments.tournament import Progress, resume, run
from agari.sim.errors import InputError
from agari.sim.games import ruleset
from agari.sim.rng import key_of

from .rows import rows_of

AGENTS = "mc(playouts=4),greedy,players:Anything,random"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A run of eight matches, among others with an agent of a user."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "players.py").write_bytes(Path(__file__).with_name("players.py").read_bytes())
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield run(folder / "run", AGENTS, 8, seed=7, workers=1)


# The rows


@pytest.mark.parametrize("count", [2, 7])
def test_rows_do_not_depend_on_the_number_of_workers(played: Run, folder: Path, count: int) -> None:
    again = run(folder / "run", AGENTS, 8, seed=7, workers=count)
    assert rows_of(again.directory) == rows_of(played.directory)


def test_rows_depend_on_the_seed(played: Run, folder: Path) -> None:
    other = run(folder / "run", AGENTS, 8, seed=8)
    assert not set(other.results["deal_seed"]) & set(played.results["deal_seed"])


def test_rows_are_what_is_played_one_match_after_the_other(played: Run, folder: Path) -> None:
    _, game, rules = ruleset("federation", 4)
    specs = parse_agents(AGENTS)
    expected = []
    for number in range(8):
        for rotation in range(4):
            seated = [specs[(participant + rotation) % 4] for participant in range(4)]
            agents, labels = [spec.build() for spec in seated], [spec.label for spec in seated]
            for one in play_match(game, rules, agents, labels, 4, key_of(7, number), rotation):
                for seat, outcome in enumerate(game.outcome(rules, one.state)):
                    label = labels[one.participants[seat]]
                    expected.append((number, rotation, one.number, seat, label, outcome["place"], one.plays[seat]))
    columns = ["match", "rotation", "game", "seat", "agent", "place", "plays"]
    assert list(played.results[columns].itertuples(index=False, name=None)) == expected


def test_each_rotation_has_the_same_cards_and_every_agent_holds_each_hand_once(played: Run) -> None:
    openings = played.results[played.results["game"] == 0]
    for _, deal in openings.groupby("deal"):
        assert deal["deal_seed"].nunique() == 1
        for _, seat in deal.groupby("seat"):
            assert sorted(seat["agent"]) == sorted(openings["agent"].unique())
            assert seat["hand_strength"].nunique() == seat["leader_distance"].nunique() == 1


def test_games_of_a_match_hang_together_through_ranks(played: Run) -> None:
    results = played.results.sort_values(["match", "rotation", "game"])
    assert (results["place_before"].isna() == (results["game"] == 0)).all()
    places = results.pivot_table(index=["match", "rotation", "agent"], columns="game", values=["place", "place_before"])
    for game in range(1, 4):
        assert (places["place_before"][game] == places["place"][game - 1]).all()


def test_sets_begin_anew_within_a_match(folder: Path) -> None:
    results = run(folder / "run", "greedy,random", 2, games=8).results
    assert (results["set"] == results["game"] // 4).all()
    assert (results["place_before"].isna() == results["game"].isin([0, 4])).all()
    assert set(results["deal"]) == set(range(16))


def test_every_game_replays_to_its_points(played: Run) -> None:
    _, game, rules = ruleset("federation", 4)
    assert len(played.games) == 8 * 4 * 4
    points = played.results.groupby(["match", "rotation", "game"])["points"].agg(list)
    for row in played.games.itertuples():
        record = json.loads(row.record)
        assert record["id"] == f"match {row.match}, rotation {row.rotation}, game {row.game}"
        assert game.options.parse(record["rules"]) == rules
        assert game.replay(rules, record)["points"] == points[row.match, row.rotation, row.game]


def test_time_is_that_of_the_agents(folder: Path) -> None:
    results = run(folder / "run", "players:Anything(seconds=0.002),random", 1).results
    seconds = results.groupby("agent")["seconds"].mean()
    assert seconds["players:Anything(seconds=0.002)"] > 0.005 > seconds["random"] > 0


@pytest.mark.parametrize("players", [5, 6])
def test_more_players_and_more_agents(folder: Path, players: int) -> None:
    agents = ",".join(["greedy", "random"] + [f"mc(playouts=1,seed={seed})" for seed in range(5)])
    results = run(folder / "run", agents, 7, players=players, games=1, options=[("fall", "off")]).results
    assert len(results) == 7 * players * players
    assert set(results.groupby("agent").size()) == {len(results) / 7}
    assert results.groupby("match")["agent"].nunique().eq(players).all()


def test_copies_of_an_agent_share_a_label(folder: Path) -> None:
    results = run(folder / "run", "mc(policy=greedy, playouts=2),random,mc(playouts=2,policy='greedy')", 3).results
    assert results["agent"].value_counts().to_dict() == {"mc(playouts=2,policy=greedy)": 128, "random": 64}


def test_options_of_the_rules(folder: Path) -> None:
    options = [("ranks_every", "0"), ("fall", "off"), ("points", "3,2,1,0"), ("set_bonus", "0")]
    played = run(folder / "run", "greedy,random", 2, options=options, games=5)
    assert set(played.results["points"]) == {0, 1, 2, 3}
    assert set(played.results["set"]) == {0}
    assert played.manifest["rules"]["fall"] is False
    assert len(played.games) == 2 * 4 * 5


# Resuming


def test_resuming_plays_what_is_missing_and_no_more(played: Run, folder: Path) -> None:
    run(folder / "run", AGENTS, 8, seed=7, workers=2)
    parts = sorted((folder / "run").glob("*/part-*.parquet"))
    for part in parts[1::3]:
        part.unlink()
    whole = [folder / "run" / "results" / f"part-{chunk:05}.parquet" for chunk in load(folder / "run").chunks]
    assert 0 < len(whole) < 8
    written = [part.stat().st_mtime_ns for part in whole]
    resume(folder / "run", workers=2)
    assert rows_of(folder / "run") == rows_of(played.directory)
    assert [part.stat().st_mtime_ns for part in whole] == written


def test_resuming_a_finished_run_plays_nothing(played: Run, folder: Path) -> None:
    log = (played.directory / tournament.LOG).read_text()
    again = resume(played.directory)
    assert again.results.equals(played.results)
    assert (played.directory / tournament.LOG).read_text() == log


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        (
            {"agents": "greedy,random"},
            "started with --agents mc(playouts=4),greedy,players:Anything,random, not greedy,",
        ),
        ({"matches": 9}, "started with --matches 8, not 9: resume it as it is, or start another"),
        ({"seed": 8}, "started with --seed 7, not 8"),
        ({"games": 8}, "started with --games 4, not 8"),
        ({"players": 5}, "started with --players 4, not 5"),
        ({"game": "house"}, "started with --game federation, not house"),
        ({"options": [("fall", "off")]}, "started with fall on, not off"),
    ],
)
def test_a_run_is_resumed_only_as_it_was_started(played: Run, asked: dict[str, Any], line: str, folder: Path) -> None:
    with pytest.raises(InputError, match=re.escape(line)) as error:
        refuse_other_plan(played.manifest, **asked)
    assert "\n" not in str(error.value)


def test_saying_the_same_again_is_no_difference(played: Run, folder: Path) -> None:
    refuse_other_plan(played.manifest)
    options = [("fall", "on"), ("points", "6,4,2,0")]
    refuse_other_plan(played.manifest, AGENTS.replace(",g", " , g"), 8, "federation", 4, options, 4, 7)


# The manifest


def test_the_manifest_holds_the_plan(folder: Path) -> None:
    plan = make_plan(AGENTS, 1000, players=5, options=[("blind", "0")], games=7, seed=-(2**70))
    assert plan_of(json.loads(json.dumps(manifest_of(plan)))) == plan


def test_the_manifest_says_how_the_run_came_about(played: Run) -> None:
    manifest = read_manifest(played.directory)
    assert manifest["rules"] == ruleset("federation", 4).game.options.format(ruleset("federation", 4).rules)
    assert manifest["agents"] == AGENTS.split(",")
    assert (manifest["games_per_match"], manifest["matches"], manifest["seed"], manifest["players"]) == (4, 8, 7, 4)
    assert manifest["reproducible"] == "rows"
    assert manifest["versions"].keys() == {"agari", "python", "numpy", "numba", "platform"}
    assert pd.Timestamp(manifest["started"]).tzinfo is not None


@pytest.mark.parametrize("agents", ["mc(milliseconds=5)", "random,mc(milliseconds=0.5),mc(playouts=3)"])
def test_budgets_in_time_are_not_reproducible(agents: str) -> None:
    assert not make_plan(agents, 10).reproducible


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"game": "hearts"}, "the manifest of the run: unknown game 'hearts'; the games are federation"),
        ({"rules": {"players": 4}}, "rules: option 'jokers' is missing"),
        ({"seed": None}, "manifest of the run is not as this version writes it"),
    ],
)
def test_a_manifest_that_cannot_be_used(change: dict[str, Any], line: str) -> None:
    with pytest.raises(InputError, match=line):
        plan_of(manifest_of(make_plan("random", 10)) | change)


def test_chunks_follow_from_the_agents_not_from_the_workers(folder: Path) -> None:
    sizes = {agents: make_plan(agents, 100_000).matches_per_chunk for agents in ("random", "mc(playouts=500)", AGENTS)}
    assert sizes == {"random": 125, "mc(playouts=500)": 20, AGENTS: 20}
    assert make_plan("mc(playouts=500)", 3000).matches_per_chunk == 1
    assert make_plan("greedy,players:Anything", 3000).matches_per_chunk == 1


# Asking for the impossible


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ({"games": 5}, "a match of federation has 4, 8 or 12 games, not 5"),
        ({"games": 0, "options": [("ranks_every", "0")]}, "a match has from 1 to 10000 games, not 0"),
        ({"games": 10**20, "options": [("fall", "off")]}, "a match has from 1 to 10000 games, not 1000"),
        ({"agents": f"mc(seed={10**23})"}, "must be a whole number of at most 63 bits"),
        ({"matches": 0}, "0 matches: must be from 1 to 1000000000"),
        ({"players": 7}, "federation is played by 4, 5, 6; 7 players need points"),
        ({"game": "hearts"}, "unknown game 'hearts'"),
        ({"options": [("fal", "off")]}, "unknown option 'fal'"),
        ({"options": [("fall", "perhaps")]}, "say on or off"),
        ({"agents": "greedy,mc(playouts=0)"}, r"agent mc\(playouts=0\): playouts=0: must be a whole number"),
        ({"agents": "players:Picky(depth=0)"}, r"agent players:Picky\(depth=0\): raised ValueError: depth must"),
        ({"agents": "players:Nobody"}, "players has no class Nobody with a method choose"),
        ({"agents": ""}, "'' is no agent"),
    ],
)
def test_the_impossible_is_refused_before_anything_is_made(folder: Path, asked: dict[str, Any], line: str) -> None:
    with pytest.raises(InputError, match=line) as error:
        run(folder / "run", **{"agents": "random", "matches": 3} | asked)
    assert "\n" not in str(error.value)
    assert not (folder / "run").exists()


# The runner


def test_progress_is_told_and_honest(folder: Path) -> None:
    told: list[tuple[float, Progress]] = []
    run(
        folder / "run", "players:Anything(seconds=0.0002),random", 24, tell=lambda p: told.append((time.monotonic(), p))
    )
    ended = told[-1][0]
    assert told[0][1] == Progress(0, 24, None)
    assert told[-1][1] == Progress(24, 24, 0.0)
    done = [progress.matches_done for _, progress in told]
    assert done == sorted(done)
    halfway = [(at, progress) for at, progress in told if 6 <= progress.matches_done <= 16]
    assert halfway
    for at, progress in halfway:
        assert progress.seconds_left is not None
        assert (ended - at) / 3 < progress.seconds_left < 3 * (ended - at)


def test_what_is_done_before_counts_as_done(folder: Path) -> None:
    run(folder / "run", "random", 12)
    for chunk in range(5, 8):
        (folder / "run" / "results" / f"part-{chunk:05}.parquet").unlink()
    told: list[Progress] = []
    resume(folder / "run", tell=told.append)
    assert told[0] == Progress(9, 12, None)
    assert told[-1] == Progress(12, 12, 0.0)


def test_few_chunks_are_in_flight(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_flight = [0]

    class Counted(workers.Processes):
        def submit(self, *arguments: Any) -> Any:
            in_flight.append(in_flight[-1] + 1)
            return super().submit(*arguments)

    def write_part(*arguments: Any) -> None:
        in_flight.append(in_flight[-1] - 1)
        store.write_part(*arguments)

    monkeypatch.setattr("agari.experiments.machines.Processes", Counted)
    monkeypatch.setattr(tournament, "write_part", write_part)
    run(folder / "run", "random", 20, workers=2)
    assert len(in_flight) == 41
    assert (max(in_flight), in_flight[-1]) == (4, 0)


def test_one_log_with_the_lines_of_runner_workers_and_agents(folder: Path) -> None:
    run(folder / "run", "players:Talks,random", 2, workers=2)
    log = (folder / "run" / tournament.LOG).read_text()
    assert re.search(r"INFO MainProcess \d+: 2 matches to play with 2 workers", log)
    for chunk in range(2):
        assert re.search(rf"INFO ForkProcess-\d+ \d+: chunk {chunk}, matches {chunk} to {chunk}: \d+\.\d\d s", log)
    assert re.search(r"WARNING ForkProcess-\d+ \d+: seat \d holds \w\w ", log)
    assert log.count("seat ") > 100
    assert all(re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} ", line) for line in log.splitlines())


def test_where_workers_cannot_be_forked(played: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "CONTEXT", multiprocessing.get_context("spawn"))
    run(folder / "run", AGENTS, 8, seed=7, workers=1)
    assert rows_of(folder / "run") == rows_of(played.directory)
    assert re.search(
        r"INFO SpawnProcess-\d+ \d+: chunk 7, matches 7 to 7", (folder / "run" / tournament.LOG).read_text()
    )


def test_rows_of_a_whole_run_are_typed_as_documented(played: Run) -> None:
    for table in TABLES:
        part = parquet.read_table(io.BytesIO((played.directory / table / "part-00000.parquet").read_bytes()))
        assert part.column_names == [column.name for column in columns_of(plan_of(played.manifest).game, table)]
    assert CLOCK_COLUMNS == ("seconds",)


def test_a_match_of_a_plan_is_that_of_the_schedule(played: Run) -> None:
    plan: Plan = plan_of(played.manifest)
    keys = {(number, game): key_of(match_of(number, 4, 4, 7).key, game) for number in range(8) for game in range(4)}
    seeds = played.results.groupby(["match", "game"])["deal_seed"].first().to_dict()
    assert seeds == keys
    assert plan.chunks == 8


def test_kernels_are_compiled_by_games_that_take_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search with its usual budget would think for minutes where games are long."""
    played: list[tuple[str, ...]] = []
    monkeypatch.setattr(tournament, "play_chunk", lambda plan, chunk: played.append(plan.agents))
    tournament._warm_up(make_plan("mc(playouts=100000),advanced,ismcts(milliseconds=50),greedy", 1))
    searches = ["mc(playouts=1)", "ismcts(playouts=1)", "mc(playouts=1)"]
    assert [agents[0] for agents in played] == ["random", "greedy", *searches]
