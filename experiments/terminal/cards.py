"""Cards as people see them, in colour, and as they type them."""

import re
from collections import Counter
from collections.abc import Iterable

from rich.text import Text
from rich.theme import Theme

from ...sim.cards import JOKER_TEXT, RANKS, SUITS, SYMBOLS, plain

# The suits have Okabe and Ito's colours, which colour-blind people tell apart. All are readable on black and on white,
# unlike a bright yellow or a dark blue.
MANY_COLOURS = {
    "suit.s": "bold",
    "suit.h": "bold #d55e00",
    "suit.d": "bold #0072b2",
    "suit.c": "bold #009e73",
    "card.red": "bold #d70000",
    "card.yellow": "bold #b58900",
    "card.green": "bold #009e73",
    "card.blue": "bold #0072b2",
    "card.purple": "bold #b05fd0",
}
# A terminal with 16 colours has no others than red and magenta that are readable on both.
FEW_COLOURS = {
    **dict.fromkeys(MANY_COLOURS, "bold"),
    "suit.h": "bold red",
    "suit.d": "bold magenta",
    "card.red": "bold red",
    "card.purple": "bold magenta",
}
JOKER_STYLE = "bold reverse"
PASSES = ("-", "PASS", "P")  # what people type to pass, in capitals

_CARD = rf"[{SUITS}][{RANKS}]"
_RUN_TOGETHER = re.compile(rf"(?:{JOKER_TEXT}|{_CARD}|[{RANKS}][{SUITS}])+")
_ONE_OF_RUN = re.compile(rf"{JOKER_TEXT}|{_CARD}|[{RANKS}][{SUITS}]")
_SUITED = re.compile(rf"[{SUITS}](?=[{RANKS}<>])")  # "<" and ">" are the places beyond a suit's ends


def card_theme(color_system: str | None) -> Theme:
    """Return the styles of cards for a terminal, by rich's name of the colours that it has."""
    return Theme(FEW_COLOURS if color_system in ("standard", "windows") else MANY_COLOURS)


def _style(suit: str) -> str:
    return f"suit.{suit.lower()}"


def card_text(word: str) -> Text:
    """Return a card, ``S7``, ``JK`` or ``JK=S7``, as text in colour, its suit as a symbol."""
    if word.startswith(JOKER_TEXT):
        joker, equals, stands_for = word.partition("=")
        text = Text(joker, JOKER_STYLE)
        return text.append(equals).append_text(card_text(stands_for)) if equals else text
    return Text(_SUITED.sub(lambda suit: SYMBOLS[SUITS.index(suit[0])], word), _style(word[0]))


def cards_text(words: str | Iterable[str], gap: str = " ") -> Text:
    """Return cards, written with spaces between them or one by one, as text in colour."""
    return Text(gap).join(card_text(word) for word in (words.split() if isinstance(words, str) else words))


def suits_text(letters: str) -> Text:
    """Return suits, written as in ``SH``, as symbols in colour."""
    return Text(" ").join(Text(SYMBOLS[SUITS.index(letter)], _style(letter)) for letter in letters)


def hand_texts(hand: str) -> list[Text]:
    """Return a hand that is sorted by rank, as one text for each rank, and one for each joker."""
    ranks: dict[str, list[str]] = {}
    for number, word in enumerate(hand.split()):
        ranks.setdefault(f"{JOKER_TEXT}{number}" if word == JOKER_TEXT else word[-1], []).append(word)
    return [cards_text(words) for words in ranks.values()]


def typed_words(typed: str) -> list[str]:
    """Return the words of what somebody typed, as cards are written: ``7s ♥10, joker`` is ``S7 HT JK``.

    A rank without a suit stays a rank.
    """
    text = plain(typed).upper().replace("10", "T").replace("JOKER", JOKER_TEXT).replace(",", " ")
    words = []
    for word in text.split():
        cards = _ONE_OF_RUN.findall(word) if _RUN_TOGETHER.fullmatch(word) else [word]
        words += [card[::-1] if card[0] in RANKS and card[-1] in SUITS else card for card in cards]
    return words


def matching(typed: str, texts: list[str]) -> list[int]:
    """Return which of the moves `texts` are meant by cards that somebody typed, by index.

    A rank means a card of that rank in any suit, ``JK`` a joker whatever it stands for; a kind, as in ``G:``, may be
    left out. Only moves of exactly as many cards are meant.
    """
    kind, colon, cards = plain(typed).upper().rpartition(":")
    words = typed_words(cards)
    found = []
    for index, text in enumerate(texts):
        its_kind, _, its_cards = text.rpartition(":")
        if (not colon or kind.strip() == its_kind) and fits(words, its_cards.split()):
            found.append(index)
    return found


def fits(words: list[str], cards: list[str]) -> bool:
    """Return whether words that somebody typed can stand for all cards of a move."""
    if len(words) != len(cards):
        return False
    left = Counter(cards) - Counter(words)  # what is named exactly goes first
    vague = Counter(words) - Counter(cards)
    for word, count in vague.items():
        fitting = [card for card in left.elements() if is_of(card, word)][:count]
        if len(fitting) < count:
            return False
        left -= Counter(fitting)
    return not left


def is_of(card: str, word: str) -> bool:
    """Return whether a card is of the rank `word`, or is a joker where that is ``JK``."""
    return card.startswith(JOKER_TEXT) if word == JOKER_TEXT else card[:1] in SUITS and card[1:] == word


def with_suits(words: list[str], hand: list[str]) -> list[str]:
    """Return words that somebody typed with cards instead of ranks: cards of the hand, as far as it has any."""
    words = list(words)
    left = [card for card in hand if card not in words]
    for index, word in enumerate(words):
        if word in RANKS:
            held = next((card for card in left if is_of(card, word)), None)
            others = (suit + word for suit in SUITS if suit + word not in (*words, *hand))
            words[index] = held or next(others, None) or SUITS[0] + word  # of more than four one stands twice
            left = [card for card in left if card != held]
    return words
