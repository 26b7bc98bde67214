"""How Daifugo looks at a terminal."""

from typing import Any

from rich.text import Text

from ...sim.cards import JOKER, JOKER_TEXT, RANKS, SUITS, format_cards, format_suits
from ...sim.daifugo.game import PLACE_NAMES
from ...sim.daifugo.moves import in_reverse
from ...sim.daifugo.notation import format_move, format_span
from ...sim.daifugo.play import cuts
from ...sim.daifugo.rules import Rules
from ...sim.daifugo.state import ASIDE, BLIND, FALL, PLAY, SINGLE, TRIBUTE
from ...sim.daifugo.tribute import giver, pair_count, pair_of, receiver, tribute_size
from ...sim.game import PASS
from .board import Board, Names
from .cards import PASSES, cards_text, hand_texts, matching, suits_text, typed_words, with_suits

PACK = [suit + rank for rank in RANKS for suit in SUITS]
HEAD = 11  # columns before what a line is about
ALARM = "bold reverse"  # for what turns the game round: seen without colour too
KINDS = {"S": "single", "G": "group", "Q": "sequence"}
GROUPS = {2: "pairs", 3: "threes", 4: "fours"}


# What lies on the table


def situation(rules: Rules, record: Any, names: Names) -> list[Text]:
    """Return all that lies on the table, and the hands that are known: one of an observation, which comes last."""
    open_hands = record.observer < 0
    lines = []
    for seat in range(rules.players):
        lines.append(_seat_line(rules, record, names, seat))
        if open_hands and record.hands[seat]:
            lines.append(_hand_line("", record.hands[seat]))
    if open_hands:
        lines += [
            _hand_line(name, record.hands[holder])
            for name, holder in (("blind", BLIND), ("aside", ASIDE))
            if record.hands[holder]
        ]
    lines += _tribute(rules, record, names) if record.phase == TRIBUTE else [_field(rules, record, names)]
    lines.append(_in_force(record))
    if not open_hands:
        lines.append(_hand_line("hand", record.hands[record.observer]))
    return lines


def _seat_line(rules: Rules, record: Any, names: Names, seat: int) -> Text:
    """Return who sits at a seat, how many cards are held there, and what has become of it."""
    to_act = seat == record.turn
    line = Text(f"{'▸' if to_act else ' '} {names.column(seat)} ", "bold" if to_act else "")
    line.append(f"{record.sizes[seat]:2}  " if record.sizes[seat] else " –  ")
    if record.ranked:
        ranks = PLACE_NAMES[rules.players]
        rank = ranks[record.previous[: rules.players].tolist().index(seat)]
        line.append(f"{rank.ljust(max(map(len, ranks)))}  ")
    left = _left(record)
    if seat in left:
        line.append(left[seat])
    elif record.field and record.owner == seat:
        line.append_text(move_text(format_move(rules, record.field)))
    elif record.passed >> seat & 1:
        line.append("passed")
    elif to_act and record.phase == PLAY and not record.field:
        line.append("leads")
    line.rstrip()
    return line


def _left(record: Any) -> dict[int, str]:
    """Return how each seat that is no longer in the game left it."""
    left = {int(seat): f"out, place {place}" for place, seat in enumerate(record.out[: record.out_count], 1)}
    for seat, reason in zip(record.sunk[: record.sunk_count], record.sunk_reason, strict=False):
        left[int(seat)] = "fell" if reason == FALL else "foul finish"
    return left


def _hand_line(name: str, hand: int) -> Text:
    return _line(name, Text("  ").join(hand_texts(format_cards(hand))))


def _line(name: str, text: Text | str) -> Text:
    """Return a line about something."""
    return Text(f"  {name}".ljust(HEAD)).append_text(Text(text) if isinstance(text, str) else text)


def _field(rules: Rules, record: Any, names: Names) -> Text:
    """Return what is to be beaten."""
    if not record.field:
        return _line("field", "empty")
    line = move_text(format_move(rules, record.field))
    return _line("field", line.append(f"  {_kind(rules, record.field)} by {names[record.owner]}"))


