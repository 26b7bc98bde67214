"""Cards as bits, and as text.

A set of cards is an int64: bit rank·4 + suit for the 52 natural cards (rank 0 is the 3, 12 the 2; suits ♠ ♥ ♦ ♣ are
0–3), so a rank is a nibble and a run in a suit is ``cards & cards >> 4 & cards >> 8`` for all suits at once. Above
them bits 52–53 hold the *number* of jokers, since jokers are alike: sets that share no card are joined by + and taken
apart by −.
"""

from .errors import InputError

RANKS = "3456789TJQKA2"
SUITS = "SHDC"
SYMBOLS = "♠♥♦♣"
JOKER_TEXT = "JK"

NATURALS = (1 << 52) - 1
JOKER = 1 << 52
CARDS = (1 << 54) - 1
EACH_RANK = 0x1111111111111  # the spade of every rank

_PLAIN_SUITS = str.maketrans(SYMBOLS, SUITS)


def plain(text: str) -> str:
    """Return a text with the suits ♠♥♦♣ written as S H D C."""
    return text.translate(_PLAIN_SUITS)


def parse_card(text: str) -> int:
    """Return the card written as ``S3``, ``♦T`` or ``JK``, as a set of one."""
    if text == JOKER_TEXT:
        return JOKER
    card = plain(text)
    if len(card) != 2 or card[0] not in SUITS or card[1] not in RANKS:
        raise InputError(f"{text!r} is no card: write the suit S H D C or ♠ ♥ ♦ ♣, then {' '.join(RANKS)}, or JK")
    return 1 << (RANKS.index(card[1]) * 4 + SUITS.index(card[0]))


def parse_cards(text: str) -> int:
    """Return the set of cards written with spaces between them; the empty text is no cards."""
    cards = 0
    for word in text.split():
        card = parse_card(word)
        if card & cards & NATURALS:
            raise InputError(f"{word} stands twice in {text!r}")
        if card == JOKER and cards >> 52 == 2:
            raise InputError(f"more than two jokers in {text!r}")
        cards += card
    return cards


def format_cards(cards: int) -> str:
    """Return a set of cards as text: by rank from 3 to 2, equal ranks by S H D C, jokers last, spaces between."""
    jokers, naturals = int(cards) >> 52, int(cards) & NATURALS
    words = []
    while naturals:
        words.append(_CARD_TEXTS[(naturals & -naturals).bit_length() - 1])
        naturals &= naturals - 1
    return " ".join(words + [JOKER_TEXT] * jokers)


_CARD_TEXTS = [suit + rank for rank in RANKS for suit in SUITS]


def parse_suits(text: str) -> int:
    """Return suits written as letters or symbols in any order (``SD``, ``♠♦``) as a mask: ♠ 1, ♥ 2, ♦ 4, ♣ 8."""
    suits = 0
    for letter in plain(text):
        if letter not in SUITS or suits >> SUITS.index(letter) & 1:
            raise InputError(f"{text!r} are no suits: write letters of SHDC, each at most once")
        suits |= 1 << SUITS.index(letter)
    return suits


def format_suits(suits: int) -> str:
    """Return a mask of suits as letters in the order SHDC."""
    return "".join(letter for index, letter in enumerate(SUITS) if suits >> index & 1)
