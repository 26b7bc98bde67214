"""What the rules, states, texts and worlds of every game must be, whatever the game is."""

import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from agari.experiments.columns import arrow_schema, columns_of
from agari.sim import game as contract
from agari.sim.errors import InputError
from agari.sim.game import (
    blank,
    deal,
    decision_kind,
    hand_size,
    moves_dtype,
    observe,
    option_text,
    payoff,
    play,
    redeal,
    search_moves,
)
from agari.sim.games import GAMES, game_of, ruleset
from agari.sim.kernels import copy_record, kernel
from agari.sim.perft import divide
from agari.sim.rng import key_of

from ..playing import fields, random_game
from .rulesets import EVERY, ONE_EACH, PRESETS, Played, name_of

every_rules = pytest.mark.parametrize("played", EVERY, ids=name_of)
CLAUSE = re.compile(r"\b[A-Z]\d+(\.\d+)?\b")


def finished(played: Played, seed: int, games: int = 2) -> Iterator[tuple[int, Any, Any, list[int]]]:
    """Number, state as dealt, state at its end and moves of each game of a match of random games."""
    source = random.Random(seed)
    state = blank(played.game.state_dtype)
    for number in range(games):
        deal(played.rules, state, number, key_of(seed, number))
        dealt, moves = state.copy(), []
        while state.turn >= 0:
            moves.append(source.choice(played.table.moves_of(played.rules, state)))
            play(played.rules, state, moves[-1])
        yield number, dealt, state.copy(), moves


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_what_a_game_is(game: Any) -> None:
    for name in ("turn", "observer", "seated"):
        assert name in game.state_dtype.names
    assert (game.state_dtype["turn"], game.state_dtype["observer"]) == (np.int64, np.int64)
    assert issubclass(game.state_dtype.type, np.record)
    assert moves_dtype(game.max_moves)["list"].shape == (game.max_moves,)
    assert re.fullmatch("[a-z_]+", game.name)
    assert all(game.reasons.values())
    assert len(set(game.decision_kinds)) == len(game.decision_kinds)
    for preset in game.presets.values():
        assert preset.description
        assert preset.match_games
        for players, rules in preset.by_players.items():
            assert rules.players == players
            assert game_of(rules) is game
            assert len(game.place_names.get(players, range(players))) == players


