"""The SQL for the list of a ledger.  The cost of a query depends on its page, not on the number of records.

Each selective filter has an index in the order of opening, and the most selective one leads the query, which reads only
as far as the page goes.  Only the records on the page are then read completely.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from ledger.stores.query import Query, Row, Summary
from ledger.stores.shared import searchable

FIELDS = (
    "r.id, r.game, r.edition, r.played, r.place, r.event, r.players, r.version, r.closed, r.card, r.voided, a.summary"
)
LEAST = 3
"""The fewest letters of a part of a name that the trigram index can find."""


EVERY = 1 << 40
"""More records than there can be, because not every database has an unlimited LIMIT."""


class Search(NamedTuple):
    """How a database searches for a part of a text.

    `contains(column)` is the condition on a column of `record`, and `within(text)` its value.  If there is a search
    index, `lead` is its table and its column in the order of opening, and `words` turns texts that are long enough,
    each with its column, into a condition and its value.  `join` joins two tables so that the first one leads, if the
    database allows that.
    """

    contains: Callable[[str], str]
    within: Callable[[str], str]
    lead: tuple[str, str] | None = None
    words: Callable[[Sequence[tuple[str, str]]], tuple[str, str]] | None = None
    join: str = "CROSS JOIN"


def within(text: str) -> str:
    """The pattern of LIKE for texts that contain this one; `!` is the sign of escape."""
    for special in "!%_":
        text = text.replace(special, f"!{special}")
    return f"%{text}%"


def _phrases(texts: Sequence[tuple[str, str]]) -> tuple[str, str]:
    phrases = [f'{column} : "{text.replace(chr(34), chr(34) * 2)}"' for column, text in texts]
    return "search MATCH ?", " AND ".join(phrases)


FULL_TEXT = Search(
    lambda column: f"instr({column}, ?)",
    lambda text: text,
    ("search s CROSS JOIN record r ON r.opened = s.rowid", "s.rowid"),
    _phrases,
)
"""The search of SQLite, with its table `search` as the index."""


def find_sql(query: Query, search: Search) -> tuple[str, list[object]]:
    """The SQL of a query, and its values."""
    openings, values = openings_sql(query, search)
    direction = "ASC" if query.reverse else "DESC"
    order = f"r.played {direction}, r.opened {direction}" if query.order == "played" else f"r.opened {direction}"
    # All parts of the statement are constants of this file; the values of a query are bound.
    statement = (
        f"SELECT {FIELDS} FROM record r LEFT JOIN audit a ON a.record = r.id AND a.version = r.version "  # noqa: S608
        f"WHERE r.opened IN ({openings}) ORDER BY {order}"
    )
    return statement, values


def openings_sql(query: Query, search: Search) -> tuple[str, list[object]]:
    """The SQL for the openings of the records of a query, and its values."""
    lead, opened, conditions = _lead(query, search)
    where = f"WHERE {' AND '.join(condition for condition, _value in conditions)}" if conditions else ""
    direction = "ASC" if query.reverse else "DESC"
    order = f"r.played {direction}, {opened} {direction}" if query.order == "played" else f"{opened} {direction}"
    statement = f"SELECT r.opened FROM {lead} {where} ORDER BY {order} LIMIT ? OFFSET ?"  # noqa: S608  constants
    limit = EVERY if query.limit is None else query.limit
    return statement, [*(value for _condition, value in conditions), limit, query.offset]


def count_sql(query: Query, search: Search) -> tuple[str, list[object]]:
    """The SQL that counts the records of a query, and its values."""
    lead, _opened, conditions = _lead(query, search, counting=True)
    where = f"WHERE {' AND '.join(condition for condition, _value in conditions)}" if conditions else ""
    return f"SELECT count(*) FROM {lead} {where}", [value for _condition, value in conditions]  # noqa: S608  constants, as above


def _lead(query: Query, search: Search, *, counting: bool = False) -> tuple[str, str, list[tuple[str, object]]]:
    """The leading table, its column in the order of opening, and the conditions."""
    closed = None if query.closed is None else int(query.closed)
    conditions: list[tuple[str, object]] = [
        (condition, value)
        for condition, value in (
            ("r.game = ?", query.game), ("r.played >= ?", query.since),
            ("r.played > '' AND r.played <= ?", query.until), ("r.closed = ?", closed),
        )
        if value is not None
    ]  # fmt: skip
    if query.voided is not None:
        # Few records are set aside: an index by that leads only where nothing else does.
        alone = len(conditions) == 0 and not any((query.player, query.place, query.verdict, query.clause))
        conditions.append((f"{'' if alone and counting else '+'}r.voided = ?", int(query.voided)))
    has_verdict = "EXISTS (SELECT 1 FROM audit a WHERE a.record = r.id AND a.version = r.version AND a.verdict = ?)"
    breaks_clause = (
        "EXISTS (SELECT 1 FROM broken b JOIN audit a ON a.record = b.record "
        "WHERE b.clause = ? AND b.opened = r.opened AND a.version = r.version)"
    )
    texts = [("players", "searched", word) for word in searchable(query.player or "").split()]
    if query.place:
        texts.append(("place", "place_searched", searchable(query.place)))
    words = [(name, text) for name, _column, text in texts if search.words and len(text) >= LEAST]
    conditions += [
        (search.contains(f"r.{column}"), search.within(text))
        for name, column, text in texts
        if (name, text) not in words
    ]
    if search.words and search.lead and words:
        conditions += [(has_verdict, query.verdict)] if query.verdict is not None else []
        conditions += [(breaks_clause, query.clause)] if query.clause is not None else []
        conditions.append(search.words(words))
        return *search.lead, conditions
    if query.clause is not None:
        conditions += [(has_verdict, query.verdict)] if query.verdict is not None else []
        conditions.append(
            ("b.clause = ? AND r.version = (SELECT version FROM audit WHERE record = r.id)", query.clause)
        )
        return f"broken b {search.join} record r ON r.opened = b.opened", "b.opened", conditions
    if query.verdict is not None:
        conditions.append(("v.verdict = ? AND v.version = r.version", query.verdict))
        return f"audit v {search.join} record r ON r.opened = v.opened", "v.opened", conditions
    return "record r", "r.opened", conditions


def read_row(columns: tuple[Any, ...]) -> Row:
    """A row of the list, as `find_sql` reads it; one that is damaged is marked as corrupt."""
    id_, game, edition, played, place, event, players, version, closed, card, voided, summary = columns
    try:
        player_names = tuple((pair[0], pair[1]) for pair in msgspec.json.decode(players))
        audit = msgspec.json.decode(summary, type=Summary) if summary else None
        row = Row(
            id=id_,
            game=game,
            edition=edition,
            played=played or None,
            place=place,
            event=event,
            players=player_names,
            events=version,
            closed=bool(closed),
            card=bool(card),
            voided=bool(voided),
            audit=audit,
        )
        return msgspec.convert(msgspec.structs.asdict(row), Row)  # a damaged file has other types
    except (TypeError, LookupError, ValueError):
        # One bad row must not hide the others.
        events = version if isinstance(version, int) else 0
        return Row(
            id=str(id_), game=str(game), edition=None, played=None, place=None, players=(), events=events, closed=False,
            corrupt=True,
        )  # fmt: skip
