"""Reads one line: what happened, what was said about it, and corrections.  The tables at the end have the words of all.

The result is plain data in the shape of the record format's JSON; the line keeps the place of each field.

An illegal act was played, so it is recorded.  But a line that the game does not have at all is nearly always a slip of
the pen: a stack that was forgotten, or a square where there are only stacks.  Then it says what to write instead.
"""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from ledger.notation.heading import one_line
from ledger.notation.pieces import ONTO, TWO_DIGITS, Line
from ledger.notation.refusals import guess, listed
from ledger.notation.setting import Setting
from ledger.record import events as e
from ledger.record.event_words import lacked_in_words
from ledger.record.events import Event
from ledger.record.tiles import NAMED

Data = dict[str, Any]
Read = Callable[[Line, Data], None]
"""Reads the fields of an event behind its word."""


class Form(Struct, frozen=True):
    """How an event is written: the `word` that it is listed with, its type, what reads the rest, and the type's tag."""

    word: str
    event: type[Event]
    read: Read
    kind: str


def read_event(line: Line) -> Data:
    """Reads the event of a line, to its end.  Raises NotARecord."""
    data = _with_by(line, _LINES)
    if not line.ends():
        raise line.unexpected()
    return data


def _with_by(line: Line, table: dict[str, Form]) -> Data:
    """An event, perhaps with who recorded it before it."""
    if not line.keyword("by"):
        return _told(line, table)
    line.field("by")
    by = line.somebody()
    line.require(":")
    return {**_told(line, table), "by": by}


def _told(line: Line, table: dict[str, Form]) -> Data:
    """An event that begins with a word of this table, or with a player."""
    line.meant = line.piece[:1] == "!"
    if line.meant:
        line.go(line.begin + 1)
    column, word = line.column, line.one_of(table)
    if word is not None:
        return _read(line, table, word, {}, column)
    line.expect(lambda: _words(line, table), *(["KEY"] if line.setting.in_heading and line.seq is None else []))
    line.field("player")
    turn = line.setting.turn
    if not turn and line.piece in NAMED:
        letter = next(iter(line.setting.letters.players), "A")
        raise line.refuse(f"whose move? Write the player's letter first, as in `{letter} {line.rest()}`")
    data: Data = {"player": turn if turn and _is_act(line) else line.player()}
    column, word = line.column, line.one_of(_VERBS)
    if word is not None:
        return _read(line, _VERBS, word, data, column)
    before = line.column
    bare = not line.keyword("plays", "play")
    if bare:
        line.expect(lambda: _words(line, _VERBS))
    who = line.setting.letters.letter(data["player"]) or line.line[:before].split()[-1]
    kind = played(line, data, who, bare=bare)
    return {"type": e.kind(kind), **data}


def _is_act(line: Line) -> bool:
    """Whether an act stands here, without the player before it: a tile, or a verb."""
    verb = line.piece.lower().rstrip("0123456789")
    return line.tile_here() or line.match(TWO_DIGITS) is not None or verb in _VERBS or verb in ("plays", "play")


def _words(line: Line, table: dict[str, Form]) -> set[str]:
    """The words of this table that the game has."""
    return {form.word for form in table.values() if line.setting.has(form.event)}


def _read(line: Line, table: dict[str, Form], word: str, data: Data, column: int) -> Data:
    """The rest of an event behind its word.  Raises NotARecord if the game has no such event, unless it is meant."""
    form = table[word]
    form.read(line, data)
    if not line.meant and not line.setting.has(form.event, data.get("scope")):
        expected = _words(line, table) | ({"TILE", "plays"} if table is _VERBS else {"LETTER"})
        assert line.setting.game is not None  # noqa: S101  an unknown game has every event
        lacks = f"{line.setting.game.title} has no {lacked_in_words(form.event)}"
        raise line.refuse(f"{lacks}: expected {listed(expected)}{guess(_INSTEAD.get(form.event))}", column)
    return {"type": form.kind, **data}


# ---- The fields of acts behind their word

_MORE = ("...", "…")


def played(line: Line, data: dict[str, Any], who: str, *, bare: bool) -> type[Event]:
    """A tile, and where it was played; returns the type of event."""
    line.field("tile")
    data["tile"] = line.tile(who if bare else "")
    column = line.column
    kind = _where(line, data)
    reason = misplaced(line.setting, kind, f"{who} {data['tile']}", has_end="end" in data)
    if reason is None or line.meant:
        return kind
    if line.column == column:
        if not (line.ends() or line.is_because()):
            line.expected = [lambda: places(line.setting)]
            raise line.unexpected()
        column = len(line.line[: line.begin].rstrip()) + 1
    raise line.refuse(reason, column)


