"""The rules of Voodoo Prince once more, slowly, on the JSON of the case files: what the kernels are compared with.

It shares nothing with the package: cards and moves are texts, states are dicts, and whatever a clause says is computed
anew each time. `V2.1` and the like are clauses of docs/voodoo_prince.md. No argument is ever changed. Moves given to
`apply` are taken to be legal; `replay` raises ValueError if they are not.
"""

import copy
from typing import Any

Rules = dict[str, Any]
State = dict[str, Any]

COLOURS = "RYGBP"
HIGHEST = {2: 10, 3: 10, 4: 12, 5: 15}  # V1.1
HAND = {2: 13, 3: 13, 4: 13, 5: 14}
TRICKS_TO_LEAVE = {2: 7, 3: 4, 4: 3, 5: 3}
ROUNDS = 5  # V3.5


def deck(rules: Rules) -> list[str]:
    """V1.1 All cards."""
    return [f"{colour}{rank}" for colour in COLOURS for rank in range(HIGHEST[rules["players"]] + 1)]


def rank(card: str) -> int:
    """The rank of a card."""
    return int(card[1:])


def in_order(cards: Any) -> list[str]:
    """Cards in the fixed order of the notation."""
    return sorted(cards, key=lambda card: (COLOURS.index(card[0]), rank(card)))


def new_round(rules: Rules, leader: int, trump: str | None, hands: list[list[str]]) -> State:
    """V1.3 A round as dealt; trump None: the leader names it."""
    players = rules["players"]
    return {
        "trump": trump, "leader": leader, "turn": leader, "hands": [in_order(hand) for hand in hands], "trick": [],
        "tricks": [0] * players, "left": [], "scores": [None] * players, "played": [],
    }  # fmt: skip


def legal(rules: Rules, state: State) -> set[str]:
    """All legal moves of the seat to move, as texts; none when the round is over."""
    if state["turn"] is None:
        return set()
    if state["trump"] is None:
        return {f"trump:{colour}" for colour in COLOURS}  # V1.3
    hand = state["hands"][state["turn"]]
    if state["trick"]:
        lead_colour = state["trick"][0][1][0]
        return {card for card in hand if card[0] == lead_colour} or set(hand)  # V2.1
    return set(hand)


def winning_place(rules: Rules, trump: str, trick: list[list[Any]]) -> int:
    """V2.2, V2.3 Which of the cards of a trick wins it."""
    cards = [card for _, card in trick]
    colour = trump if any(card[0] == trump for card in cards) else cards[0][0]
    of_colour = [card for card in cards if card[0] == colour]
    zero, highest = f"{colour}0", f"{colour}{HIGHEST[rules['players']]}"
    best = zero if zero in of_colour and highest in of_colour else max(of_colour, key=rank)
    return cards.index(best)


def clockwise(rules: Rules, seat: int, gone: list[int]) -> int:
    """The next seat that is still in."""
    while True:
        seat = (seat + 1) % rules["players"]
        if seat not in gone:
            return seat


def apply(rules: Rules, state: State, move: str) -> State:
    """The state after a legal move."""
    state = copy.deepcopy(state)
    seat = state["turn"]
    if move.startswith("trump:"):
        state["trump"] = move[-1]
        return state
    state["hands"][seat].remove(move)
    state["trick"].append([seat, move])
    state["turn"] = clockwise(rules, seat, state["left"])
    if state["turn"] == state["leader"]:
        finish_trick(rules, state)
    return state


def finish_trick(rules: Rules, state: State) -> None:
    """V2.4, V2.5, V3.1-V3.3 All have played."""
    winner, card = state["trick"][winning_place(rules, state["trump"], state["trick"])]
    state["tricks"][winner] += 2 if rank(card) in (5, 7) else 1
    state["played"] = in_order(state["played"] + [played for _, played in state["trick"]])
    state["trick"] = []
    state["leader"] = state["turn"] = winner
    if state["tricks"][winner] < TRICKS_TO_LEAVE[rules["players"]]:
        return
    state["hands"][winner] = []
    state["left"].append(winner)
    state["scores"][winner] = sum(state["tricks"]) - state["tricks"][winner]
    state["leader"] = state["turn"] = clockwise(rules, winner, state["left"])
    if len(state["left"]) == rules["players"] - 1:
        last = state["turn"]
        own = state["tricks"][last]
        remainder = rules["players"] == 2 and rules["two_player_last"] == "remainder"
        state["scores"][last] = TRICKS_TO_LEAVE[2] - own if remainder else own
        state["turn"] = None


def replay(rules: Rules, match: dict[str, Any]) -> dict[str, Any]:
    """Play the rounds of a match again; totals and places."""
    totals = [0] * rules["players"]
    last = None
    for number, played in enumerate(match["rounds"]):
        dealt = [card for hand in played["hands"] for card in hand]
        if sorted(len(hand) for hand in played["hands"]) != [HAND[rules["players"]]] * rules["players"]:
            raise ValueError(f"round {number}: wrong hands")
        if len(set(dealt)) != len(dealt) or not set(dealt) <= set(deck(rules)):
            raise ValueError(f"round {number}: wrong cards")
        if (played["trump"] is None) != (number > 0) or (number > 0 and played["leader"] != last):
            raise ValueError(f"round {number}: wrong leader or trump")
        state = new_round(rules, played["leader"], played["trump"], played["hands"])
        for seat, move in played["moves"]:
            if seat != state["turn"] or move not in legal(rules, state):
                raise ValueError(f"round {number}: {move} of seat {seat} is not legal")
            state = apply(rules, state, move)
        if state["turn"] is not None:
            raise ValueError(f"round {number}: not over")
        last = next(seat for seat in range(rules["players"]) if seat not in state["left"])
        ended = {key: state[key] for key in ("tricks", "left", "scores")} | {"last": last}
        if ended != {key: played[key] for key in ended}:
            raise ValueError(f"round {number}: wrong end")
        totals = [total + score for total, score in zip(totals, state["scores"], strict=True)]
    return {"totals": totals, "places": places(totals)}


def places(totals: list[int]) -> list[int]:
    """V3.5 Equal totals share the better place."""
    return [1 + sum(other > total for other in totals) for total in totals]


def perft(rules: Rules, state: State, depth: int) -> list[int]:
    """How many sequences of 1 … depth moves there are."""
    counts = [0] * depth
    for move in legal(rules, state):
        counts[0] += 1
        if depth > 1:
            for index, count in enumerate(perft(rules, apply(rules, state, move), depth - 1)):
                counts[index + 1] += count
    return counts
