"""Reads a club's spreadsheet of results as score cards.

A table is **long**, with a row for each player of a game, or **wide**, with a row for each game and a column for each
player.  Its first row names the columns.  Rows of a long table are one game if they have the same day, game, event and
table; without a column for the table a game ends where a player comes again.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ledger.games.catalog import titled
from ledger.keep.recorder import folded, is_blank
from ledger.keep.score_cards import ScoreCard
from ledger.notation.refusals import text_of
from ledger.record.errors import NotARecord
from ledger.record.words import listed, read_day

MEANINGS = ("day", "game", "event", "table", "place", "player", "score", "won")
"""What a column can mean.  In a wide table the columns of the players have the players' names."""
USUAL = {
    "day": ("day", "date", "played", "evening", "datum", "fecha", "data"),
    "game": ("game", "juego", "jeu", "spiel"),
    "event": ("event", "season", "tournament", "league", "occasion", "series"),
    "table": ("table", "round", "match", "board", "game no", "game number", "no", "nr"),
    "place": ("place", "location", "venue", "where"),
    "player": ("player", "name", "who", "players"),
    "score": ("score", "points", "total", "pts", "result"),
    "won": ("won", "winner", "win"),
}
"""The titles of columns that are recognised, in any capitals."""
_YES = frozenset(("yes", "y", "true", "1", "x", "won", "win", "winner", "✓"))
_NO = frozenset(("", "no", "n", "false", "0", "lost", "-"))
_WHOLE = re.compile(r"[-+−]?[0-9]{1,9}(?:[.,]0+)?")


class Plan(NamedTuple):
    """How to read a table, as far as somebody said so.

    `columns` are titles of columns by their meaning, `players` the titles of the players' columns in a wide table.
    `game` and `event` hold for rows that name none.  `same` gives the name of a person for other spellings.  `days`
    says of days such as 3/4/2026 whether the day or the month is first.  `lowest`: the lowest score wins.
    """

    columns: Mapping[str, str] = {}
    players: Sequence[str] = ()
    game: str = ""
    event: str | None = None
    same: Mapping[str, str] = {}
    days: str = ""
    lowest: bool = False


class Read(NamedTuple):
    """What a table says: its score cards, what each column was taken for, and why rows were refused.

    `spellings` are the spellings of each person, by the one that is used.
    """

    cards: list[ScoreCard]
    columns: dict[str, str]
    errors: list[NotARecord]
    spellings: dict[str, list[str]]


class _Row(NamedTuple):
    """A row of a table: its line in the file, and its cells by the titles of the columns."""

    line: int
    cells: dict[str, str]


def read_table(text: bytes, source: str, plan: Plan) -> Read:
    """Reads a table.  Raises NotARecord if its columns cannot be understood; faults of rows are among the errors."""
    try:
        titles, rows = _rows(text, source)
    except NotARecord as error:
        raise error if error.source else error.at(source) from None
    return _Table(source, titles, rows, plan).read()


def _rows(text: bytes, source: str) -> tuple[list[str], list[_Row]]:
    """The titles of the columns, and the rows that are not blank."""
    decoded = text_of(text)
    first = decoded.lstrip("\n").partition("\n")[0]
    delimiter = max(";\t,", key=first.count)
    reader = csv.reader(io.StringIO(decoded, newline=""), delimiter=delimiter)
    titles, rows = list[str](), list[_Row]()
    try:
        for cells in reader:
            stripped = [" ".join(cell.split()) for cell in cells]
            if not any(stripped):
                continue
            if not titles:
                titles = stripped
                continue
            rows.append(_Row(reader.line_num, dict(zip(titles, stripped, strict=False))))
    except csv.Error as error:
        raise NotARecord(f"not a table: {error}", source=source, line=reader.line_num) from None
    if not rows:
        raise NotARecord("it has no rows below the titles of its columns", source=source)
    repeated = [title for title, count in Counter(titles).items() if title and count > 1]
    if repeated:
        raise NotARecord(f"two columns are called {repeated[0]!r}", source=source, line=1)
    return titles, rows


