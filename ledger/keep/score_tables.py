"""Reads a club's spreadsheet of results as score cards.

Two shapes are read, said by their titles.  **Long**: a row for each player of a game, with the titles of `LONG`.
**Wide**: a row for each game, and a column for each player behind a column whose title is `|`.  Any other title is a
question, which somebody answers with what the column means.

A game is read whole, or left out with what is wrong.
"""

import csv
import io
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from ledger.games.catalog import title, titled
from ledger.keep.recorder import folded, is_blank
from ledger.keep.score_cards import TABLE, ScoreCard
from ledger.notation.refusals import text_of
from ledger.record.errors import NotARecord
from ledger.record.events import Source
from ledger.record.squares import letters
from ledger.record.words import day, listed, read_day

BAR, SKIP, SIDE = "|", "skip", "side"
"""What a column means that has the points of one player, one that is left out, and one of two sides (`Plan.sides`)."""
MEANS = {
    "record": "the number of the game", "day": "the day", "game": "the game", "table": "which table",
    "player": "a player", "score": "the player's points", "rank": "the player's place", "won": "who won",
    "team": "the player's team", "event": "the event", "where": "where it was", "edition": "the edition",
    "finished": "whether it was finished", SKIP: "left out", BAR: "a player's points", SIDE: "one side of the game",
    "": "?",
}  # fmt: skip
"""What a column means, for people; "" is a question."""
LONG, WORDS = tuple(MEANS)[:11], tuple(MEANS)[:14]
"""The titles of the template, and what `--column` takes; `--player-column` says that a column is one player's."""
_OF_PLAYER = ("player", "score", "rank", "won", "team", SKIP)
_KNOWN = {**dict(zip(LONG, LONG, strict=True)), "date": "day", "name": "player", "points": "score", "winner": "won"}
_OWN = dict.fromkeys(("seat", "players", "moves", "hands", "mistakes", "card"), SKIP)
_OWN |= {"edition": "edition", "finished": "finished"}
"""The further titles of the program's own tables (`export --csv`), known where all of them are there."""
_NO = ("no", "n", "false", "0", "lost", "-", "–")
_WON = dict.fromkeys(("yes", "y", "true", "1", "x", "won", "✓"), True) | dict.fromkeys(_NO, False)
_WHOLE = re.compile(r"[-+−]?[0-9]{1,9}(?:[.,]0{1,2})?")
_THOUSANDS = re.compile(r"[-+−]?[0-9]{1,3}(?:[.,'\u2019 ][0-9]{3})+")
_TOGETHER, _AND = re.compile(r"\s[&+]\s"), re.compile(r"\s*(?:[,;&+/]|\band\b)\s*")
"""What stands between people who play together, and between winners."""
_SIDES = ("home", "away", "winner", "loser")
TEMPLATE = f"""{",".join(LONG)}
,2026-03-01,Zigzag,1,Ana,101,,,,Spring Cup,the kitchen
,2026-03-01,Zigzag,1,Ben,71,,,,Spring Cup,the kitchen
,2026-03-01,Zigzag,1,Cy,88,,,,Spring Cup,the kitchen
,2026-03-08,Block,1,Dee,,,yes,A,,
,2026-03-08,Block,1,Eva,,,yes,A,,
,2026-03-08,Block,1,Finn,,,no,B,,
,2026-03-08,Block,1,Gus,,,no,B,,
"""
"""A long table with a game of points and one of teams without points: what `import --template` writes."""


class Plan(NamedTuple):
    """How to read tables, as far as somebody said so.

    `columns` gives the meanings of columns by their titles.  `game` and `event` hold for rows that name none, and
    `lowest` names the games that the fewest points win.  `same` gives what the text of a cell means: the name of a
    person for another spelling, a day for 3/4/2026.  `days` says of all such days whether the day or the month is
    first.  `fill`: an empty cell of the game, as merged cells leave it, is that above.  `thousands`: three digits
    behind a mark are thousands.  `sides`: titles such as *Player 1, Score 1* or *Home, Away* are two sides of one game.
    `only` names the games that are read, and `recall` gives what was said of a table with the same titles before.
    """

    columns: Mapping[str, str] = {}
    game: str | None = None
    event: str | None = None
    same: Mapping[str, str] = {}
    days: str | None = None
    lowest: Collection[str] = ()
    fill: bool = False
    thousands: bool = False
    sides: bool = False
    only: Collection[str] = ()
    recall: Callable[[Sequence[str]], Mapping[str, str]] = lambda _titles: {}

    def wants(self, game: str) -> bool:
        """Whether this game is read."""
        return not self.only or _is_among(game, self.only)

    def low(self, game: str) -> bool:
        """Whether the fewest points win this game."""
        return _is_among(game, self.lowest)

    def meant(self, text: str) -> str:
        """What the text of a cell means."""
        return next((meant for other, meant in self.same.items() if folded(other) == folded(text)), text)


