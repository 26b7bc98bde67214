"""Studies: the same deals in every arm, tables by hand and by what must come out, files that say all, and refusals."""

import json
import math
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as parquet
import pytest
from agari.experiments.store import load
from agari.experiments.studies.report import run_study
from agari.experiments.studies.study import format_study, make_study, read_study
from agari.experiments.studies.tables import COLUMNS, only
from agari.sim.errors import InputError
from agari.sim.games import GAMES

from .test_cli_tournament import agari, refused

RULESETS = [(name, players) for game in GAMES for name, preset in game.presets.items() for players in preset.by_players]
DAIFUGO = [(name, players) for name, players in RULESETS if name in ("federation", "house", "uecda")]


def played(tmp_path: Path, question: str, **asked: Any) -> tuple[pd.DataFrame, dict[str, pd.DataFrame]]:
    """The table of a study, and the rows of its parts."""
    study = make_study(question, **asked)
    table = run_study(study, tmp_path / "study", workers=1)
    return table, {part: load(tmp_path / "study" / part).results for part in study.counts}


# The arms


@pytest.mark.parametrize(("game", "players"), DAIFUGO)
def test_a_tribute_is_all_that_is_added(game: str, players: int, tmp_path: Path) -> None:
    """The same cards, leaders, seats and places before; who gave and got differs, and so what follows."""
    table, parts = played(
        tmp_path, "tribute", game=game, players=players, deals=12, matches=2, games=2 if game == "uecda" else None
    )
    for part, results in parts.items():
        without, with_it = (results[results["arm"] == arm].reset_index(drop=True) for arm in (0, 1))
        same = ["match", "rotation", "game", "seat", "participant", "deal_seed"]
        if part == "deals":
            same += ["hand_strength", "hand_size", "place_before"]
            assert (results["place_before"].notna() & (results["game"] == 0)).all()
        else:
            first = (without["game"] == 0).to_numpy()
            assert without[first]["points"].tolist() == with_it[first]["points"].tolist()
            assert with_it[first]["place_before"].isna().all()
            assert with_it[~first]["place_before"].notna().all()
        pd.testing.assert_frame_equal(without[same], with_it[same])
        assert (without["gave"] == "").all()
        ranked = with_it["place_before"].notna()
        paid = with_it["place_before"].isin([1, players, *([2, players - 1] if players > 3 else [])])
        assert ((with_it["gave"] != "") == (ranked & paid)).all()
    worth = only(table, "deals", "points", "place_before").dropna(subset="difference")
    assert worth["level"].tolist() == [str(place) for place in range(1, players + 1)]
    assert worth["difference"].sum() == pytest.approx(0)  # the points of a game are what they are


def test_the_tribute_is_good_for_the_first_and_bad_for_the_last(tmp_path: Path) -> None:
    table, _ = played(tmp_path, "tribute", players=5, deals=200, matches=0)
    worth = only(table, "deals", "points", "place_before").dropna(subset="difference").set_index("level")
    assert worth.loc["1", "difference_low"] > 0
    assert worth.loc["5", "difference_high"] < 0


@pytest.mark.parametrize(("game", "players"), RULESETS)
def test_every_hand_is_once_at_each_distance(game: str, players: int, tmp_path: Path) -> None:
    table, parts = played(tmp_path, "seat", game=game, players=players, deals=10)
    results = parts["deals"]
    uneven = game in ("house", "uecda") and players != 3
    arms = players * (players if uneven else 1)
    assert results["arm"].nunique() == arms
    assert (results.groupby(["match", "arm"]).size() == players).all()
    seats = results.groupby(["match", "seat", "leader_distance"]).size()
    assert (seats == arms / players).all()
    assert len(seats) == 10 * players * players
    assert (results.groupby("match")["deal_seed"].nunique() == 1).all()
    rows = only(table, "deals", "points", "leader_distance")
    assert rows["level"].tolist() == [str(distance) for distance in range(players)]
    assert rows["difference"].sum() == pytest.approx(0)
    by_hand = results.groupby("leader_distance")["points"].mean()
    assert rows["mean"].tolist() == pytest.approx(by_hand.tolist())
    extra = only(table, "deals", "points", "all")
    assert extra.empty != uneven
    if uneven:
        larger = results["hand_size"] > results["hand_size"].min()
        means = [results[~larger]["points"].mean(), results[larger]["points"].mean()]
        assert extra["mean"].tolist() == pytest.approx(means)
        assert extra["difference"].iloc[1] == pytest.approx(means[1] - means[0])
        distance_and_hand = only(table, "deals", "points", "leader_distance and hand")
        assert len(distance_and_hand) == 2 * players


