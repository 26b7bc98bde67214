"""The Daifugo rules once more, slowly, on the texts of the case files: what the kernels are compared with.

It shares nothing with the package: cards, plays and states are the strings and dicts of the JSON notation, and whatever
a clause says is computed from the texts anew each time. `D5.3` and the like are clauses of the rules page. No argument
is ever changed. Plays given to `apply` are taken to be legal; `replay` and `tribute` raise ValueError if they are not.
"""

import itertools
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

Rules = dict[str, Any]
State = dict[str, Any]

SUITS = "SHDC"
PLACES = "<3456789TJQKA2>"  # D1.1 in the normal order, D3.5 at both ends
SPAN_NAMES = ["<3", *PLACES[1:-1], ">2"]
PASS = "-"
JOKER = "JK"
ALONE_ABOVE = 99  # D1.2: a joker is above every rank in either order


class Meld(NamedTuple):
    """A play that is no pass: kind S, G or Q, its natural cards, the cards its jokers stand for, other jokers."""

    kind: str
    naturals: tuple[str, ...]
    named: tuple[str, ...]
    plain: int

    @property
    def cards(self) -> tuple[str, ...]:
        """The natural cards and those that a joker counts as (D3.4, `joker_as` = card)."""
        return self.naturals + self.named

    @property
    def jokers(self) -> int:
        """How many jokers it takes from the hand."""
        return len(self.named) + self.plain

    @property
    def size(self) -> int:
        """How many cards it takes from the hand."""
        return len(self.naturals) + self.jokers


# --- texts ------------------------------------------------------------------------------------------------------


def place(card: str) -> int:
    """Where the card's rank stands in the normal order: 1 for a 3, 13 for a 2, 0 and 14 beyond the ends."""
    return PLACES.index(card[1])


def card_order(card: str) -> tuple[int, int]:
    """Sorting key of the notation: rank 3 to 2, then S H D C, jokers last."""
    return (len(PLACES), 0) if card == JOKER else (place(card), SUITS.index(card[0]))


def write_cards(cards: list[str]) -> str:
    """Cards in the order of the notation."""
    return " ".join(sorted(cards, key=card_order))


def write(meld: Meld) -> str:
    """The text of a play: natural cards, then jokers with the card they stand for, then plain jokers."""
    naturals = sorted(meld.naturals, key=card_order)
    named = [f"{JOKER}={card}" for card in sorted(meld.named, key=card_order)]
    return f"{meld.kind}:" + " ".join(naturals + named + [JOKER] * meld.plain)


def parse(play: str) -> Meld:
    """The play that a text names, the inverse of `write`."""
    kind, words = play[0], play[2:].split()
    naturals = tuple(word for word in words if not word.startswith(JOKER))
    named = tuple(word[3:] for word in words if word.startswith(JOKER + "="))
    return Meld(kind, naturals, named, words.count(JOKER))


# --- D3 What can be played --------------------------------------------------------------------------------------


def ends(rules: Rules, turned: bool) -> tuple[int, int]:
    """D3.5 The lowest and the highest place that a sequence can reach; `turned`: the order is reversed."""
    beyond = rules["joker_beyond"]
    below = beyond == "both" or (beyond == "top" and turned)
    above = beyond == "both" or (beyond == "top" and not turned)
    return (0 if below else 1), (14 if above else 13)


def read_wild(rules: Rules, naturals: tuple[str, ...], jokers: int, turned: bool) -> tuple[int, int] | None:
    """D3.4 Lowest and highest place of a sequence of cards of one suit with wild jokers; None: it is no sequence."""
    places = [place(card) for card in naturals]
    low, high = min(places), max(places)
    spare = jokers - (high - low + 1 - len(places))
    first, last = ends(rules, turned)
    if spare < 0 or spare > (low - first) + (last - high):
        return None
    if turned:  # the strong end is the low one
        down = min(spare, low - first)
        return low - down, high + (spare - down)
    up = min(spare, last - high)
    return low - (spare - up), high + up