def _where(line: Line, data: dict[str, Any]) -> type[Event]:
    """Where a tile was played; returns the type of event."""
    pair = line.squares_here()
    if pair:
        line.field("at")
        line.field("dir")
        data["at"], data["dir"] = line.covered(pair)
        line.field("level")
        level = line.level()
        data["level"] = 1 if level is None else level
        _points(line, data)
        return e.Place
    only_stacks = line.setting.game is not None and line.setting.has(e.Stack)
    if line.keyword("on") or (only_stacks and line.one_of(ONTO)):
        line.one_of(("stack",))
        line.field("stack")
        if line.tile_here():
            raise line.refuse("a stack is named by its number, counted from 1: write `on 10`")
        line.expected.clear()
        data["stack"] = line.whole()
        return e.Stack
    line.field("end")
    end = line.one_of(("left", "right"))
    if end:
        data["end"] = end
    else:
        line.expected = [lambda: places(line.setting)]
    return e.Play


def _points(line: Line, data: dict[str, Any]) -> None:
    """The points of a placement or a pile, if they stand here: ``=4`` or ``4 points``."""
    line.field("points")
    if line.mark("="):
        data["points"] = line.whole()
    elif line.piece[:1] == "+" and line.piece[1:].isdecimal():
        line.go(line.begin + 1)
        data["points"] = line.whole()
    elif line.number_here():
        data["points"] = line.whole()
        if not line.keyword("points", "point"):
            raise line.unexpected()


def one(field: str, read: Callable[[Line], Any], mark: str = "") -> Read:
    """What reads an event with a single field, perhaps after a mark."""

    def reader(line: Line, data: Data) -> None:
        if mark:
            line.mark(mark)
        line.field(field)
        data[field] = read(line)

    return reader


def tiles(line: Line, data: dict[str, Any]) -> None:
    """Several tiles, or `nothing`."""
    line.field("tiles")
    named = data["tiles"] = list[str]()
    if line.keyword("nothing"):
        return
    named.append(line.listed_tile())
    while line.mark(",") or line.tile_here():
        if line.nothing_left() or line.piece in _MORE:  # a comma at the end
            break
        named.append(line.listed_tile())


def held(line: Line, data: dict[str, Any]) -> None:
    """The tiles of a hand; dots stand for others that nobody wrote down."""
    data["tiles"] = []
    if not _more(line, data):
        tiles(line, data)
        _more(line, data)


def _more(line: Line, data: dict[str, Any]) -> bool:
    """Whether the hand has other tiles, which nobody wrote down."""
    line.field("partial")
    if line.piece not in _MORE:
        line.expect("MORE")
        return False
    line.step()
    data["partial"] = True
    return True


def aside(line: Line, data: dict[str, Any]) -> None:
    """Tiles set aside."""
    line.mark(":")
    tiles(line, data)


def nothing(_line: Line, _data: dict[str, Any]) -> None:
    """Nothing: the word says all."""


def ranked(line: Line, data: dict[str, Any]) -> None:
    """The highest number, and perhaps the direction."""
    line.field("high")
    data["high"] = line.whole()
    line.field("direction")
    direction = line.one_of(("regular", "reverse"))
    if direction:
        data["direction"] = direction
    else:
        line.expect("RANKING")


def taken(line: Line, data: dict[str, Any]) -> None:
    """How many tiles were taken, what they are worth, or both."""
    line.field("tiles")
    line.field("points")
    if line.piece == "=":
        _points(line, data)
        return
    line.expect('"="')
    number = line.whole()
    if line.keyword("points", "point"):
        data["points"] = number
        return
    line.keyword("tiles", "tile")
    data["tiles"] = number
    comma = line.mark(",")
    _points(line, data)
    if comma and "points" not in data and not line.nothing_left():
        raise line.unexpected()


# ---- What was said, and the end


def scores(line: Line, data: dict[str, Any], scope: str) -> None:
    """The points of some players, or of nobody."""
    data["scope"] = scope
    line.mark(":")
    line.field("points")
    points = data["points"] = dict[str, int]()
    if line.keyword("nobody"):
        return
    while True:
        begin = line.begin
        id_ = line.player()
        if id_ in points:
            raise line.refuse(f"{line.line[begin : line.begin].strip(' :')} occurs twice", begin + 1)
        points[id_] = line.whole()
        if not line.mark(",") and (line.ends() or line.is_because()):
            return
        if line.nothing_left():  # a comma at the end of the line
            return


def result(line: Line, data: dict[str, Any], text: Callable[[Line], str] = Line.text) -> None:
    """Who won, and perhaps who came where and the title that was earned; `text` reads it."""
    line.mark(":")
    line.field("winners")
    winners = data["winners"] = list[str]()
    if not line.keyword("nobody"):
        winners.append(line.player())
        while line.mark(",") or line.one_of(("and",)):
            if line.nothing_left():  # a comma at the end of the line
                break
            winners.append(line.player())
    if line.keyword("places"):
        line.field("ranks")
        data["ranks"] = {line.player(): line.whole()}
        while line.mark(",") and not line.nothing_left():
            data["ranks"] |= {line.player(): line.whole()}
    if line.keyword("as"):
        line.field("title")
        data["title"] = text(line)


def note(line: Line, data: dict[str, Any], text: Callable[[Line], str] = Line.text) -> None:
    """A remark, perhaps about an event; `text` reads it."""
    line.field("about")
    if line.piece[:1].isdecimal():
        data["about"] = line.nth()
    else:
        line.expect("NTH")
    line.require(":")
    line.field("text")
    data["text"] = text(line)


