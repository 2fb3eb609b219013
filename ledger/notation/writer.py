"""Writes a record as a score sheet, one line per event.

Reading a line gives the same event, except for its `when`, which sheets leave out.  Names and texts are written bare if
that is safe, and in quotes if not.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import inf
from typing import Any

from ledger.games.catalog import titled
from ledger.notation.heading import AND
from ledger.notation.setting import LETTER, Letters, Setting, game_in, game_of, letters_of, usual_id
from ledger.record import events as e
from ledger.record.codec import is_only_scores
from ledger.record.events import AnyEvent, Correctable, Event, Open, Player
from ledger.record.record import Record
from ledger.record.squares import USUAL, Squares, named_by
from ledger.record.visible import BIDI, UNSEEN

WIDTH = 100
"""The greatest length of a line of options."""

_CONTROL = f"\x00-\x1f\x7f-\x9f{BIDI}{UNSEEN}"
_ESCAPED = re.compile(f"[\x7f-\x9f{BIDI}{UNSEEN}]")
_TEXT = re.compile(rf'[^\s"{_CONTROL}](?:[^{_CONTROL}]*[^\s{_CONTROL}])?')
_WORD = re.compile(rf'[^\s",;()\[\]=:#{_CONTROL}]+')
_TAG = re.compile("[a-z0-9]+(?:-[a-z0-9]+)*")
_BECAUSE = re.compile("because", re.IGNORECASE)
_MEANING = re.compile(rf"[-−]?[0-9]+|{LETTER.pattern}|true|yes|false|no|none|null", re.IGNORECASE)
"""Words that mean something else as the value of an option."""


def write(record: Record, *, numbered: bool = False, squares: Squares | None = None) -> str:
    """The sheet of a record; with `numbered`, each line has its seq, for reading aloud.

    `squares` are the names of the squares (all pages use `Review.squares`); by default they are counted from the corner
    of all placements.  ``read(write(record))`` is the record without its recording times.
    """
    opening, *events = record.events
    assert isinstance(opening, Open)  # noqa: S101  the codec refuses any other record
    usual_by = Counter(event.by for event in record.events).most_common(1)[0][0]
    setting = Setting(letters_of(opening), squares or named_by(record), game_of(opening.game, opening.rules))
    lines = [*_parts(opening, setting.letters, _text, WIDTH)]
    if usual_by is not None:
        lines.append(f"By: {_who(usual_by, setting.letters)}")
    if opening.by != usual_by:
        lines.append(f"Opened by: {_whom(opening.by, setting.letters)}")
    if not opening.card and is_only_scores(record.events):
        lines.append("Card: no")
    corrected = (event.event if isinstance(event, e.Amend | e.Insert) else event for event in events)
    if setting.squares != USUAL and any(isinstance(event, e.Place) for event in corrected):
        lines.append(f"Squares: a1 = {setting.squares.left},{setting.squares.bottom}")
    lines += [""] if events else []
    for seq, event in enumerate(events, 1):
        line = _line(event, setting, usual_by)
        lines.append(f"{seq}. {line}" if numbered else line)
        if isinstance(event, e.Amend) and isinstance(event.event, Open):
            setting.letters = _letters_after(setting.letters, event.event)
            setting.game = game_of(event.event.game, event.event.rules)
    return "\n".join([*lines, ""])


def write_event(event: AnyEvent, of: Record | Open, squares: Squares | None = None) -> str:
    """One event as a line, without its end, in the record `of` or after the opening `of`."""
    return _line(event, Setting(letters_of(of), squares or named_by(of), game_in(of)), None)


def _line(event: AnyEvent, setting: Setting, usual_by: str | None) -> str:
    # An opening comes before any letters, so the recorder's id is in quotes.
    by = _by(event, Letters() if isinstance(event, Open) else setting.letters, usual_by)
    return by + _without_by(event, setting)


def _without_by(event: AnyEvent, setting: Setting) -> str:
    letters, meant = setting.letters, "! " if setting.lacks(event) else ""
    match event:
        case e.Place():
            return meant + _place(event, letters, setting.squares)
        case e.Amend():
            return f"amend {event.seq}: {_corrected(event.event, setting)}{_because(event.why)}"
        case e.Insert():
            return f"insert before {event.before}: {_corrected(event.event, setting)}{_because(event.why)}"
    return meant + _LINES[type(event)](event, letters)


def _by(event: AnyEvent, letters: Letters, usual_by: str | None) -> str:
    if event.by == usual_by:
        return ""
    return f"by {_whom(event.by, letters)}: "


# ---- Words and texts


def _quoted(text: str) -> str:
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False))


def _text(text: str) -> str:
    """Text up to the end of the line."""
    return text if _TEXT.fullmatch(text) else _quoted(text)


def _word(text: str) -> str:
    return text if _WORD.fullmatch(text) and not _BECAUSE.fullmatch(text) else _quoted(text)


def _words(text: str) -> str:
    """Words in the middle of a line, or before the next player's letter."""
    words = text.split(" ")
    bare = all(_word(word) == word and word.lower() not in AND for word in words)
    bare = bare and words[0] not in ("-", "–") and not any(map(LETTER.fullmatch, words[1:]))
    return text if bare else _quoted(text)


