"""The pages with statistics of the whole club, and of each game with plots, tables and CSV."""

from collections.abc import Sequence
from html import escape
from math import ceil
from typing import NamedTuple

from flask import Blueprint, Response, abort, render_template
from markupsafe import Markup

from ledger.club.ratings import ladders
from ledger.club.result_exports import csv_bytes
from ledger.club.statistics import Spread, Statistics, is_known, kinds, statistics
from ledger.games.catalog import title
from ledger.record.scales import nice
from ledger.record.words import plural
from viewer.club.club_addresses import decimal
from viewer.club.current_club import current_club

pages = Blueprint("statistics", __name__)


class Plot(NamedTuple):
    """A plot with its title, a sentence about it, and a table of its values."""

    title: str
    about: str
    svg: Markup
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


@pages.get("/statistics")
def overview() -> str:
    """The games of the club: how often each was played, with links to their statistics."""
    rows = [(kind.game, title(kind.game), kind.games, kind.finished, kind.last) for kind in kinds(current_club())]
    people = len(current_club().people.shown)
    return render_template("club_statistics.html", rows=rows, games=sum(row[2] for row in rows), people=people)


@pages.get("/statistics/<game>")
def of_game(game: str) -> str:
    """The statistics of a game."""
    if not is_known(current_club(), game):
        abort(404, f"there is no game {game!r}")
    found = statistics(current_club(), game)
    ladder = next(iter(ladders(current_club(), game)), None)
    return render_template("game_statistics.html", s=found, title=title(game), plots=plots(found), ladder=ladder)


@pages.get("/statistics/<game>.csv")
def as_csv(game: str) -> Response:
    """The results of all games of one kind, a line for each player and game."""
    if not is_known(current_club(), game):
        abort(404, f"there is no game {game!r}")
    games = current_club().games("game = ?", (game,))
    answer = Response(csv_bytes(games), content_type="text/csv; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="{game}.csv"'
    return answer


def plots(found: Statistics) -> list[Plot]:
    """The plots of a game's statistics."""
    made = []
    if found.scores:
        what = "cheats" if found.together else "scores"
        made.append(_spread(what.capitalize(), f"The final {what} of all finished games", what, found.scores))
    if found.seats:
        made.append(_seats(found))
    if found.moves and found.moves.least < found.moves.greatest:
        made.append(_spread("Length in moves", "How many moves the games had", "moves", found.moves))
    if found.hands and found.hands.least < found.hands.greatest:
        made.append(_spread("Length in hands", "How many hands the games had", "hands", found.hands))
    return made


def _spread(title: str, what: str, unit: str, spread: Spread) -> Plot:
    labels, counts = [bar.label for bar in spread.bars], [bar.count for bar in spread.bars]
    about = f"{what}: from {spread.least} to {spread.greatest}, the middle one is {decimal(spread.median)}."
    columns = title, "Players" if unit == "scores" else "Games"
    return Plot(title, about, bar_chart(labels, counts, about), columns, [*zip(labels, map(str, counts), strict=True)])


def _seats(found: Statistics) -> Plot:
    labels = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
    names = [labels[seat.seat - 1] if seat.seat <= len(labels) else str(seat.seat) for seat in found.seats]
    first = found.seats[0]
    more = first.wins - first.fair
    about = (
        f"Players in the first seat won {decimal(first.wins)} of {plural(first.games, 'game')}; "
        f"by chance it would be {decimal(first.fair)}."
    )
    svg = bar_chart(names, [seat.wins for seat in found.seats], about, [seat.fair for seat in found.seats])
    rows = [
        (name, str(seat.games), decimal(seat.wins), decimal(seat.fair), f"{seat.wins - seat.fair:+.1f}")
        for name, seat in zip(names, found.seats, strict=True)
    ]
    title = "Does the first seat help?" if abs(more) >= 0.05 else "Wins by seat"
    return Plot(title, about, svg, ("Seat", "Games", "Wins", "By chance", "Difference"), rows)


WIDE, HIGH = 340, 150
LEFT, RIGHT, TOP, BOTTOM = 34, 334, 10, 122
MOST_LINES = 4
"""The most lines of the scale above zero."""
LETTER = 6.4
"""The approximate width of a letter in a label."""


def bar_chart(labels: Sequence[str], values: Sequence[float], title: str, fair: Sequence[float] = ()) -> Markup:
    """A bar for each value over its label; `fair` marks where each bar would end by chance.

    `title` describes the plot for people who listen.
    """
    step = nice(max(1, *values, *fair) / MOST_LINES)
    top = max(step, ceil(max(*values, *fair, 0) / step) * step)
    room = (RIGHT - LEFT) / len(values)

    def y(value: float) -> float:
        return BOTTOM - value * (BOTTOM - TOP) / top

    parts = [_line(y(value), value) for value in range(0, top + 1, step)]
    wide = min(room * 0.78, 56)
    # If there are many labels, only some are written, so that they do not touch.
    every = ceil((max(map(len, labels)) + 1) * LETTER / room)
    for place, (label, value) in enumerate(zip(labels, values, strict=True)):
        middle = LEFT + (place + 0.5) * room
        if value:
            parts.append(
                f'<rect class="bar" x="{middle - wide / 2:.1f}" y="{y(value):.1f}" width="{wide:.1f}" '
                f'height="{BOTTOM - y(value):.1f}" rx="2"><title>{escape(label)}: {decimal(value)}</title></rect>'
            )
        if fair:
            parts.append(f'<path class="fair" d="M{middle - wide / 2 - 3:.1f} {y(fair[place]):.1f}h{wide + 6:.1f}"/>')
        if place % every == 0:
            parts.append(f'<text class="ax mid" x="{middle:.1f}" y="{BOTTOM + 16}">{escape(label)}</text>')
    return Markup(  # noqa: S704  numbers, and escaped above
        f'<svg class="plot" viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{escape(title)}">{"".join(parts)}</svg>'
    )


def _line(y: float, value: int) -> str:
    return (
        f'<path class="grid" d="M{LEFT} {y:.1f}H{RIGHT}"/>'
        f'<text class="ax end" x="{LEFT - 6}" y="{y + 4:.1f}">{value}</text>'
    )