def read(rules: Rules, meld: Meld, turned: bool) -> tuple[int, int]:
    """Lowest and highest place of a sequence that is a play, read in the order in force when it is played."""
    if meld.plain:
        span = read_wild(rules, meld.naturals, meld.plain, turned)
        assert span is not None
        return span
    places = [place(card) for card in meld.cards]
    return min(places), max(places)


def singles(hand: list[str]) -> Iterator[Meld]:
    """D3.1"""
    for card in sorted(set(hand)):
        yield Meld("S", (), (), 1) if card == JOKER else Meld("S", (card,), (), 0)


def groups(rules: Rules, hand: list[str], size: int) -> Iterator[Meld]:
    """D3.2 All groups of so many cards."""
    if size == 2 and hand.count(JOKER) == 2:
        yield Meld("G", (), (), 2)
    for rank in PLACES[1:-1]:
        held = [card for card in hand if card != JOKER and card[1] == rank]
        for jokers in range(min(hand.count(JOKER), size - 1) + 1):
            for naturals in itertools.combinations(held, size - jokers):
                if rules["joker_as"] == "wild":
                    yield Meld("G", naturals, (), jokers)
                    continue
                # D3.4 card: each joker another of the missing suits; beside all four suits it stands for none
                missing = [suit + rank for suit in SUITS if suit + rank not in naturals]
                standing = min(jokers, len(missing))
                for named in itertools.combinations(missing, standing):
                    yield Meld("G", naturals, named, jokers - standing)


def sequences(rules: Rules, hand: list[str], size: int, turned: bool) -> Iterator[Meld]:
    """D3.3 All sequences of so many cards."""
    for suit in SUITS:
        held = [card for card in hand if card[0] == suit and card != JOKER]
        if held and len(held) + hand.count(JOKER) >= size:
            of_suit = named_sequences if rules["joker_as"] == "card" else wild_sequences
            yield from of_suit(rules, held, hand.count(JOKER), size, turned)


def named_sequences(rules: Rules, held: list[str], jokers: int, size: int, turned: bool) -> Iterator[Meld]:
    """D3.4 `card`: any consecutive places, each taken by the card itself or by a joker that stands for it."""
    first, last = ends(rules, turned)
    for low in range(first, last - size + 2):
        run = [held[0][0] + letter for letter in PLACES[low : low + size]]
        missing = [card for card in run if card not in held]
        present = [card for card in run if card in held]
        for more in range(min(jokers - len(missing), len(present) - 1) + 1):  # at least one card is natural
            for replaced in itertools.combinations(present, more):
                naturals = tuple(card for card in present if card not in replaced)
                yield Meld("Q", naturals, tuple(missing) + replaced, 0)


def wild_sequences(rules: Rules, held: list[str], jokers: int, size: int, turned: bool) -> Iterator[Meld]:
    """D3.4 `wild`: any natural cards that have a reading with the jokers."""
    for wild in range(min(jokers, size - 1) + 1):
        for lowest in held:
            near = [card for card in held if place(lowest) < place(card) < place(lowest) + size]
            for others in itertools.combinations(near, size - wild - 1):
                if read_wild(rules, (lowest, *others), wild, turned):
                    yield Meld("Q", (lowest, *others), (), wild)


def melds(rules: Rules, hand: list[str], turned: bool) -> Iterator[Meld]:
    """D3 Everything that the hand could lead."""
    yield from singles(hand)
    for size in range(2, 4 + rules["jokers"] + 1):
        yield from groups(rules, hand, size)
    for size in range(3, len(PLACES) + 1):
        yield from sequences(rules, hand, size, turned)


# --- D4 What beats what, D5 Lock --------------------------------------------------------------------------------


def is_turned(state: State) -> bool:
    """D1.2 Whether the order is reversed."""
    return bool(state["revolution"] != state["jback"])


def strength(meld: Meld, turned: bool) -> int:
    """D4.2 of a single or group; more is stronger."""
    if not meld.naturals:
        return ALONE_ABOVE
    return -place(meld.naturals[0]) if turned else place(meld.naturals[0])


