"""Which clauses of the rules page a position, its legal plays, the play that was made and its effects bear on.

This is only for counting what a comparison has met: nothing here decides whether the kernels are right.
"""

from collections.abc import Callable
from typing import Any

from ..daifugo_table import Position
from ..naive import daifugo as twin
from .walk import Deal, Step, form_of, named_in


class Scene:
    """A step with what the clauses ask about."""

    def __init__(self, step: Step) -> None:
        self.options, self.before, self.legal, self.text, self.after, self.deal = step
        before, after = self.before, self.after
        self.seat: int = before["turn"]
        self.hand = before["hands"][self.seat].split()
        self.field: dict[str, Any] | None = before["field"]
        self.lying = twin.parse(self.field["play"]) if self.field else None
        self.owner: int | None = self.field["owner"] if self.field else None
        self.lock: str = self.field["lock"] if self.field else ""
        self.turned = twin.is_turned(before)
        self.offered = {form_of(text) for text in self.legal}
        self.passes = self.text == twin.PASS
        self.over = after["turn"] is None
        self.cleared = not self.over and after["field"] is None and self.field is not None
        self.turns = after["revolution"] != before["revolution"]
        self.new_sunk = after["sunk"][len(before["sunk"]) :]
        self.new_out = after["out"][len(before["out"]) :]
        self.fouled = [self.seat, "foul"] in self.new_sunk
        self.fell = any(reason == "fall" for _, reason in self.new_sunk)

    def option(self, name: str) -> Any:
        return self.options[name]

    def can(self, kind: str, jokers: int) -> bool:
        """Whether a play of a kind with so many jokers is legal."""
        return any(form[0] == kind and form[1] == jokers for form in self.offered)


class Play(Scene):
    """A scene in which something was played."""

    def __init__(self, step: Step) -> None:
        super().__init__(step)
        self.meld = meld = twin.parse(self.text)
        self.kind, self.jokers, self.size = meld.kind, meld.jokers, meld.size
        self.wild = meld.jokers > 0 and self.options["joker_as"] == "wild"
        self.span = twin.read(self.options, meld, self.turned) if meld.kind == "Q" else (-1, -1)
        self.ranks = {card[1] for card in meld.cards}
        self.natural_ranks = {card[1] for card in meld.naturals}
        field = self.after["field"]  # also of the last play of a game
        self.cleared = not self.over and field is None
        self.locks = bool(field and field["lock"] and not self.lock)
        self.left = self.before["hands"][self.seat] != "" and not self.after["hands"][self.seat]
        self.on_joker = self.lying is not None and self.lying.kind == "S" and not self.lying.naturals
        self.jacks = self.option("j_back") and "J" in self.ranks
        self.eight = "8" in self.ranks and self.option("eight_cut") != "off"
        self.cuts = self.eight and (self.kind != "Q" or self.option("eight_cut") == "any")
        sit_out = self.before["passed"] if self.option("pass_sits_out") else []
        waiting = [seat for seat in twin.still_in(self.after) if seat != self.seat and seat not in sit_out]
        self.unbeatable = (  # it cleared, and for none of the other reasons
            self.cleared and bool(waiting) and not self.cuts and not (self.on_joker and self.text == "S:S3")
        )

    def shifted(self, end: str) -> int:
        """How many jokers a sequence has beyond its natural cards at its strong or weak end."""
        places = [twin.place(card) for card in self.meld.naturals]
        low, high = min(places) - self.span[0], self.span[1] - max(places)
        return low if (end == "strong") == self.turned else high

    def beats_from(self, kind: str) -> bool:
        """Whether it was played on a field of a kind."""
        return self.lying is not None and self.kind == kind

    def overlaps(self) -> bool:
        """Whether a sequence begins within the one that it beats."""
        if self.field is None or self.kind != "Q":
            return False
        low, high = (twin.SPAN_NAMES.index(end) for end in self.field["span"])
        return self.span[0] <= high and low <= self.span[1]

    def same_suits(self) -> bool:
        """Whether the natural cards have the suits of those of the play before."""
        cards = {card[0] for card in self.meld.naturals}
        return self.lying is not None and bool(cards) and cards == {card[0] for card in self.lying.naturals}


def _played_on(kind: str) -> Callable[[Play], bool]:
    return lambda s: s.beats_from(kind)


