"""How Voodoo Prince looks at a terminal. All that is hidden are hands and what lies aside."""

import re
from typing import Any

from rich.text import Text

from ...sim.voodoo_prince.notation import LETTERS, cards_in, format_card, format_hand, in_order_played, is_in
from ...sim.voodoo_prince.play import trick_worth, winning_card
from ...sim.voodoo_prince.rules import NEED, Rules
from ...sim.voodoo_prince.state import NAME
from .board import Board, Names

WORDS = ("red", "yellow", "green", "blue", "purple")
ORDINALS = ("", "1st", "2nd", "3rd", "4th", "5th")
HEAD = 11  # columns before what a line is about

_COLOUR = rf"([{LETTERS}]|{'|'.join(WORDS).upper()})"
_CARD = re.compile(rf"{_COLOUR} ?(\d+)|(\d+) ?{_COLOUR}")
_TRUMP = re.compile(rf"TRUMP[ :=]*{_COLOUR}")


def colour_text(colour: int, text: str) -> Text:
    """Return a text in the colour of a colour, 1 … 5."""
    return Text(text, f"card.{WORDS[colour - 1]}")


def colour_name(colour: int) -> Text:
    """Return a colour in words, with its letter."""
    return colour_text(colour, f"{LETTERS[colour - 1]} ({WORDS[colour - 1]})")


def card_text(card: int) -> Text:
    """Return a card, ``R7``, in its colour."""
    return colour_text(card >> 4, format_card(card))


# What lies on the table


def situation(rules: Rules, record: Any, names: Names) -> list[Text]:
    """Return all that lies on the table, and the hands that are known: one of an observation, which comes last."""
    lines = []
    for seat in range(rules.players):
        lines.append(_seat_line(rules, record, names, seat))
        if record.observer < 0 and is_in(record, seat):
            lines.append(_line("", _hand(record, seat)))
    lines += [_line("trick", _trick(rules, record, names)), _line("trump", _trump(record, names))]
    if record.observer >= 0:
        left = not is_in(record, record.observer)
        lines.append(_line("hand", Text("lies aside") if left else _hand(record, int(record.observer))))
    return lines


def _seat_line(rules: Rules, record: Any, names: Names, seat: int) -> Text:
    """Return who sits at a seat, the cards held, tricks won, the card in the trick, and what is known of the hand."""
    to_act = seat == record.turn
    line = Text(f"{'▸' if to_act else ' '} {names.column(seat)} ", "bold" if to_act else "")
    line.append(f"{record.sizes[seat]:2}  " if is_in(record, seat) else " –  ")
    line.append(f"{record.tricks[seat]} of {NEED[rules.players]} tricks  ")
    if not is_in(record, seat):
        line.append(f"left {ORDINALS[record.exit[seat]]}: {_points(record.scores[seat])}")
    else:
        card = card_text(int(record.table[seat])) if record.table[seat] else Text()
        card.pad_right(5 - card.cell_len)
        lacks = [letter for colour, letter in enumerate(LETTERS, 1) if record.lacks[seat] >> colour & 1]
        line.append_text(card).append(f"no {' '.join(lacks)}" if lacks else "")
    line.rstrip()
    return line


def _points(points: int) -> str:
    return "1 point" if points == 1 else f"{points} points"


def _line(name: str, text: Text) -> Text:
    """Return a line about something."""
    return Text(f"  {name}".ljust(HEAD)).append_text(text)


def _hand(record: Any, seat: int) -> Text:
    """Return the hand of a seat by colour."""
    colours: dict[int, list[Text]] = {}
    for card in cards_in(record.hands, seat):
        colours.setdefault(card >> 4, []).append(card_text(card))
    return Text("  ").join(Text(" ").join(cards) for cards in colours.values())


def _trick(rules: Rules, record: Any, names: Names) -> Text:
    """Return the cards of the trick in the order played, and which of them wins so far."""
    if record.turn < 0:
        return Text("the round is over")
    if not record.lead:
        return Text(names.does(int(record.turn), "leads", "lead"))
    seats = in_order_played(rules, record)
    best = int(winning_card(rules, record))
    line = Text(" ").join(card_text(int(record.table[seat])) for seat in seats)
    line.append(f"  led by {names[seats[0]]}; ").append_text(card_text(best))
    return line.append(f" wins so far{_worth(best)}")


def _worth(card: int) -> str:
    return ", as two tricks" if trick_worth(card) == 2 else ""


def _trump(record: Any, names: Names) -> Text:
    if record.trump:
        return colour_name(int(record.trump))
    return Text(names.does(int(record.turn), "names it", "name it"))


# What happens