def weakest_and_strongest(span: tuple[int, int], turned: bool) -> tuple[int, int]:
    """D4.3 Both end positions of a sequence in the order in force; more is stronger."""
    low, high = span
    return (-high, -low) if turned else (low, high)


def is_spade3_on_joker(rules: Rules, meld: Meld, lying: str) -> bool:
    """D4.4"""
    return bool(rules["spade3"]) and lying == "S:JK" and write(meld) == "S:S3"


def beats(rules: Rules, meld: Meld, field: dict[str, Any], turned: bool) -> bool:
    """Whether a play of the field's kind and number may follow on the field (D4.2-D4.4, D5.2, D5.3)."""
    if is_spade3_on_joker(rules, meld, field["play"]):
        return True  # D5.3: under any lock
    if field["lock"] and any(card[0] not in field["lock"] for card in meld.cards):
        return False  # D5.2; jokers without a card stand for what is missing
    if meld.kind != "Q":
        return strength(meld, turned) > strength(parse(field["play"]), turned)
    lying = (SPAN_NAMES.index(field["span"][0]), SPAN_NAMES.index(field["span"][1]))
    field_weakest, field_strongest = weakest_and_strongest(lying, turned)
    weakest, _ = weakest_and_strongest(read(rules, meld, turned), turned)
    return weakest > (field_strongest if rules["sequence_compare"] == "disjoint" else field_weakest)  # D4.3


def follows(rules: Rules, hand: list[str], field: dict[str, Any], turned: bool) -> Iterator[Meld]:
    """D4 Everything that the hand could play on the field."""
    lying = parse(field["play"])  # D4.1: only its kind and number, so D3.6 too
    if lying.kind == "S":
        candidates = singles(hand)
    elif lying.kind == "G":
        candidates = groups(rules, hand, lying.size)
    else:
        candidates = sequences(rules, hand, lying.size, turned)
    return (meld for meld in candidates if beats(rules, meld, field, turned))


def suits(rules: Rules, meld: Meld) -> str:
    """D5.1 The suits of a play in the order SHDC; none for a wild joker and for jokers alone."""
    if meld.plain and rules["joker_as"] == "wild":
        return ""
    return "".join(suit for suit in SUITS if any(card[0] == suit for card in meld.cards))


def legal(rules: Rules, state: State) -> set[str]:
    """The legal plays of the seat `turn`, as texts; of a finished game, none."""
    if state["turn"] is None:
        return set()
    hand = state["hands"][state["turn"]].split()
    if state["field"] is None:
        plays = {write(meld) for meld in melds(rules, hand, is_turned(state))}
        return plays | {PASS} if rules["lead_pass"] else plays  # D7.2
    return {write(meld) for meld in follows(rules, hand, state["field"], is_turned(state))} | {PASS}  # D7.1


# --- D6 Effects -------------------------------------------------------------------------------------------------


def has_rank(meld: Meld, rank: str) -> bool:
    """Whether a natural card, or a joker that counts as a card, is of the rank."""
    return any(card[1] == rank for card in meld.cards)


def makes_revolution(rules: Rules, meld: Meld) -> bool:
    """D6.1"""
    fewest = rules["sequence_revolution"] if meld.kind == "Q" else 4
    return bool(rules["revolution"]) and 0 < fewest <= meld.size


def cuts(rules: Rules, meld: Meld) -> bool:
    """D6.4 the 8; a wild joker in a sequence has no rank here, so it never cuts."""
    if rules["eight_cut"] == "groups":
        return meld.kind != "Q" and has_rank(meld, "8")
    return rules["eight_cut"] == "any" and has_rank(meld, "8")


def is_unbeatable(rules: Rules, field: dict[str, Any], turned: bool) -> bool:
    """D6.4 Whether no cards of the full deck, less those of the play itself, beat what lies on the field."""
    asked = ("jokers", "joker_as", "joker_beyond", "sequence_compare", "spade3")
    span = field["span"] and tuple(field["span"])
    return not deck_beats(tuple((key, rules[key]) for key in asked), field["play"], field["lock"], span, turned)