POSITION: dict[str, Callable[[Scene], Any]] = {
    "D1.1 a hand with two jokers": lambda s: s.hand.count("JK") == 2,
    "D1.2 order of a revolution": lambda s: s.before["revolution"] and not s.before["jback"],
    "D1.2 order of a J-back": lambda s: s.before["jback"] and not s.before["revolution"],
    "D1.2 revolution and J-back cancel out": lambda s: s.before["jback"] and s.before["revolution"],
    "D3.2 a group with a joker": lambda s: s.can("G", 1),
    "D3.2 a group with two jokers": lambda s: s.can("G", 2),
    "D3.2 two jokers alone": lambda s: "G:JK JK" in s.legal,
    "D3.2 a group of five or six": lambda s: any(form[0] == "G" and form[2] >= 5 for form in s.offered),
    "D3.3 a sequence without jokers": lambda s: s.can("Q", 0),
    "D3.3 a sequence with a joker": lambda s: s.can("Q", 1),
    "D3.3 a sequence with two jokers": lambda s: s.can("Q", 2),
    "D3.3 a sequence of seven or more": lambda s: any(form[0] == "Q" and form[2] >= 7 for form in s.offered),
    "D3.4 a joker may stand for a card of the hand": lambda s: (
        s.option("joker_as") == "card" and "JK" in s.hand and any(named_in(text) & set(s.hand) for text in s.legal)
    ),
    "D3.6 the same cards as group and as sequence": lambda s: (
        s.can("G", 2) and s.can("Q", 2) and any("G" + text[1:] in s.legal for text in s.legal if text[0] == "Q")
    ),
    "D4.1 nothing but a pass": lambda s: s.legal == {twin.PASS},
    "D4.2 a joker lies alone": lambda s: s.field and s.field["play"] == "S:JK",
    "D4.2 two jokers lie alone": lambda s: s.field and s.field["play"] == "G:JK JK",
    "D4.2 a joker may be played on a card": lambda s: s.field and "S:JK" in s.legal,
    "D4.4 spade 3 held, but spade3 is off": lambda s: (
        s.field and s.field["play"] == "S:JK" and "S3" in s.hand and not s.option("spade3")
    ),
    "D5.2 locked to one suit": lambda s: len(s.lock) == 1,
    "D5.2 locked to two suits": lambda s: len(s.lock) == 2,
    "D5.2 locked to three or four suits": lambda s: len(s.lock) >= 3,
    "D5.2 a joker may be played under a lock": lambda s: s.lock and "S:JK" in s.legal,
    "D5.2 two jokers may be played under a lock": lambda s: s.lock and "G:JK JK" in s.legal,
    "D7.2 the leader may pass": lambda s: s.field is None and twin.PASS in s.legal,
    "D7.3 the owner is asked on its own play": lambda s: s.owner == s.seat,
    "D7.5 passes are counted over cleared fields": lambda s: s.before["passes_in_row"] > len(s.before["passed"]),
    "D8.3 a former first in danger": lambda s: (
        s.option("fall") and s.before["previous"] and not s.before["out"] and s.before["hands"][s.before["previous"][0]]
    ),
}

