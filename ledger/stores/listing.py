"""How the list of a ledger is asked for in SQL: so that a filter costs what it shows, however many records there are.

Each filter that may leave few of many has an index in the order of opening, and the rarest of those asked for leads;
what it finds is followed only as far as the page goes.  Only the records of the page are then looked up whole.
"""

from __future__ import annotations

from ledger.store import Query, folded

FIELDS = "r.id, r.game, r.edition, r.played, r.place, r.players, r.version, r.closed, a.summary"
LEAST = 3
"""Letters from which on a part of a name is in the index of trigrams."""


def find_sql(query: Query) -> tuple[str, list[object]]:
    """The statement that a query is, and its values."""
    lead, opened, parts = _lead(query)
    where = f"WHERE {' AND '.join(part for part, _value in parts)}" if parts else ""
    way = "ASC" if query.reverse else "DESC"
    inner, outer = f"{opened} {way}", f"r.opened {way}"
    if query.order == "played":
        inner, outer = f"r.played {way}, {inner}", f"r.played {way}, {outer}"
    # All parts of the statement are constants of this file; what a query says is bound.
    statement = (
        f"SELECT {FIELDS} FROM record r LEFT JOIN audit a ON a.record = r.id AND a.version = r.version "  # noqa: S608
        f"WHERE r.opened IN (SELECT r.opened FROM {lead} {where} ORDER BY {inner} LIMIT ? OFFSET ?) ORDER BY {outer}"
    )
    return statement, [*(value for _part, value in parts), -1 if query.limit is None else query.limit, query.offset]


def _lead(query: Query) -> tuple[str, str, list[tuple[str, object]]]:
    """What leads, the column of it that has the order of opening, and the conditions."""
    player, place = query.player and folded(query.player), query.place and folded(query.place)
    parts: list[tuple[str, object]] = [
        (part, value)
        for part, value in (
            ("r.game = ?", query.game), ("r.played >= ?", query.since), ("r.played <= ?", query.until),
        )
        if value is not None
    ]  # fmt: skip
    audited = "EXISTS (SELECT 1 FROM audit a WHERE a.record = r.id AND a.version = r.version AND a.verdict = ?)"
    broke = (
        "EXISTS (SELECT 1 FROM broken b JOIN audit a ON a.record = b.record "
        "WHERE b.clause = ? AND b.opened = r.opened AND a.version = r.version)"
    )
    words = [f'{column} : "{_quoted(text)}"' for column, text in (("players", player), ("place", place)) if _long(text)]
    parts += [
        (f"instr(r.{column}, ?)", text)
        for column, text in (("searched", player), ("place_searched", place))
        if text and not _long(text)
    ]
    if words:
        parts += [(audited, query.verdict)] if query.verdict is not None else []
        parts += [(broke, query.clause)] if query.clause is not None else []
        parts.append(("search MATCH ?", " AND ".join(words)))
        return "search s CROSS JOIN record r ON r.opened = s.rowid", "s.rowid", parts
    if query.clause is not None:
        parts += [(audited, query.verdict)] if query.verdict is not None else []
        parts.append(("b.clause = ? AND r.version = (SELECT version FROM audit WHERE record = r.id)", query.clause))
        return "broken b CROSS JOIN record r ON r.opened = b.opened", "b.opened", parts
    if query.verdict is not None:
        parts.append(("v.verdict = ? AND v.version = r.version", query.verdict))
        return "audit v CROSS JOIN record r ON r.opened = v.opened", "v.opened", parts
    return "record r", "r.opened", parts


def _long(text: str | None) -> bool:
    return text is not None and len(text) >= LEAST and "\0" not in text


def _quoted(text: str | None) -> str:
    return (text or "").replace('"', '""')
