"""The pages with statistics of the whole club, and of each game with plots, tables and CSV."""

from collections.abc import Sequence
from html import escape
from math import ceil
from typing import NamedTuple

from flask import Blueprint, Response, abort, render_template, request
from markupsafe import Markup

from ledger.club.result_exports import csv_bytes
from ledger.club.statistics import ORDINALS, Spread, Statistics, is_known, kinds, statistics
from ledger.games.catalog import title
from ledger.record.scales import nice
from viewer.club.club_addresses import decimal
from viewer.club.current_club import current_club
from viewer.replay.replay_routes import whole_number

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
    """The statistics of a game, of its most played kind or of `?players=` and `?set=`."""
    if not is_known(current_club(), game):
        abort(404, f"there is no game {game!r}")
    found = statistics(
        current_club(), game, whole_number("players") or None, whole_number("set") if "set" in request.args else None
    )
    return render_template("game_statistics.html", s=found, title=title(game), plots=plots(found))


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
    """The plots of a game's statistics; that of the seats, if there is one, is the first."""
    made = [_seats(found)] if found.seats else []
    if found.scores:
        who, unit, what = (
            ("games", "cheats", "Cheats") if found.together else ("players", "points", "Points of one player")
        )
        half = f"Half of the {who} ended with {decimal(found.scores.median)} {unit} or more."
        axes = what, f"{who.capitalize()}, of {found.scores.count}"
        made.append(_spread("Final scores", half, axes, found.scores))
    for unit, spread in (("moves", found.moves), ("hands", found.hands)):
        if spread and spread.least < spread.greatest:
            half = f"Half of the games took {decimal(spread.median)} {unit} or more."
            made.append(_spread(f"Length in {unit}", half, (unit.capitalize(), f"Games, of {found.games}"), spread))
    return made


def _spread(title: str, about: str, axes: tuple[str, str], spread: Spread) -> Plot:
    labels, counts = [bar.label for bar in spread.bars], [bar.count for bar in spread.bars]
    rows = [*zip(labels, map(str, counts), strict=True)]
    return Plot(title, about, bar_chart(labels, counts, f"{title}. {about}", axes), axes, rows)


def _seats(found: Statistics) -> Plot:
    names = [ORDINALS[seat.seat - 1] if seat.seat <= len(ORDINALS) else str(seat.seat) for seat in found.seats]
    fair = [seat.fair for seat in found.seats]
    about = f"The dashed line is where each seat would be by chance: {decimal(fair[0])}."
    axes = "Seat, in the order of play", f"Games won, of {found.seats[0].games}"
    svg = bar_chart(names, [seat.wins for seat in found.seats], about, axes, fair)
    rows = [
        (name, decimal(seat.wins), f"{seat.wins - seat.fair:+.1f}")
        for name, seat in zip(names, found.seats, strict=True)
    ]
    return Plot("Wins by seat", about, svg, ("Seat", axes[1], "More than by chance"), rows)


WIDE, HIGH = 340, 182
LEFT, RIGHT, TOP, BOTTOM = 34, 334, 26, 138
MOST_LINES = 4
"""The most lines of the scale above zero."""
LETTER = 6.4
"""The approximate width of a letter in a label."""


def bar_chart(
    labels: Sequence[str], values: Sequence[float], title: str, axes: tuple[str, str], fair: Sequence[float] = ()
) -> Markup:
    """A bar for each value over its label; `fair` marks where each bar would end by chance.

    `title` describes the plot for people who listen; `axes` are the names of both axes, with their units.
    """
    step = nice(max(1, *values, *fair) / MOST_LINES)
    top = max(step, ceil(max(*values, *fair, 0) / step) * step)
    room = (RIGHT - LEFT) / len(values)

    def y(value: float) -> float:
        return BOTTOM - value * (BOTTOM - TOP) / top

    parts = [_line(y(value), value) for value in range(0, top + 1, step)]
    parts.append(f'<text class="ax" x="0" y="11">{escape(axes[1])}</text>')
    parts.append(f'<text class="ax mid" x="{(LEFT + RIGHT) / 2}" y="{HIGH - 6}">{escape(axes[0])}</text>')
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
