"""Cards as bits and as text."""

import pytest
from agari.sim import cards
from agari.sim.cards import JOKER, NATURALS, format_cards, format_suits, parse_card, parse_cards, parse_suits
from agari.sim.errors import InputError
from hypothesis import given
from hypothesis import strategies as st

from ..daifugo_table import PACK

CARD_SETS = st.builds(lambda naturals, jokers: naturals + jokers * JOKER, st.integers(0, NATURALS), st.integers(0, 2))


def test_each_card_has_its_bit() -> None:
    assert [parse_card(text) for text in PACK] == [1 << card for card in range(52)]
    assert parse_card("JK") == 1 << 52


@given(CARD_SETS)
def test_cards_round_trip(held: int) -> None:
    text = format_cards(held)
    assert parse_cards(text) == held
    assert parse_cards(" ".join(reversed(text.split()))) == held  # any order is read, one is written


def test_order_of_the_text() -> None:
    assert format_cards(parse_cards("JK S2 C3 S3 H3 JK DT")) == "S3 H3 C3 DT S2 JK JK"
    assert format_cards(0) == ""


@given(CARD_SETS)
def test_symbols_are_accepted(held: int) -> None:
    text = format_cards(held)
    for letter, symbol in zip(cards.SUITS, cards.SYMBOLS, strict=True):
        text = text.replace(letter, symbol)
    assert parse_cards(text) == held


@pytest.mark.parametrize(
    "text", ["S1", "S10", "X3", "s3", "3S", "S3S4", "JK JK JK", "S3 S3", "♠3 S3", "JOKER", "S3,S4"]
)
def test_what_is_no_cards_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError) as error:
        parse_cards(text)
    assert "\n" not in str(error.value)
    assert any(word in str(error.value) for word in (*text.split(), "jokers"))


@pytest.mark.parametrize("mask", range(16))
def test_suits_round_trip(mask: int) -> None:
    text = format_suits(mask)
    assert parse_suits(text) == parse_suits(text[::-1]) == mask


def test_suits_in_symbols_and_mistakes() -> None:
    assert parse_suits("♣♠") == 0b1001
    for text in ("SS", "X", "S H", "♠S"):
        with pytest.raises(InputError, match="no suits"):
            parse_suits(text)