@cache
def deck_beats(
    options: tuple[tuple[str, Any], ...], play: str, lock: str, span: tuple[str, str] | None, turned: bool
) -> bool:
    """Whether the full deck less the play's own cards holds a follow; a play with its lock is asked about once."""
    rules, meld = dict(options), parse(play)
    deck = [suit + rank for rank in PLACES[1:-1] for suit in SUITS if suit + rank not in meld.naturals]
    deck += [JOKER] * (rules["jokers"] - meld.jokers)
    return any(True for _ in follows(rules, deck, {"play": play, "lock": lock, "span": span}, turned))


# --- D7 Turns ---------------------------------------------------------------------------------------------------


def still_in(state: State) -> list[int]:
    """The seats that hold cards."""
    return [seat for seat, hand in enumerate(state["hands"]) if hand]


def clockwise(rules: Rules, seat: int, seats: list[int]) -> int:
    """The first of the seats after a seat; itself only if it is the only one."""
    return min(seats, key=lambda other: (other - seat - 1) % rules["players"])


def clear(rules: Rules, state: State) -> None:
    """D7.3 The field clears and its owner leads, or who is next after the owner."""
    owner = state["field"]["owner"]
    state.update(field=None, jback=False, passed=[])  # D6.2
    state["turn"] = owner if owner in still_in(state) else clockwise(rules, owner, still_in(state))


def ask_next(rules: Rules, state: State) -> None:
    """D7.1, D7.3 Whose turn it is on a field, after a play or a pass of the seat `turn`."""
    owner = state["field"]["owner"]
    ready = [seat for seat in still_in(state) if seat not in state["passed"]]
    others = [seat for seat in ready if seat != owner]
    if others:
        state["turn"] = clockwise(rules, state["turn"], others)
    elif rules["owner_continues"] and owner in ready:
        state["turn"] = owner
    else:
        clear(rules, state)


def pass_turn(rules: Rules, state: State) -> None:
    """The seat `turn` passes."""
    seat = state["turn"]
    if rules["pass_limit"]:
        state["passes_in_row"] += 1
        if state["passes_in_row"] == rules["pass_limit"]:  # D7.5: before a clear by the same pass
            places = len(still_in(state))
            finish(rules, state, [None] * places, ["lot"] * places)
            return
    state["passed"] = sorted([*state["passed"], seat])
    if state["field"]:
        ask_next(rules, state)
        return
    ready = [other for other in still_in(state) if other not in state["passed"]]  # D7.2 lead_pass
    if not ready:  # all passed, one after the other, so who is next had the lead
        state["passed"] = []
        ready = still_in(state)
    state["turn"] = clockwise(rules, seat, ready)


def lay_down(rules: Rules, state: State, meld: Meld) -> None:
    """The seat `turn` plays: D6 in its order, then D8, then D7."""
    seat, below, before = state["turn"], state["field"], state["revolution"]
    span = read(rules, meld, is_turned(state)) if meld.kind == "Q" else None  # D3.4: before its own effects
    hand = state["hands"][seat].split()
    for card in [*meld.naturals, *[JOKER] * meld.jokers]:
        hand.remove(card)
    state["hands"][seat] = " ".join(hand)
    state["passes_in_row"] = 0
    if not rules["pass_sits_out"]:
        state["passed"] = []  # D7.1

    if makes_revolution(rules, meld):  # D6.1
        state["revolution"] = not before
    if rules["j_back"] and has_rank(meld, "J"):  # D6.2; nothing changes where it is in force
        state["jback"] = True
    lock = below["lock"] if below else ""
    if rules["lock"] and below and not lock and suits(rules, meld) == suits(rules, parse(below["play"])):  # D5.1
        lock = suits(rules, meld)
    names = span and [SPAN_NAMES[position] for position in span]
    state["field"] = {"play": write(meld), "owner": seat, "lock": lock, "span": names}
    clears = (  # D6.4
        cuts(rules, meld)
        or (below is not None and is_spade3_on_joker(rules, meld, below["play"]))
        or (rules["clear_unbeatable"] and is_unbeatable(rules, state["field"], is_turned(state)))
    )

    if not hand:
        go_out(rules, state, seat, is_foul(rules, meld, before))
    if len(still_in(state)) <= 1:  # D7.4
        finish(rules, state, still_in(state), ["last"] * len(still_in(state)))
    elif clears:
        clear(rules, state)
    else:
        ask_next(rules, state)