def test_a_rule_that_changes_no_move_changes_the_points_alone(tmp_path: Path) -> None:
    """`greedy` does not look at points: without the bonus the first of each last game has 2 less, and that is all."""
    table, parts = played(tmp_path, "rule", option="set_bonus", values=[0], matches=6)
    assert parts["matches"]["arm"].nunique() == 2
    for measure, by in (("moves", "all"), ("kept", "all"), ("kept", "place_before")):
        changed = only(table, "matches", measure, by).dropna(subset="difference")
        assert not changed.empty
        assert (changed["difference"] == 0).all()
        assert (changed["difference_error"] == 0).all()
    points = only(table, "matches", "points", "place_before").dropna(subset="difference")
    assert points["arm"].unique().tolist() == ["set_bonus=0"]
    assert points["difference"].sum() == pytest.approx(-2 / 3)  # in one of three ranked games
    base = only(table, "matches", "points", "place_before")
    results = parts["matches"]
    usual = results[(results["arm"] == 0) & results["place_before"].notna()]
    assert base[base["arm"] == "set_bonus=2"]["mean"].tolist() == pytest.approx(
        usual.groupby("place_before")["points"].mean().tolist()
    )
    moves = results.groupby(["arm", "match", "rotation", "game"])["decisions"].sum()
    assert only(table, "matches", "moves", "all")["mean"].iloc[0] == pytest.approx(moves[0].mean())


@pytest.mark.parametrize(
    ("game", "option", "arms"),
    [
        ("federation", "fall", ["fall=on", "fall=off"]),
        ("house", "eight_cut", ["eight_cut=any", "eight_cut=off", "eight_cut=groups"]),
        ("uecda", "tribute", ["tribute=on", "tribute=off"]),
        ("voodoo_prince", "two_player_last", ["two_player_last=remainder", "two_player_last=own"]),
        ("dobon", "multi", ["multi=chain", "multi=off", "multi=pon"]),
    ],
)
def test_all_values_of_an_option_are_compared(game: str, option: str, arms: list[str], tmp_path: Path) -> None:
    table, _ = played(tmp_path, "rule", game=game, option=option, matches=1, games=2 if game == "uecda" else None)
    assert sorted(table["arm"].unique()) == sorted(arms)
    assert only(table, "matches", "moves", "all")["arm"].iloc[0] == arms[0]
    ranked = game in ("federation", "house", "uecda")
    assert only(table, "matches", "kept", "all").empty != ranked
    assert only(table, "matches", "points", "place_before").empty != ranked
    assert not only(table, "matches", "points", "leader_distance").empty  # of games without ranks


@pytest.mark.parametrize(("usual", "value"), [(4, 1), (1, 4)])
def test_an_option_that_takes_the_ranks_away(usual: int, value: int, tmp_path: Path) -> None:
    """Only one of the two arms has games with ranks: there is nothing to compare them with, but all is reported."""
    options = (("ranks_every", str(usual)),)
    table, _ = played(tmp_path, "rule", option="ranks_every", values=[value], options=options, matches=2, games=4)
    rows = only(table, "matches", "points", "place_before")
    assert rows["arm"].unique().tolist() == ["ranks_every=4"]
    assert rows["difference"].isna().all()
    assert only(table, "matches", "points", "leader_distance")["difference"].notna().any()
    assert (tmp_path / "study" / "figure.png").exists()


def test_agents_are_shown_apart_too(tmp_path: Path) -> None:
    table, parts = played(tmp_path, "tribute", game="house", deals=6, matches=0, agents="greedy,random")
    results = parts["deals"]
    assert (results.groupby(["match", "arm"])["rotation"].nunique() == 2).all()  # two more would be the same again
    assert set(table["agent"]) == {"", "greedy", "random"}
    for agent in ("greedy", "random"):
        rows = only(table, "deals", "points", "place_before", agent)
        own = results[(results["agent"] == agent) & (results["arm"] == 1)].groupby("place_before")["points"].mean()
        assert rows[rows["arm"] == "with tribute"]["mean"].tolist() == pytest.approx(own.tolist())
        assert len(only(table, "deals", "kept", "place_before", agent)) == 2 * 4


# Files and directories

STUDIES: list[dict[str, Any]] = [
    {"question": "seat", "agents": "random, wild:𠮷(word='\x7fé\\')", "deals": 3},
    {"question": "tribute", "players": 6, "deals": 3, "matches": 0},
    {"question": "tribute", "game": "house", "deals": 3, "matches": 2, "games": 5, "agents": "greedy,mc(playouts=5)"},
    {"question": "seat", "game": "dobon", "players": 6, "options": (("call_draw", "0"),), "deals": 3, "seed": 5},
    {"question": "rule", "option": "points", "values": [[9, 1, 0, 0]], "matches": 2},
    {"question": "rule", "option": "jokers", "values": ["0", "1"], "matches": 2},
]