def closed(line: Line, data: dict[str, Any]) -> None:
    """How the game ended."""
    line.field("why")
    why = line.one_of(("finished", "abandoned"))
    if why is None:
        line.expect("ENDING")
        raise line.unexpected()
    data["why"] = why


# ---- Lines of another game

_INSTEAD: dict[type[Event], str] = {e.Layout: "plays", e.Score: "total:"}
"""What people mean in a game that does not have such an event."""
_PLACES: dict[type[Event], tuple[str, str]] = {
    e.Stack: ("on which stack?", " on 10"),
    e.Place: ("on which squares?", " b2-c2"),
    e.Play: ("", ""),
}
"""For each way to play a tile, the question where, and an example."""


def misplaced(setting: Setting, kind: type[Event], act: str, *, has_end: bool) -> str | None:
    """Why the game has no such place for a tile, or that the place is missing, and what to write instead of `act`.

    None if the game has it, or is unknown.
    """
    game = setting.game
    if game is None or (setting.has(kind) and not (has_end and not game.line_ends)):
        return None
    ways = [_PLACES[way] for way in _PLACES if setting.has(way)]
    if not ways:
        return f"{game.title} has no tiles to play"
    question = " or ".join(f"{question} write `{act}{example}`".lstrip() for question, example in ways)
    if kind is e.Play and not has_end:
        return question
    lacks = "ends of a line" if has_end else lacked_in_words(kind)
    return f"{game.title} has no {lacks}: {question}"


def places(setting: Setting) -> Iterable[str]:
    """What can be expected behind a tile."""
    game = setting.game
    yield from ["SQUARES"] if setting.has(e.Place) else []
    yield from ["on"] if setting.has(e.Stack) else []
    yield from ["SIDE"] if setting.has(e.Play) and (game is None or game.line_ends) else []
    yield from ["END"] if setting.has(e.Play) else []


# ---- Corrections


def _retracted(line: Line, data: Data) -> None:
    line.field("seq")
    data["seq"] = line.nth()
    _why(line, data)


def _inserted(line: Line, data: Data) -> None:
    line.keyword("before")
    _corrected(line, data, "before")


def _corrected(line: Line, data: Data, field: str) -> None:
    """The number of the event that a correction is about, the right event, and why."""
    line.field(field)
    data[field] = line.nth()
    line.mark(":")
    line.field("event")
    line.path = "event."
    data["event"] = _with_by(line, _EVENTS)
    line.path = ""
    _why(line, data)


def _why(line: Line, data: Data) -> None:
    """The reason for a correction, if there is one."""
    data["why"] = ""
    if line.is_because():
        line.step()
        line.field("why")
        data["why"] = line.text()
    else:
        line.expect("because")


def _restored(line: Line, data: Data) -> None:
    data["undo"] = True
    _why(line, data)


def _opened(line: Line, data: Data) -> None:
    opening = one_line(line)
    data |= opening.data()
    line.spots |= {line.path + field: spot for field, spot in opening.spots.items()}
    line.setting.letters, line.setting.game = opening.letters, opening.game


# ---- The words of all events


def _by_word(*rows: tuple[str, type[Event], Read]) -> dict[str, Form]:
    """The forms by each of their words; the first of these is listed."""
    return {
        word: Form(words.split()[0], event, read, e.kind(event))
        for words, event, read in rows
        for word in words.split()
    }


_VERBS = _by_word(
    ("has have", e.Deal, held),
    ("aside", e.Aside, aside),
    ("lays lay", e.Layout, tiles),
    ("draws draw", e.Draw, one("tile", Line.tile)),
    ("bids bid", e.Bid, one("bid", Line.whole)),
    ("passes pass", e.Pass, nothing),
    ("ranks rank", e.Rank, ranked),
    ("over", e.Over, one("tile", Line.tile)),
    ("lifts lift", e.Lift, one("tile", Line.tile)),
    ("takes take", e.Take, taken),
    ("agrees agree", e.Confirm, one("head", Line.word)),
)
"""By the word behind a player."""
_EVENTS = _by_word(
    ("aside", e.Aside, aside),
    ("hand", e.Score, lambda line, data: scores(line, data, "hand")),
    ("total totals", e.Score, lambda line, data: scores(line, data, "game")),
    ("cheats cheat", e.Cheats, one("count", Line.whole, ":")),
    ("end", e.Close, closed),
    ("open", e.Open, _opened),
    # The line goes on behind these, so a text is in quotes.
    ("note", e.Note, lambda line, data: note(line, data, Line.quoted)),
    ("result", e.Result, lambda line, data: result(line, data, Line.quoted)),
)
"""By the word that begins an event inside a correction."""
_LINES = _EVENTS | _by_word(
    ("note", e.Note, note),
    ("result", e.Result, result),
    ("retract", e.Retract, _retracted),
    ("amend", e.Amend, lambda line, data: _corrected(line, data, "seq")),
    ("insert", e.Insert, _inserted),
    ("void", e.Void, _why),
    ("restore", e.Void, _restored),
)
"""By the word that begins a line."""
