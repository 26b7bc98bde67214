"""A table to test Voodoo Prince at: rules, positions and moves as text, random rounds."""

from typing import Any

from agari.sim.games import ruleset
from agari.sim.voodoo_prince.rules import Rules

from .playing import Table

GAME = ruleset("voodoo_prince").game
TABLE = Table(GAME)
MOVES = TABLE.moves
decisions, legal_texts, moves_of, observed, play_text, redealt = (
    TABLE.decisions, TABLE.legal_texts, TABLE.moves_of, TABLE.observed, TABLE.play_text, TABLE.redealt
)  # fmt: skip
EVERY_RULES = [
    GAME.options.parse({"players": players, "two_player_last": last})
    for players in (2, 3, 4, 5)
    for last in (("remainder", "own") if players == 2 else ("remainder",))
]

Position = dict[str, Any]


def rules_of(players: int, two_player_last: str = "remainder") -> Rules:
    """The rules for so many players."""
    rules: Rules = GAME.options.parse({"players": players, "two_player_last": two_player_last})
    return rules


def position(*hands: str, turn: int = 0, trick: str = "", **changes: Any) -> Position:
    """A position in JSON: these hands, blue is trump, a trick of seats with cards, ``3:R7 0:R4``."""
    pairs = [word.split(":") for word in trick.split()]
    players = len(hands)
    return {
        "trump": "B", "leader": int(pairs[0][0]) if pairs else turn, "turn": turn,
        "hands": [hand.split() for hand in hands], "trick": [[int(seat), card] for seat, card in pairs],
        "tricks": [0] * players, "left": [], "scores": [None] * players, "played": [],
    } | changes  # fmt: skip


def shown(state: Position) -> Position:
    """What of a state means something: the leader of a round that is over does not."""
    return {key: value for key, value in state.items() if key != "leader" or state["turn"] is not None}


def legal(where: Position, **options: Any) -> set[str]:
    """The legal moves of a position."""
    rules = rules_of(len(where["hands"]), **options)
    return set(legal_texts(rules, GAME.parse_state(rules, where)))


def after(where: Position, *texts: str, **options: Any) -> Position:
    """The position after some moves, each of which must be legal where it is made."""
    rules = rules_of(len(where["hands"]), **options)
    return GAME.format_state(rules, play_text(rules, GAME.parse_state(rules, where), *texts))