@pytest.mark.parametrize("asked", STUDIES, ids=str)
def test_a_study_as_a_file(asked: dict[str, Any], tmp_path: Path) -> None:
    study = make_study(**asked)
    path = tmp_path / "study.toml"
    path.write_text(format_study(study), encoding="utf-8")
    assert read_study(path) == study


def test_the_shortest_file(tmp_path: Path) -> None:
    path = tmp_path / "short.toml"
    path.write_text('question = "seat"', encoding="utf-8")
    assert read_study(path) == make_study("seat")


@pytest.mark.parametrize("workers", [2])
def test_a_table_does_not_depend_on_workers_nor_on_interruptions(workers: int, tmp_path: Path) -> None:
    study = make_study("tribute", game="house", players=3, deals=40, matches=6, agents="greedy,random", seed=3)
    whole = run_study(study, tmp_path / "one", workers=1)
    pd.testing.assert_frame_equal(run_study(study, tmp_path / "more", workers=workers), whole)
    for part in ("deals", "matches"):
        for gone in sorted((tmp_path / "more" / part / "results").glob("part-*"))[::2]:
            gone.unlink()
    pd.testing.assert_frame_equal(run_study(study, tmp_path / "more", workers=workers), whole)
    for part in ("deals", "matches"):
        one, more = (load(tmp_path / name / part).results.drop(columns="seconds") for name in ("one", "more"))
        pd.testing.assert_frame_equal(one, more)


def test_a_study_over_dask(tmp_path: Path) -> None:
    study = make_study("seat", game="house", players=3, deals=5)
    table = run_study(study, tmp_path / "dask", workers=1, executor="dask")
    pd.testing.assert_frame_equal(table, run_study(study, tmp_path / "here", workers=1))


def test_what_a_study_leaves(tmp_path: Path) -> None:
    out = tmp_path / "study"
    done = agari("study", "seat", "--game", "house", "--deals", 5, "--out", out, "--workers", 1)
    assert done.exit_code == 0, done.output
    assert "seat · house, 4 players, first_lead=random · greedy · 5 deals · seed 0" in done.stdout
    assert "0, leader" in done.stdout
    table = parquet.read_table(out / "table.parquet").to_pandas()
    assert tuple(table.columns) == COLUMNS
    text = (out / "table.md").read_text(encoding="utf-8")
    assert f"{only(table, 'deals', 'points', 'leader_distance')['mean'].iloc[0]:.3f}" in text
    assert (out / "figure.png").read_bytes().startswith(b"\x89PNG")
    again = agari("study", out / "study.toml", "--json")
    assert again.exit_code == 0, again.output
    answer = json.loads(again.stdout)
    assert len(answer["table"]) == len(table)
    for row, kept in zip(answer["table"], table.to_dict("records"), strict=True):
        assert list(row) == list(COLUMNS)
        assert [math.nan if value is None else value for value in row.values()] == pytest.approx(
            list(kept.values()), nan_ok=True
        )


def test_a_file_goes_where_it_is_named(folder: Path) -> None:
    Path("paper.toml").write_text(
        'question = "rule"\ngame = "house"\nplayers = 3\noption = "j_back"\nmatches = 2\n'
        'agents = ["greedy", "random"]\n[rules]\nfall = false\n',
        encoding="utf-8",
    )
    done = agari("study", "paper.toml", "--workers", 1)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("rule j_back · house, 3 players, fall=off · greedy,random · 2 matches · seed 0\n")
    assert (Path("paper") / "figure.png").exists()


