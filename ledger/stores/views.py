"""The views of a ledger, which other programs read with SQL of their own.

They have the same columns in every database, and the columns are public: none is ever removed.  Views that show audits
leave out records that have grown since.

Source: docs/queries.md, which describes them for people.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Dialect(NamedTuple):
    """A database's own SQL: for the names of `result n` by seat as one text, a body as text, and parts of it; for the
    number of findings of a cause, and the sentence of its first repair.
    """

    names: str
    body: str
    part: str
    length: str
    message: str


SQLITE: Final = Dialect(
    "(SELECT group_concat(name, ', ') FROM (SELECT n.name FROM result n WHERE {} ORDER BY n.seat))",
    "CAST(body AS TEXT)",
    "json_extract(e.body, '$.{}')",
    "json_array_length(c.findings)",
    "json_extract(c.repairs, '$[0].message')",
)
POSTGRES: Final = Dialect(
    "(SELECT string_agg(n.name, ', ' ORDER BY n.seat) FROM result n WHERE {})",
    "convert_from(body, 'UTF8')",
    # This database has no texts with NUL.
    r"replace(e.body, '\u0000', '\ufffd')::json ->> '{}'",
    "json_array_length(c.findings::json)",
    "c.repairs::json -> 0 ->> 'message'",
)

# A row per record.
_GAMES = """
CREATE VIEW games AS
SELECT r.id AS record, r.game, r.edition, nullif(r.played, '') AS played, r.place, r.event,
    {players} AS players,
    {winners} AS winners,
    f.finished, r.closed, a.verdict, f.mistakes, f.moves, f.hands, r.version AS events, r.card
FROM record r
LEFT JOIN result f ON f.opened = r.opened AND f.seat = 0
LEFT JOIN audit a ON a.record = r.id AND a.version = r.version
WHERE r.voided = 0
"""
# A row per player and record.
_RESULTS = """
CREATE VIEW results AS
SELECT record, game, edition, event, place, played, seat, player, name, players,
    score, won, rank, finished, mistakes, moves, hands, card
FROM result
"""
# A row per name.
_PLAYERS = """
CREATE VIEW players AS
SELECT name, count(*) AS games, sum(finished) AS finished, sum(won) AS wins,
    min(played) AS first_played, max(played) AS last_played
FROM result
GROUP BY name
"""
# A row per event, as it was written.
_MOVES = """
CREATE VIEW moves AS
SELECT e.record, e.seq AS move, {type} AS type, {player} AS player,
    (SELECT n.name FROM record r JOIN result n ON n.opened = r.opened WHERE r.id = e.record AND n.player = {player})
        AS name,
    {tile} AS tile, {when} AS recorded, e.body
FROM (SELECT record, seq, {body} AS body FROM event WHERE record NOT IN (SELECT id FROM record WHERE voided = 1)) e
"""
# A row per finding.
_FINDINGS = """
CREATE VIEW findings AS
SELECT f.record, f.game, f.move, f.clause AS rule, f.meaning, f.verdict, f.player, n.name,
    f.message, f.expected, f.claimed
FROM finding f
JOIN record r ON r.opened = f.opened AND r.voided = 0
JOIN audit a ON a.record = f.record AND a.version = r.version
LEFT JOIN result n ON n.opened = f.opened AND n.player = f.player
"""
# A row per mistake: what follows from one slip counts once.
_MISTAKES = """
CREATE VIEW mistakes AS
SELECT c.record, c.game, c.move, c.clause AS rule, c.player, n.name, {length} AS findings, {message} AS message
FROM cause c
JOIN record r ON r.opened = c.opened AND r.voided = 0
JOIN audit a ON a.record = c.record AND a.version = r.version
LEFT JOIN result n ON n.opened = c.opened AND n.player = c.player
"""
# A row per game and rule that a finding names.
_RULES = """
CREATE VIEW rules AS
SELECT f.game, f.clause AS rule, max(f.meaning) AS meaning,
    sum(CASE WHEN f.verdict IN ('breach', 'impossible') THEN 1 ELSE 0 END) AS times,
    count(DISTINCT CASE WHEN f.verdict IN ('breach', 'impossible') THEN f.record END) AS games,
    sum(CASE WHEN f.verdict = 'unproven' THEN 1 ELSE 0 END) AS unproven
FROM finding f
JOIN record r ON r.opened = f.opened AND r.voided = 0
JOIN audit a ON a.record = f.record AND a.version = r.version
GROUP BY f.game, f.clause
"""


def views(dialect: Dialect) -> tuple[str, ...]:
    """The statements that create the views."""
    names, parts = (
        dialect.names.format,
        {name: dialect.part.format(name) for name in ("type", "player", "tile", "when")},
    )
    texts = (
        _GAMES.format(players=names("n.opened = r.opened"), winners=names("n.opened = r.opened AND n.won = 1")),
        _RESULTS,
        _PLAYERS,
        _MOVES.format(body=dialect.body, **parts),
        _FINDINGS,
        _MISTAKES.format(length=dialect.length, message=dialect.message),
        _RULES,
    )
    return tuple(text.strip() for text in texts)
