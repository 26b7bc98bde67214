"""How Dobon looks at a terminal.

Nobody is to see who is asked whether to shoot, who does not, or that a drawn card could have been played (B7). So what
a play sets off is told in lines of its own when nobody is asked any more, and a card that is kept makes no line: it
reads the same whether somebody had a choice or not.
"""

from typing import Any

from rich.text import Text

from ...sim.cards import RANKS, SUITS, plain
from ...sim.dobon.cards import EIGHT, JACK, NINE, PACK, TWO, card_list, card_text, value_of
from ...sim.dobon.moves import top_of
from ...sim.dobon.notation import format_move, seats_from
from ...sim.dobon.rules import Rules
from ...sim.dobon.state import DRAWN, NO, OUT, OVER, RETURN, RETURNED, SHOOT, SHOOTING, STOPPED, TURN
from .board import Board, Names
from .cards import PASSES, cards_text, fits, hand_texts, suits_text, typed_words, with_suits

HEAD = 11  # columns before what a line is about
ALARM = "bold reverse"  # for what somebody has to answer: seen without colour too
GROUPS = {1: "one card", 2: "two cards", 3: "three cards", 4: "four cards"}
ALIASES = {
    **dict.fromkeys(("D", "DRAW"), "draw"),
    **dict.fromkeys(("S", "SHOOT", "DOBON", "RON", "Y", "YES"), "shoot"),
    **dict.fromkeys(("N", "NO"), "no"),
}
VALUES = [number for number in range(1, 14) for _ in SUITS]  # of all cards


def decides(record: Any) -> bool:
    """Return whether the seat that looks on is to act; where somebody is asked, ``turn`` is the player for others."""
    asks_others = record.phase == SHOOTING and record.observer == record.player
    return bool(record.turn == record.observer and not asks_others)


# What lies on the table


def situation(rules: Rules, record: Any, names: Names) -> list[Text]:
    """Return all that lies on the table, and the hands that are known: one of an observation, which comes last."""
    open_hands = record.observer < 0
    lines = []
    for seat in range(rules.players):
        lines.append(_seat_line(record, names, seat))
        if open_hands and record.hands[seat]:
            lines.append(_line("", _hand(record.hands[seat])))
    top = cards_text(card_text(int(record.top)))
    if record.top >> 2 == EIGHT:
        top.append("  as ").append_text(suits_text(SUITS[record.suit]))
    lines.append(_line("top", top))
    if record.pending:
        lines.append(_line("2s", Text(f"play a 2, or draw {record.pending}", ALARM)))
    if record.phase in (SHOOTING, RETURN):
        lines.append(_line("put down", _put_down(rules, record, names[record.player])))
    if record.drawn:
        lines.append(_line("drawn", cards_text(card_list(record.drawn))))
    pile = int(record.pile).bit_count()
    lines.append(_line("order", Text(f"{_direction(record)} · {record.left} in the stock · {pile} in the pile")))
    if not open_hands:
        lines.append(_line("hand", _hand(record.hands[record.observer])))
    return lines


def _seat_line(record: Any, names: Names, seat: int) -> Text:
    """Return who sits at a seat, how many cards are held there, and what it has answered where that is known."""
    to_act = seat == record.turn
    line = Text(f"{'▸' if to_act else ' '} {names.column(seat)} ", "bold" if to_act else "")
    line.append(f"{record.sizes[seat]:2}")
    if record.shooters >> seat & 1:
        line.append("  shoots", ALARM)
    elif record.asked >> seat & 1:
        line.append("  may shoot" if record.waiting >> seat & 1 else "  does not shoot")
    elif record.sizes[seat] == 1:
        line.append("  one card left", "bold")
    return line


def _line(name: str, text: Text) -> Text:
    """Return a line about something."""
    return Text(f"  {name} ".ljust(HEAD)).append_text(text)


def _hand(hand: int) -> Text:
    """Return a hand by number, and what it adds up to."""
    return Text("  ").join(hand_texts(" ".join(card_list(hand)))).append(f"   adds up to {value_of(hand)}")


def _put_down(rules: Rules, record: Any, player: str) -> Text:
    """Return the cards that may be shot."""
    cards = record.last & PACK
    text = move_text(format_move(rules, record.last)).append(f" by {player}")
    return text.append(f", {value_of(cards)} in all" if cards & (cards - 1) else "")


def _direction(record: Any) -> str:
    return "clockwise" if record.direction > 0 else "anticlockwise"


# What happens


def dealt(rules: Rules, record: Any, names: Names) -> list[Text]:
    """Return how a deal begins."""
    line = Text("The cards are dealt. ").append_text(cards_text(card_text(int(record.top)))).append(" lies there. ")
    return [line.append(f"First to play: {names[record.first]}.")]


def visible(rules: Rules, record: Any) -> bool:
    """Return whether the move that is made now is seen: not an answer of others, nor whether a drawn card is kept."""
    return bool(record.observer < 0 or record.phase in (TURN, OVER) or decides(record))