def test_a_part_of_a_study_is_no_tournament(tmp_path: Path) -> None:
    out = tmp_path / "study"
    run_study(make_study("seat", game="house", players=3, deals=2), out, workers=1)
    for command in (["standings"], ["plot"], ["pit", "--resume", "--out"]):
        assert "is a part of a study, with 3 arms" in refused(agari(*command, out / "deals"))
    watched = agari("watch", out / "deals", "--arm", 2)
    assert watched.exit_code == 0, watched.output
    assert "match 0, arm 2, rotation 0, game 0" in watched.stdout
    assert "has no rotation 1 of match 0" in refused(agari("watch", out / "deals", "--rotation", 1))
    assert "has no arm 3: they are 0 to 2" in refused(agari("watch", out / "deals", "--arm", 3))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("luck", "unknown question 'luck': it is tribute, seat, rule, or a file that ends in .toml"),
        ("tribute", "say where the study goes, as in --out studies/tribute"),
        ("tribute --game dobon --out x", "in dobon there is no tribute"),
        ("tribute --set tribute=off --out x", "the rules have no tribute (tribute is off)"),
        ("tribute --set ranks_every=1 --games 4 --out x", "no game has ranks before it (ranks_every is 1)"),
        ("tribute --game uecda --games 1 --out x", "a match of one game has no tribute: games must be 2 or more"),
        ("tribute --deals 0 --matches 0 --out x", "there is nothing to play: deals and matches 0"),
        ("tribute --option fall --out x", "option and values go with the question rule, not with tribute"),
        ("seat --matches 5 --out x", "a study of the seat plays no matches, but deals"),
        ("seat --games 8 --out x", "games is the number of games in a match, and no matches are played"),
        ("seat --deals -1 --out x", "deals -1: must be from 0 to 1000000000"),
        ("seat --deals 99999999999 --out x", "deals 99999999999: must be from 0 to 1000000000"),
        ("seat --agents nobody --out x", "unknown agent 'nobody'"),
        ("seat --game whist --out x", "unknown game 'whist'"),
        ("rule --out x", "say which option of the rules: jokers, blind,"),
        ("rule --option fal --out x", "unknown option 'fal'; the options are jokers,"),
        ("rule --option players --out x", "unknown option 'players'; the options are jokers,"),
        ("rule --option jokers --out x", "say which values of jokers to compare with 2, from 0 to 2"),
        ("rule --option points --out x", "say which values of points to compare with 6,4,2,0, from"),
        ("rule --option jokers --value 2 --out x", "jokers is 2 in these rules: say another value"),
        ("rule --option jokers --value 7 --out x", "option jokers: 7 is no whole number from 0 to 2"),
        ("rule --option fall --deals 3 --out x", "a study of the rule plays no deals, but matches"),
        ("none.toml", "cannot read none.toml: No such file or directory"),
        ("good.toml --seed 3", "good.toml says all of the study: leave out --seed"),
    ],
)
def test_studies_that_are_refused(arguments: str, message: str, folder: Path) -> None:
    Path("good.toml").write_text('question = "seat"', encoding="utf-8")
    assert message in refused(agari("study", *arguments.split()))
    assert not Path("x").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("question = ", "no valid TOML"),
        ('game = "house"', "it asks no question: question = one of tribute, seat, rule"),
        ('question = "luck"', "unknown question 'luck'; the questions are tribute, seat, rule"),
        ("question = 3", "question must be a text, not 3"),
        ('question = "seat"\nseats = 4', "unknown key 'seats'; the keys are question, game, players"),
        ('question = "seat"\ndeals = true', "deals must be a whole number, not True"),
        ('question = "seat"\ndeals = 2.5', "deals must be a whole number, not 2.5"),
        ('question = "seat"\nseed = 0x' + "f" * 6000, "no valid TOML: a number of more than 64 bits"),
        ('question = "seat"\n[rules]\njokers = 0x' + "f" * 6000, "no valid TOML: a number of more than 64 bits"),
        ('question = "seat"\nrules = 3', "rules must be a table of options, [rules], not 3"),
        ('question = "seat"\nagents = [3]', "agents must be a text or a list of texts, not [3]"),
        ('question = "seat"\n[rules]\ncolour = 3', "unknown option 'colour'"),
        ('question = "rule"\noption = "fall"\nvalues = [3]', "option fall: 3 is neither true nor false"),
    ],
)
def test_files_that_are_refused(text: str, message: str, folder: Path) -> None:
    Path("bad.toml").write_text(text, encoding="utf-8")
    line = refused(agari("study", "bad.toml"))
    assert line.startswith("agari: bad.toml: ")
    assert message in line
    assert not Path("bad").exists()


def test_a_directory_that_holds_something_else(tmp_path: Path) -> None:
    out = tmp_path / "study"
    run_study(make_study("seat", game="house", players=3, deals=2), out, workers=1)
    with pytest.raises(InputError, match=r"holds another study, .*study\.toml: choose another directory"):
        run_study(make_study("seat", game="house", players=3, deals=3), out)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("dear reader", encoding="utf-8")
    with pytest.raises(InputError, match=r"holds thesis\.txt, but no study\.toml: choose a new directory"):
        run_study(make_study("seat", deals=3), tmp_path / "full")
    (tmp_path / "killed").mkdir()
    (tmp_path / "killed" / "study.toml.123.tmp").write_text("ques", encoding="utf-8")
    run_study(make_study("seat", game="house", players=3, deals=1), tmp_path / "killed", workers=1)


def test_an_agent_that_fails_stops_a_study_and_what_is_done_stays(folder: Path) -> None:
    Path("wild.py").write_text("class Wild:\n    def choose(self, view): raise ValueError('lost')\n", encoding="utf-8")
    Path("fails.toml").write_text(
        'question = "seat"\ngame = "house"\nplayers = 3\ndeals = 3\nagents = "wild:Wild"', encoding="utf-8"
    )
    done = agari("study", "fails.toml", "--workers", 1)
    assert done.exit_code == 1
    assert "agent wild:Wild raised ValueError: lost; match 0, leader 0, rotation 0, game 0" in done.stderr
    assert (Path("fails") / "study.toml").exists()
    assert list((Path("fails") / "deals").glob("fault-*.json"))
