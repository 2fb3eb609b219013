-- The schema of a ledger.  The views are for other programs, which read them with SQL of their own: their columns are
-- public, and none is ever removed.  Views that show audits leave out records that have grown since.

-- The events.  `position` counts those of the whole ledger from 1 without gaps.
CREATE TABLE event (
    position INTEGER PRIMARY KEY,
    record TEXT NOT NULL,
    seq INTEGER NOT NULL CHECK (seq >= 0),
    event_id TEXT,
    id_digest BLOB CHECK (id_digest IS NULL OR length(id_digest) = 32),
    body BLOB NOT NULL,
    link BLOB NOT NULL CHECK (length(link) = 32),
    UNIQUE (record, seq)
) STRICT;

CREATE INDEX event_by_opening ON event (link) WHERE seq = 0;

CREATE UNIQUE INDEX event_by_its_id ON event (record, event_id) WHERE event_id IS NOT NULL;

-- The file itself refuses to change or delete an event.  An insert must have the next position, the next seq and a new
-- event id; this also blocks INSERT OR REPLACE, which would delete the old row without firing a trigger.
CREATE TRIGGER event_only_grows BEFORE INSERT ON event WHEN
    NEW.position IS NOT (SELECT coalesce(max(position), 0) + 1 FROM event)
    OR NEW.seq IS NOT (SELECT coalesce(max(seq), -1) + 1 FROM event WHERE record = NEW.record)
    OR (NEW.event_id IS NOT NULL
        AND EXISTS (SELECT 1 FROM event WHERE record = NEW.record AND event_id = NEW.event_id))
BEGIN SELECT raise(ABORT, 'a ledger only grows: this is not the next event'); END;

CREATE TRIGGER event_is_kept BEFORE DELETE ON event
BEGIN SELECT raise(ABORT, 'a ledger only grows: no event is deleted'); END;

CREATE TRIGGER event_is_immutable BEFORE UPDATE ON event
BEGIN SELECT raise(ABORT, 'a ledger only grows: no event is changed'); END;

-- Beside the events, outside the chain, so that it can be erased.  The names of people in events, as JSON.
CREATE TABLE name (
    record TEXT NOT NULL,
    seq INTEGER NOT NULL,
    names TEXT NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (record, seq)
) STRICT, WITHOUT ROWID;

-- What secrets allow with a record; only their digests are stored.
CREATE TABLE key (
    record TEXT NOT NULL,
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    role TEXT NOT NULL CHECK (role IN ('record', 'watch', 'owner')),
    row_digest BLOB NOT NULL,
    PRIMARY KEY (record, digest, role)
) STRICT, WITHOUT ROWID;

-- Remarks of readers on moves.
CREATE TABLE comment (
    record TEXT NOT NULL,
    number INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    text TEXT NOT NULL,
    author TEXT NOT NULL,
    written TEXT NOT NULL,
    folded INTEGER NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (record, number)
) STRICT, WITHOUT ROWID;

