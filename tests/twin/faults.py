"""Seeded faults: the comparison has to notice each of these small changes of the kernels.

A fault is made in a copy of the package, which is compared with the twin in a process of its own, as plain Python:
to compile each copy would take longer.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from .find import Answer

TOP = Path(__file__).parents[2]
MOST = 200_000  # positions; one that is not noticed by then is not noticed
SECONDS = 1200


class Fault(NamedTuple):
    """A change of some text, which occurs once in a file of `sim/daifugo`, and the clause that is broken by it."""

    clause: str
    what: str
    file: str
    text: str
    changed: str


FAULTS = [
    Fault(
        "D1.2",
        "a J-back in a revolution does not turn the order",
        "moves.py",
        "return state.revolution ^ state.jback",
        "return state.revolution | state.jback",
    ),
    Fault(
        "D2.1",
        "the last card of the pack can be blind, be it a joker",
        "deal.py",
        "other = drawn + below(stream, 52 - drawn)",
        "other = drawn + below(stream, total - drawn)",
    ),
    Fault(
        "D2.2",
        "dealing begins at the last of the game before",
        "deal.py",
        "start = np.int64(state.previous[0])",
        "start = np.int64(state.previous[players - 1])",
    ),
    Fault(
        "D3.2",
        "a named joker beside all four suits is left out when it follows",
        "moves.py",
        "range(begins[size], begins[size + 1])",
        "range(begins[size], begins[min(size, 4) + 1])",
    ),
    Fault(
        "D3.4",
        "wild jokers at the weak end although the strong end has room, in a reversed order",
        "moves.py",
        "return starts & (line >> (4 * (length - 1)) | np.int64(15) << (4 * low))",
        "return starts & (line >> (4 * (length - 1)) | np.int64(255) << (4 * low))",
    ),
    Fault(
        "D3.4",
        "a named joker may not stand for the card at the weak end",
        "moves.py",
        "weak_end = np.int64(0 if rules.joker_as == CARD else 1)",
        "weak_end = np.int64(1)",
    ),
    Fault(
        "D3.4",
        "a search is shown jokers that stand for a held card in a group",
        "moves.py",
        "min(jokers, missing.bit_count()) and (every or not suits & nibble)",
        "min(jokers, missing.bit_count()) and (every or suits != suits & nibble or not suits)",
    ),
    Fault(
        "D3.5",
        "a joker beyond the 3 in the normal order",
        "moves.py",
        "(rules.joker_beyond == BEYOND_TOP and reverse) else 1)",
        "rules.joker_beyond == BEYOND_TOP else 1)",
    ),
    Fault(
        "D4.2",
        "a joker may be played on a joker",
        "moves.py",
        "1 if hand >> 52 != 0 and state.jokers_ok != 0 else 0",
        "1 if hand >> 52 != 0 else 0",
    ),
    Fault(
        "D4.3",
        "disjoint is off by one in a reversed order",
        "play.py",
        "low - length + 1 if rules.sequence_compare == DISJOINT else low)",
        "low - length + 2 if rules.sequence_compare == DISJOINT else low)",
    ),
    Fault(
        "D4.3",
        "a sequence beats one of equal strength",
        "play.py",
        "low + length if rules.sequence_compare == DISJOINT else low + 1)",
        "low + length if rules.sequence_compare == DISJOINT else low)",
    ),
    Fault(
        "D4.4",
        "spade 3 beats a joker in the normal order only",
        "play.py",
        "return np.int64(SPADE_3 if kind == SINGLE and rules.spade3 else 0)",
        "return np.int64(SPADE_3 if kind == SINGLE and rules.spade3 and not reverse else 0)",
    ),
    Fault(
        "D5.1",
        "the suits for which named jokers stand in a group start no lock",
        "play.py",
        "return (move >> (lowest & ~3) | move >> SUITS_SHIFT) & 15",
        "return (move >> (lowest & ~3)) & 15",
    ),
    Fault(
        "D5.1",
        "a group with a wild joker has suits",
        "play.py",
        "if move >> 52 & 3 and (rules.joker_as == WILD or move & NATURALS == 0):",
        "if move >> 52 & 3 and ((rules.joker_as == WILD and move & KIND == SEQUENCE) or move & NATURALS == 0):",
    ),
    Fault(
        "D5.2",
        "named jokers in a group heed no lock",
        "moves.py",
        "if group >> SUITS_SHIFT & outside == 0:  # D5.2",
        "if group >> SUITS_SHIFT & outside == 0 or used == 2:  # D5.2",
    ),
    Fault(
        "D5.2",
        "sequences heed no lock",
        "play.py",
        "return usable & np.int64(locked) * (EACH_RANK | EACH_RANK << 8) if locked else usable\n    rank_bits",
        "return usable\n    rank_bits",
    ),
    Fault(
        "D5.3",
        "spade 3 heeds the lock",
        "play.py",
        "SPADE_3 if kind == SINGLE and rules.spade3 else 0)",
        "SPADE_3 if kind == SINGLE and rules.spade3 and (locked == 0 or locked & 1) else 0)",
    ),
    Fault(
        "D6.1",
        "sequences turn the order from one card more on",
        "play.py",
        "size >= rules.sequence_revolution",
        "size > rules.sequence_revolution",
    ),
    Fault(
        "D6.1",
        "five of a rank do not turn the order",
        "play.py",
        "return rules.revolution != 0 and size >= 4",
        "return rules.revolution != 0 and size == 4",
    ),
    Fault(
        "D6.2",
        "J-back outlives the clear",
        "play.py",
        "    state.locked = 0\n    state.jback = 0\n",
        "    state.locked = 0\n",
    ),
    Fault(
        "D6.2",
        "another J on the same field turns the order back",
        "play.py",
        "        state.jback = 1\n",
        "        state.jback ^= 1\n",
    ),
    Fault(
        "D6.4",
        "a wild joker in the place of the 8 cuts",
        "play.py",
        "if rules.joker_as == WILD or move & KIND != SEQUENCE:",
        "if (rules.joker_as == WILD and rank != EIGHT) or move & KIND != SEQUENCE:",
    ),
    Fault(
        "D6.4",
        "what is unbeatable is judged by the whole pack, its own jokers too",
        "play.py",
        "(rules.jokers - (move >> 52 & 3)) * JOKER",
        "rules.jokers * JOKER",
    ),
    Fault(
        "D6.4",
        "what is unbeatable is judged in the order before a J-back",
        "play.py",
        "clears = not beaten_by(rules, move, state.usable, others, in_reverse(state))",
        "clears = not beaten_by(rules, move, state.usable, others, state.revolution)",
    ),
    Fault(
        "D7.1",
        "with pass_sits_out off a pass is forgotten only when the field clears",
        "play.py",
        "    if not rules.pass_sits_out:\n        state.passed = 0\n",
        "",
    ),
    Fault(
        "D7.2",
        "when all have passed on the empty field the lead moves on",
        "play.py",
        "            waiting = state.alive\n",
        "            waiting = state.alive & ~(1 << next_seat(rules, state.alive, seat))\n",
    ),
    Fault(
        "D7.3",
        "an owner who is out keeps the others waiting for a lead of who is next but one",
        "play.py",
        "seat = next_seat(rules, state.alive, seat)\n",
        "seat = next_seat(rules, state.alive, next_seat(rules, state.alive, seat))\n",
    ),
    Fault(
        "D7.3",
        "the owner is asked again although it passed on its own play",
        "play.py",
        "elif rules.owner_continues and waiting:",
        "elif rules.owner_continues and state.alive >> state.owner & 1:",
    ),
    Fault(
        "D7.5",
        "the pass limit is off by one",
        "play.py",
        "if state.passes >= rules.pass_limit:",
        "if state.passes > rules.pass_limit:",
    ),
    Fault(
        "D7.5",
        "passes are counted anew after a clear",
        "play.py",
        "    state.field = 0\n    state.suits = 0\n",
        "    state.field = 0\n    state.passes = 0\n    state.suits = 0\n",
    ),
    Fault(
        "D8.2",
        "a foul is judged by the order after the play",
        "play.py",
        "is_foul(rules, move, was_revolution)",
        "is_foul(rules, move, state.revolution)",
    ),
    Fault(
        "D8.2",
        "a sequence with an 8 is a foul of the federation",
        "play.py",
        "(kind != SEQUENCE and move & EIGHTS != 0)",
        "(move & EIGHTS != 0)",
    ),
    Fault(
        "D8.3",
        "nobody falls once somebody has fouled",
        "play.py",
        "if rules.fall and state.ranked and state.out_count == 1:",
        "if rules.fall and state.ranked and state.out_count == 1 and state.sunk_count == 0:",
    ),
    Fault(
        "D8.3",
        "the cards of a fallen player are not laid aside",
        "play.py",
        "            state.hands[ASIDE] = state.hands[top]\n",
        "",
    ),
    Fault(
        "D8.4",
        "the first to foul is the highest of the fouls",
        "play.py",
        "for index in range(state.sunk_count - 1, -1, -1):",
        "for index in range(state.sunk_count):",
    ),
    Fault(
        "D8.4",
        "time: the fallen player is above the fouls too",
        "play.py",
        "    if rules.sunk_order == FOUL_BELOW:\n",
        "    if True:\n",
    ),
    Fault(
        "D9.2",
        "of one rank clubs go first",
        "tribute.py",
        "card = np.int64(1) << (shift + trailing_zeros(cards >> shift))",
        "card = np.int64(1) << (np.int64(cards).item().bit_length() - 1)",
    ),
    Fault(
        "D9.2",
        "a tribute that is not blind is chosen from the hand as it was dealt",
        "tribute.py",
        "return hand if rules.tribute_blind else hand + state.given[pair]",
        "return hand",
    ),
    Fault(
        "D9.2",
        "a tribute where the rules have none",
        "deal.py",
        "    if state.ranked and rules.tribute:\n",
        "    if state.ranked:\n",
    ),
    Fault(
        "D9.2",
        "three players exchange two cards",
        "tribute.py",
        "return 2 if pair == 0 and rules.players > 3 else 1",
        "return 2 if pair == 0 else 1",
    ),
    Fault(
        "D9.3",
        "the ranks stay with the seats when new ones are drawn",
        "deal.py",
        "                if state.seated[seat] == participant:\n",
        "                if seat == participant:\n",
    ),
    Fault(
        "D9.3",
        "new seats are drawn one game late",
        "deal.py",
        "(rules.seats_every > 0 and game % rules.seats_every == 0)",
        "(rules.seats_every > 0 and game % rules.seats_every == 1)",
    ),
    Fault(
        "D9.4",
        "diamond3 counts in games with ranks",
        "play.py",
        "(rules.first_lead == LEAD_DIAMOND3 and not state.ranked)",
        "rules.first_lead == LEAD_DIAMOND3",
    ),
    Fault(
        "D9.5",
        "the bonus goes to the first of every game",
        "play.py",
        "if place == 0 and state.last_of_set:",
        "if place == 0:",
    ),
]


def make(fault: Fault | None, folder: Path) -> None:
    """Copy the package to a folder, with a fault; ValueError if the text of the fault does not occur exactly once."""
    for name in ("sim", "agents", "experiments"):
        shutil.copytree(TOP / name, folder / "agari" / name, ignore=shutil.ignore_patterns("__pycache__"))
    if fault is None:
        return
    path = folder / "agari" / "sim" / "daifugo" / fault.file
    source = path.read_text(encoding="utf-8")
    if source.count(fault.text) != 1:
        raise ValueError(
            f"{fault.clause} {fault.what}: its text occurs {source.count(fault.text)} times in {fault.file}"
        )
    path.write_text(source.replace(fault.text, fault.changed), encoding="utf-8")


def try_fault(fault: Fault | None, seed: int, positions: int = MOST) -> Answer:
    """Compare a copy of the package that has a fault, or none, with the twin."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(fault, folder)
        environment = os.environ | {"PYTHONPATH": name, "NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-W", "ignore", "-m", "tests.twin.find", str(seed), str(positions)]
        done = subprocess.run(command, cwd=TOP, env=environment, capture_output=True, text=True, timeout=SECONDS)
        if done.returncode:
            raise RuntimeError(done.stderr)
        answer = Answer(*json.loads(done.stdout))
        if not Path(answer.kernels).is_relative_to(folder.resolve()):
            raise RuntimeError(f"the kernels that were compared are {answer.kernels}, not the copy")
        return answer


def try_faults(faults: list[Fault], seed: int, workers: int) -> Iterator[Answer]:
    """Try faults, some at a time, and answer in their order."""
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(lambda fault: try_fault(fault, seed), faults)
