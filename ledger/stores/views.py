"""The views of a ledger, which other programs read with SQL of their own.

Their columns are public: none is ever removed.  Views that show audits leave out records that have grown since.

Source: docs/queries.md, which describes them for people.
"""

from __future__ import annotations

from typing import Final

# A row per record.
_GAMES = """
CREATE VIEW games AS
SELECT r.id AS record, r.game, r.edition, nullif(r.played, '') AS played, r.place, r.event,
    (SELECT group_concat(name, ', ') FROM (SELECT n.name FROM result n WHERE n.opened = r.opened ORDER BY n.seat))
        AS players,
    (SELECT group_concat(name, ', ')
        FROM (SELECT n.name FROM result n WHERE n.opened = r.opened AND n.won = 1 ORDER BY n.seat)) AS winners,
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
SELECT e.record, e.seq AS move, json_extract(e.body, '$.type') AS type, json_extract(e.body, '$.player') AS player,
    (SELECT n.name FROM record r JOIN result n ON n.opened = r.opened
        WHERE r.id = e.record AND n.player = json_extract(e.body, '$.player')) AS name,
    json_extract(e.body, '$.tile') AS tile, json_extract(e.body, '$.when') AS recorded, e.body
FROM (SELECT record, seq, CAST(body AS TEXT) AS body FROM event
    WHERE record NOT IN (SELECT id FROM record WHERE voided = 1)) e
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
SELECT c.record, c.game, c.move, c.clause AS rule, c.player, n.name, json_array_length(c.findings) AS findings,
    json_extract(c.repairs, '$[0].message') AS message
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

VIEWS: Final = tuple(text.strip() for text in (_GAMES, _RESULTS, _PLAYERS, _MOVES, _FINDINGS, _MISTAKES, _RULES))
"""The statements that create the views."""