def _game(tag: str) -> str:
    """A game's tag.  Other text is in quotes if it could mean a game, or an edition."""
    return tag if _TAG.fullmatch(tag) and titled(tag) in (None, tag) else _quoted(tag)


def _who(player: str, letters: Letters) -> str:
    return letters.letter(player) or _quoted(player)


def _whom(player: str | None, letters: Letters) -> str:
    return "nobody" if player is None else _who(player, letters)


def _tiles(tiles: Iterable[object]) -> str:
    return " ".join(map(str, tiles)) or "nothing"


def _because(why: str) -> str:
    return f" because {_text(why)}" if why else ""


# ---- The opening


def _parts(opening: Open, letters: Letters, text: Callable[[str], str], width: float) -> Iterator[str]:
    """The parts of an opening; options that are longer than this width are in several parts."""
    yield f"Game: {_game(opening.game)}"
    if opening.edition is not None:
        yield f"Edition: {text(opening.edition)}"
    yield f"Players: {', '.join(_seat(player, letters.letter(player.id) or '') for player in opening.players)}"
    yield from (f"Options: {options}" for options in _wrapped(_options(opening, letters), width))
    yield from (f"{name}: {text(value)}" for name, value in _entries(opening))


def _opening(opening: Open, letters: Letters) -> str:
    """The opening on one line."""
    return f"open {'; '.join(_parts(opening, _letters_after(letters, opening), _words, inf))}"


def _letters_after(letters: Letters, opening: Open) -> Letters:
    return letters.after((None, player) for player in opening.players)


def _entries(opening: Open) -> Iterator[tuple[str, str]]:
    for name in ("played", "place", "event", "recorder", "rules"):
        text = getattr(opening, name)
        if text is not None:
            yield name.capitalize(), text
    for name in ("card", "lowest"):
        if getattr(opening, name):
            yield name.capitalize(), "yes"
    if opening.teams:
        letters = letters_of(opening)
        yield "Teams", ", ".join(" ".join(_who(player, letters) for player in team) for team in opening.teams)
    if opening.source:
        yield "Source", f"{opening.source.from_} {opening.source.id}"


def _seat(player: Player, letter: str) -> str:
    name = f" {_words(player.name)}" if player.name else ""
    # Lower case outside ASCII may differ between Python versions, so such an id is written out.
    usual = player.name.isascii() and player.id == usual_id(player.name, letter)
    return f"{letter}{name}" if usual else f"{letter}{name} ({_word(player.id)})"


def _options(opening: Open, letters: Letters) -> list[str]:
    names = {player.name.casefold() for player in opening.players}
    player_ids = {player.id for player in opening.players}
    return [f"{_option(name)} = {_value(value, player_ids, names, letters)}" for name, value in opening.options.items()]


def _option(name: str) -> str:
    """An option's name.  One that could be another way to write a name is in quotes."""
    return _word(name) if name == name.lower() and "-" not in name else _quoted(name)


def _value(value: Any, player_ids: set[str], names: set[str], letters: Letters) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if not isinstance(value, str):
        return f"[{', '.join(map(str, value))}]"
    if value in player_ids:
        return _who(value, letters)
    means_more = _MEANING.fullmatch(value) or value != value.lower() or value.casefold() in names
    return _quoted(value) if means_more else _word(value)