PLAYED: dict[str, Callable[[Play], Any]] = {
    "D3.1 a single": lambda s: s.kind == "S" and not s.jokers,
    "D3.1 a single joker": lambda s: s.text == "S:JK",
    "D3.2 a group without jokers": lambda s: s.kind == "G" and not s.jokers,
    "D3.4 wild: a joker fills a gap": lambda s: (
        s.wild and s.kind == "Q" and s.jokers > s.shifted("strong") + s.shifted("weak")
    ),
    "D3.4 wild: a joker at the strong end": lambda s: s.wild and s.kind == "Q" and s.shifted("strong") > 0,
    "D3.4 wild: a joker at the weak end": lambda s: s.wild and s.kind == "Q" and s.shifted("weak") > 0,
    "D3.4 wild: jokers at both ends": lambda s: (
        s.wild and s.kind == "Q" and s.shifted("strong") > 0 and s.shifted("weak") > 0
    ),
    "D3.4 wild: two jokers at one end": lambda s: (
        s.wild and s.kind == "Q" and max(s.shifted("strong"), s.shifted("weak")) == 2
    ),
    "D3.4 card: in a group": lambda s: s.kind == "G" and s.meld.named,
    "D3.4 card: in a sequence": lambda s: s.kind == "Q" and s.meld.named,
    "D3.4 card: two in a play": lambda s: len(s.meld.named) == 2,
    "D3.4 card: a card of the hand": lambda s: not set(s.meld.named).isdisjoint(s.hand),
    "D3.4 card: beside all four suits": lambda s: (
        s.option("joker_as") == "card" and s.kind == "G" and s.meld.naturals and s.meld.plain
    ),
    "D3.5 beyond the 2": lambda s: s.span[1] == 14 and not s.turned,
    "D3.5 beyond the 3 in a reversed order": lambda s: s.span[0] == 0 and s.turned,
    "D3.5 both: below the 3": lambda s: s.span[0] == 0 and not s.turned,
    "D3.5 both: above the 2 in a reversed order": lambda s: s.span[1] == 14 and s.turned,
    "D4.1 a single on a single": _played_on("S"),
    "D4.1 a group on a group": _played_on("G"),
    "D4.1 a sequence on a sequence": _played_on("Q"),
    "D4.2 a group in a reversed order": lambda s: s.beats_from("G") and s.turned,
    "D4.2 two jokers on a pair": lambda s: s.field and s.text == "G:JK JK",
    "D4.3 lowest": lambda s: s.beats_from("Q") and s.option("sequence_compare") == "lowest" and not s.turned,
    "D4.3 lowest, reversed": lambda s: s.beats_from("Q") and s.option("sequence_compare") == "lowest" and s.turned,
    "D4.3 lowest: they overlap": lambda s: s.overlaps(),
    "D4.3 disjoint": lambda s: s.beats_from("Q") and s.option("sequence_compare") == "disjoint" and not s.turned,
    "D4.3 disjoint, reversed": lambda s: s.beats_from("Q") and s.option("sequence_compare") == "disjoint" and s.turned,
    "D4.4 spade 3 on a joker": lambda s: s.on_joker and s.text == "S:S3",
    "D4.4 spade 3 on a joker, reversed": lambda s: s.on_joker and s.text == "S:S3" and s.turned,
    "D5.1 a single locks": lambda s: s.locks and s.kind == "S",
    "D5.1 a group locks": lambda s: s.locks and s.kind == "G",
    "D5.1 a sequence locks": lambda s: s.locks and s.kind == "Q",
    "D5.1 card: a play with a joker locks": lambda s: s.locks and s.meld.named,
    "D5.1 wild: the same suits, but a joker": lambda s: s.option("lock") and not s.lock and s.wild and s.same_suits(),
    "D5.1 the same suits with the lock off": lambda s: not s.option("lock") and s.same_suits(),
    "D5.2 a single under a lock": lambda s: s.lock and s.kind == "S",
    "D5.2 a group under a lock": lambda s: s.lock and s.kind == "G",
    "D5.2 a sequence under a lock": lambda s: s.lock and s.kind == "Q",
    "D5.2 wild: jokers in a group under a lock": lambda s: s.lock and s.kind == "G" and s.wild and s.meld.naturals,
    "D5.2 card: jokers in a group under a lock": lambda s: s.lock and s.kind == "G" and s.meld.named,
    "D5.3 spade 3 on a joker under a lock": lambda s: s.on_joker and s.lock and s.text == "S:S3",
    "D5.3 spade 3 under a lock to other suits": lambda s: s.on_joker and s.lock not in ("", "S") and s.text == "S:S3",
    "D6.1 four of a rank": lambda s: s.turns and s.kind == "G" and s.size == 4 and not s.jokers,
    "D6.1 four with jokers": lambda s: s.turns and s.kind == "G" and s.size == 4 and s.jokers,
    "D6.1 five or six of a rank": lambda s: s.turns and s.kind == "G" and s.size > 4,
    "D6.1 turned back": lambda s: s.turns and s.before["revolution"],
    "D6.1 revolution is off": lambda s: not s.option("revolution") and s.kind == "G" and s.size >= 4,
    "D6.1 a sequence": lambda s: s.turns and s.kind == "Q",
    "D6.1 a sequence that is too short": lambda s: s.kind == "Q" and s.size < s.option("sequence_revolution"),
    "D6.1 a sequence, sequence_revolution is 0": lambda s: (
        s.kind == "Q" and s.size >= 4 and not s.option("sequence_revolution") and s.option("revolution")
    ),
    "D6.2 J-back by a single": lambda s: s.jacks and s.kind == "S",
    "D6.2 J-back by a group": lambda s: s.jacks and s.kind == "G",
    "D6.2 J-back by a sequence": lambda s: s.jacks and s.kind == "Q",
    "D6.2 J-back by a joker that counts as a J": lambda s: s.jacks and "J" not in s.natural_ranks,
    "D6.2 a wild joker in the place of the J": lambda s: (
        s.wild and s.option("j_back") and s.span[0] <= 9 <= s.span[1] and "J" not in s.ranks
    ),
    "D6.2 J-back in a revolution": lambda s: s.jacks and s.before["revolution"],
    "D6.2 another J on the same field": lambda s: s.jacks and s.before["jback"],
    "D6.2 it ends as the field clears": lambda s: s.before["jback"] and s.cleared,
    "D6.3 a lock and a turn of the order by one play": lambda s: s.locks and (s.turns or s.jacks),
    "D6.4 a single 8": lambda s: s.cuts and s.cleared and s.kind == "S",
    "D6.4 a group of 8s": lambda s: s.cuts and s.cleared and s.kind == "G",
    "D6.4 any: a sequence with an 8": lambda s: s.cuts and s.cleared and s.kind == "Q" and "8" in s.natural_ranks,
    "D6.4 groups: a sequence with an 8": lambda s: s.eight and not s.cuts,
    "D6.4 a joker that counts as an 8": lambda s: s.cuts and s.cleared and "8" not in s.natural_ranks,
    "D6.4 a wild joker in the place of the 8": lambda s: (
        s.wild and s.option("eight_cut") == "any" and s.span[0] <= 6 <= s.span[1] and "8" not in s.ranks
    ),
    "D6.4 an 8 with eight_cut off": lambda s: s.option("eight_cut") == "off" and "8" in s.ranks,
    "D6.4 spade 3 on a joker": lambda s: s.on_joker and s.text == "S:S3" and s.cleared,
    "D6.4 unbeatable single": lambda s: s.unbeatable and s.kind == "S",
    "D6.4 unbeatable group": lambda s: s.unbeatable and s.kind == "G",
    "D6.4 unbeatable sequence": lambda s: s.unbeatable and s.kind == "Q",
    "D6.4 unbeatable in a reversed order": lambda s: s.unbeatable and s.turned,
    "D6.4 unbeatable under a lock": lambda s: s.unbeatable and s.lock,
    "D6.4 unbeatable since the revolution that it makes": lambda s: s.unbeatable and s.turns,
    "D6.4 who clears the field is out, the next one leads": lambda s: s.cleared and s.left and not s.over,
    "D7.1 off: passes are forgotten at the next play": lambda s: not s.option("pass_sits_out") and s.before["passed"],
    "D7.1 who has passed is not asked": lambda s: (
        s.option("pass_sits_out") and not s.over and s.before["passed"] and s.after["passed"]
    ),
    "D7.2 who passed as a leader sits out the field": lambda s: (
        s.field is None and s.before["passed"] and s.after["passed"]
    ),
    "D7.3 the owner goes on": lambda s: s.owner == s.seat,
    "D7.4 over with one who holds cards": lambda s: s.over and "last" in s.after["reasons"],
    "D7.4 over with nobody who holds cards": lambda s: s.over and "last" not in s.after["reasons"],
    "D8.1 out": lambda s: bool(s.new_out),
    "D8.2 federation: a joker": lambda s: s.fouled and s.option("foul_finish") == "federation" and s.jokers,
    "D8.2 federation: a 2": lambda s: (
        s.fouled and s.option("foul_finish") == "federation" and not s.jokers and "2" in s.ranks
    ),
    "D8.2 federation: a 3 in a revolution": lambda s: (
        s.fouled
        and s.option("foul_finish") == "federation"
        and not s.jokers
        and "3" in s.ranks
        and s.before["revolution"]
    ),
    "D8.2 federation: an 8": lambda s: (
        s.fouled and s.option("foul_finish") == "federation" and not s.jokers and "8" in s.ranks
    ),
    "D8.2 federation: spade 3": lambda s: (
        s.fouled and s.option("foul_finish") == "federation" and s.text == "S:S3" and not s.before["revolution"]
    ),
    "D8.2 federation: no foul, a sequence with an 8": lambda s: (
        s.left and not s.fouled and s.option("foul_finish") == "federation" and "8" in s.ranks
    ),
    "D8.2 house: a joker": lambda s: s.fouled and s.option("foul_finish") == "house" and s.jokers,
    "D8.2 house: a 2": lambda s: s.fouled and s.option("foul_finish") == "house" and not s.jokers and "2" in s.ranks,
    "D8.2 house: a 3 in a revolution": lambda s: (
        s.fouled and s.option("foul_finish") == "house" and not s.jokers and "3" in s.ranks and s.before["revolution"]
    ),
    "D8.2 house: an 8": lambda s: s.fouled and s.option("foul_finish") == "house" and not s.jokers and "8" in s.ranks,
    "D8.2 house: no foul, an 8 with eight_cut off": lambda s: (
        s.left and not s.fouled and s.option("foul_finish") == "house" and "8" in s.ranks
    ),
    "D8.2 house: a revolution": lambda s: (
        s.fouled and s.option("foul_finish") == "house" and not s.jokers and s.ranks.isdisjoint("238") and s.turns
    ),
    "D8.2 no foul, a 2 in a revolution": lambda s: (
        s.left and not s.fouled and s.option("foul_finish") != "off" and "2" in s.ranks
    ),
    "D8.2 a 3 in a J-back alone": lambda s: (
        s.left
        and s.option("foul_finish") != "off"
        and "3" in s.ranks
        and s.before["jback"]
        and not s.before["revolution"]
    ),
    "D8.2 a 3 in the revolution that it makes": lambda s: (
        s.left and s.option("foul_finish") != "off" and "3" in s.ranks and s.turns and not s.before["revolution"]
    ),
    "D8.2 off: a joker": lambda s: s.left and s.jokers and s.option("foul_finish") == "off",
    "D8.2 a foul play remains to be beaten": lambda s: s.fouled and not s.over and not s.cleared,
    "D8.3 the former first falls": lambda s: s.fell,
    "D8.3 it falls after a foul of another": lambda s: s.fell and s.before["sunk"],
    "D8.3 no fall: the former first is first": lambda s: (
        s.option("fall") and s.before["previous"] and s.after["out"] == s.before["previous"][:1] == [s.seat]
    ),
    "D8.3 no fall: it fouled before": lambda s: (
        s.option("fall")
        and s.before["previous"]
        and s.after["out"] == [s.seat]
        and [s.before["previous"][0], "foul"] in s.before["sunk"]
    ),
    "D8.3 no fall: the game has no ranks": lambda s: (
        s.option("fall") and not s.before["previous"] and s.after["out"] == [s.seat]
    ),
    "D8.3 no fall: fall is off": lambda s: (
        not s.option("fall") and s.before["previous"] and s.after["out"] == [s.seat] != s.before["previous"][:1]
    ),
}

