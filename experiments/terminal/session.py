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
from .board import YOU, Names, board_of
from .menu import Menu
from .screen import Quit, Screen

QUITS = ("q", "quit")
HELP = (
    "A number chooses the move with that number, and so does typing its cards.",
    "m lists all moves, Enter shows the table again, ? is this help, q quits.",
)


class News(NamedTuple):
    """What a person has not been shown yet."""

    lines: Callable[[Names], list[Text]]  # what to call the seats -> what there is to tell
    public: bool  # whether everybody at the table has seen it


class Person:
    """Somebody at the keyboard."""

    def __init__(self, label: str, participant: int) -> None:
        self.label, self.participant = label, participant
        self.seat = 0  # in the game at hand
        self.names = Names([])
        self.news: list[News] = []  # not shown yet


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
        seated = [int(participant) for participant in self.state.seated[: self.rules.players]]
        alone = len(seats) == 1
        self.people = [Person(YOU if alone else f"player {n}", seated[seat]) for n, seat in enumerate(seats, 1)]
        free = [participant for seat, participant in enumerate(seated) if seat not in seats]
        specs = [parse_agent(label) for label in plan.agents]
        seats_of = {participant: specs[index % len(specs)] for index, participant in enumerate(free)}
        self.agents = {participant: spec.build() for participant, spec in seats_of.items()}
        self.labels = {participant: spec.label for participant, spec in seats_of.items()}
        self.labels |= {person.participant: person.label for person in self.people}
        self.totals = dict.fromkeys(seated, 0.0)
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
        """Play the game at hand to its end."""
        rules, state, moves = self.rules, self.state, self.moves
        players = range(rules.players)
        deal(rules, state, self.number, key_of(self.match_key, self.number))
        seated = [int(state.seated[seat]) for seat in players]
        keys = [one_way_key_of(self.match_key, self.number, AGENT, 0, participant) for participant in seated]
        decisions = [0] * rules.players
        at = {seated.index(person.participant): person for person in self.people}
        for seat, person in at.items():
            person.seat = seat
            person.names = Names([self.labels[participant] for participant in seated], seat)
            person.news.append(News(functools.partial(self._beginning, self._seen(seat)), public=False))
        while state.turn >= 0:
            if sum(decisions) > LONGEST_GAME:
                raise InputError(f"the game was not over after {LONGEST_GAME} moves")
            seat = int(state.turn)
            legal = moves.list[: legal_moves(rules, state, moves)].copy()
            if len(legal) == 1 and not (self.shared and seat in at):  # at one keyboard all would see who is not asked
                move = int(legal[0])
            elif seat in at:
                move = self._choose(at[seat], legal.tolist())
            else:
                view = View(self.game, rules, self._seen(seat), legal.copy(), int(derive(keys[seat], decisions[seat])))
                move = ask(self.agents[seated[seat]], self.labels[seated[seat]], view, state, legal)
            decisions[seat] += 1
            self._make(move, forced=len(legal) == 1)

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
        before = [self._seen(person.seat) for person in self.people]
        visible = [self.board.visible(self.rules, observation) for observation in before]
        play(self.rules, self.state, move)
        for person, observation, sees in zip(self.people, before, visible, strict=True):
            after = self._seen(person.seat)
            tell = functools.partial(self._told, observation, move if sees else None, after, forced)
            person.news.append(News(tell, public=all(visible)))
        if not self.shared:
            self._show_news(self.people[0])

    def _told(self, before: Any, move: int | None, after: Any, forced: bool, names: Names) -> list[Text]:
        first, *others = self.board.told(self.rules, before, move, after, names)
        # That somebody else had no choice is not to be seen.
        return [first.append("  (no choice)") if forced and before.turn == names.you else first, *others]

    def _show_news(self, person: Person) -> None:
        for news in person.news:
            self.screen.write(*news.lines(person.names))
        person.news.clear()

    def _choose(self, person: Person, legal: list[int]) -> int:
        """Return the move that a person chooses among the legal ones."""
        if self.shared and self.at_screen is not person:
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
        """Let the keyboard change hands, so that nobody sees what another one was shown."""
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
        if self.shared:
            self.screen.clear(forget=True)
            self.at_screen = None
            longest = max(self.people, key=lambda person: len(person.news))
            names = Names(longest.names.labels)
            for news in longest.news:
                if news.public:
                    self.screen.write(*news.lines(names))
            for person in self.people:
                person.news.clear()

    def _show_results(self) -> None:
        """Show the places and points of the game that is over, and the totals."""
        places = self.game.place_names[self.rules.players]
        outcome = self.game.outcome(self.rules, self.state)
        ranking = sorted(range(self.rules.players), key=lambda seat: int(outcome[seat]["place"]))
        rows = [("", "place", "who", "how", "points", "total")]
        seated = self.state.seated.tolist()
        for seat in ranking:
            result = outcome[seat]
            self.totals[seated[seat]] += result["points"]
            rows.append(
                (
                    f"{result['place']}",
                    places[result["place"] - 1],
                    f"seat {seat} {self.labels[seated[seat]]}",
                    self.game.reasons[result["reason"]],
                    f"{result['points']:g}",
                    f"{self.totals[seated[seat]]:g}",
                )
            )
        self.screen.headline(f"{self._which_game()} is over")
        self.screen.table(rows)
        if self.number + 1 == self.plan.games:
            self.screen.write(self._who_won(ranking))

    def _who_won(self, ranking: list[int]) -> str:
        """Say who has won the match; where the last game decides between equals, its ranking begins with the best."""
        seated = self.state.seated.tolist()
        most = max(self.totals.values())
        winners = [seat for seat in ranking if self.totals[seated[seat]] == most]
        if self.game.last_game_decides:
            winners = winners[:1]
        labels = {seat: self.labels[seated[seat]] for seat in winners}
        names = ["you" if label == YOU else f"seat {seat} {label}" for seat, label in labels.items()]
        if len(names) > 1:
            who = f"{', '.join(names[:-1])} and {names[-1]} share"
        else:
            who = f"{names[0]} {'win' if names == ['you'] else 'wins'}"
        return f"{who[0].upper()}{who[1:]} the match."
