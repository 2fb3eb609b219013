"""The home page, with the games in play and the latest ones, and the pages of games that match a search."""

from functools import cache
from textwrap import shorten
from typing import Any

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from msgspec.structs import replace
from werkzeug.wrappers import Response

from ledger.audit.review import clauses
from ledger.games import catalog
from ledger.keep.stored_audits import list_entry
from ledger.record import clock
from ledger.record.errors import LedgerError
from ledger.stores import questions
from ledger.stores.query import Query, Row
from viewer.club.current_club import current_club, similar_name
from viewer.club.listed_game import card, in_play
from viewer.club.search import ORDERS, PAGE, VERDICTS, read_search
from viewer.club.welcome import evening, last_evening, shown_examples, shown_games
from viewer.replay.replay_routes import replay_of, state_of
from viewer.server.context import loss, store
from viewer.server.kept import kept
from viewer.server.qr_codes import phone_link, qr_code

home = Blueprint("home", __name__)

LATEST = 9
"""Games on the home page, besides those in play."""
EXAMPLES = "This ledger is empty. The games here are examples, simulated ones; they go when yours come."
MOST_IN_PLAY = 4
"""The most games in play on the home page."""
LOOKED_AT = 24
"""How many open records are checked for games in play."""
AUDIT = 2000
"""About the bytes of an audit."""
LEAST = 3
"""The fewest letters of an id that find a record."""


@home.get("/")
def front() -> str | Response:
    """The home page, or the games that match a search."""
    return _results() if request.args else _home()


def _home() -> str:
    now, today = clock.now(), clock.today()
    playing = [row for row in map(_with_audit, store().find(Query(closed=False, limit=LOOKED_AT))) if in_play(row, now)]
    playing = playing[:MOST_IN_PLAY]
    ids = {row.id for row in playing}
    latest = store().find(Query(order="played", limit=LATEST + len(playing)))
    latest = [row for row in latest if row.id not in ids][:LATEST]
    total = store().count_records(Query())
    best, link = last_evening(), phone_link()
    return render_template(
        "home.html",
        stranger=not total or "demo" in current_app.extensions,
        evening=evening(best, today),
        shows=shown_games(best, today) if total else [] if loss() else shown_examples(),
        examples="" if total else EXAMPLES,
        begin=url_for("phone.start") if current_app.extensions["recording"] else "",
        referee=url_for("referee.referee"),
        table=url_for("referee.referee_table", day=today.isoformat()),
        link=link,
        qr=qr_code(link),
        playing=[card(row, today) for row in playing],
        latest=[card(row, today) for row in latest],
        total=total,
        people=len(current_club().people.shown),
        mistakes=sum(store().count_records(Query(verdict=verdict)) for verdict in ("breach", "impossible")),
        typed={},
        **_choices(),
    )


def _with_audit(row: Row) -> Row:
    """The row with a new audit, because a game in play grows faster than the background audits."""
    if row.audit is not None or row.corrupt:
        return row
    try:
        key = *state_of(row.id), "audit"
        audit = kept().get_or_make(key, lambda: list_entry(replay_of(row.id).review), lambda _: AUDIT)
    except LedgerError:
        return row
    return replace(row, audit=audit)


def _results() -> str | Response:
    today = clock.today()
    search = read_search(request.args, today, questions.games(store()))
    query = search.query
    total = store().count_records(query)
    if not total and search.elsewhere:
        query = search.elsewhere
        total = store().count_records(query)
    words = " ".join(search.typed.get("q", "").split())
    if not total and len(words) >= LEAST:
        begun = [record_id for record_id in store().ids(words) if record_id.startswith(words)]
        if len(begun) == 1:
            return redirect(url_for("replay.replay", record_id=begun[0]))
    rows = store().find(query)
    like = similar_name(words) if words and not total else None
    last = max(1, -(-total // PAGE))

    def page(number: int) -> str:
        return url_for("home.front", **{**search.typed, "page": number})  # type: ignore[arg-type]

    return render_template(
        "search_results.html",
        cards=[card(row, today) for row in rows],
        total=total,
        search=search,
        like=like,
        typed=search.typed,
        number=search.number,
        last=last,
        numbers=[(number, page(number)) for number in _numbers(search.number, last)],
        before=page(search.number - 1) if 1 < search.number <= last else None,
        after=page(search.number + 1) if search.number < last else None,
        first=page(1),
        **_choices(),
    )


def _numbers(number: int, last: int) -> list[int]:
    """The pages that are linked: the first, the last, and those around this one."""
    return sorted({1, last, *range(max(1, number - 1), min(last, number + 1) + 1)})


def _choices() -> dict[str, Any]:
    return {
        "games": [(game.name, game.title) for game in catalog.games()],
        "rules": _rules(),
        "verdicts": VERDICTS.items(),
        "orders": ORDERS.items(),
    }


@cache
def _rules() -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """The rules of all games: each game's title, and the id and the shortened meaning of each of its rules."""
    return tuple(
        (game.title, tuple((rule.id, shorten(rule.meaning, 70, placeholder="…")) for rule in clauses(game)))
        for game in catalog.games()
    )