PASSED: dict[str, Callable[[Scene], Any]] = {
    "D7.2 the leader passes": lambda s: s.field is None,
    "D7.2 all pass on the empty field": lambda s: s.field is None and not s.over and not s.after["passed"],
    "D7.3 the field clears and its owner leads": lambda s: s.cleared and s.owner == s.after["turn"],
    "D7.3 the owner is out: the next one leads": lambda s: s.cleared and s.owner != s.after["turn"],
    "D7.3 the owner passes on its own play": lambda s: s.cleared and s.owner == s.seat,
    "D6.2 J-back ends with the field": lambda s: s.cleared and s.before["jback"],
    "D7.5 the limit ends the game": lambda s: s.over,
    "D7.5 the limit comes before a clear": lambda s: (
        s.over
        and s.field
        and not [seat for seat in twin.still_in(s.before) if seat not in (*s.before["passed"], s.seat)]
    ),
    "D7.5 three or more places by lot": lambda s: s.over and s.after["reasons"].count("lot") >= 3,
}


def _sunk(after: Position, *reasons: str) -> bool:
    """Whether players were sunk for these reasons, one after the other."""
    return [reason for _, reason in after["sunk"]] == list(reasons)


ENDED: dict[str, Callable[[Scene], Any]] = {
    "D8.4 foul_below: two fouls": lambda s: (
        s.option("sunk_order") == "foul_below" and s.after["reasons"].count("foul") >= 2
    ),
    "D8.4 foul_below: a fall, then a foul": lambda s: (
        s.option("sunk_order") == "foul_below" and _sunk(s.after, "fall", "foul")
    ),
    "D8.4 foul_below: a foul, then a fall": lambda s: (
        s.option("sunk_order") == "foul_below" and _sunk(s.after, "foul", "fall")
    ),
    "D8.4 time: two fouls": lambda s: s.option("sunk_order") == "time" and s.after["reasons"].count("foul") >= 2,
    "D8.4 time: a fall, then a foul": lambda s: s.option("sunk_order") == "time" and _sunk(s.after, "fall", "foul"),
    "D8.4 time: a foul, then a fall": lambda s: s.option("sunk_order") == "time" and _sunk(s.after, "foul", "fall"),
    "D8.4 lots above the sunk": lambda s: "lot" in s.after["reasons"] and s.after["sunk"],
    "D9.5 points": lambda s: True,
    "D9.5 the bonus": lambda s: s.option("set_bonus") > 0,
}