def apply(rules: Rules, state: State, play: str) -> State:
    """The state after a legal play of the seat `turn`, with `ranking` and `reasons` if that ends the game."""
    after = {**state}
    for key in ("hands", "passed", "out", "sunk"):
        after[key] = list(state[key])
    if play == PASS:
        pass_turn(rules, after)
    else:
        lay_down(rules, after, parse(play))
    return after


# --- D8 Going out -----------------------------------------------------------------------------------------------


def is_foul(rules: Rules, meld: Meld, revolution: bool) -> bool:
    """D8.2 Whether the last play of a hand is forbidden; `revolution` as before the play, whatever J-back says."""
    if rules["foul_finish"] == "off":
        return False
    if meld.jokers or has_rank(meld, "3" if revolution else "2"):
        return True
    if rules["foul_finish"] == "federation":
        return (meld.kind != "Q" and has_rank(meld, "8")) or write(meld) == "S:S3"
    return (rules["eight_cut"] != "off" and has_rank(meld, "8")) or makes_revolution(rules, meld)


def go_out(rules: Rules, state: State, seat: int, foul: bool) -> None:
    """D8.1-D8.3 The seat has played its last card."""
    if foul:
        state["sunk"].append([seat, "foul"])
        return
    state["out"].append(seat)
    top = state["previous"][0] if state["previous"] else None
    if rules["fall"] and top is not None and state["out"] == [seat] and seat != top and state["hands"][top]:
        state["aside"], state["hands"][top] = state["hands"][top], ""
        state["sunk"].append([top, "fall"])
        state["passed"] = [other for other in state["passed"] if other != top]


def finish(rules: Rules, state: State, middle: Sequence[int | None], middle_reasons: list[str]) -> None:
    """D8.4 The game is over; `middle`: who comes after those who went out and above the sunk."""
    sunk = state["sunk"][::-1]  # time: each took the lowest place still free
    if rules["sunk_order"] == "foul_below":
        sunk = [one for one in sunk if one[1] == "fall"] + [one for one in sunk if one[1] == "foul"]
    state["turn"] = None
    state["ranking"] = [*state["out"], *middle, *(seat for seat, _ in sunk)]
    state["reasons"] = ["out"] * len(state["out"]) + middle_reasons + [reason for _, reason in sunk]


# --- games, D9 Tribute and points -------------------------------------------------------------------------------


def new_game(rules: Rules, hands: list[str], blind: str, leader: int, previous: list[int] | None) -> State:
    """The state before the first lead, after any tribute; `previous`: seats by rank in the game before."""
    assert len(hands) == rules["players"]
    return {
        "hands": list(hands), "blind": blind, "aside": "", "field": None, "revolution": False, "jback": False,
        "passed": [], "passes_in_row": 0, "out": [], "sunk": [], "turn": leader, "previous": previous,
    }  # fmt: skip


def points(rules: Rules, ranking: list[int | None], last_of_set: bool) -> list[int | None]:
    """D9.5 Points per seat; None for a seat whose place is drawn by lot."""
    won: list[int | None] = [None] * rules["players"]
    for seat, worth in zip(ranking, rules["points"], strict=True):
        if seat is not None:
            won[seat] = worth + (rules["set_bonus"] if last_of_set and seat == ranking[0] else 0)
    return won


