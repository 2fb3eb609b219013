"""What the home page shows of a club: its last evening, with the best game; an example where there is none."""

from collections.abc import Callable, Sequence
from datetime import date
from types import SimpleNamespace

from flask import url_for

from ledger.games import catalog
from ledger.record.events import Place
from ledger.record.visible import isolated
from ledger.record.words import plural, sentence
from ledger.stores.query import Query, Row
from viewer.club.example_pages import example_view
from viewer.club.listed_game import day_in_words
from viewer.replay.replay_routes import made_of
from viewer.server.context import store

SHOWN = ("fjafj9f4ar", "40gx45esyg")
"""The examples that an empty ledger shows."""
MOST = 200
"""The most games of an evening."""
OTHERS = 3
"""How many other winners of an evening are named."""


def last_evening() -> list[Row]:
    """The finished games of the last day on which one was played, the best to watch first; no score cards."""
    rows = [row for row in store().find(Query(order="played", limit=MOST)) if _is_over(row) and not row.card]
    return sorted((row for row in rows if row.played == rows[0].played), key=_quality, reverse=True)


def shown_games(best: Sequence[Row], today: date) -> list[SimpleNamespace]:
    """The best game of an evening, and another: a contest if there is one, and of another game if there is one.

    Each as `welcome.html` shows it: its page, its picture that grows, the one that stands still, who won, what it is,
    and how many seconds its film takes.
    """
    another = sorted(best[1:], key=lambda row: (not _is_contest(row), row.game == best[0].game))
    return [_shown(row, today) for row in [*best[:1], *another[:1]]]


def evening(best: Sequence[Row], today: date) -> dict[str, str] | None:
    """An evening in words, as `last_evening.html` shows it, its best game first; None without a game."""
    if not best:
        return None
    day, audit = best[0].played, best[0].audit
    people = {name for row in best for _id, name in row.players}
    counted = plural(len(best), "game"), plural(len(people), "person", "people")
    others = [f"{isolated(winner)} at {catalog.title(row.game)}" for row in best[1:] if (winner := _winner(row))]
    return {
        "when": " · ".join(filter(None, (sentence(day_in_words(day, today))[:-1] if day else "", *counted))),
        "headline": audit.line if audit else "",
        "others": f"Won: {', '.join(others[:OTHERS])}." if others else "",
        "address": url_for("home.front", since=day, until=day, order="played"),
    }


def _winner(row: Row) -> str:
    """The name of the only winner of a contest; empty without one."""
    winners = row.audit.winners if row.audit and _is_contest(row) else ()
    return dict(row.players)[winners[0]] if winners and len(winners) == 1 else ""


def _shown(row: Row, today: date) -> SimpleNamespace:
    when = f" of {day_in_words(row.played, today)}" if row.played else ""
    return SimpleNamespace(
        address=url_for("replay.replay", record_id=row.id, play=1),
        growing=url_for("share.as_growing", record_id=row.id, v=row.events),
        still=url_for("share.as_growing", record_id=row.id, v=row.events, still=1),
        title=catalog.title(row.game),
        outcome=row.audit.line if row.audit else "",
        heading=f"The best game{when}",
        seconds=int(made_of(row.id, "seconds", lambda view: b"%d" % view.film_pace.seconds)),
    )


def shown_examples() -> list[SimpleNamespace]:
    """The examples that stand in for games, on a server."""
    return examples_shown(
        lambda id_: url_for("examples.example", example_id=id_, play=1),
        lambda id_: url_for("examples.example_growing", example_id=id_),
        lambda id_: url_for("examples.example_growing", example_id=id_, still=1),
    )


def examples_shown(
    address: Callable[[str], str], growing: Callable[[str], str], still: Callable[[str], str]
) -> list[SimpleNamespace]:
    """The examples that stand in for games; the functions say where an example and its two pictures are."""
    return [
        SimpleNamespace(
            address=address(id_),
            growing=growing(id_),
            still=still(id_),
            title=view.review.game.title,
            outcome=view.line,
            heading="An example",
            seconds=view.film_pace.seconds,
        )
        for id_, view in zip(SHOWN, map(example_view, SHOWN), strict=True)
    ]


def _is_over(row: Row) -> bool:
    audit = row.audit
    return audit is not None and audit.finished and len(audit.scores) == len(row.players) and not row.corrupt


def _quality(row: Row) -> tuple[bool, bool, bool, float, int]:
    """How good a game is to watch: no mistake, something that grows, a contest, a close one, a long one."""
    assert row.audit is not None  # noqa: S101  it is over
    grows = row.game in catalog.names() and Place in catalog.find(row.game).events
    best, second, *_ = sorted((score or 0 for score in (*row.audit.scores, 0)), reverse=True)
    close = (second - best) / best if best and _is_contest(row) else 0
    return row.audit.mistakes == 0, grows, _is_contest(row), close, row.audit.moves


def _is_contest(row: Row) -> bool:
    """Whether people play against each other, and it is known who won by how much."""
    audit = row.audit
    told = audit is not None and bool(audit.winners) and None not in audit.scores
    return told and len(row.players) > 1 and row.game not in catalog.together()
