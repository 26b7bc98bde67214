"""A match that people play at the terminal against agents, or against each other.

The cards, the seats and the agents' random streams are those of the first match of a tournament with the same seed.
What a person is shown is made from observations of that person's seat.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from rich.text import Text

from ...agents.match import LONGEST_GAME, ask
from ...agents.registry import parse_agent
from ...agents.view import View
from ...sim.errors import InputError, shorten
from ...sim.game import blank, deal, legal_moves, moves_dtype, observe, play
from ...sim.rng import AGENT, derive, key_of, one_way_key_of
from ..plan import Plan
from .board import YOU, Names, board_of, place_cells, place_head
from .menu import Menu
from .screen import Quit, Screen

QUITS = ("q", "quit")
HELP = (
    "A number chooses the move with that number, and so does typing its cards.",
    "m lists all moves, Enter shows the table again, ? is this help, q quits.",
)


Telling = Callable[[Names], list[Text]]  # what to call the seats -> what there is to tell


class Unasked(NamedTuple):
    """Somebody who is not asked what others are not to see asked, but gets the keyboard as if."""

    person: "Person"
    lines: list[Text]  # what to show instead


class Person:
    """Somebody at the keyboard."""

    def __init__(self, label: str, participant: int) -> None:
        self.label, self.participant = label, participant
        self.seat = 0  # in the game at hand
        self.names = Names([])
        self.told = 0  # how many of the events of the game it has been told


class Session:
    """A match with people in it.

    Args:
        plan: the game and its rules, the number of games, the seed, and the agents, which take the other seats in turn.
        seats: where people sit in the first game.
    """

    def __init__(self, plan: Plan, seats: Sequence[int], screen: Screen) -> None:
        self.plan, self.screen = plan, screen
        self.game, self.rules, self.board = plan.game, plan.rules, board_of(plan.game)
        self.match_key = key_of(plan.seed, 0)
        self.state, self.moves = blank(self.game.state_dtype), blank(moves_dtype(self.game.max_moves))
        deal(self.rules, self.state, 0, key_of(self.match_key, 0))
        seated = self._seated()
        alone = len(seats) == 1
        self.people = [Person(YOU if alone else f"player {n}", seated[seat]) for n, seat in enumerate(seats, 1)]
        free = [participant for seat, participant in enumerate(seated) if seat not in seats]
        specs = [parse_agent(label) for label in plan.agents]
        seats_of = {participant: specs[index % len(specs)] for index, participant in enumerate(free)}
        self.agents = {participant: spec.build() for participant, spec in seats_of.items()}
        self.labels = {participant: spec.label for participant, spec in seats_of.items()}
        self.labels |= {person.participant: person.label for person in self.people}
        self.totals = dict.fromkeys(seated, 0.0)
        self.at: dict[int, Person] = {}  # by seat in the game at hand
        self.events: list[list[Telling]] = []  # of the game at hand, each as every person has seen it
        self.unasked: list[Unasked] = []  # who still has to get the keyboard, in this order
        self.at_screen: Person | None = None  # whose cards the screen may show
        self.number = 0  # of the game at hand

    @property
    def shared(self) -> bool:
        """Whether several people sit at one keyboard."""
        return len(self.people) > 1

    def run(self) -> None:
        """Play the match. Raises `Quit` when somebody wants to stop, `AgentFault` where an agent fails."""
        try:
            self._run()
        finally:
            if self.at_screen is not None:
                self.screen.clear(forget=True)

    def _run(self) -> None:
        for number in range(self.plan.games):
            self.number = number
            self._play_game()
            self._show_the_end()
            self._show_results()

    def _play_game(self) -> None:
        """Deal the game at hand and play it to its end."""
        deal(self.rules, self.state, self.number, key_of(self.match_key, self.number))
        self._take_seats()
        self._play_on()

    def _play_on(self) -> None:
        """Play the game at hand from where it is to its end."""
        rules, state, moves = self.rules, self.state, self.moves
        seated = self._seated()
        keys = [one_way_key_of(self.match_key, self.number, AGENT, 0, participant) for participant in seated]
        decisions = [0] * rules.players
        while state.turn >= 0:
            if sum(decisions) > LONGEST_GAME:
                raise InputError(f"the game was not over after {LONGEST_GAME} moves")
            self._hand_to_unasked()
            seat = int(state.turn)
            legal = moves.list[: legal_moves(rules, state, moves)].copy()
            if len(legal) == 1 and not (
                self.shared and seat in self.at
            ):  # at one keyboard all would see who is not asked
                move = int(legal[0])
            elif seat in self.at:
                move = self._choose(self.at[seat], legal.tolist())
            else:
                view = View(self.game, rules, self._seen(seat), legal.copy(), int(derive(keys[seat], decisions[seat])))
                move = ask(self.agents[seated[seat]], self.labels[seated[seat]], view, state, legal)
            decisions[seat] += 1
            self._make(move, forced=len(legal) == 1)
        self._hand_to_unasked()

    def _seated(self) -> list[int]:
        """Return the participants by seat."""
        return [int(participant) for participant in self.state.seated[: self.rules.players]]

    def _take_seats(self) -> None:
        """Let people take their seats in the game that has just been dealt."""
        seated = self._seated()
        self.at = {seated.index(person.participant): person for person in self.people}
        for seat, person in self.at.items():
            person.seat, person.told = seat, 0
            person.names = Names([self.labels[participant] for participant in seated], seat)
        self.events = [[functools.partial(self._beginning, self._seen(person.seat)) for person in self.people]]

    def _seen(self, seat: int) -> Any:
        """Return what a seat knows."""
        observation = blank(self.game.state_dtype)
        observe(self.rules, self.state, seat, observation)
        return observation

    def _beginning(self, observation: Any, names: Names) -> list[Text]:
        title = Text(f"{self._which_game().capitalize()}: you are seat {observation.observer}", "bold")
        return [Text(), title, *self.board.dealt(self.rules, observation, names)]

    def _which_game(self) -> str:
        return f"game {self.number + 1} of {self.plan.games}"

    def _make(self, move: int, forced: bool) -> None:
        """Make a move, and take note of what everybody sees of it."""
        rules, seat = self.rules, int(self.state.turn)
        event: list[Telling] = []
        before = [self._seen(person.seat) for person in self.people]
        play(rules, self.state, move)
        for person, observation in zip(self.people, before, strict=True):
            after = self._seen(person.seat)
            seen = move if self.board.visible(rules, observation) else None
            event.append(functools.partial(self._told, observation, seen, after, forced and person.seat == seat))
        self.events.append(event)
        if self.shared:
            clockwise = sorted(range(len(before)), key=lambda index: (self.people[index].seat - seat) % rules.players)
            for person, observation in ((self.people[index], before[index]) for index in clockwise):
                lines = self.board.unasked(rules, observation, self._seen(person.seat), person.names)
                if lines is not None:
                    self.unasked.append(Unasked(person, lines))
        elif self._visible(self.people[0]):
            self._show_news(self.people[0])

    def _told(self, before: Any, move: int | None, after: Any, forced: bool, names: Names) -> list[Text]:
        lines = self.board.told(self.rules, before, move, after, names)
        if forced and names.you is not None:  # that somebody else had no choice is not to be seen
            lines[0].append("  (no choice)")
        return lines

    def _visible(self, person: Person) -> bool:
        """Return whether a person will see the move that is made now."""
        return self.board.visible(self.rules, self._seen(person.seat))

    def _show_news(self, person: Person) -> None:
        """Tell a person what it has not been told yet."""
        index = self.people.index(person)
        for event in self.events[person.told :]:
            self.screen.write(*event[index](person.names))
        person.told = len(self.events)

    def _hand_to_unasked(self) -> None:
        """Hand the keyboard to those who are waiting for it, up to one who is asked indeed.

        Whoever might be asked, for all that others know, gets it, in the same order as if all were. So nobody learns
        from where the keyboard goes whether somebody is asked.
        """
        if not self.unasked:
            return
        to_act = self.at.get(int(self.state.turn))
        secret = not all(self._visible(person) for person in self.people)
        if secret and to_act is None:
            return
        while self.unasked:
            person, lines = self.unasked.pop(0)
            if person is to_act and (secret or not self.unasked):  # then it is asked, or has its turn
                return
            self._hand_over(person)
            self.screen.write(*lines)
            if self.screen.ask("Press Enter: ").lower() in QUITS:
                raise Quit

    def _choose(self, person: Person, legal: list[int]) -> int:
        """Return the move that a person chooses among the legal ones."""
        self._hand_over(person)
        self._show_news(person)
        observation = self._seen(person.seat)
        menu = Menu(self.board, self.game, self.rules, observation, legal)
        self._show_table(person, observation, menu)
        question = self.board.question(self.rules, observation)
        if len(legal) == 1:
            question += " (there is no choice: press Enter)"
        while True:
            typed = self.screen.ask(f"{question}: ")
            match typed.lower():
                case "" if len(legal) == 1:
                    return legal[0]
                case "":
                    self._show_table(person, observation, menu)
                case "?" | "help":
                    self.screen.write(*HELP, *self.board.how_to_type)
                case "m":
                    self.screen.write(*menu.lines(self.screen.width))
                case _ if typed.lower() in QUITS:
                    raise Quit
                case _:
                    try:
                        meant = menu.read(typed)
                    except InputError as error:
                        self.screen.write(shorten(str(error)))
                        continue
                    if len(meant) == 1:
                        return menu.move(meant[0])
                    self.screen.write("That can be:", *(menu.described(number) for number in meant))

    def _hand_over(self, person: Person) -> None:
        """Let the keyboard change hands if it has to, so that nobody sees what another one was shown."""
        if not self.shared or self.at_screen is person:
            return
        if self.at_screen is not None:
            self.screen.clear(forget=True)
        self.at_screen = None
        self.screen.forget_typed()
        typed = self.screen.ask(f"Pass the keyboard to seat {person.seat} ({person.label}), then press Enter: ")
        if typed.lower() in QUITS:
            raise Quit
        self.at_screen = person
        self.screen.clear(forget=True)

    def _show_table(self, person: Person, observation: Any, menu: Menu) -> None:
        lines = self.board.situation(self.rules, observation, person.names)
        self.screen.headline(f"{self._which_game()}, seat {person.seat}: your turn")
        self.screen.write(*lines)
        room = None if self.screen.height is None else self.screen.height - len(lines) - 3
        self.screen.write(*menu.lines(self.screen.width, room))

    def _show_the_end(self) -> None:
        """Show several people how a game ended: what happened since any of them looked, as all have seen it."""
        if not self.shared:
            return
        self.screen.clear(forget=True)
        self.at_screen = None
        names = Names(self.people[0].names.labels)
        for event in self.events[min(person.told for person in self.people) :]:
            first, *others = (telling(names) for telling in event)
            self.screen.write(*(line for line in first if all(line in lines for lines in others)))

    def _show_results(self) -> None:
        """Show the places and points of the game that is over, and the totals; after the last game the match's."""
        players = self.rules.players
        outcome = self.game.outcome(self.rules, self.state)
        ranking = sorted(range(players), key=lambda seat: int(outcome[seat]["place"]))
        rows = [(*place_head(self.game, players), "who", "how", "points", "total")]
        for seat in ranking:
            result = outcome[seat]
            participant = self._seated()[seat]
            self.totals[participant] += result["points"]
            rows.append(
                (
                    *place_cells(self.game, players, result["place"]),
                    f"seat {seat} {self.labels[participant]}",
                    self.game.reasons[result["reason"]],
                    f"{result['points']:g}",
                    f"{self.totals[participant]:g}",
                )
            )
        self.screen.headline(f"{self._which_game()} is over")
        self.screen.table(rows)
        if self.number + 1 == self.plan.games:
            self._show_match(ranking)

    def _show_match(self, ranking: list[int]) -> None:
        """Show the places of the match, and who has won it; `ranking` are the seats by place in the last game."""
        labels = [self.labels[participant] for participant in self._seated()]
        totals = [self.totals[participant] for participant in self._seated()]
        order = sorted(ranking, key=lambda seat: -totals[seat])
        if self.game.last_game_decides:
            places = {seat: place for place, seat in enumerate(order, 1)}
        else:
            places = {seat: 1 + sum(other > totals[seat] for other in totals) for seat in order}
        if self.plan.games > 1:
            self.screen.headline(f"the match of {self.plan.games} games")
            rows = [(f"{places[seat]}", f"seat {seat} {labels[seat]}", f"{totals[seat]:g}") for seat in order]
            self.screen.table([("place", "who", "total"), *rows])
        names = [YOU if labels[seat] == YOU else f"seat {seat} {labels[seat]}" for seat in order if places[seat] == 1]
        if len(names) > 1:
            who = f"{', '.join(names[:-1])} and {names[-1]} share"
        else:
            who = f"{names[0]} {'win' if names == [YOU] else 'wins'}"
        self.screen.write(f"{who[0].upper()}{who[1:]} the match.")
