"""The Dobon rules once more, slowly, on the texts of the case files: what the kernels are compared with.

It shares nothing with the package: cards, moves and states are the strings, lists and dicts of the JSON notation.
`B2.1` and the like are clauses of the rules page. No argument is ever changed. Moves given to `apply` are taken to be
legal; `replay` raises ValueError if they are not.
"""

from collections.abc import Sequence
from itertools import chain, combinations
from typing import Any

Rules = dict[str, Any]
State = dict[str, Any]
Play = tuple[list[str], str | None]  # the cards, the last one on top, and the suit that an 8 on top names

SUITS = "SHDC"
NUMBERS = "A23456789TJQK"
PACK = [suit + number for number in NUMBERS for suit in SUITS]
DRAW, PASS, SHOOT, NO = "draw", "pass", "shoot", "no"


def value(cards: Sequence[str]) -> int:
    """The values of cards, added up (B1.3)."""
    return sum(NUMBERS.index(card[1]) + 1 for card in cards)


def write(cards: Sequence[str], top: str, suit: str | None) -> str:
    """The text of a play: the top card last, the others in the order S H D C."""
    below = sorted((card for card in cards if card != top), key=lambda card: SUITS.index(card[0]))
    return "+".join([*below, top]) + (f":{suit}" if suit else "")


def read(text: str) -> Play:
    """The play that a text names."""
    cards, _, suit = text.partition(":")
    return cards.split("+"), suit or None


# --- what may be played -----------------------------------------------------------------------------------------


def fits(rules: Rules, state: State, card: str) -> bool:
    """Whether one card may go on the top card (B2.1, B3.1, B3.2)."""
    number = state["pile"][-1][1]
    if state["pending"]:
        return card[1] == "2"
    return card[1] == number or card[0] == state["suit"] or (rules["eight_wild"] and card[1] == "8")


def tops(rules: Rules, state: State, cards: Sequence[str]) -> list[str]:
    """The cards that may end on top when these are put down together; none where they may not (B2.3)."""
    fitting = [card for card in cards if fits(rules, state, card)]
    if len(cards) == 1:
        return fitting
    if rules["multi"] == "off" or len({card[1] for card in cards}) > 1:
        return []
    if rules["multi"] == "pon" and cards[0][1] != state["pile"][-1][1]:
        return []
    # The first to go down fits the pile; all others fit the card below by its number, so any other can be the last.
    return [top for top in cards if any(first != top for first in fitting)]


def plays(rules: Rules, state: State, hand: Sequence[str]) -> set[str]:
    """All plays from a hand, whatever has been drawn."""
    found = set()
    for number in NUMBERS:
        held = [card for card in hand if card[1] == number]
        for size in range(1, len(held) + 1):
            for cards in combinations(held, size):
                for top in tops(rules, state, cards):
                    suits: list[str | None] = list(SUITS) if number == "8" else [None]
                    found |= {write(cards, top, suit) for suit in suits}
    return found


def legal(rules: Rules, state: State) -> set[str]:
    """All legal moves of the seat to move."""
    if state["phase"] in ("shoot", "return"):
        return {SHOOT, NO}
    possible = plays(rules, state, state["hands"][state["turn"]])
    if state["drawn"]:
        return {PASS} | {play for play in possible if state["drawn"] in read(play)[0]}
    if not possible or rules["voluntary_draw"]:
        possible.add(DRAW)
    return possible


def mover(state: State) -> int:
    """The seat to move: while others are asked about shooting, not the one whose turn it is."""
    if state["phase"] == "shoot":
        return int(state["asked"][len(state["answers"])])
    return int(state["turn"])


# --- what a move does -------------------------------------------------------------------------------------------


def copied(state: State) -> State:
    """A copy whose lists may be changed."""
    return {
        key: [list(hand) for hand in kept] if key == "hands" else list(kept) if isinstance(kept, list) else kept
        for key, kept in state.items()
    }


def draw(state: State, seat: int, count: int, new_stocks: list[list[str]]) -> list[str]:
    """Let a seat draw cards; the next of `new_stocks` is the stock after a reshuffle (B2.4). Returns what it drew."""
    drawn = []
    for _ in range(count):
        if not state["stock"] and len(state["pile"]) > 1:
            if new_stocks:
                if sorted(new_stocks[0]) != sorted(state["pile"][:-1]):
                    raise ValueError("a new stock that is not the pile without its top card")
                state["stock"] = list(new_stocks.pop(0))
            else:
                state["stock"] = state["pile"][:-1]
            state["pile"] = state["pile"][-1:]
        if state["stock"]:
            drawn.append(state["stock"].pop(0))
    state["hands"][seat] += drawn
    return drawn


