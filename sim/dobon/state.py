"""The state of a deal of Dobon: one numpy record, which is an observation too, and the layout of a move.

A *move* is an int64. A play has its cards in bits 0–51, the index of the card on top in 52–57, and in 58–59 the suit
that an 8 on top names. `DRAW`, `SHOOT` and `NO` are bits above; `PASS` is 0: keep the drawn card.

A *fact* about a seat is what its turns have told of its hand (B7): a set of cards of which it holds at most so many. It
begins when the seat could not play, with the cards that would have fitted, of which it then held none; or when the pile
became the stock, with the cards that lie there. Each card that the seat draws afterwards may be one of them, each that
it plays of them is one less to come. Later facts add their cards to the earlier ones: so those of a seat, from the
oldest to the newest, are sets of which each contains the next, with smaller and smaller numbers. They follow from
what all have seen, and by Hall's theorem they say everything that can be known for certain.

A card that is played and is none of those of a fact may have been drawn since, or held before. So a fact has also the
share of its room that is likely to be left: the chance of each card drawn since to be still there.
"""

import numpy as np

from .rules import MAX_PLAYERS

DRAW, SHOOT, NO = 1 << 60, 1 << 61, 1 << 62
TOP_SHIFT, SUIT_SHIFT = 52, 58

TURN, DRAWN, SHOOTING, RETURN, OVER = range(5)  # phases

# How a deal ended (B6).
OUT, DOBON, RETURNED, STOPPED = 1, 2, 3, 4
ENDS = ("", "out", "dobon", "return", "stopped")

FACTS = 48  # of all seats together that are kept, as many of each; the oldest one is dropped for another

STATE_DTYPE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("turn", "i8"),  # seat to act, -1: the deal is over
                ("pile", "i8"),  # cards face up
                ("last", "i8"),  # the last play, as a move; 0: none yet
                ("drawn", "i8"),  # in the phase DRAWN the card just drawn, as a set; else 0
                ("top", "i1"),  # index of the card on top of the pile
                ("suit", "i1"),  # the suit that it has now (B3.2)
                ("phase", "i1"),
                ("player", "i1"),  # whose turn it is, also while others are asked
                ("direction", "i1"),  # 1 clockwise, -1 the other way
                ("asked", "i1"),  # mask of the seats that may shoot the last play
                ("waiting", "i1"),  # those of them that have not answered yet
                ("shooters", "i1"),  # those that shoot
                ("end", "i1"),
                ("first", "i1"),  # seat that began the deal
                ("pending", "i4"),  # cards to draw for 2s (B3.1): a 2 that went back into the stock may count again
                ("turns", "i2"),  # turns ended
                ("refills", "i2"),  # reshuffles of the pile into a new stock
                ("left", "i1"),  # cards in the stock
                ("next", "i1"),  # where in `stock` they begin
                ("ordered", "i1"),  # 1: they are drawn in this order; 0: at random, by `stream`
                ("staged", "i1"),  # cards behind them that are the stock to come, where that is known (a replay)
                ("sizes", "i1", (8,)),  # cards in each hand, public
                ("hands", "i8", (MAX_PLAYERS,)),
                ("sums", "i2", (8,)),  # values of each hand, added up
                ("stream", "i8"),  # from which cards are drawn; hidden
                ("key", "i8"),  # key of all chance of the deal; hidden
                ("observer", "i8"),  # seat whose observation this is, -1: a full state
                ("stock_from", "i8"),  # cards of which the stock was made, 0: before the first reshuffle
                ("facts", "i1", (8,)),  # by seat: how many facts there are
                ("facts_each", "i1"),  # how many facts of a seat there is room for
                ("ruled", "i8", (FACTS,)),  # by seat: the sets of its facts, the oldest first
                ("room", "i1", (FACTS,)),  # by seat: how many of these it holds at most
                ("share", "f4", (FACTS,)),  # by seat: the chance of each of those to be there still
                ("seated", "i1", (MAX_PLAYERS,)),  # participant of the match in each seat
                ("stock", "i1", (52,)),  # indices of cards
            ],
            align=True,
        ),
    )
)
