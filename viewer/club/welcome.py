"""What the home page shows of a club to somebody who comes: the best game of the last evening, and the week.

On an empty ledger an example stands in for the game.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from functools import cache
from typing import NamedTuple

from flask import url_for

from ledger.examples.season import season
from ledger.games import catalog
from ledger.record import clock
from ledger.record.events import Place
from ledger.record.visible import isolated
from ledger.record.words import listed, plural
from ledger.stores.query import Query, Row
from viewer.club.listed_game import day_in_words
from viewer.club.search import PAGE
from viewer.replay.replay_routes import made_of
from viewer.replay.replay_view import ReplayView
from viewer.server.context import store

DUEL = 2
"""So many players are both named."""
SHOWN = ("fjafj9f4ar", "40gx45esyg")
"""The examples that an empty ledger shows."""
MOST = 200
"""The most games of a week that are counted."""


class Shown(NamedTuple):
    """A game to watch: its page, its picture that grows, the one that stands still, who won, and what it is.

    Its film takes so many `seconds`.
    """

    address: str
    growing: str
    still: str
    title: str
    outcome: str
    heading: str
    seconds: int


class Fact(NamedTuple):
    """A line about the week: a number with its words, and a link to what it is about, or none."""

    number: str
    words: str
    address: str = ""


def shown_games(today: date) -> list[Shown]:
    """The best game of the last evening in the ledger, and another of that evening; none if no game is finished.

    The other one is a contest if there is one, and of another game if there is one.
    """
    rows = [row for row in store().find(Query(order="played", limit=PAGE)) if _is_over(row) and not row.card]
    best = sorted((row for row in rows if row.played == rows[0].played), key=_quality, reverse=True)
    another = sorted(best[1:], key=lambda row: (not _is_contest(row), row.game == best[0].game))
    return [_shown(row, today) for row in [*best[:1], *another[:1]]]


def _shown(row: Row, today: date) -> Shown:
    audit = row.audit
    assert audit is not None  # noqa: S101  it is over
    names = [name for _id, name in row.players]
    winners = [name for id_, name in row.players if id_ in (audit.winners or ())]
    when = f" of {day_in_words(row.played, today)}" if row.played else ""
    return Shown(
        url_for("replay.replay", record_id=row.id, play=1),
        url_for("share.as_growing", record_id=row.id, v=row.events),
        url_for("share.as_growing", record_id=row.id, v=row.events, still=1),
        catalog.title(row.game),
        outcome(names, winners, [score or 0 for score in audit.scores], together=row.game in catalog.together()),
        f"The best game{when}",
        int(made_of(row.id, "seconds", lambda view: b"%d" % view.film_pace.seconds)),
    )


def shown_examples() -> list[Shown]:
    """The examples that stand in for games, on a server."""
    return examples_shown(
        lambda id_: url_for("examples.example", example_id=id_, play=1),
        lambda id_: url_for("examples.example_growing", example_id=id_),
        lambda id_: url_for("examples.example_growing", example_id=id_, still=1),
    )


def examples_shown(
    address: Callable[[str], str], growing: Callable[[str], str], still: Callable[[str], str]
) -> list[Shown]:
    """The examples that stand in for games; the functions say where an example and its two pictures are."""
    examples = {example.id: example for example in season()}
    return [
        Shown(
            address(id_),
            growing(id_),
            still(id_),
            catalog.title(examples[id_].record.opening.game),
            *_outcome_of(id_),
        )
        for id_ in SHOWN
    ]


@cache
def _outcome_of(example_id: str) -> tuple[str, str, int]:
    """Who won, what the game is, and how long its film takes."""
    view = ReplayView("", next(example.record for example in season() if example.id == example_id))
    review = view.review
    standing, names = review.standing(), review.opening.names
    winners = [names[seat] for seat in standing.winners]
    won = outcome(names, winners, standing.scores, together=review.game.name in catalog.together())
    return won, "An example", view.film_pace.seconds


def outcome(names: Sequence[str], winners: Sequence[str], scores: Sequence[int], *, together: bool) -> str:
    """Who won, in a sentence: ``Ana beats Ben 48 : 47``."""
    if together:
        return f"{listed(map(isolated, names))}: {plural(scores[0], 'cheat')}"
    losers = [name for name in names if name not in winners] if len(names) <= DUEL else []
    best = " : ".join(map(str, sorted(scores, reverse=True)))
    if len(winners) > 1:
        return f"{listed(map(isolated, winners))} share the win, {best}"
    beats = f"beats {isolated(losers[0])}" if losers else "wins"
    return f"{listed(map(isolated, winners))} {beats} {best}"


def week(today: date) -> tuple[str, list[Fact]]:
    """The last week in which the club played, in words, and what there is to say about it."""
    rows = list(store().find(Query(order="played", until=clock.tomorrow(), limit=1)))
    if not rows:
        return "", []
    last = date.fromisoformat(rows[0].played or "")
    since = last - timedelta(6)
    rows = list(store().find(Query(order="played", since=since.isoformat(), until=last.isoformat(), limit=MOST)))
    over = [row for row in rows if _is_over(row)]
    days = {row.played for row in rows}
    people = {name for row in rows for _id, name in row.players}
    facts = [
        Fact(str(len(rows)), "game" if len(rows) == 1 else "games", _results(since, last)),
        Fact(str(len(people)), "player" if len(people) == 1 else "players", url_for("club.players")),
        Fact(str(len(days)), "evening" if len(days) == 1 else "evenings"),
        *_most_wins(over),
        *_closest(over),
    ]
    mistakes = sum(row.audit.mistakes for row in rows if row.audit)
    if mistakes:
        facts.append(
            Fact(str(mistakes), "mistake caught" if mistakes == 1 else "mistakes caught", _results(since, last))
        )
    return f"The week to {day_in_words(last.isoformat(), today)}", facts


def _results(since: date, last: date) -> str:
    return url_for("home.front", since=since.isoformat(), until=last.isoformat(), order="played")


def _most_wins(rows: Iterable[Row]) -> list[Fact]:
    wins = Counter(
        name
        for row in rows
        for id_, name in row.players
        if row.audit and id_ in (row.audit.winners or ()) and row.game not in catalog.together()
    )
    if not wins:
        return []
    (name, count), *_rest = wins.most_common(1)
    return [
        Fact(str(count), f"{'win' if count == 1 else 'wins'}: {isolated(name)}", url_for("club.players", name=name))
    ]


def _closest(rows: Iterable[Row]) -> list[Fact]:
    margins = [(_margin(row), row) for row in rows if _is_contest(row)]
    if not margins:
        return []
    margin, row = min(margins, key=lambda entry: entry[0])
    words = f"{'point' if margin == 1 else 'points'} apart: the closest"
    return [Fact(str(margin), words, url_for("replay.replay", record_id=row.id))]


def _is_over(row: Row) -> bool:
    audit = row.audit
    return audit is not None and audit.finished and len(audit.scores) == len(row.players) and not row.corrupt


def _quality(row: Row) -> tuple[bool, bool, bool, float, int]:
    """How good a game is to watch: no mistake, something that grows, a contest, a close one, a long one."""
    assert row.audit is not None  # noqa: S101  it is over
    contest = _is_contest(row)
    best = max((abs(score or 0) for score in row.audit.scores), default=0) or 1
    grows = row.game in catalog.names() and Place in catalog.find(row.game).events
    return row.audit.mistakes == 0, grows, contest, -_margin(row) / best if contest else 0, row.audit.moves


def _is_contest(row: Row) -> bool:
    """Whether people play against each other, and it is known who won by how much."""
    audit = row.audit
    told = audit is not None and bool(audit.winners) and None not in audit.scores
    return told and len(row.players) > 1 and row.game not in catalog.together()


def _margin(row: Row) -> int:
    """By how much the winner is ahead of the next: with the lowest score, where that wins."""
    audit = row.audit
    if audit is None or not audit.winners or len(row.players) < DUEL or audit.teams or len(audit.winners) != 1:
        return 0
    won = dict(zip((id_ for id_, _name in row.players), (score or 0 for score in audit.scores), strict=True))
    best = won.pop(audit.winners[0])
    return min(abs(best - score) for score in won.values())