def _is_among(game: str, names: Collection[str]) -> bool:
    return folded(game) in {folded(titled(name) or name) for name in names}


class Column(NamedTuple):
    """A column of a table: its letter, its title, what it means ("" if that is a question), and its first cells.

    `asked`: its title does not say what it means.
    """

    letter: str
    title: str
    meaning: str
    first: Sequence[str]
    asked: bool


class Reading(NamedTuple):
    """What a file says: its games, its columns, and its faults.  A game with a fault is left out.

    `rows` is how many rows it has, and `left_out` how many of them nobody asked for.  `sides`: its columns look like
    sides of one game.  `faulty` counts the games with a fault; `faulty_rows` has the titles and the rows of these.
    `choices` has the text of a cell and what it may mean, by the reason of its fault.
    """

    cards: list[ScoreCard]
    errors: list[NotARecord]
    columns: Sequence[Column] = ()
    rows: int = 0
    sides: bool = False
    left_out: int = 0
    faulty: int = 0
    faulty_rows: Sequence[Sequence[str]] = ()
    choices: Mapping[str, tuple[str, Sequence[str]]] = {}

    @property
    def questions(self) -> list[Column]:
        """The columns whose meaning nobody said."""
        return [column for column in self.columns if not column.meaning]


class _Row(NamedTuple):
    line: int
    cells: list[str]


_RowOfGame = tuple[_Row, ScoreCard]
"""A row, and what it says of its game."""


class _End(NamedTuple):
    """What rows say of the end of a game: `won` by the name, and the rows in which winners are `named`."""

    scores: dict[str, int | None]
    ranks: dict[str, int]
    teams: defaultdict[str, list[str]]
    won: dict[str, bool]
    named: list[_Row]


class _Seat(NamedTuple):
    """A player in a row, or several who play together: the columns of the name and the points, and whether they won."""

    column: int
    name: str
    score: int | None
    won: bool = False


def read_table(text: bytes, source: str, plan: Plan) -> Reading:
    """Reads a table.  Raises NotARecord if it is none."""
    try:
        reading = _Table(*_rows(text_of(text)), plan).read()
    except NotARecord as error:
        raise error.at(source) from None
    return reading._replace(errors=[error.at(source) for error in reading.errors])