def qualifies(hand: Sequence[str], put_down: Sequence[str]) -> bool:
    """Whether a hand may shoot cards just put down (B5.1)."""
    if not hand:
        return False
    equal = len(put_down) == 1 and all(card[1] == put_down[0][1] for card in hand)
    return value(hand) == value(put_down) or equal


def finish(rules: Rules, state: State, end: str, scores: list[int]) -> None:
    """End the deal."""
    state["end"], state["scores"], state["phase"], state["turn"] = end, scores, "over", None


def end_turn(rules: Rules, state: State, steps: int = 1) -> None:
    """The turn goes on, or the deal is stopped (B6.4)."""
    players = rules["players"]
    state["turn"] = (state["turn"] + state["direction"] * steps) % players
    state["phase"], state["drawn"] = "turn", None
    state["put_down"], state["asked"], state["answers"] = [], [], []
    state["turns"] += 1
    if state["turns"] >= rules["max_turns"]:
        finish(rules, state, "stopped", [0] * players)


def settle(rules: Rules, state: State, new_stocks: list[list[str]], caught: bool) -> None:
    """What a play does that nobody shot: going out, the call, the effect, the next turn (B3, B4, B6)."""
    players, seat, put_down = rules["players"], state["turn"], state["put_down"]
    hand = state["hands"][seat]
    if not hand:
        each = [1 if rules["scoring"] == "units" else value(other) for other in state["hands"]]
        each[seat] = 0
        scores = [sum(each) if other == seat else -each[other] for other in range(players)]
        finish(rules, state, "out", scores)
        return
    if len(hand) == 1:
        if caught:
            draw(state, seat, 1, new_stocks)
        else:
            for step in range(1, players):
                draw(state, (seat + step) % players, rules["call_draw"], new_stocks)
    number, steps = put_down[0][1], 1
    if number == "2":
        state["pending"] += 2 * len(put_down)
    if number == "9" and players > 2:
        state["direction"] *= -1
    if number == "J":
        steps += len(put_down)
    end_turn(rules, state, steps)


def dobon(rules: Rules, state: State, returned: bool) -> None:
    """Somebody was shot, and maybe shot back (B5, B6.2)."""
    players, shot = rules["players"], state["turn"]
    put_down = state["put_down"]
    shooters = [seat for seat, shot_it in zip(state["asked"], state["answers"], strict=True) if shot_it]
    scores = [0] * players
    for shooter in shooters:
        loser, winner = (shooter, shot) if returned else (shot, shooter)
        if rules["scoring"] == "units":
            paid = (players - 1) * (2 if returned else 1)
        else:
            paid = 2 * (value(state["hands"][loser]) + value(put_down))
        scores[winner] += paid
        scores[loser] -= paid
    finish(rules, state, "return" if returned else "dobon", scores)


def apply(
    rules: Rules, state: State, move: str, new_stocks: list[list[str]] | None = None, caught: Any = None
) -> State:
    """The state after a legal move.

    `new_stocks` are the reshuffles to come; those that happen are taken off. `caught` says whether somebody else calls
    first, where that is left to chance.
    """
    state, stocks = copied(state), new_stocks if new_stocks is not None else []
    players, seat = rules["players"], state["turn"]
    if caught is None:
        caught = rules["call_caught"] == 1.0
    if move in (SHOOT, NO) and state["phase"] == "return":
        dobon(rules, state, move == SHOOT)
    elif move in (SHOOT, NO):
        state["answers"].append(move == SHOOT)
        if len(state["answers"]) == len(state["asked"]):
            if not any(state["answers"]):
                settle(rules, state, stocks, caught)
            elif qualifies(state["hands"][seat], state["put_down"]):
                state["phase"] = "return"
            else:
                dobon(rules, state, False)
    elif move == PASS:
        end_turn(rules, state)
    elif move == DRAW and state["pending"]:
        draw(state, seat, state["pending"], stocks)
        state["pending"] = 0
        end_turn(rules, state)
    elif move == DRAW:
        drawn = draw(state, seat, 1, stocks)
        state["drawn"] = drawn[0] if drawn else None
        if not drawn or legal(rules, state) == {PASS}:
            end_turn(rules, state)
    else:
        cards, suit = read(move)
        state["hands"][seat] = [card for card in state["hands"][seat] if card not in cards]
        state["pile"] += cards
        state["suit"] = suit or cards[-1][0]
        state["put_down"], state["drawn"] = cards, None
        around = [(seat + step) % players for step in range(1, players)]
        state["asked"] = [other for other in around if qualifies(state["hands"][other], cards)]
        state["answers"] = []
        if state["asked"]:
            state["phase"] = "shoot"
        else:
            settle(rules, state, stocks, caught)
    return state