def told(rules: Rules, before: Any, move: int | None, after: Any, names: Names) -> list[Text]:
    """Return lines with what a move was and what it set off, as far as all see it, and what it gave who looks on."""
    player = int(before.player)
    line = Text(f"  {names.column(player)}  ")
    lines = []
    if after.last != before.last:
        lines.append(line.append_text(move_text(format_move(rules, after.last))))
    elif before.phase == TURN:
        drawn = int(after.sizes[player] - before.sizes[player])
        lines.append(line.append(f"draws {drawn}" if drawn else "would have to draw, but there is no card"))
    elif before.phase == DRAWN and decides(before):
        lines.append(line.append("keeps the card"))
    elif move == NO:
        lines.append(Text(f"    {names.does(int(before.turn), 'does not shoot', 'do not shoot')}"))
    elif move == SHOOT and after.phase == SHOOTING and before.observer < 0:  # else one would know that others are asked
        lines.append(Text(f"    {names.does(int(before.turn), 'shoots', 'shoot')}"))
    shot = before.phase == SHOOTING and after.phase != SHOOTING and after.shooters
    if shot:
        lines += [_event(names.does(seat, "shoots", "shoot")) for seat in seats_from(rules, after.shooters, player)]
    elif after.phase != SHOOTING and (after.last != before.last or before.phase == SHOOTING):
        lines += _effects(rules, before, after, names)
    if after.refills > before.refills:
        lines.append(Text("    the stock was empty: the pile is shuffled into a new one"))
    lines += _drawn(rules, before, after, names)
    if after.phase == OVER:
        lines += _end(rules, after, names)
    return lines


def _event(text: str) -> Text:
    return Text("    ").append(f" {text} ", ALARM)


def _effects(rules: Rules, before: Any, after: Any, names: Names) -> list[Text]:
    """Return what the last play did when it was not shot: the call of one card, skips, the direction, 2s."""
    player = int(before.player)
    cards, number = int(after.last) & PACK, top_of(after.last) >> 2
    held = _held_after_play(before, after)
    if held[player] == 0:
        return []
    lines = []
    if held[player] == 1:
        drawn = [int(after.sizes[seat]) - held[seat] for seat in range(rules.players)]
        lines.append(Text(f"    {_call(rules, player, drawn, names)}"))
    if after.phase == OVER:  # stopped
        return lines
    if number == TWO:
        lines.append(Text(f"    {names.does(int(after.turn), 'has', 'have')} to play a 2, or to draw {after.pending}"))
    elif number == NINE and after.direction != before.direction:
        lines.append(Text(f"    the turn goes {_direction(after)} now"))
    elif number == JACK:
        steps = range(1, cards.bit_count() + 1)
        skipped = [names[(player + step * int(after.direction)) % rules.players] for step in steps]
        lines.append(Text(f"    skipped: {', '.join(skipped)}"))
    return lines


def _call(rules: Rules, player: int, drawn: list[int], names: Names) -> str:
    """Return what the call of the last card did; `drawn` is how many cards each seat drew."""
    if drawn[player]:
        return f"somebody else calls the last card: {names.does(player, 'draws', 'draw')} {drawn[player]}"
    others = seats_from(rules, -1, player)[:-1]
    numbers = {drawn[seat] for seat in others}
    draws = f"everybody else draws {numbers.pop()}" if len(numbers) == 1 else ""
    draws = draws or ", ".join(f"{names[seat]} +{drawn[seat]}" for seat in others if drawn[seat])
    return names.does(player, "calls", "call") + " the last card" + (f": {draws}" if any(drawn) else "")


def _held_after_play(before: Any, after: Any) -> list[int]:
    """Return how many cards each seat held when the last play lay there and nobody had drawn for it."""
    held = [int(size) for size in before.sizes]
    if after.last != before.last:
        held[before.player] -= (int(after.last) & PACK).bit_count()
    return held


def _drawn(rules: Rules, before: Any, after: Any, names: Names) -> list[Text]:
    """Return the cards that were drawn, where they are known."""
    lines = []
    played = int(after.last) & PACK if after.last != before.last else 0
    for seat in range(rules.players):
        if after.observer in (-1, seat):
            cards = int(after.hands[seat]) & ~(int(before.hands[seat]) & ~played)
            if cards:
                text = Text(f"    {names.does(seat, 'gets', 'get')} ")
                lines.append(text.append_text(cards_text(card_list(cards))))
    return lines


def _end(rules: Rules, record: Any, names: Names) -> list[Text]:
    """Return how a deal ended."""
    player = int(record.player)
    lines = []
    if record.end == RETURNED:
        lines.append(_event(names.does(player, "shoots back", "shoot back")))
    elif record.end == OUT:
        lines.append(Text(f"    {names.does(player, 'has', 'have')} no cards left", "bold"))
    elif record.end == STOPPED:
        lines.append(Text(f"    the deal is stopped after {record.turns} turns", "bold"))
    return [*lines, Text("    the deal is over", "bold")]


