"""The state of a round of Voodoo Prince: one numpy record, which is an observation too; cards and moves as numbers.

A *colour* is 1–5 (red, yellow, green, blue, purple), 0 none. A *card* is colour · 16 + rank, 16 … 95. A *move* is the
card that is played, or `NAME` + the colour that is named as trump.

A *set of cards* is two int64, the halves: in half 0 bit c stands for card c of the first two colours (16 … 47), in
half 1 bit c − 48 for card c of the others (48 … 95). Neither reaches the sign. The sixteen bits of one colour are its
*ranks*.
"""

import numpy as np

from .rules import MAX_PLAYERS

COLOURS = 5
NAME = 128  # a move that names trump; also no card is as high
MAX_MOVES = 14  # the largest hand

STATE_DTYPE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("turn", "i8"),  # seat to act, -1: the round is over
                ("hands", "i8", (2 * MAX_PLAYERS,)),  # halves of each seat's cards; what a gone seat laid aside, too
                ("seen", "i8", (2,)),  # halves of all cards played, those of the trick on the table too
                ("lead_ranks", "i4"),  # ranks of the lead colour in the trick
                ("trump_ranks", "i4"),  # ranks of trump in the trick
                ("trump", "i1"),  # colour, 0: the leader names it now
                ("lead", "i1"),  # colour led, 0: a lead is due
                ("leader", "i1"),  # seat that leads or led the trick
                ("alive", "i1"),  # mask of the seats still in
                ("table", "i1", (MAX_PLAYERS,)),  # by seat: its card in the trick, 0: none
                ("tricks", "i1", (MAX_PLAYERS,)),  # won, a 5 or 7 trick as two
                ("sizes", "i1", (MAX_PLAYERS,)),  # number of cards in each of `hands`, public
                ("lacks", "i1", (MAX_PLAYERS,)),  # mask (bit = colour) of what each seat failed to follow
                ("exit", "i1", (MAX_PLAYERS,)),  # place in the order of leaving, 1 first; 0: still in
                ("scores", "i1", (MAX_PLAYERS,)),  # 0 while still in
                ("gone", "i1"),  # how many have left
                ("last", "i1"),  # of a finished round: the seat that was left over
                ("number", "i4"),  # number of the round in its match, 0-based
                ("first_leader", "i1"),  # seat that led first
                ("drawn", "i1"),  # trump that was drawn, 0: the first leader names it
                ("seated", "i1", (MAX_PLAYERS,)),  # participant of the match in each seat
                ("observer", "i8"),  # seat whose observation this is, -1: a full state
                ("dealt", "i8", (2 * MAX_PLAYERS,)),  # `hands` as dealt; of a hidden hand only the cards shown since
            ],
            align=True,
        ),
    )
)