@pytest.mark.parametrize("name", [name for name, value in vars(contract).items() if hasattr(value, "implementations")])
def test_every_kernel_is_registered_by_the_game_itself(name: str) -> None:
    """In a process that has imported nothing else: no other module may be needed for that."""
    script = (
        f"from agari.sim.game import {name}\nfrom agari.sim.games import GAMES\n"
        f"print(*(game.name for game in GAMES if game.options.rules_class not in {name}.implementations))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


@every_rules
def test_options_as_text_and_as_json(played: Played) -> None:
    options, rules = played.game.options, played.rules
    written = options.format(rules)
    assert options.parse(json.loads(json.dumps(written))) == rules
    assert list(written) == list(rules._fields) == list(options.values())
    assert options.set(rules, {name: option_text(value) for name, value in written.items()}) == rules
    for name, values in options.values().items():
        others = values if isinstance(values, list) else []
        for value in others:
            assert options.format(options.set(rules, {name: option_text(value)}))[name] == value
        if not isinstance(values, list):
            with pytest.raises(InputError, match=f"{name}"):
                options.set(rules, {name: option_text(values["to"] + 1)})
        for nonsense in ("", "nonsense", [], {}, None):
            with pytest.raises(InputError, match=f"option {name}") as error:
                options.set(rules, {name: nonsense})
            assert "\n" not in str(error.value)
    for broken in ([], {}, written | {"nonsense": 1}):
        with pytest.raises(InputError, match="rules"):
            options.parse(broken)


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_numbers_of_players_that_are_refused(game: Any) -> None:
    for name in game.presets:
        for players in (-1, 0, 1, 7, 100):
            with pytest.raises(InputError, match=rf"^{name} is played by \d(, \d)*(, not by|;) {players}\b") as error:
                ruleset(name, players)
            assert "\n" not in str(error.value)


@every_rules
def test_a_deal_follows_from_its_key(played: Played) -> None:
    state, other = np.zeros(2, played.game.state_dtype)
    deal(played.rules, state, 0, 5)
    assert (state.observer, state.turn >= 0) == (-1, True)
    assert sorted(state.seated[: played.rules.players]) == list(range(played.rules.players))
    for _, _, end, _ in finished(played, 3, 1):
        copy_record(other, end)
    deal(played.rules, other, 0, 5)  # whatever was there before
    written = played.game.format_state(played.rules, state)
    assert played.game.format_state(played.rules, other) == written
    deal(played.rules, other, 0, 6)
    assert played.game.format_state(played.rules, other) != written


@every_rules
def test_a_study_sets_who_leads(played: Played) -> None:
    """The cards are those of the deal, whoever leads, and the distances are counted from there."""
    game = played.game
    rules = game.staging.any_leader(played.rules)
    levels = game.staging.conditions(rules)
    assert levels["leader"] == rules.players
    assert all(count > 1 for count in levels.values())
    usual, state = np.zeros(2, game.state_dtype)
    deal(rules, usual, 0, 5)
    hands = [game.format_hand(rules, usual, seat) for seat in range(rules.players)]
    for leader in range(rules.players):
        game.staging.deal(rules, state, 5, {"leader": leader})
        assert state.turn == leader
        assert [game.format_hand(rules, state, seat) for seat in range(rules.players)] == hands
        written = game.format_state(rules, state)
        if leader == usual.turn:
            assert written == game.format_state(rules, usual)
        for _ in range(3):  # whatever was there before
            game.staging.deal(rules, state, 5, {"leader": leader})
            assert game.format_state(rules, state) == written
            source = random.Random(leader)
            while state.turn >= 0:
                play(rules, state, source.choice(played.table.moves_of(rules, state)))
        distances = [row["leader_distance"] for row in game.outcome(rules, state)]
        assert distances == [(seat - leader) % rules.players for seat in range(rules.players)]


@every_rules
def test_every_decision(played: Played) -> None:
    """Moves and their texts, the kinds of decision, hands, and what JSON makes of the state."""
    game, rules, table = played.game, played.rules, played.table
    read = 0
    decisions = list(table.decisions(rules, 1, games=2))
    for state in decisions:
        moves = table.moves_of(rules, state)
        texts = table.legal_texts(rules, state)
        assert 0 < len(moves) <= game.max_moves
        assert len(set(moves)) == len(set(texts)) == len(moves)
        assert [game.parse_move(rules, state, text) for text in texts] == moves
        assert all(game.why_illegal(rules, state, move) is None for move in moves)
        some = set(table.moves.list[: search_moves(rules, state, table.moves)].tolist())
        assert some
        assert some <= set(moves)
        assert 0 <= decision_kind(rules, state) < len(game.decision_kinds)
        for seat in range(rules.players):
            assert len(game.format_hand(rules, state, seat).split()) == hand_size(rules, state, seat)
        written = json.loads(json.dumps(game.format_state(rules, state)))
        try:
            again = game.parse_state(rules, written)
        except InputError:  # as the tribute of Daifugo, which is read by a command of its own
            continue
        read += 1
        assert game.format_state(rules, again) == written
        assert sorted(table.legal_texts(rules, again)) == sorted(texts)
        for move in moves[:: max(1, len(moves) // 3)]:
            play(rules, again.copy(), move)
    assert read > 0.9 * len(decisions)


@every_rules
def test_what_is_illegal_has_a_reason_that_names_a_clause(played: Played) -> None:
    game, rules, table = played.game, played.rules, played.table
    source = random.Random(2)
    decisions = list(table.decisions(rules, 2, games=2))
    texts = sorted({text for state in decisions for text in table.legal_texts(rules, state)})
    refused = 0
    for state in decisions:
        legal = set(table.legal_texts(rules, state))
        for text in source.sample(texts, min(6, len(texts))):
            try:
                why = game.why_illegal(rules, state, game.parse_move(rules, state, text))
            except InputError as error:
                why = str(error)
                assert text not in legal
            else:
                assert (why is None) == (text in legal), (text, why)
            if why is not None:
                assert "\n" not in why
                assert CLAUSE.search(why) or "is no " in why, (text, why)
                refused += 1
    assert refused > 50


@every_rules
def test_observations_and_worlds(played: Played) -> None:
    """What the seat to act knows is what it knows in every world drawn for it; others see nothing that it does not."""
    game, rules, table = played.game, played.rules, played.table
    for number, state in enumerate(table.decisions(rules, 3, games=2)):
        moves, acting = table.moves_of(rules, state), int(state.turn)
        sizes = [int(hand_size(rules, state, other)) for other in range(rules.players)]
        for seat in range(rules.players):
            seen = table.observed(rules, state, seat)
            assert seen.observer == seat
            assert fields(table.observed(rules, seen, seat)) == fields(seen)
            assert game.format_hand(rules, seen, seat) == game.format_hand(rules, state, seat)
            assert [int(hand_size(rules, seen, other)) for other in range(rules.players)] == sizes
        seen = table.observed(rules, state, acting)
        world = table.redealt(rules, seen, number)
        for known in (seen, world):
            assert known.turn == acting
            assert table.moves_of(rules, known) == moves
            assert decision_kind(rules, known) == decision_kind(rules, state)
            assert game.format_field(rules, known) == game.format_field(rules, state)
        assert world.observer == -1
        assert fields(table.observed(rules, world, acting)) == fields(seen)
        assert fields(table.redealt(rules, seen, number)) == fields(world)


@every_rules
def test_worlds_can_be_played_to_their_end(played: Played) -> None:
    rules, table = played.rules, played.table
    source = random.Random(4)
    for number, state in enumerate(table.decisions(rules, 4, games=1)):
        if number % 7 == 0:
            world = table.redealt(rules, table.observed(rules, state, int(state.turn)), number)
            while world.turn >= 0:
                play(rules, world, source.choice(table.moves_of(rules, world)))
            assert all(np.isfinite(payoff(rules, world, seat)) for seat in range(rules.players))


@every_rules
def test_outcome_and_record(played: Played) -> None:
    """The columns of the results, and a record that begins, replays and ends as the game did."""
    game, rules = played.game, played.rules
    own = {column.name for column in game.columns}
    for _, dealt, end, moves in finished(played, 5, games=3):
        outcome = game.outcome(rules, end)
        assert len(outcome) == rules.players
        points = [float(payoff(rules, end, seat)) for seat in range(rules.players)]
        assert [row["points"] for row in outcome] == points
        for row in outcome:
            assert set(row) == {"leader_distance", "place", "reason", "points"} | own
            assert row["reason"] in game.reasons
            assert 1 <= row["place"] <= rules.players
        assert min(row["place"] for row in outcome) == 1
        assert sorted(row["leader_distance"] for row in outcome) == list(range(rules.players))
        written = json.loads(json.dumps(game.record(rules, end, moves)))
        assert game.options.parse(written["rules"]) == rules
        replayed = game.replay(rules, written)
        assert all(written[key] == value for key, value in replayed.items())
        assert points in replayed.values() or None in replayed["points"]  # places drawn by lot are not in a record
        state, texts = game.opening(rules, written)
        assert game.format_hand(rules, state, 0) == game.format_hand(rules, dealt, 0)
        assert len(texts) == len(moves)
        for text in texts:
            play(rules, state, game.parse_move(rules, state, text))
        assert state.turn == -1


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_columns(game: Any) -> None:
    columns = columns_of(game, "results")
    assert len({column.name for column in columns}) == len(columns)
    assert all(column.meaning for column in columns)
    assert arrow_schema(game, "results").names == [column.name for column in columns]


@every_rules
def test_one_kernel_plays_every_game_as_python_does(played: Played) -> None:
    for key in range(5):
        states = np.zeros(2, played.game.state_dtype)
        answers = [
            run(played.rules, state, played.table.moves, key_of(key))
            for run, state in zip((random_game, random_game.py_func), states, strict=True)
        ]
        assert answers[0] == answers[1]
        assert fields(states[0]) == fields(states[1])


@kernel
def observe_and_redeal(rules, state, seat, observation, world, key):
    """Both inside a kernel."""
    observe(rules, state, seat, observation)
    redeal(rules, observation, world, key)


@every_rules
def test_worlds_in_a_kernel_are_those_in_python(played: Played) -> None:
    seen, world = np.zeros(2, played.game.state_dtype)
    for number, state in enumerate(played.table.decisions(played.rules, 6, games=1)):
        observe_and_redeal(played.rules, state, state.turn, seen, world, number)
        expected = played.table.observed(played.rules, state, state.turn)
        assert fields(seen) == fields(expected)
        assert fields(world) == fields(played.table.redealt(played.rules, expected, number))


@pytest.mark.parametrize("played", PRESETS, ids=name_of)
def test_perft_counts_what_can_be_played(played: Played) -> None:
    """Against going through all moves one by one, from the deal and from the middle of a game."""

    def count(state: Any, depth: int) -> int:
        if state.turn < 0:
            return 0
        moves = played.table.moves_of(played.rules, state)
        if depth == 1:
            return len(moves)
        total = 0
        for move in moves:
            after = state.copy()
            play(played.rules, after, move)
            total += count(after, depth - 1)
        return total

    decisions = list(played.table.decisions(played.rules, 7, games=1))
    for state in (decisions[0], decisions[len(decisions) // 2], decisions[-1]):
        moves, counts = divide(played.rules, state, 2)
        assert moves.tolist() == played.table.moves_of(played.rules, state)
        assert counts.sum(axis=0).tolist() == [count(state, 1), count(state, 2)]


@pytest.mark.parametrize("played", ONE_EACH, ids=name_of)
def test_a_copy_is_a_state_of_its_own(played: Played) -> None:
    for state in played.table.decisions(played.rules, 8, games=1):
        copy, before = state.copy(), fields(state)
        play(played.rules, copy, played.table.moves_of(played.rules, copy)[-1])
        assert fields(state) == before