def _kind(rules: Rules, move: int) -> str:
    """Return what a play is: the kind, how many cards, and from where to where a sequence with jokers reaches."""
    letter, _, cards = format_move(rules, move).partition(":")
    if letter == "S":
        return KINDS[letter]
    span = format_span(int(move)) if JOKER_TEXT in cards else None
    return f"{KINDS[letter]} of {len(cards.split())}" + (f" from {span[0]} to {span[1]}" if span else "")


def _tribute(rules: Rules, record: Any, names: Names) -> list[Text]:
    """Return who gives what to whom, as far as the record knows: what is given is not in the hands yet."""
    lines = []
    for pair in range(pair_count(rules)):
        giving, receiving = int(giver(rules, record, pair)), int(receiver(rules, record, pair))
        line = Text(f"{names[giving]} to {names[receiving]}: ").append_text(_given(rules, record, pair))
        if receiving == record.observer and not record.given[pair]:
            line.append(", which you see when you have chosen")
        lines.append(_line("tribute", line))
    return lines


def _given(rules: Rules, record: Any, pair: int) -> Text:
    """Return what goes up in a pair: the cards where they are known."""
    if record.given[pair]:
        return cards_text(format_cards(record.given[pair]))
    size = tribute_size(rules, pair)
    return Text("the strongest card" if size == 1 else f"the {size} strongest cards")


def _in_force(record: Any) -> Text:
    """Return the order, and whether revolution, J-back and lock are in force: always all of them."""
    weakest, strongest = (RANKS[-1], RANKS[0]) if in_reverse(record) else (RANKS[0], RANKS[-1])
    line = Text().append(f"{weakest} to {strongest}", ALARM if in_reverse(record) else "")
    for name, on in (("revolution", record.revolution), ("J-back", record.jback)):
        line.append(" · ").append(f"{name} ON" if on else f"{name} off", ALARM if on else "")
    line.append(" · ")
    if record.locked:
        line.append("lock ON", ALARM).append(" ").append_text(suits_text(format_suits(record.locked)))
    else:
        line.append("lock off")
    return _line("order", line)


# What happens


def dealt(rules: Rules, record: Any, names: Names) -> list[Text]:
    """Return how a game begins."""
    if record.phase == TRIBUTE:
        return [Text("The cards are dealt. Before the first lead there is tribute.")]
    return [Text(f"The cards are dealt. First to lead: {names[record.turn]}.")]


def visible(rules: Rules, record: Any) -> bool:
    """Return whether the move that is made now is seen: what goes back as tribute only by who chooses it."""
    return bool(record.phase == PLAY or record.observer in (-1, record.turn))


def told(rules: Rules, before: Any, move: int | None, after: Any, names: Names) -> list[Text]:
    """Return a line with a move and what it set off, and more lines when the cards of a tribute change hands."""
    seat = int(before.turn)
    line = Text(f"  {names.column(seat)}  ")
    if before.phase == TRIBUTE:
        size = tribute_size(rules, pair_of(rules, before, seat))
        line.append("tribute back: ")
        line.append_text(Text(_count(size)) if move is None else move_text(format_move(rules, move)))
        return [line] if after.phase == TRIBUTE else [line, *_exchange(rules, after, names)]
    assert move is not None  # it is open
    line.append_text(move_text(format_move(rules, move)))
    for effect in _effects(rules, before, move, after, names):
        line.append("  ").append_text(effect)
    return [line]


