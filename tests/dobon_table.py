"""A table to test Dobon at: positions and moves as text, random rules, deals and games."""

import random
from typing import Any

from agari.sim.dobon.rules import Rules
from agari.sim.games import ruleset

from .playing import Table

GAME = ruleset("dobon").game
TABLE = Table(GAME)
MOVES = TABLE.moves
decisions, legal_texts, moves_of, observed, play_text, redealt = (
    TABLE.decisions, TABLE.legal_texts, TABLE.moves_of, TABLE.observed, TABLE.play_text, TABLE.redealt
)  # fmt: skip
NUMBERS = "A23456789TJQK"
PACK = [suit + number for number in NUMBERS for suit in "SHDC"]

Options = dict[str, Any]
Position = dict[str, Any]

# The values of every option that random options are drawn from, each as likely as the others.
DRAWN: dict[str, list[Any]] = {
    "players": [2, 3, 4, 5, 6],
    "multi": ["off", "pon", "chain"],
    "eight_wild": [False, True],
    "voluntary_draw": [False, True],
    "call_draw": [0, 1, 2],
    "call_caught": [0.0, 1.0],
    "scoring": ["units", "cards"],
    "max_turns": [2000, 2000, 40],
}


def dobon(players: int = 4, **options: Any) -> Rules:
    """The rules of Dobon with some options changed, in words."""
    rules = GAME.presets["dobon"].by_players[players]
    return GAME.options.parse(GAME.options.format(rules) | options)


def random_options(source: random.Random) -> Options:
    """Options drawn at random over `DRAWN`."""
    return {name: source.choice(values) for name, values in DRAWN.items()}


def table(*hands: str, top: str = "S5", pile: str = "", stock: str | None = None, **changes: Any) -> Position:
    """A position in which seat 0 is to move: hands, the top card with `pile` below it, all else in the stock.

    `stock` is drawn first, or, with `short`, it is the whole stock and the rest lies in the pile.
    """
    cards = [hand.split() for hand in hands]
    below, first = pile.split(), (stock or "").split()
    used = {*sum(cards, []), *below, *first, top}  # noqa: RUF017
    rest = [card for card in PACK if card not in used]
    if changes.pop("short", False):
        below, rest = below + rest, []
    return {
        "first": 0, "hands": cards, "pile": [*below, top], "suit": top[0], "stock": [*first, *rest], "direction": 1,
        "turn": 0, "pending": 0, "drawn": None, "phase": "turn", "put_down": [], "asked": [], "answers": [],
        "turns": 0, "end": None, "scores": None,
    } | changes  # fmt: skip


def shown(state: Position) -> Position:
    """A state in an order that does not matter where no order does; once the deal is over only how it ended."""
    state = dict(state)
    if state["phase"] == "over":
        state = {key: state[key] for key in ("hands", "pile", "stock", "first", "end", "scores")}
    else:
        state["put_down"] = [*sorted(state["put_down"][:-1]), *state["put_down"][-1:]]
    state["hands"] = [sorted(hand) for hand in state["hands"]]
    state["pile"] = [*sorted(state["pile"][:-1]), state["pile"][-1]]
    return state