def _rows(text: str) -> tuple[list[str], list[_Row]]:
    """The titles of the columns, and the rows that are not blank, without blank columns at the end."""
    delimiter = max(";\t,", key=text.lstrip("\n").partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    rows = list[_Row]()
    try:
        for cells in reader:
            stripped = [re.sub(r"^'(?=[-=+@0-9])", "", " ".join(cell.split())) for cell in cells]
            if any(stripped):
                rows.append(_Row(reader.line_num, stripped))
    except csv.Error as error:
        raise NotARecord(f"not a table: {error}", line=reader.line_num) from None
    if rows and rows[0].cells[0] == "sep=":  # Excel's word for the mark between the cells
        del rows[0]
    if len(rows) < 2:
        raise NotARecord("it has no rows below the titles of its columns")
    titles = rows[0].cells
    while not titles[-1] and not any(any(row.cells[len(titles) - 1 :]) for row in rows):
        titles.pop()
    repeated = [title for title, count in Counter(map(folded, titles)).items() if title and count > 1]
    if repeated:
        raise NotARecord(f"two columns are called {repeated[0]!r}", line=1)
    width = len(titles)
    return titles, [row if any(row.cells[width:]) else row._replace(cells=row.cells[:width]) for row in rows[1:]]


class _Table:
    def __init__(self, titles: list[str], rows: list[_Row], plan: Plan) -> None:
        self.titles, self.rows, self.plan, self.errors = titles, rows, plan, list[NotARecord]()
        self.choices = dict[str, tuple[str, Sequence[str]]]()
        keys = [*map(folded, titles)]
        if unknown := [named for named in plan.columns if folded(named) not in keys]:
            raise NotARecord(f"no column is called {unknown[0]!r}; there are {listed(titles)}")
        answers = {folded(title): meaning for title, meaning in {**plan.recall(titles), **plan.columns}.items()}
        sides = {number: side for number, title in enumerate(titles) if (side := _side(title))}
        if ("player", "loser") not in sides.values():  # then a winner is just who won
            sides = {number: side for number, side in sides.items() if side[1] != "winner"}
        self.looks_like_sides = sum(kind == "player" for kind, _side in sides.values()) > 1
        wanted = self.looks_like_sides and (plan.sides or SIDE in answers.values())
        self.sides = sides if wanted else {}
        known = self._known(keys)
        self.asked = [not meaning for meaning in known]
        self.meanings = [answers.get(key) or (SIDE if n in self.sides else known[n]) for n, key in enumerate(keys)]
        self.at = {meaning: n for n, meaning in enumerate(self.meanings)}
        self.wide = BAR in self.at or bool(self.sides)

    def read(self) -> Reading:
        count, cards, read, faulty = len(self.rows), list[ScoreCard](), set[int](), 0
        if contradiction := self._contradiction():
            self.errors.append(NotARecord(contradiction))
        elif all(self.meanings):
            rows = [*self._filled()] if self.plan.fill else self.rows
            self.rows = [row for row in rows if self.plan.wants(self._game_of(row))]
            for of_game, bad in self._games():
                try:
                    if self._cell(of_game[0][0], "finished") not in _NO:
                        cards.append(self._card(of_game, bad=bad))
                    read.update(row.line for row, _card in of_game)
                except NotARecord as error:
                    self.errors += error.others or (error,)
                    faulty += 1
        unread = [row.cells for row in self.rows if self.errors and row.line not in read]
        columns = [*map(self._column, range(len(self.titles)))]
        faulty = max(faulty, int(bool(self.errors)))
        return Reading(
            cards, self.errors, columns, count, self.looks_like_sides, count - len(self.rows), faulty,
            [self.titles, *unread], self.choices,
        )  # fmt: skip

    # ── Columns ────────────────────────────────────────────────────────────────────────────────────────────

    def _column(self, n: int) -> Column:
        first = dict.fromkeys(row.cells[n] for row in self.rows if len(row.cells) > n and row.cells[n])
        return Column(letters(n).upper(), self.titles[n], self.meanings[n], [*first][:3], self.asked[n])

    def _known(self, keys: Sequence[str]) -> list[str]:
        """What each column means by its title; "" if that does not say it."""
        known = {**_KNOWN, **(_OWN if {*_OWN} <= {*keys} else {})}
        bar = keys.index(BAR) if BAR in keys else len(keys)
        names = ["" if key in known or self._is_total(n, bar) else BAR for n, key in enumerate(keys)]
        return [*(known.get(key, "") for key in keys[:bar]), *[SKIP for _bar in keys[bar : bar + 1]], *names[bar + 1 :]]

    def _contradiction(self) -> str:
        """What is wrong with the columns as a whole; or ""."""
        titles, taken = listed(self.titles), {*self.meanings}
        repeated = [meaning for meaning in (*LONG, "edition") if self.meanings.count(meaning) > 1]
        if repeated or (self.wide and {"player", "score", "rank", "team"} & taken):
            both = repeated[0] if repeated else "the players and the score"
            return f"two columns, or more, have {both}; leave one out (--column skip=TITLE)"
        if all(self.meanings) and not self.wide and ("player" not in taken or not {"score", "rank", "won"} & taken):
            what = "the player" if "player" not in taken else "the score, the rank, or who won"
            return f"no column has {what}; name it with --column, there are {titles}"
        return ""

    def _is_total(self, column: int, bar: int) -> bool:
        """Whether a column of a wide table is the sum of the others behind the bar."""

        def number(cell: str) -> int:
            return int(cell) if re.fullmatch(r"[0-9]{1,9}", cell) else 0

        rows = [[*map(number, row.cells[bar + 1 :])] for row in self.rows if len(row.cells) == len(self.titles)]
        own = column - bar - 1
        return own > 1 and any(row[own] for row in rows) and all(2 * row[own] == sum(row) for row in rows)

    # ── Cells ──────────────────────────────────────────────────────────────────────────────────────────────

    def _cell(self, row: _Row, meaning: str) -> str:
        at = self.at.get(meaning, len(row.cells))
        return self.plan.meant(row.cells[at]) if at < len(row.cells) else ""

    def _fault(
        self, row: _Row, column: int | str, reason: str, text: str = "", choices: Sequence[str] = ()
    ) -> NotARecord:
        """A fault of a cell.  Its `text` may have meant one of the `choices`."""
        column = self.at.get(column, 0) if isinstance(column, str) else column
        if choices:
            self.choices[reason] = text, choices
        return NotARecord(f"{letters(column).upper()}{row.line}: {reason}", line=row.line)

    def _missing(self, row: _Row, meaning: str) -> NotARecord:
        merged = "; is it that above, a merged cell? (--fill-down)" if meaning in self.at else ""
        return self._fault(row, meaning, f"the {meaning} is missing{merged or f' (--{meaning})'}")

    def _day(self, row: _Row) -> str | None:
        text = self._cell(row, "day")
        if not text:
            if "day" in self.at and "record" not in self.at:
                raise self._missing(row, "day")
            return None
        days = read_day(text)
        if not days:
            raise self._fault(row, "day", f"“{text}” is not a day: write it like 2026-11-20")
        if len(days) > 1 and not self.plan.days:
            which = f"“{text}” could be {' or '.join(days)} (--days day-first or month-first)"
            raise self._fault(row, "day", which, text, days)
        return days[0 if self.plan.days != "month-first" else len(days) - 1]

    def _score(self, row: _Row, column: int) -> int | None:
        text = self.plan.meant(row.cells[column])
        if text in ("", "-", "–"):
            return None
        if _THOUSANDS.fullmatch(text):
            whole = re.sub("[.,'\u2019 ]", "", text)
            if not self.plan.thousands:
                raise self._fault(row, column, f"“{text}”: is it {whole}? (--thousands)", text, [whole])
            text = whole
        if not _WHOLE.fullmatch(text):
            raise self._fault(row, column, f"“{text}” is not a whole number of points")
        return int(re.split("[.,]", text.replace("−", "-"))[0])

    def _game_of(self, row: _Row) -> str:
        return self._cell(row, "game") or self.plan.game or ""

    def _game(self, row: _Row) -> ScoreCard:
        if len(row.cells) != len(self.titles):
            raise self._fault(row, len(self.titles), f"{len(row.cells)} cells, but {len(self.titles)} titles")
        game = self._game_of(row)
        if not game:
            raise self._missing(row, "game")
        table, number = self._cell(row, "table"), self._cell(row, "record")
        place = ", ".join(
            filter(None, (self._cell(row, "where"), table and (f"table {table}" if table.isdecimal() else table)))
        )
        source = Source(from_=TABLE, id=number) if number else None
        event, name = self._cell(row, "event") or self.plan.event, titled(game) or game
        return ScoreCard(
            name, {}, None, self._day(row), event, place or None, self._cell(row, "edition") or None,
            lowest=self.plan.low(name), source=source, at=f"row {row.line}",
        )  # fmt: skip

    # ── Games ──────────────────────────────────────────────────────────────────────────────────────────────

    def _filled(self) -> Iterator[_Row]:
        above = [""] * len(self.titles)
        for row in self.rows:
            if len(row.cells) == len(above):
                cells = zip(row.cells, above, self.meanings, strict=True)
                above = [cell or ("" if meaning in _OF_PLAYER else last) for cell, last, meaning in cells]
            yield row._replace(cells=above) if len(row.cells) == len(above) else row

    def _games(self) -> Iterator[tuple[list[_RowOfGame], bool]]:
        """The rows of each game, and whether another row, with a fault, may belong to it."""
        games, keys, bad = dict[object, list[_RowOfGame]](), list[object](), set[object]()
        for row in self.rows:
            key: object = None
            try:
                card = self._game(row)
                key = row.line if self.wide else card.source or (card.played, card.game, card.event, card.place)
                games.setdefault(key, []).append((row, card))
            except NotARecord as error:
                self.errors.append(error)
            keys.append(key)
        for above, below in () if self.wide else pairwise(keys):  # it may belong to the game above, or below
            bad |= {above, below} if None in (above, below) else set()
        return ((rows, key in bad) for key, rows in games.items())

    def _seats(self, row: _Row) -> Iterator[_Seat]:
        if not self.wide:
            yield _Seat(self.at["player"], self._cell(row, "player"), self.at.get("score"))
        for n, (kind, side) in self.sides.items():
            if kind == "player" and row.cells[n]:
                score = next((at for at, other in self.sides.items() if other == ("score", side)), None)
                yield _Seat(n, row.cells[n], score, won=side == "winner")
        for n, meaning in enumerate(self.meanings):
            if meaning == BAR and row.cells[n]:
                yield _Seat(n, self.titles[n], n)

    def _card(self, rows: Sequence[_RowOfGame], *, bad: bool) -> ScoreCard:
        """The card of these rows; `bad`: another row of it is wrong.  Raises NotARecord; its others are the faults."""
        (first, card), faults = rows[0], list[NotARecord]()
        end, winners = _End({}, {}, defaultdict(list), {}, []), None
        for row, own in rows:
            try:
                if own[:7] != card[:7]:
                    number = self._cell(row, "record")
                    raise self._fault(row, "record", f"record {number} has two days, games or events")
                self._add(row, end)
            except NotARecord as error:
                faults.append(error)
        try:
            winners = self._winners(rows, end)
        except NotARecord as error:
            faults.append(error)
        teams = [*end.teams.values()] if any(len(team) > 1 for team in end.teams.values()) else ()
        card = card._replace(scores=end.scores, winners=winners, ranks=end.ranks, teams=teams)
        if not faults and bad:
            faults = [self._fault(first, "player", f"{_when_and_where(card)} is left out: a row of it has a fault")]
        elif not faults and (reason := card.wrong()):
            faults = [self._fault(first, "player", f"{_when_and_where(card)}: {reason}")]
        if faults:
            raise NotARecord("a game with faults", others=faults)
        return card

    def _add(self, row: _Row, end: _End) -> None:
        word = folded(self._cell(row, "won"))
        said = word in _WON and not self.wide
        end.named.extend([row] if word and not said else [])
        for seat in self._seats(row):
            names = [self.plan.meant(name) for name in _TOGETHER.split(self.plan.meant(seat.name))]
            score = None if seat.score is None else self._score(row, seat.score)
            for name in names:
                self._check(row, seat.column, name, end.scores)
                end.scores[name] = score
            if rank := self._rank(row):
                end.ranks.update(dict.fromkeys(names, rank))
            if team := self._cell(row, "team") or (seat.name if len(names) > 1 else ""):
                end.teams[folded(team)] += names
            if seat.won or said:
                end.won.update(dict.fromkeys(names, seat.won or _WON[word]))

    def _check(self, row: _Row, column: int, name: str, scores: Collection[str]) -> None:
        if is_blank(name):
            raise self._fault(row, column, "the player's name is missing")
        if folded(name) in map(folded, scores):
            reason = f"{name} is twice in this game: say which table it was (title table or record)"
            raise self._fault(row, column, reason)

    def _rank(self, row: _Row) -> int:
        rank = self._cell(row, "rank")
        if rank and not re.fullmatch(r"[1-9][0-9]{0,2}\.?", rank):
            raise self._fault(row, "rank", f"“{rank}” is not a rank: write 1, 2, 3")
        return int(rank.rstrip(".") or 0)

    def _winners(self, rows: Sequence[_RowOfGame], end: _End) -> list[str] | None:
        """Who won: those with a yes, and those who are named.  Raises NotARecord."""
        won, first = end.won, rows[0][0]
        if 0 < len(won) < len(rows) and not any(won.values()):
            raise self._fault(first, "won", "some rows say no, and others nothing: did nobody win?")
        if any({won.get(name) for name in team} == {True, False} for team in end.teams.values()):
            raise self._fault(first, "won", "of one team, some won and others did not")
        winners, by_name = [name for name in won if won[name]], {folded(name): name for name in end.scores}
        for row in end.named:
            text = self._cell(row, "won")
            for name in () if folded(text) in ("nobody", *_NO) else map(self.plan.meant, _AND.split(text)):
                if folded(name) not in by_name:
                    reason = f"“{name}” did not play in this game" if self.wide else f"“{name}” is not yes or no"
                    choices = ["nobody"] if self.wide else ["yes", "no"]
                    raise self._fault(row, "won", reason, name, [*choices, *by_name.values()])
                winners.append(by_name[folded(name)])
        return [*dict.fromkeys(winners)] if won or end.named else None


def _when_and_where(card: ScoreCard) -> str:
    return ", ".join(filter(None, (card.played and day(card.played), title(card.game), card.place)))


def _side(title: str) -> tuple[str, str] | None:
    """What a column is if it belongs to one of several sides of a game: its player or score, and the side."""
    words = re.findall(r"[a-z]+|[0-9]+", folded(title))
    sides = [word for word in words if word in _SIDES or word.isdecimal()]
    rest = {word for word in words if word not in sides}
    if len(sides) != 1 or len(rest) > 1:
        return None
    if rest <= {"player", "name", "team"} and (rest or not sides[0].isdecimal()):
        return "player", sides[0]
    return ("score", sides[0]) if rest <= {"score", "points"} else None
