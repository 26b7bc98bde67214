"""Why a play is not legal: the referee and the generator agree, and the clause it names is the right one."""

import random
import re
from collections import Counter
from typing import Any

import pytest
from agari.sim.cards import format_cards, parse_cards
from agari.sim.daifugo.moves import size_of
from agari.sim.daifugo.state import KIND, TRIBUTE
from agari.sim.errors import InputError
from agari.sim.game import PASS, play

from ..daifugo_table import (
    GAME,
    PACK,
    decisions,
    federation,
    moves_of,
    play_text,
    position,
    random_hands,
    random_options,
)

FEDERATION = federation()
KINDS = "SGQ"


def mutated(source: random.Random, text: str, hand: list[str]) -> str:
    """A play near another: of another kind, with cards added, taken away or exchanged, held or not."""
    kind, cards = (text[0], text[2:].split()) if text != "-" else ("S", [])
    for _ in range(source.choice([1, 1, 2])):
        change = source.randrange(4)
        if change == 0:
            kind = source.choice(KINDS)
        elif change == 1 and len(cards) > 1:
            cards.remove(source.choice(cards))
        else:
            if change == 2 and cards:
                cards.remove(source.choice(cards))
            card = source.choice([*hand, source.choice([*PACK, "JK"])])
            if card == "JK" and "JK=" in text:
                card = f"JK={source.choice([*PACK, 'S<', 'D>'])}"
            if card not in cards and "".join(cards).count("JK") < 2:
                cards.append(card)
    return f"{kind}:{' '.join(cards)}" if cards else "-"


def same_form(move: int, field: int) -> bool:
    return move & KIND == field & KIND and size_of(move) == size_of(field)


def test_refused_exactly_what_is_not_in_the_list() -> None:
    source = random.Random(1)
    answers: Counter[str] = Counter()
    while answers.total() < 30_000:
        options = random_options(source)
        rules = GAME.options.parse(options)
        hands = random_hands(source, rules.players, rules.jokers)
        state = GAME.parse_state(rules, position(*hands, revolution=source.random() < 0.3))
        for _ in range(60):
            if state.turn < 0:
                break
            moves = moves_of(rules, state)
            hand = format_cards(state.hands[state.turn]).split()
            assert all(GAME.why_illegal(rules, state, move) is None for move in moves)
            leads = state.copy()
            leads.field = PASS
            texts = [mutated(source, GAME.format_move(rules, move), hand) for move in source.choices(moves, k=3)]
            of_this_form = [move for move in moves_of(rules, leads) if same_form(move, int(state.field))]
            texts += [GAME.format_move(rules, move) for move in source.sample(of_this_form, min(3, len(of_this_form)))]
            for text in [*texts, "-"]:
                try:
                    move = GAME.parse_move(rules, state, text)
                except InputError as error:  # no move can say where such jokers stand
                    assert options["joker_as"] == "card"
                    answers[re.search(r"\((D\d\.\d)\)$", str(error))[1]] += 1
                    continue
                why = GAME.why_illegal(rules, state, move)
                assert (why is None) == (move in moves), (options, GAME.format_state(rules, state), text, why)
                answers["legal" if why is None else why.split(":")[0].split(",")[0]] += 1
            play(rules, state, max(source.choices(moves, k=3)))  # sequences rather than groups, rather than a pass
    clauses = {"D7.2", "D3", "D3.1", "D3.2", "D3.3", "D3.4", "D4.1", "D4.2", "D4.3", "D4.4", "D5.2"}
    assert set(answers) - {"D3.5"} == clauses | {"legal"}
    assert all(answers[clause] >= 10 for clause in clauses)


def test_returns() -> None:
    """D9.2: the receiver's own cards, the right number of them, with `tribute_blind` none that it received."""
    source = random.Random(2)
    answers: Counter[bool] = Counter()
    for tribute_blind in (False, True):
        rules = federation(5, tribute_blind=tribute_blind)
        for state in decisions(rules, seed=3, games=8):
            if state.phase == TRIBUTE:
                moves = moves_of(rules, state)
                hand = [*format_cards(state.hands[state.turn]).split(), *PACK, "JK"]
                for _ in range(200):
                    cards = source.sample(hand, source.choice([0, 1, 1, 2, 2, 2, 3]))
                    if len(set(cards)) < len(cards):
                        continue
                    move = parse_cards(" ".join(cards))
                    why = GAME.why_illegal(rules, state, move)
                    assert (why is None) == (move in moves)
                    assert why is None or why.startswith("D9.2")
                    answers[why is None] += 1
                assert all(GAME.why_illegal(rules, state, move) is None for move in moves)
    assert min(answers.values()) > 200