def replay(rules: Rules, game: dict[str, Any]) -> dict[str, Any]:
    """`ranking`, `reasons` and `points` of a record of a game; ValueError if the plays are no whole legal game."""
    state = new_game(rules, game["hands"], game["blind"], game["leader"], game["previous"])
    for number, play in enumerate(game["plays"], 1):
        if play not in legal(rules, state):
            raise ValueError(f"play {number}, {play}, is not legal for seat {state['turn']}")
        state = apply(rules, state, play)
    if state["turn"] is not None:
        raise ValueError(f"the game is not over after its {len(game['plays'])} plays")
    won = points(rules, state["ranking"], game["last_of_set"])
    return {"ranking": state["ranking"], "reasons": state["reasons"], "points": won}


def first_leader(rules: Rules, hands: list[str], previous: list[int] | None) -> int | None:
    """D9.4 Who leads the first field, from the hands after the tribute; None where it is drawn at random."""
    if rules["first_lead"] != "diamond3_always" and previous:
        return previous[-1]
    if rules["first_lead"] == "random":
        return None
    return next((seat for seat, hand in enumerate(hands) if "D3" in hand.split()), None)


def tribute(rules: Rules, previous: list[int], hands: list[str], returned: list[str] | None) -> dict[str, Any]:
    """D9.2 `exchange` (pairs, daihinmin's first), `after` and `leader`; without `returned` the last two are None.

    A pair has giver, receiver, given, legal_returns (sorted) and, if told, returned.
    """
    pairs = [(previous[-1], previous[0], 2), (previous[-2], previous[1], 1)]
    if rules["players"] == 3:
        pairs = [(previous[-1], previous[0], 1)]
    if not rules.get("tribute", True):
        pairs = []
    exchange: list[dict[str, Any]] = []
    after = [hand.split() for hand in hands]
    for giver, receiver, number in pairs:
        strongest = sorted(after[giver], key=lambda card: (-card_order(card)[0], card_order(card)[1]))
        given = strongest[:number]
        original = list(after[receiver])
        for card in given:
            after[giver].remove(card)
            after[receiver].append(card)
        source = original if rules["tribute_blind"] else after[receiver]
        returns = {write_cards(list(cards)) for cards in itertools.combinations(source, number)}
        exchange.append(
            {"giver": giver, "receiver": receiver, "given": write_cards(given), "legal_returns": sorted(returns)}
        )
    if returned is None:
        return {"exchange": exchange, "after": None, "leader": None}
    for pair, cards in zip(exchange, returned, strict=True):
        if cards not in pair["legal_returns"]:
            raise ValueError(f"seat {pair['receiver']} may not return {cards}")
        pair["returned"] = cards
        for card in cards.split():
            after[pair["receiver"]].remove(card)
            after[pair["giver"]].append(card)
    texts = [write_cards(hand) for hand in after]
    return {"exchange": exchange, "after": texts, "leader": first_leader(rules, texts, previous)}


# --- counting ---------------------------------------------------------------------------------------------------


def count(rules: Rules, state: State, depth: int | None, memo: dict[tuple[int | None, str], int]) -> int:
    """How many sequences of exactly `depth` plays start here, or, without a depth, of plays to the end of the game."""
    if depth == 0:
        return 1
    if state["turn"] is None:
        return 1 if depth is None else 0
    if depth == 1:
        return len(legal(rules, state))
    key = (depth, repr(state))
    if key not in memo:
        deeper = None if depth is None else depth - 1
        memo[key] = sum(count(rules, apply(rules, state, play), deeper, memo) for play in legal(rules, state))
    return memo[key]


def perft(rules: Rules, state: State, depth: int) -> list[int]:
    """The numbers of different sequences of 1, 2, … `depth` plays; a game that ends before counts nothing."""
    memo: dict[tuple[int | None, str], int] = {}
    return [count(rules, state, plays, memo) for plays in range(1, depth + 1)]


def divide(rules: Rules, state: State, depth: int) -> dict[str, int]:
    """The last number of `perft`, split by the first play."""
    memo: dict[tuple[int | None, str], int] = {}
    plays = sorted(legal(rules, state))
    return {play: count(rules, apply(rules, state, play), depth - 1, memo) for play in plays}


def games(rules: Rules, state: State) -> int:
    """The number of different ways to the end of the game; endless where passes can go on for ever."""
    return count(rules, state, None, {})