def dealt(rules: Rules, record: Any, names: Names) -> list[Text]:
    """Return how a round begins."""
    leader = int(record.turn)
    if record.trump:
        line = Text("The cards are dealt. Trump is drawn: ").append_text(colour_name(int(record.trump)))
        return [line.append(f". First to lead: {names[leader]}.")]
    who = names.does(leader, "names trump and leads", "name trump and lead")
    return [Text(f"The cards are dealt. The last one left, {who}.")]


def visible(rules: Rules, record: Any) -> bool:
    """Return whether the move that is made now is seen: all are."""
    return True


def told(rules: Rules, before: Any, move: int | None, after: Any, names: Names) -> list[Text]:
    """Return a line with a move, and more when it completes a trick."""
    assert move is not None  # it is open
    seat = int(before.turn)
    line = Text(f"  {names.column(seat)}  ")
    if move > NAME:
        return [line.append("trump ").append_text(colour_name(move - NAME))]
    line.append("" if before.lead else "leads ").append_text(card_text(move))
    if before.lead and move >> 4 != before.lead:
        line.append(f"  no {LETTERS[before.lead - 1]}")
    return [line] if after.lead else [line, *_trick_won(rules, before, move, after, names)]


def _trick_won(rules: Rules, before: Any, move: int, after: Any, names: Names) -> list[Text]:
    """Return who won a trick and with what, who left with it, and whether the round is over."""
    winner = int((after.tricks - before.tricks).argmax())
    card = move if winner == before.turn else int(before.table[winner])
    line = Text("    trick to ").append(f"{names[winner]} with ").append_text(card_text(card))
    lines = [line.append(f"{_worth(card)}: {after.tricks[winner]} of {NEED[rules.players]}")]
    if after.gone > before.gone:
        place, points = ORDINALS[after.exit[winner]], _points(after.scores[winner])
        lines.append(Text(f"    {names.does(winner, 'leaves', 'leave')} {place} with {points}", "bold"))
    if after.turn < 0:
        last = int(after.last)
        left_over = f"{names.does(last, 'is', 'are')} left over with {_points(after.scores[last])}"
        lines.append(Text(f"    {left_over}: the round is over", "bold"))
    return lines


# Moves


def move_text(text: str) -> Text:
    """Return a move, ``R7`` or ``trump:R``, in colour."""
    colour = LETTERS.index(text.removeprefix("trump:")[0]) + 1
    return colour_text(colour, text.replace(":", " "))


def question(rules: Rules, record: Any) -> str:
    """Return what the seat to act is asked."""
    if not record.trump:
        return "Name trump"
    return f"Play to {LETTERS[record.lead - 1]}" if record.lead else "Lead"


def grouped(texts: list[str]) -> list[tuple[str, list[int]]]:
    """Return headings and the moves under them, by colour."""
    groups: dict[str, list[int]] = {}
    for index, text in enumerate(texts):
        heading = "trump" if text.startswith("trump:") else WORDS[LETTERS.index(text[0])]
        groups.setdefault(heading, []).append(index)
    return list(groups.items())


def matching(typed: str, texts: list[str]) -> list[int]:
    """Return which of the moves `texts` are meant by what somebody typed, by index.

    A colour alone means it as trump, or any card of it.
    """
    text = _read(typed)
    if text in LETTERS:
        return [index for index, other in enumerate(texts) if text in (other[0], other.removeprefix("trump:"))]
    return [index for index, other in enumerate(texts) if other == text]


def _read(typed: str) -> str:
    """Return what somebody typed as a move is written: ``red 7`` or ``7r`` is ``R7``. A colour alone is its letter."""
    text = " ".join(typed.upper().split())
    if trump := _TRUMP.fullmatch(text):
        return f"trump:{trump[1][0]}"
    if card := _CARD.fullmatch(text):
        return f"{(card[1] or card[4])[0]}{int((card[2] or card[3])[-9:])}"
    return text[0] if re.fullmatch(_COLOUR, text) else text


def spelled(rules: Rules, record: Any, typed: str) -> str:
    """Return a move that somebody typed and that is not legal as `parse_move` reads it, so that it can say why."""
    text = _read(typed)
    if text in LETTERS:
        hand = format_hand(rules, record, int(record.turn)).split()
        return next((card for card in hand if card[0] == text), f"{text}0")
    return text


HOW_TO_TYPE = (
    "Cards are a colour, r y g b p, and a rank: r7, 7r or red 7. A colour alone is any card of it, or names trump.",
    "A number alone is a line of the list.",
    "The colour led must be followed by who has it; no R says that somebody did not follow red, so has none.",
    "The highest trump wins, else the highest card of the colour led; a 0 beats the highest rank of its own colour.",
    "A trick that is won with a 5 or a 7 counts as two.",
    "Who has enough tricks leaves and scores the tricks of all the others; the last one left scores its own.",
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
)
