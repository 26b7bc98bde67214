"""The state of a game of Daifugo: one numpy record, which is an observation too, and the layout of a move.

A *move* is an int64: natural cards in bits 0–51, the number of jokers in 52–53, the kind in 54–55, and in 56–59 the
lowest position of a sequence or the suits that jokers stand for in a group (with `joker_as` = card). `PASS` is 0. In
the phase `TRIBUTE` a move is the set of cards that is given back, of no kind.

A *position* of a sequence is 0 one step below 3, 1–13 for the ranks 3 … 2, 14 one step above 2 (D3.5).
"""

import numpy as np

from .rules import MAX_PLAYERS

SINGLE, GROUP, SEQUENCE = 1 << 54, 2 << 54, 3 << 54
KIND = 3 << 54
LOW_SHIFT = SUITS_SHIFT = 56

# Holders of cards beside the seats.
BLIND, ASIDE = 6, 7

PLAY, TRIBUTE = 0, 1

# How a player came to a place (D8.4).
OUT, LAST, LOT, FALL, FOUL = range(5)
REASONS = ("out", "last", "lot", "fall", "foul")

STATE_DTYPE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # What the generator reads comes first, so that it lies in one cache line beside the hand.
                ("turn", "i8"),  # seat to act, -1: the game is over
                ("usable", "i8"),  # what can beat the field: natural cards, or where a sequence may begin (play.py)
                ("field", "i8"),  # the play that lies there, 0: a lead is due
                ("jokers_ok", "i1"),  # 0 where a joker alone, or two alone, cannot beat the field
                ("phase", "i1"),
                ("revolution", "i1"),
                ("jback", "i1"),
                ("suits", "i1"),  # suits of the field's play, 0 for a play with a wild joker (D5.1)
                ("locked", "i1"),  # suits to which the field is locked, 0: none
                ("owner", "i1"),  # seat whose play lies there
                ("alive", "i1"),  # mask of the seats still in
                ("passed", "i1"),  # mask of the seats that sit out the field
                ("pending", "i1"),  # mask of the tribute pairs that have still to choose their return
                ("ranked", "i1"),  # whether there was a game before that counts
                ("dealt_from", "i1"),  # seat that got the first card (D2.2)
                ("passes", "i2"),  # passes in a row, over cleared fields too (D7.5)
                ("sizes", "i1", (8,)),  # number of cards in each of `hands`, public
                ("hands", "i8", (8,)),  # by seat, then the blind and what a fallen player set aside
                ("dealt", "i8", (8,)),  # `hands` when play began; of a hidden hand only the cards shown since
                ("gone", "i8"),  # cards that were out of the game before this record began
                ("given", "i8", (2,)),  # by tribute pair: cards that went up (0: not known to the observer)
                ("returned", "i8", (2,)),  # by tribute pair: cards that went back (0: not chosen, or not known)
                ("key", "i8"),  # key of the game's own chance; hidden
                ("observer", "i8"),  # seat whose observation this is, -1: a full state
                ("game", "i4"),  # number of the game in its match, 0-based
                ("last_of_set", "i1"),  # whether the ranks are forgotten after this game
                ("first_leader", "i1"),  # seat that led first
                ("previous", "i1", (MAX_PLAYERS,)),  # seats by rank in the game before, best first
                ("seated", "i1", (MAX_PLAYERS,)),  # participant of the match in each seat
                ("jokers_shown", "i1", (MAX_PLAYERS,)),  # jokers that each seat has played
                ("out_count", "i1"),
                ("sunk_count", "i1"),
                ("out", "i1", (MAX_PLAYERS,)),  # seats that went out without a foul, first one first
                ("sunk", "i1", (MAX_PLAYERS,)),  # seats that fell or fouled, in the order of time
                ("sunk_reason", "i1", (MAX_PLAYERS,)),
                ("ranking", "i1", (MAX_PLAYERS,)),  # of a finished game: seats, best first
                ("reasons", "i1", (MAX_PLAYERS,)),
            ],
            align=True,
        ),
    )
)