def _moved(deal: Deal, card: str) -> bool:
    """Whether the tribute took a card to another hand."""
    return any((card in old.split()) != (card in new.split()) for old, new in zip(deal.hands, deal.after, strict=True))


def _given(deal: Deal) -> list[str]:
    return [card for pair in deal.exchange for card in pair["given"].split()]


def _by_suit(deal: Deal) -> bool:
    """Whether of equal cards one was given and one kept."""
    for pair in deal.exchange:
        kept = {card[1] for card in deal.after[pair["giver"]].split() if card not in pair["returned"].split()}
        if any(card[1] in kept for card in pair["given"].split() if card != "JK"):
            return True
    return False


# Those of a deal are counted once, at the first lead of its game.
DEALT: dict[str, Callable[[Scene, Deal], Any]] = {
    "D2.1 blind cards": lambda s, deal: bool(deal.blind),
    "D2.2 hands of two sizes": lambda s, deal: len({len(hand.split()) for hand in deal.hands}) == 2,
    "D2.2 dealing begins at the daifugo": lambda s, deal: deal.previous and s.option("deal_from") == "daifugo",
    "D9.2 tribute of three players": lambda s, deal: deal.exchange and s.option("players") == 3,
    "D9.2 tribute of four players": lambda s, deal: deal.exchange and s.option("players") == 4,
    "D9.2 tribute of five players": lambda s, deal: deal.exchange and s.option("players") == 5,
    "D9.2 tribute of six players": lambda s, deal: deal.exchange and s.option("players") == 6,
    "D9.2 ranks without tribute": lambda s, deal: deal.previous and not s.option("tribute"),
    "D9.2 chosen blind": lambda s, deal: deal.exchange and s.option("tribute_blind"),
    "D9.2 chosen from all cards": lambda s, deal: deal.exchange and not s.option("tribute_blind"),
    "D9.2 a card comes straight back": lambda s, deal: any(
        set(pair["given"].split()) & set(pair["returned"].split()) for pair in deal.exchange
    ),
    "D9.2 a joker is given": lambda s, deal: "JK" in _given(deal),
    "D9.2 of one rank by suit": lambda s, deal: _by_suit(deal),
    "D9.3 new seats, the ranks kept": lambda s, deal: deal.reseated and deal.previous,
    "D9.3 the ranks kept, the seats too": lambda s, deal: not deal.reseated and deal.previous,
    "D9.3 the ranks forgotten": lambda s, deal: deal.number > 0 and not deal.previous,
    "D9.4 drawn at random": lambda s, deal: s.option("first_lead") == "random" and not deal.previous,
    "D9.4 the last of the game before": lambda s, deal: deal.previous and s.seat == deal.previous[-1],
    "D9.4 diamond 3 without ranks": lambda s, deal: (
        s.option("first_lead") != "random" and not deal.previous and "D3" not in deal.blind.split()
    ),
    "D9.4 diamond 3 always, with ranks": lambda s, deal: (
        s.option("first_lead") == "diamond3_always" and deal.previous and "D3" not in deal.blind.split()
    ),
    "D9.4 diamond 3 moved in the tribute": lambda s, deal: (
        s.option("first_lead") == "diamond3_always" and _moved(deal, "D3")
    ),
    "D9.4 diamond 3 is blind": lambda s, deal: s.option("first_lead") != "random" and "D3" in deal.blind.split(),
}

CLAUSES = sorted([*POSITION, *PLAYED, *PASSED, *ENDED, *DEALT], key=lambda label: [float(label[1:4]), label])


def met(step: Step) -> list[str]:
    """The clauses that a step bears on."""
    scene = Scene(step) if step.text == twin.PASS else Play(step)
    labels = [label for label, holds in POSITION.items() if holds(scene)]
    if isinstance(scene, Play):
        labels += [label for label, holds in PLAYED.items() if holds(scene)]
    else:
        labels += [label for label, holds in PASSED.items() if holds(scene)]
    if scene.over:
        labels += [label for label, holds in ENDED.items() if holds(scene)]
    if step.deal:
        labels += [label for label, holds in DEALT.items() if holds(scene, step.deal)]
    return labels