def unasked(rules: Rules, before: Any, after: Any, names: Names) -> list[Text] | None:
    """Return what to show a seat that, for all that others know, may be asked to shoot, or to shoot back, but is not.

    Others know how many cards it holds, and so between what they can add up to.
    """
    seat, player = int(before.observer), int(before.player)
    if seat == player:
        asks = before.phase == SHOOTING and after.phase != SHOOTING and after.shooters
    else:
        asks = after.last != before.last
    if not asks or not _may_shoot(int(before.sizes[seat]), int(after.last) & PACK):
        return None
    back = " back" if seat == player else ""
    put_down, hand = _line("put down", _put_down(rules, after, names[player])), _line("hand", _hand(before.hands[seat]))
    return [put_down, hand, Text(f"You cannot shoot{back}.")]


def _may_shoot(size: int, cards: int) -> bool:
    """Return whether some hand of so many cards could shoot cards put down (B5.1)."""
    if size == 0:
        return False
    one_card = cards & (cards - 1) == 0
    return sum(VALUES[:size]) <= value_of(cards) <= sum(VALUES[-size:]) or (one_card and size < len(SUITS))


# Moves


def move_text(text: str) -> Text:
    """Return a move, ``H5+C5``, ``S8:H`` or a word, in colour."""
    if text in ("draw", "shoot", "no"):
        return Text(text)
    cards, colon, suit = text.partition(":")
    play = cards_text(cards.split("+"))
    return play.append(" as ").append_text(suits_text(suit)) if colon else play


def question(rules: Rules, record: Any) -> str:
    """Return what the seat to act is asked."""
    if record.phase == DRAWN:
        return "Play with it, or pass"
    if record.phase == SHOOTING:
        return "Shoot, or no"
    if record.phase == RETURN:
        return "Shoot back, or no"
    return "Answer" if record.pending else "Play"


def grouped(texts: list[str]) -> list[tuple[str, list[int]]]:
    """Return headings and the moves under them: words first, then plays by the number of cards."""
    groups: dict[tuple[int, str], list[int]] = {}
    for index, text in enumerate(texts):
        if text in ("shoot", "no"):
            key = 0, "answers"
        elif text == "draw":
            key = 0, text
        else:
            size = text.count("+") + 1
            key = size, GROUPS[size] + (", the last one on top" if size > 1 else "")
        groups.setdefault(key, []).append(index)
    return [(key[-1], groups[key]) for key in sorted(groups)]


def matching(typed: str, texts: list[str]) -> list[int]:
    """Return which of the moves `texts` are meant by what somebody typed, by index.

    A rank means a card of that rank in any suit. The last card ends on top; an 8 without a suit may name any.
    """
    word = ALIASES.get(typed.upper())
    if word in texts:
        return [texts.index(word)]
    words, suit = _read(typed)
    found = []
    for index, text in enumerate(texts):
        cards, _, named = text.partition(":")
        *below, top = cards.split("+")
        if words and fits(words[-1:], [top]) and fits(words[:-1], below) and suit in ("", named):
            found.append(index)
    return found


def _read(typed: str) -> tuple[list[str], str]:
    """Return the cards, or their ranks, of what somebody typed, and the suit that is named: ``s8 as h``, ``8s:h``."""
    words = typed_words(plain(typed).upper().replace("+", " ").replace(":", " ").replace(" AS ", " "))
    if len(words) > 1 and words[-1] in SUITS:
        return words[:-1], words[-1]
    return words, ""


def spelled(rules: Rules, record: Any, typed: str) -> str:
    """Return a move that somebody typed and that is not legal as `parse_move` reads it, so that it can say why.

    Ranks without a suit become cards of the hand, where there are any; an 8 names its own suit if no other is named.
    """
    if typed.upper() in PASSES:
        return "pass"
    if typed.upper() in ALIASES:
        return ALIASES[typed.upper()]
    words, suit = _read(typed)
    if not words:
        return typed
    *below, top = with_suits(words, card_list(record.hands[record.turn]))
    if not suit and top[1:] == "8":
        suit = top[0]
    below.sort(key=lambda card: SUITS.find(card[0]))
    return "+".join([*below, top]) + (f":{suit}" if suit else "")


HOW_TO_TYPE = (
    f"Cards are a suit, s h d c, and a rank, {' '.join(RANKS)} (10 is T): s7, or 7s. A rank is any card of it: k.",
    "Several cards of one number: s7 h7, the last one ends on top. An 8 names a suit: s8 h is the 8 as a heart.",
    "draw (d), shoot (s, y), no (n); 0 or pass keeps a drawn card. A number alone is a line of the list.",
    "A card fits that has the number or the suit of the top one. 2: the next one draws two or plays a 2; J skips;",
    "9 turns the order round. Who comes down to one card calls it, and the others draw.",
    "Shoot what was just put down: your cards add up to as much, or it was one card and all of yours have its number.",
)

BOARD = Board(
    situation=situation,
    dealt=dealt,
    visible=visible,
    told=told,
    question=question,
    grouped=grouped,
    move_text=move_text,
    matching=matching,
    spelled=spelled,
    how_to_type=HOW_TO_TYPE,
    unasked=unasked,
)
