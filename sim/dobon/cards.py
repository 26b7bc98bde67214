"""The cards of Dobon as bits, and as text.

A set of cards is an int64: bit number·4 + suit, where number 0 is the A and 12 the K, and the suits ♠ ♥ ♦ ♣ are 0–3.
So a number is a nibble, and the value of a card is its number + 1 (B1.3).
"""

from collections.abc import Iterable

from ..cards import SUITS, plain
from ..errors import InputError

NUMBERS = "A23456789TJQK"
PACK = (1 << 52) - 1
EACH_NUMBER = 0x1111111111111  # the spade of every number

TWO, EIGHT, NINE, JACK = 1, 7, 8, 10  # the numbers that have an effect (B3)
TWOS = 15 << 4 * TWO
EIGHTS = 15 << 4 * EIGHT


def card_text(card: int) -> str:
    """Return the card with an index 0–51 as ``S3``."""
    return SUITS[card & 3] + NUMBERS[card >> 2]


def parse_card(text: str) -> int:
    """Return the index of the card written as ``S3`` or ``♦T``."""
    card = plain(text)
    if len(card) != 2 or card[0] not in SUITS or card[1] not in NUMBERS:
        raise InputError(f"{text!r} is no card: write the suit S H D C or ♠ ♥ ♦ ♣, then {' '.join(NUMBERS)}")
    return NUMBERS.index(card[1]) * 4 + SUITS.index(card[0])


def card_list(cards: int) -> list[str]:
    """Return a set of cards as texts: by number from A to K, equal numbers by S H D C."""
    return [card_text(card) for card in range(52) if int(cards) >> card & 1]


def cards_of(indices: Iterable[int]) -> int:
    """Return the set of some cards given by their index."""
    return sum({1 << int(card) for card in indices})


def value_of(cards: int) -> int:
    """Return the values of a set of cards, added up (B1.3)."""
    return sum((card >> 2) + 1 for card in range(52) if int(cards) >> card & 1)