HAND = "S3 S7 H7 D7 S8 S9 HQ JK"
OTHERS = ("C4 D4", "C5 D5", "C6 D6")


def field(play: str, lock: str = "", span: str | None = None) -> dict[str, Any]:
    return {"field": {"play": play, "owner": 3, "lock": lock, "span": span and span.split()}}


@pytest.mark.parametrize(
    ("text", "changes", "why"),
    [
        ("-", {}, "D7.2"),
        ("S:HK", {}, "D3: seat 0 does not hold HK"),
        ("G:S7 JK JK", {}, "D3: seat 0 does not hold JK"),
        ("S:S7 H7", {}, "D3.1"),
        ("G:S7", {}, "D3.2"),
        ("G:S7 S8", {}, "D3.2"),
        ("G:JK", {}, "D3.2"),
        ("Q:S7 S8", {}, "D3.3"),
        ("Q:S7 S8 H7", {}, "D3.3"),
        ("Q:S3 S7 S8", {}, "D3.3"),
        ("Q:S3 S7 JK", {}, "D3.4"),
        ("Q:S7 H7 JK", {}, "D3.4"),
        ("G:S7 H7", field("S:H5"), "D4.1"),
        ("S:HQ", field("G:H5 S5"), "D4.1"),
        ("G:S7 H7 JK", field("Q:H4 H5 H6", span="4 6"), "D4.1"),
        ("S:S7", field("S:C7"), "D4.2: it is not stronger than S:C7"),
        ("S:S8", field("S:C7") | {"revolution": True}, "D4.2"),
        ("S:S3", field("S:CK"), "D4.2"),
        ("S:HQ", field("S:JK"), "D4.4"),
        ("Q:S7 S8 S9", field("Q:H8 H9 HT", span="8 T"), "D4.3"),
        ("S:HQ", field("S:S5", lock="S"), "D5.2: the field is locked to S"),
        ("G:S7 D7", field("G:S5 H5", lock="SH"), "D5.2: the field is locked to SH"),
        ("Q:S7 S8 S9", field("Q:H4 H5 H6", lock="H", span="4 6"), "D5.2"),
    ],
)
def test_the_clause(text: str, changes: dict[str, Any], why: str) -> None:
    state = GAME.parse_state(FEDERATION, position(HAND, *OTHERS, **changes))
    answer = GAME.why_illegal(FEDERATION, state, GAME.parse_move(FEDERATION, state, text))
    assert answer is not None
    assert re.match(rf"{re.escape(why)}\b", answer)
    assert "\n" not in answer


def test_legal_plays_have_no_reason() -> None:
    state = GAME.parse_state(FEDERATION, position(HAND, *OTHERS, **field("S:JK")))
    play_text(FEDERATION, state, "S:S3")
    state = GAME.parse_state(FEDERATION, position("S8 JK", *OTHERS, **field("S:H5", lock="H")))
    assert GAME.why_illegal(FEDERATION, state, GAME.parse_move(FEDERATION, state, "S:JK")) is None


def test_a_pair_on_two_jokers() -> None:
    state = GAME.parse_state(FEDERATION, position("S2 H2", *OTHERS, **field("G:JK JK")))
    answer = GAME.why_illegal(FEDERATION, state, GAME.parse_move(FEDERATION, state, "G:S2 H2"))
    assert answer == "D4.2: nothing else beats G:JK JK"


def test_a_joker_on_a_joker_where_spade3_is_off() -> None:
    rules = federation(spade3=False)
    state = GAME.parse_state(rules, position("S3 JK", *OTHERS, **field("S:JK")))
    for text in ("S:S3", "S:JK"):
        answer = GAME.why_illegal(rules, state, GAME.parse_move(rules, state, text))
        assert answer == "D4.2: nothing else beats S:JK"


def test_game_over() -> None:
    state = play_text(FEDERATION, GAME.parse_state(FEDERATION, position("H5", "H6", "", "", out=[2, 3])), "S:H5")
    assert GAME.why_illegal(FEDERATION, state, PASS) == "D7.4: the game is over"