class _Table:
    def __init__(self, source: str, titles: list[str], rows: list[_Row], plan: Plan) -> None:
        self.source, self.titles, self.rows, self.plan = source, titles, rows, plan
        self.errors = list[NotARecord]()
        self._by_title = {title.casefold(): title for title in titles}
        self.columns = self._columns()
        self._players = [] if "player" in self.columns else self._player_columns()
        self._first = self._day_first()
        self._same = {folded(alias): name for alias, name in plan.same.items()}
        self._shown = self._spellings()

    def read(self) -> Read:
        cards = list(self._long() if "player" in self.columns else self._wide())
        taken = {title: meaning for meaning, title in self.columns.items()} | dict.fromkeys(self._players, "a player")
        spellings = {name: sorted(forms) for name, forms in self._forms().items() if len(forms) > 1}
        return Read(cards, {title: taken.get(title, "") for title in self.titles}, self.errors, spellings)

    # ── Columns ────────────────────────────────────────────────────────────────────────────────────────────

    def _columns(self) -> dict[str, str]:
        """The title of the column with each meaning."""
        columns = {meaning: self._titled(title) for meaning, title in self.plan.columns.items()}
        for meaning, usual in USUAL.items():
            known = next((self._by_title[name] for name in usual if name in self._by_title), None)
            if meaning not in columns and known is not None and known not in columns.values():
                columns[meaning] = known
        if self.plan.players:
            for meaning in ("player", "score", "won"):
                columns.pop(meaning, None)
        elif ("player" in columns) != ("score" in columns):
            missing = "score" if "player" in columns else "player"
            if missing == "score" or "player" in self.plan.columns:
                raise self._unmapped(missing)
            del columns["score"]
        return columns

    def _titled(self, title: str) -> str:
        """The column with this title, in any capitals."""
        if title.casefold() not in self._by_title:
            raise NotARecord(f"no column is called {title!r}; there are {listed(self.titles)}", source=self.source)
        return self._by_title[title.casefold()]

    def _unmapped(self, meaning: str) -> NotARecord:
        reason = f"no column has the {meaning}: name it with --column {meaning}=TITLE; there are {listed(self.titles)}"
        return NotARecord(reason, source=self.source, line=1)

    def _player_columns(self) -> list[str]:
        """The columns of the players in a wide table."""
        if self.plan.players:
            return [self._titled(title) for title in self.plan.players]
        used = set(self.columns.values())
        players = [
            title
            for title in self.titles
            if title and title not in used and self._is_numbers([row.cells.get(title, "") for row in self.rows])
        ]
        if len(players) < 2:
            raise self._unmapped("player")
        return players

    @staticmethod
    def _is_numbers(cells: Sequence[str]) -> bool:
        filled = [cell for cell in cells if cell]
        return bool(filled) and sum(_WHOLE.fullmatch(cell) is not None for cell in filled) * 2 > len(filled)

    # ── Days and names ─────────────────────────────────────────────────────────────────────────────────────

    def _day_first(self) -> int | None:
        """Which of the two days that 3/4/2026 could be the column means: 0 or 1; None if the column does not show it.

        Days that can be only one show it: 13/4/2026 has the day first.
        """
        if self.plan.days:
            return 0 if self.plan.days == "day-first" else 1
        first = set[int]()
        for row in self.rows:
            parts = re.fullmatch(r"(\d{1,2})/(\d{1,2})/\d{2,4}", row.cells.get(self.columns.get("day", ""), ""))
            if parts and (int(parts[1]) > 12) != (int(parts[2]) > 12):
                first.add(0 if int(parts[1]) > 12 else 1)
        return first.pop() if len(first) == 1 else None

    def _day(self, row: _Row) -> str | None:
        title = self.columns.get("day")
        if title is None or not row.cells.get(title):
            return None
        text = row.cells[title]
        days = read_day(text.partition(" ")[0] if re.fullmatch(r"\S+ \d{1,2}:\d{2}(:\d{2})?", text) else text)
        if not days:
            raise self._fault(row, title, f"{text!r} is not a day: write it like 2026-11-20")
        if len(days) == 1:
            return days[0]
        if self._first is None:
            raise self._fault(row, title, f"{text!r} could be {' or '.join(days)}: say --days day-first or month-first")
        day_first = next(day for day in days if int(day[8:]) == int(re.split(r"\D", text)[0]))
        other = next((day for day in days if day != day_first), day_first)
        return (day_first, other)[self._first]

    def _names(self) -> Iterator[str]:
        """Every name of a player as it was typed."""
        if "player" in self.columns:
            yield from (name for row in self.rows if (name := row.cells.get(self.columns["player"], "")))
        else:
            yield from self._players

    def _forms(self) -> dict[str, set[str]]:
        """The spellings of each person, by the one that is used."""
        forms = defaultdict[str, set[str]](set)
        for name in self._names():
            forms[self._name(name)].add(name)
        return forms

    def _spellings(self) -> dict[str, str]:
        """The most frequent spelling of each name, by its folded form."""
        counts = Counter(self._names())
        shown = dict[str, str]()
        for name, _count in counts.most_common():
            shown.setdefault(folded(name), name)
        return shown

    def _name(self, typed: str) -> str:
        name = self._same.get(folded(typed), typed)
        return self._shown.get(folded(name), name) if folded(typed) not in self._same else name

    # ── Rows ───────────────────────────────────────────────────────────────────────────────────────────────

    def _fault(self, row: _Row, title: str, reason: str) -> NotARecord:
        number = self.titles.index(title) + 1
        return NotARecord(reason, source=self.source, line=row.line, field=f"column {number} ({title})")

    def _score(self, row: _Row, title: str) -> int:
        text = row.cells.get(title, "")
        if not _WHOLE.fullmatch(text):
            raise self._fault(row, title, f"{text!r} is not a whole number" if text else "the score is missing")
        return int(re.split("[.,]", text.replace("−", "-"))[0])

    def _of_game(self, row: _Row) -> tuple[str | None, str, str | None, str | None]:
        """The day, game, event and place of a row."""
        game = row.cells.get(self.columns.get("game", ""), "") or self.plan.game
        if not game:
            title = self.columns.get("game", self.titles[0])
            raise self._fault(row, title, "the game is missing: name it with --game")
        table = row.cells.get(self.columns.get("table", ""), "")
        place = row.cells.get(self.columns.get("place", ""), "") or (f"Table {table}" if table.isdecimal() else table)
        event = row.cells.get(self.columns.get("event", ""), "") or self.plan.event
        return self._day(row), titled(game) or game, event, place or None

    def _wide(self) -> Iterator[ScoreCard]:
        """The cards of a wide table."""
        for row in self.rows:
            try:
                day, game, event, place = self._of_game(row)
                scores = dict[str, int]()
                for title in self._players:
                    if row.cells.get(title):
                        scores[self._name(title)] = self._score(row, title)
                if not scores:
                    raise self._fault(row, self._players[0], "no player has a score")
                yield self._card(game, scores, None, day, event, place)
            except NotARecord as error:
                self.errors.append(error)

    def _long(self) -> Iterator[ScoreCard]:
        """The cards of a long table, in the order of their first rows; a game with a fault in a row is left out."""
        games, bad = dict[tuple[object, ...], list[_Row]](), set[tuple[object, ...]]()
        rounds = Counter[tuple[object, ...]]()
        seated = defaultdict[tuple[object, ...], set[str]](set)
        for row in self.rows:
            try:
                key: tuple[object, ...] = (*self._of_game(row), row.cells.get(self.columns.get("table", ""), ""))
                typed = row.cells.get(self.columns["player"], "")
                if is_blank(typed):
                    raise self._fault(row, self.columns["player"], "the player's name is missing")
                name = folded(self._name(typed))
                if name in seated[key, rounds[key]]:
                    if "table" in self.columns:
                        bad.add((key, rounds[key]))
                        raise self._fault(row, self.columns["player"], f"{typed} is twice in this game")
                    rounds[key] += 1
                seated[key, rounds[key]].add(name)
                games.setdefault((key, rounds[key]), []).append(row)
            except NotARecord as error:
                self.errors.append(error)
        for key, rows in games.items():
            card = None if key in bad else self._long_card(rows)
            if card is not None:
                yield card

    def _long_card(self, rows: list[_Row]) -> ScoreCard | None:
        scores, winners, faults = dict[str, int](), list[str](), list[NotARecord]()
        won = self.columns.get("won")
        for row in rows:
            name = self._name(row.cells[self.columns["player"]])
            try:
                scores[name] = self._score(row, self.columns["score"])
                if won is not None and row.cells.get(won, "").casefold() in _YES:
                    winners.append(name)
                elif won is not None and row.cells.get(won, "").casefold() not in _NO:
                    raise self._fault(row, won, f"{row.cells[won]!r} is not yes or no")
            except NotARecord as error:
                faults.append(error)
        self.errors += faults
        if faults:
            return None
        day, game, event, place = self._of_game(rows[0])
        return self._card(game, scores, winners or None, day, event, place)

    def _card(self, game: str, scores: dict[str, int], winners: list[str] | None, *occasion: str | None) -> ScoreCard:
        if winners is None and self.plan.lowest:
            winners = [name for name, score in scores.items() if score == min(scores.values())]
        day, event, place = occasion
        return ScoreCard(game, scores, winners, day, event, place)