def _count(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"


def _exchange(rules: Rules, record: Any, names: Names) -> list[Text]:
    """Return what went from whom to whom, as far as the record knows it, and who leads."""
    lines = []
    for pair in range(pair_count(rules)):
        giving, receiving = int(giver(rules, record, pair)), int(receiver(rules, record, pair))
        back = record.returned[pair]
        line = Text(f"  {names[giving]} gave {names[receiving]} ").append_text(_given(rules, record, pair))
        line.append(" and got ")
        line.append_text(cards_text(format_cards(back)) if back else Text(_count(tribute_size(rules, pair))))
        lines.append(line)
    return [*lines, Text(f"  first to lead: {names[record.turn]}")]


def _effects(rules: Rules, before: Any, move: int, after: Any, names: Names) -> list[Text]:
    """Return what a play or a pass set off."""
    effects = []
    if after.revolution != before.revolution:
        effects.append(Text("revolution" if after.revolution else "revolution back", ALARM))
    if after.jback > before.jback:
        effects.append(Text("J-back", ALARM))
    if after.locked and not before.locked:
        effects.append(Text("lock ", ALARM).append_text(suits_text(format_suits(after.locked))))
    if after.out_count > before.out_count:
        effects.append(Text(f"out, place {after.out_count}", "bold"))
    for index in range(before.sunk_count, after.sunk_count):
        fell = after.sunk_reason[index] == FALL
        effects.append(Text(f"{names[after.sunk[index]]}: fall" if fell else "foul finish", "bold"))
    if after.turn < 0:
        effects.append(Text("the game is over", "bold"))
    elif not after.field and (move != PASS or before.field):
        effects.append(Text(f"{_why_cleared(rules, before, move)}field clears, next lead: {names[after.turn]}"))
    return effects


def _why_cleared(rules: Rules, before: Any, move: int) -> str:
    if move == PASS:
        return ""
    if cuts(rules, move):
        return "8-cut: "
    return "♠3 on the joker: " if before.field == SINGLE | JOKER else "nothing beats it: "


# Moves


def move_text(text: str) -> Text:
    """Return a move, ``G:S7 H7``, as its cards in colour."""
    return Text("passes") if text == "-" else cards_text(text.rpartition(":")[2])


def question(rules: Rules, record: Any) -> str:
    """Return what the seat to act is asked."""
    if record.phase == TRIBUTE:
        size = tribute_size(rules, pair_of(rules, record, record.turn))
        return f"Give back ({_count(size)})"
    return "Play" if record.field else "Lead"


def grouped(texts: list[str]) -> list[tuple[str, list[int]]]:
    """Return headings and the moves under them, by kind and number of cards, those with jokers last."""
    groups: dict[tuple[bool, int, int, str], list[int]] = {}
    for index, text in enumerate(texts):
        kind, _, cards = text.rpartition(":")
        size = len(cards.split())
        joker = JOKER_TEXT in cards
        if kind == "G":
            key = joker, 1, 0 if joker else size, "groups with jokers" if joker else GROUPS[size]
        elif kind == "Q":
            key = joker, 2, 0, "sequences with jokers" if joker else "sequences"
        else:
            key = False, 0, 0, "singles" if kind == "S" else "cards to give back"
        groups.setdefault(key, []).append(index)
    return [(key[-1], sorted(groups[key], key=lambda index: _order(texts[index]))) for key in sorted(groups)]


def _order(text: str) -> tuple[int, list[int]]:
    """Return what to sort moves by: the number of cards, then the cards as they are in the pack, jokers last."""
    words = text.rpartition(":")[2].split()
    return len(words), [PACK.index(word) if word in PACK else len(PACK) for word in words]


def spelled(rules: Rules, record: Any, typed: str) -> str:
    """Return a move that somebody typed and that is not legal as `parse_move` reads it, so that it can say why.

    Ranks without a suit become cards of the hand, where there are any.
    """
    if typed.upper() in PASSES:
        return "-"
    kind, _, rest = typed.upper().rpartition(":")
    words = with_suits(typed_words(rest), format_cards(record.hands[record.turn]).split())
    cards = " ".join(words)
    if record.phase == TRIBUTE:
        return cards
    if not kind:
        ranks = {word[1:] for word in words if not word.startswith(JOKER_TEXT)}
        kind = "S" if len(words) == 1 else "Q" if len(words) > 2 and len(ranks) > 1 else "G"
    return f"{kind}:{cards}"


HOW_TO_TYPE = (
    "Cards are a suit, s h d c, and a rank, 3 4 5 6 7 8 9 10 (or T) J Q K A 2; a joker is jk: s7 h7, or 7s 7h.",
    "A rank is any card of that rank: 7 7 is a pair of 7s. A number alone is a line of the list; 0 or pass passes.",
    "Where a joker stands for a card that you name: 7 jk=h7; one step past the ends of the row jk=s< and jk=s>.",
    "G: or Q: before the cards says whether they are a group or a sequence, where they can be both.",
    "The order of the ranks, from weak to strong, and revolution, J-back and lock stand above the hand.",
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