-- Names of people whom the club knows by another name.
CREATE TABLE alias (
    name TEXT PRIMARY KEY,
    person TEXT NOT NULL,
    digest BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- What the owner's renamings of people replaced.
CREATE TABLE renamed (
    number INTEGER NOT NULL,
    record TEXT NOT NULL,
    seq INTEGER NOT NULL,
    old TEXT NOT NULL,
    new TEXT NOT NULL,
    renamed_at TEXT NOT NULL,
    names TEXT NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (number, record, seq)
) STRICT, WITHOUT ROWID;

-- What each import brought: the version of a record before it (0 for a new one), with it, and after taking it back.
CREATE TABLE brought (
    number INTEGER NOT NULL,
    record TEXT NOT NULL,
    before INTEGER NOT NULL,
    after INTEGER NOT NULL,
    version INTEGER NOT NULL,
    file TEXT NOT NULL,
    imported_at TEXT NOT NULL,
    taken_back_at TEXT NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (number, record)
) STRICT, WITHOUT ROWID;

-- What somebody said that columns of a table mean, by their numbers, as JSON; a digest stands for its titles.
CREATE TABLE columns_said (
    titles TEXT PRIMARY KEY,
    columns TEXT NOT NULL,
    digest BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Points that the owner added to a player in an event.
CREATE TABLE adjustment (
    number INTEGER PRIMARY KEY,
    event TEXT NOT NULL,
    player TEXT NOT NULL,
    points INTEGER NOT NULL,
    why TEXT NOT NULL,
    adjusted_at TEXT NOT NULL,
    digest BLOB NOT NULL
) STRICT;

-- Where a finished game was decided, as JSON without names, for one version of its record.
CREATE TABLE decided (
    record TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    hands TEXT NOT NULL,
    digest BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Until when a ledger that was lost waits for the phones to bring its games back.
CREATE TABLE recovering (
    until TEXT PRIMARY KEY,
    digest BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- How many rows there are with names, with keys and so on: no chain binds them.  And how often names were replaced, so
-- that pages that show them notice.
CREATE TABLE total (
    of TEXT PRIMARY KEY,
    number INTEGER NOT NULL
) STRICT;

INSERT INTO total (of, number)
VALUES ('name', 0), ('key', 0), ('comment', 0), ('alias', 0), ('renamed', 0), ('brought', 0), ('columns_said', 0),
    ('adjustment', 0), ('decided', 0), ('recovering', 0), ('renaming', 0);

-- The audits of records, each of a version.  No event contains them, so their digest covers what they found, too.
CREATE TABLE audit (
    record TEXT PRIMARY KEY,
    opened INTEGER NOT NULL,
    version INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    summary TEXT NOT NULL,
    explained INTEGER NOT NULL,
    digest BLOB NOT NULL
) STRICT;

CREATE INDEX audit_by_verdict ON audit (verdict, opened);

-- Finds the audits whose mistakes nobody has explained yet.
CREATE INDEX audit_unexplained ON audit (opened) WHERE explained = 0;

CREATE TABLE finding (
    opened INTEGER NOT NULL,
    number INTEGER NOT NULL,
    record TEXT NOT NULL,
    game TEXT NOT NULL,
    move INTEGER NOT NULL,
    clause TEXT NOT NULL,
    meaning TEXT NOT NULL,
    verdict TEXT NOT NULL,
    player TEXT,
    message TEXT NOT NULL,
    expected TEXT,
    claimed TEXT,
    PRIMARY KEY (opened, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE cause (
    opened INTEGER NOT NULL,
    number INTEGER NOT NULL,
    record TEXT NOT NULL,
    game TEXT NOT NULL,
    move INTEGER NOT NULL,
    clause TEXT NOT NULL,
    player TEXT,
    findings TEXT NOT NULL,
    repairs TEXT NOT NULL,
    miscount INTEGER NOT NULL,
    PRIMARY KEY (opened, number)
) STRICT, WITHOUT ROWID;

-- Derived from all that: a row per record, updated in the same transaction as its events.  No chain binds the clients'
-- ids of its events, so `ids` counts them; `bytes` are those of its events with their names.  `audited` is 1 if there
-- is an audit of this version.
CREATE TABLE record (
    id TEXT PRIMARY KEY,
    opened INTEGER NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    game TEXT NOT NULL,
    edition TEXT,
    played TEXT NOT NULL,
    place TEXT,
    event TEXT,
    players TEXT NOT NULL,
    searched TEXT NOT NULL,
    place_searched TEXT,
    closed INTEGER NOT NULL,
    card INTEGER NOT NULL,
    voided INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    ids INTEGER NOT NULL,
    audited INTEGER NOT NULL
) STRICT;

CREATE INDEX record_by_game ON record (game, opened);

CREATE INDEX record_by_day ON record (played, opened);

CREATE INDEX record_by_closed ON record (closed, opened);

-- Finds the records that need an audit at once, however many others there are.  No column that each move changes.
CREATE INDEX record_waiting ON record (opened) WHERE audited = 0;

-- A row per player of a record, unless it was set aside, with what its audit says, or NULL.
CREATE TABLE result (
    opened INTEGER NOT NULL,
    record TEXT NOT NULL,
    game TEXT NOT NULL,
    edition TEXT,
    event TEXT,
    place TEXT,
    played TEXT,
    seat INTEGER NOT NULL,
    player TEXT NOT NULL,
    name TEXT NOT NULL,
    named INTEGER NOT NULL,
    players INTEGER NOT NULL,
    card INTEGER NOT NULL,
    score INTEGER,
    won INTEGER,
    rank INTEGER,
    finished INTEGER,
    mistakes INTEGER,
    moves INTEGER,
    hands INTEGER,
    team INTEGER,
    set_size INTEGER,
    PRIMARY KEY (opened, seat)
) STRICT, WITHOUT ROWID;

-- A row per record.
CREATE VIEW games AS
SELECT r.id AS record, r.game, r.edition, nullif(r.played, '') AS played, r.place, r.event,
    (SELECT group_concat(name, ', ') FROM (SELECT n.name FROM results n WHERE n.opened = r.opened ORDER BY n.seat))
        AS players,
    (SELECT group_concat(name, ', ')
        FROM (SELECT n.name FROM results n WHERE n.opened = r.opened AND n.won = 1 ORDER BY n.seat)) AS winners,
    f.finished, r.closed, a.verdict, f.mistakes, f.moves, f.hands, r.version AS events, r.card
FROM record r
LEFT JOIN result f ON f.opened = r.opened AND f.seat = 0
LEFT JOIN audit a ON a.record = r.id AND a.version = r.version
WHERE r.voided = 0;

-- A row per player and record.  If the owner merged two names, the name is that of the person.
CREATE VIEW results AS
SELECT record, game, edition, event, place, played, seat, player,
    coalesce((SELECT a.person FROM alias a WHERE a.name = result.name COLLATE NOCASE), name) AS name,
    players, score, won, rank, finished, mistakes, moves, hands, card, opened, team, set_size
FROM result;

-- A row per person.  A shared win counts in parts; a team wins as one.
CREATE VIEW players AS
SELECT name, count(*) AS games, sum(finished) AS finished,
    total(iif(won = 1, 1.0 / (SELECT count(DISTINCT coalesce(w.team, -1 - w.seat)) FROM result w
        WHERE w.opened = results.opened AND w.won = 1), 0)) AS wins,
    min(played) AS first_played, max(played) AS last_played
FROM results
GROUP BY name;

-- A row per event, as it was written.
CREATE VIEW moves AS
SELECT e.record, e.seq AS move, json_extract(e.body, '$.type') AS type, json_extract(e.body, '$.player') AS player,
    (SELECT n.name FROM record r JOIN results n ON n.opened = r.opened
        WHERE r.id = e.record AND n.player = json_extract(e.body, '$.player')) AS name,
    json_extract(e.body, '$.tile') AS tile, json_extract(e.body, '$.when') AS recorded, e.body
FROM (SELECT record, seq, CAST(body AS TEXT) AS body FROM event
    WHERE record NOT IN (SELECT id FROM record WHERE voided = 1)) e;

-- A row per finding.
CREATE VIEW findings AS
SELECT f.record, f.game, f.move, f.clause AS rule, f.meaning, f.verdict, f.player, n.name,
    f.message, f.expected, f.claimed
FROM finding f
JOIN record r ON r.opened = f.opened AND r.voided = 0
JOIN audit a ON a.record = f.record AND a.version = r.version
LEFT JOIN results n ON n.opened = f.opened AND n.player = f.player;

-- A row per mistake: what follows from one slip counts once.  A `miscount` is a wrong claim, and no player's.
CREATE VIEW mistakes AS
SELECT c.record, c.game, c.move, c.clause AS rule, c.player, n.name, c.miscount,
    json_array_length(c.findings) AS findings, json_extract(c.repairs, '$[0].message') AS message
FROM cause c
JOIN record r ON r.opened = c.opened AND r.voided = 0
JOIN audit a ON a.record = c.record AND a.version = r.version
LEFT JOIN results n ON n.opened = c.opened AND n.player = c.player;

-- A row per game and rule that a finding names.
CREATE VIEW rules AS
SELECT f.game, f.clause AS rule, max(f.meaning) AS meaning,
    sum(CASE WHEN f.verdict IN ('breach', 'impossible') THEN 1 ELSE 0 END) AS times,
    count(DISTINCT CASE WHEN f.verdict IN ('breach', 'impossible') THEN f.record END) AS games,
    sum(CASE WHEN f.verdict = 'unproven' THEN 1 ELSE 0 END) AS unproven
FROM finding f
JOIN record r ON r.opened = f.opened AND r.voided = 0
JOIN audit a ON a.record = f.record AND a.version = r.version
GROUP BY f.game, f.clause;