def _wrapped(parts: Iterable[str], width: float) -> Iterator[str]:
    line = ""
    for part in parts:
        if line and len(line) + len(part) > width:
            yield line
            line = ""
        line = f"{line}, {part}" if line else part
    if line:
        yield line


# ---- The events


def _deal(event: e.Deal, letters: Letters) -> str:
    tiles = _tiles(event.tiles) if event.tiles or not event.partial else ""
    return " ".join(filter(None, (_who(event.player, letters), "has", tiles, "..." if event.partial else "")))


def _aside(event: e.Aside, letters: Letters) -> str:
    player = f"{_who(event.player, letters)} " if event.player is not None else ""
    return f"{player}aside {_tiles(event.tiles)}"


def _place(event: e.Place, letters: Letters, squares: Squares) -> str:
    level = f" L{event.level}" if event.level != 1 else ""
    points = f" ={event.points}" if event.points is not None else ""
    return f"{_who(event.player, letters)} {event.tile} {squares.of_place(event)}{level}{points}"


def _take(event: e.Take, letters: Letters) -> str:
    tiles = [str(event.tiles)] if event.tiles is not None else []
    points = [f"{event.points} points"] if event.points is not None else []
    return f"{_who(event.player, letters)} takes {', '.join(tiles + points)}"


def _score(event: e.Score, letters: Letters) -> str:
    points = ", ".join(f"{_who(player, letters)} {points}" for player, points in event.points.items())
    return f"{'hand' if event.scope == 'hand' else 'total'}: {points or 'nobody'}"


def _result(event: e.Result, letters: Letters, text: Callable[[str], str] = _text) -> str:
    winners = ", ".join(_who(winner, letters) for winner in event.winners) or "nobody"
    ranks = ", ".join(f"{_who(player, letters)} {rank}" for player, rank in event.ranks.items())
    title = f" as {text(event.title)}" if event.title is not None else ""
    return f"result: {winners}{ranks and f' places {ranks}'}{title}"


def _note(event: e.Note, _letters: Letters, text: Callable[[str], str] = _text) -> str:
    about = f" {event.about}" if event.about is not None else ""
    return f"note{about}: {text(event.text)}"


def _corrected(event: Correctable, setting: Setting) -> str:
    """An event inside a correction, with its texts in quotes, because the line goes on."""
    by = _by(event, setting.letters, None)
    if isinstance(event, e.Note):
        return by + _note(event, setting.letters, _quoted)
    if isinstance(event, e.Result):
        return by + ("! " if setting.lacks(event) else "") + _result(event, setting.letters, _quoted)
    return by + _without_by(event, setting)


_LINES: Mapping[type[Event], Callable[[Any, Letters], str]] = {
    e.Open: _opening,
    e.Deal: _deal,
    e.Aside: _aside,
    e.Layout: lambda event, letters: f"{_who(event.player, letters)} lays {_tiles(event.tiles)}",
    e.Draw: lambda event, letters: f"{_who(event.player, letters)} draws {event.tile}",
    e.Bid: lambda event, letters: f"{_who(event.player, letters)} bids {event.bid}",
    e.Pass: lambda event, letters: f"{_who(event.player, letters)} passes",
    e.Rank: lambda event, letters: (
        f"{_who(event.player, letters)} ranks {event.high}" + (f" {event.direction}" if event.direction else "")
    ),
    e.Over: lambda event, letters: f"{_who(event.player, letters)} over {event.tile}",
    e.Lift: lambda event, letters: f"{_who(event.player, letters)} lifts {event.tile}",
    e.Stack: lambda event, letters: f"{_who(event.player, letters)} {event.tile} on {event.stack}",
    e.Play: lambda event, letters: f"{_who(event.player, letters)} {event.tile} {event.end or ''}".rstrip(),
    e.Take: _take,
    e.Score: _score,
    e.Cheats: lambda event, _letters: f"cheats {event.count}",
    e.Result: _result,
    e.Note: _note,
    e.Retract: lambda event, _letters: f"retract {event.seq}{_because(event.why)}",
    e.Void: lambda event, _letters: f"{'restore' if event.undo else 'void'}{_because(event.why)}",
    e.Close: lambda event, _letters: f"end {event.why}",
    e.Confirm: lambda event, letters: f"{_who(event.player, letters)} agrees {_word(event.head)}",
}
