"""Tables for people, of which nothing is ever cut."""

from collections.abc import Collection, Sequence
from typing import Literal

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table

FOLDED = 12  # columns that a folded column has at least, or its longest cell, if that is shorter


class WholeTable(Table):
    """A table of texts that is rather wider than the terminal, which then breaks its lines, than cut."""

    def __init__(
        self,
        headings: Sequence[str],
        rows: Sequence[Sequence[str]],
        folded: Collection[str],
        justify: Literal["left", "right"] = "left",
        title: str | None = None,
    ) -> None:
        """Make a table; where there is little room the columns named in `folded` are folded, never those to justify."""
        super().__init__(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
        self.narrowest = 1
        for heading, *cells in zip(headings, *rows, strict=True):
            widest = max(cell_len(line) for cell in (heading, *cells) for line in cell.splitlines())
            if heading in folded:
                narrowest = min(widest, FOLDED)
                self.add_column(heading, overflow="fold", min_width=narrowest)
            else:
                narrowest = widest
                self.add_column(heading, justify=justify, no_wrap=True, min_width=narrowest)
            self.narrowest += narrowest + 3  # two of padding, and a blank between columns
        for row in rows:
            self.add_row(*row)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render it; in less than it needs rich would leave columns out."""
        return super().__rich_console__(console, options.update(width=max(options.max_width, self.narrowest)))
