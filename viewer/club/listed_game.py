"""Cards: a record in a list of games, as people see it."""

from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace

from ledger.games import catalog
from ledger.record import clock, words
from ledger.stores.query import Row, Summary
from viewer.pictures.flat_tiles import letter

LIVE = timedelta(hours=12)
"""A game that is not over counts as in play if its last move is at most this old."""
COLOURS = 8


def card(row: Row, today: date) -> SimpleNamespace:
    """A record in a list, as `listed_game.html` shows it, from its row.

    A player's `colour` is from 1 to 8; `known`: they have a name, and so a page of their own.  `detail` is the edition
    and the size of the set, `length` the number of hands or moves, `state` what a reader should know (empty for a game
    that is over and was checked), `next` who is to play, `line` how the game was won.  `cheats` are those of the whole
    table, in a game that counts them for everybody together; its seats have no scores.
    """
    audit = row.audit
    names = dict(row.players)
    unknown = (None,) * len(row.players)
    scores = audit.scores if audit and len(audit.scores) == len(row.players) else unknown
    cheats = scores[0] if scores and row.game in catalog.together() else None
    winners = (audit.winners or ()) if audit and audit.finished else ()
    return SimpleNamespace(
        id=row.id,
        version=row.events,
        title=catalog.title(row.game),
        detail=_detail(row),
        seats=[
            SimpleNamespace(
                letter=letter(name),
                colour=n % COLOURS + 1,
                name=name,
                score=score,
                won=id_ in winners,
                known=name != id_,
            )
            for n, ((id_, name), score) in enumerate(
                zip(row.players, scores if cheats is None else unknown, strict=True)
            )
        ],
        place=row.place or "",
        when=when(audit.last if audit else None, row.played, today),
        length=_length(audit),
        mistakes=audit.mistakes if audit else 0,
        state=_state(row),
        next=f"{words.listed(names.get(id_, id_) for id_ in audit.turn)} to play" if audit and audit.turn else "",
        cheats=cheats,
        line=audit.line if audit else "",
    )


def in_play(row: Row, now: datetime) -> bool:
    """Whether a game is in play: it is neither over nor closed, and its last move is not old."""
    audit = row.audit
    if row.closed or audit is None or audit.finished or audit.last is None:
        return False
    try:
        last = datetime.fromisoformat(audit.last)
    except ValueError:
        return False
    last = last if last.tzinfo else last.replace(tzinfo=UTC)
    return -LIVE < now - last < LIVE


def when(last: str | None, played: str | None, today: date) -> tuple[str, str] | None:
    """The time of the last move if it was on the day of the game, or the day of the game: for programs, for people."""
    if last is not None and played in (None, last[:10]):
        return last, day_in_words(last[:10], today)
    return (played, day_in_words(played, today)) if played else None


def day_in_words(day: str, today: date) -> str:
    """``today``, ``yesterday``, ``20 Nov`` or ``20 Nov 2025``; the text itself if it is not a day."""
    try:
        calendar_day = date.fromisoformat(day)
    except ValueError:
        return day
    if calendar_day in (today, today - timedelta(days=1)):
        return "today" if calendar_day == today else "yesterday"
    return words.day(day).removesuffix(f" {today.year}")


def _detail(row: Row) -> str:
    edition = f"edition {row.edition}" if row.edition else ""
    size = words.double(row.audit.set_size) if row.audit else ""
    return " · ".join(filter(None, (edition, size)))


def _length(audit: Summary | None) -> str:
    if audit is None or not audit.moves:
        return ""
    count, unit = (audit.hands, "hand") if audit.hands else (audit.moves, "move")
    return words.plural(count, unit)


def _state(row: Row) -> str:
    if row.corrupt:
        return "damaged"
    if clock.is_ahead(row.played):
        return "a day to come"
    if row.audit is None:
        return "not checked yet"
    if row.audit.verdict == "unreadable":
        return "can't be read here"
    if row.card:
        return "result only" if row.audit.finished else "result only, unfinished"
    return "" if row.audit.finished else "unfinished"