# --- whole matches ----------------------------------------------------------------------------------------------


def shown(state: State) -> State:
    """A state as in the case files, in an order that does not matter where no order does."""
    state = copied(state)
    if state["phase"] == "over":
        state = {key: state[key] for key in ("hands", "pile", "stock", "first", "end", "scores")}
    else:
        state["put_down"] = sorted(state["put_down"])
    state["hands"] = [sorted(hand) for hand in state["hands"]]
    state["pile"] = [*sorted(state["pile"][:-1]), state["pile"][-1]]
    return state


def new_deal(rules: Rules, first: int, hands: list[list[str]], up_card: str, stock: list[str]) -> State:
    """The state of a deal before its first move (B1)."""
    return {
        "first": first, "hands": [list(hand) for hand in hands], "pile": [up_card], "suit": up_card[0],
        "stock": list(stock), "direction": 1, "turn": first, "pending": 0, "drawn": None, "phase": "turn",
        "put_down": [], "asked": [], "answers": [], "turns": 0, "end": None, "scores": None,
    }  # fmt: skip


def next_first(rules: Rules, state: State, shot: int | None) -> int:
    """Who begins the next deal (B1.2); `shot` is the seat that put down the cards of a dobon."""
    if state["end"] == "stopped":
        return int(state["first"])
    if state["end"] == "out":
        return next(seat for seat, hand in enumerate(state["hands"]) if not hand)
    if state["end"] == "return":
        return int(shot)  # type: ignore[arg-type]
    shooters = [seat for seat, shot_it in zip(state["asked"], state["answers"], strict=True) if shot_it]
    return int(min(shooters, key=lambda seat: (seat - shot) % rules["players"]))


def places(totals: list[int]) -> list[int]:
    """Places by points; equal totals share the better one (B6.3)."""
    return [1 + sum(other > total for other in totals) for total in totals]


def replay(rules: Rules, match: dict[str, Any]) -> dict[str, Any]:
    """Totals and places of a recorded match, all of which is checked."""
    totals = [0] * rules["players"]
    first = match["deals"][0]["first"]
    for deal in match["deals"]:
        if deal["first"] != first:
            raise ValueError(f"seat {deal['first']} begins, not {first}")
        state = new_deal(rules, first, deal["hands"], deal["up_card"], deal["stock"])
        if sorted(PACK) != sorted([deal["up_card"], *deal["stock"], *chain(*deal["hands"])]):
            raise ValueError("not one pack")
        new_stocks = [list(stock) for stock in deal["new_stocks"]]
        shot = None
        for seat, move in deal["moves"]:
            if state["phase"] == "over":
                raise ValueError("the deal is over")
            if seat != mover(state) or move not in legal(rules, state):
                raise ValueError(f"{move} of seat {seat} is not legal")
            shot = state["turn"]
            state = apply(rules, state, move, new_stocks)
        if state["phase"] != "over":
            raise ValueError("the deal is not over")
        left = [sorted(hand) for hand in state["hands"]]
        if (state["end"], left, state["scores"]) != (deal["end"], [*map(sorted, deal["hands_left"])], deal["scores"]):
            raise ValueError("the deal ended otherwise")
        if new_stocks:
            raise ValueError("a reshuffle that did not happen")
        totals = [total + score for total, score in zip(totals, state["scores"], strict=True)]
        first = next_first(rules, state, shot)
    return {"totals": totals, "places": places(totals)}


def perft(rules: Rules, state: State, depth: int) -> list[int]:
    """How many sequences of 1, 2 … `depth` moves there are from a state."""
    counts, states = [], [state]
    for _ in range(depth):
        states = [apply(rules, where, move) for where in states for move in legal(rules, where)]
        counts.append(len(states))
        states = [where for where in states if where["phase"] != "over"]
    return counts
