"""The list of records: what it shows of each, the audits behind it, and which records to list."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Literal, NamedTuple
from unicodedata import category, normalize

from msgspec import Meta, Struct

from ledger.record.errors import NotForNow
from ledger.rules.game import GRAVE, Finding

MOST_ROWS = 5000
"""Rows held in memory at once."""
NO_MEANINGS: Mapping[str, str] = MappingProxyType({})


class Summary(Struct, frozen=True):
    """What the list of a ledger shows of a record besides its opening: the result of its audit.

    `winners` (None where nobody said who won) and `turn` (who acts next) are ids of players, `clauses` the ids of
    broken clauses.  `scores` are by seat and by the rules; of a score card, one may be None, `ranks` are by seat, too,
    and `teams` has the number of the team in each seat that has one.  `mistakes` counts the causes of what is wrong, or
    the events with a breach or worse while nobody has looked for causes; `moves` the tiles laid; `hands` the hands
    begun, in games that have them.  `last` is the time of the last event that has one.  `set_size` is the N of the
    double-N set, in games that have several sets.  `line` says how the game was won.
    """

    verdict: str
    finished: bool
    winners: tuple[str, ...] | None = ()
    clauses: tuple[str, ...] = ()
    scores: tuple[int | None, ...] = ()
    turn: tuple[str, ...] = ()
    mistakes: int = 0
    moves: int = 0
    hands: int = 0
    last: str | None = None
    set_size: int | None = None
    ranks: tuple[int | None, ...] = ()
    teams: tuple[int | None, ...] = ()
    line: str = ""


class Corruption(Struct, frozen=True):
    """Something that is not as it was written: the record ("" for none), what is wrong, and the seq of the event.

    Without an event, it is in the tables beside the events.
    """

    record: str
    reason: str
    event: int | None = None


class CauseRow(NamedTuple):
    """A mistake, as the table `cause` has it: the move to correct, the clause broken first, and whose act it is.

    `findings` are the numbers of the findings that follow from it, and `repairs` the proposals, both as JSON.  A
    `miscount` (1, else 0) is a claim that was wrong: nobody broke a rule.
    """

    move: int
    clause: str
    player: str | None
    findings: str
    repairs: str = "[]"
    miscount: int = 0


class Audit(NamedTuple):
    """The audit of a record at a version: its summary, its findings, and by clause what the clause says.

    Without `causes`, nobody has looked for them yet: every event with a breach or something impossible is a mistake.
    `miscounts` are the seqs of wrong claims.
    """

    record: str
    version: int
    summary: Summary
    findings: Sequence[Finding] = ()
    meanings: Mapping[str, str] = NO_MEANINGS
    causes: Sequence[CauseRow] | None = None
    miscounts: frozenset[int] = frozenset()

    @property
    def explained(self) -> bool:
        """Whether nothing is left to explain."""
        return self.causes is not None or not any(finding.verdict in GRAVE for finding in self.findings)


class Row(Struct, frozen=True, kw_only=True):
    """A record in the list of a ledger, with its opening after corrections.

    `event` is the tournament or league; `players` are the id and name of each, by seat; `events` is the
    version.  `closed`: it was closed and still is.  `card`: it is a score card.  `voided`: the owner set it aside.
    `audit` is the stored audit of this version, if any.  `corrupt`: the row cannot be read as it is.
    """

    id: str
    game: str
    edition: str | None
    played: str | None
    place: str | None
    event: str | None = None
    players: tuple[tuple[str, str], ...]
    events: int
    closed: bool
    card: bool = False
    voided: bool = False
    audit: Summary | None = None
    corrupt: bool = False


Verdict = Literal["clean", "unproven", "breach", "impossible", "scores-only", "unreadable"]
"""What an audit says of a whole record."""
_Text = Annotated[str, Meta(max_length=200)]
_Day = Annotated[str, Meta(extra_json_schema={"format": "date"})]


class Query(Struct, frozen=True, kw_only=True):
    """Which records to list.  None means any.

    `player` is a part of a player's name, or several parts with spaces between: a record must have all of them.
    `place` is a part of a place or of an event.  Case and accents do not matter.  `since` and `until` are days, both
    included.  `verdict` and `clause` (the id of a broken clause) find records with an up-to-date audit.  `closed` finds
    the records that are closed, or those that are not.  `voided` finds the records that the owner set aside; by
    default, only the others.

    The command, the API and the pages take their filters from these fields, with their descriptions and bounds; Python
    itself does not check the bounds.

    The record opened last comes first (or played last, by `order`); `reverse` turns that round.  A record without a
    date counts as the oldest, and one whose day has not come comes last.  Raises NotForNow for a negative `limit` or
    `offset`.
    """

    game: Annotated[_Text | None, Meta(description="Only this game, such as zigzag.")] = None
    player: Annotated[_Text | None, Meta(description="Only games with a player of this name, or part of it.")] = None
    place: Annotated[_Text | None, Meta(description="Only games at this place or event, or part of its name.")] = None
    since: Annotated[_Day | None, Meta(description="Played on or after this day (YYYY-MM-DD).")] = None
    until: Annotated[_Day | None, Meta(description="Played on or before this day.")] = None
    verdict: Annotated[Verdict | None, Meta(description="Only games with this verdict.")] = None
    clause: Annotated[_Text | None, Meta(description="Only games that break this clause, such as zigzag.take.")] = None
    closed: Annotated[bool | None, Meta(description="Only games that are closed, or that are not.")] = None
    voided: Annotated[bool | None, Meta(description="Only games that the owner set aside, or only others.")] = False
    order: Literal["opened", "played"] = "opened"
    reverse: bool = False
    limit: int | None = None
    offset: int = 0

    def __post_init__(self) -> None:
        if self.offset < 0 or (self.limit or 0) < 0:
            raise NotForNow("limit and offset must not be negative")


FILTERS = Query.__struct_fields__[: Query.__struct_fields__.index("closed")]
"""The fields of a query that are typed as text."""

_PLAIN = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "\u0131": "i"})
"""Letters with a stroke or a ligature, which are no letter with an accent to Unicode."""


def fold(text: str) -> str:
    """A text in the form used for searching: case folded, accents normalised."""
    return normalize("NFC", plain(text)).casefold()


def searchable(text: str) -> str:
    """A text as people type it when they search: like `fold`, but without accents, so that ``jose`` finds José."""
    letters = (letter for letter in normalize("NFD", fold(text)) if category(letter) != "Mn")
    return normalize("NFC", "".join(letters)).translate(_PLAIN)


def plain(text: str) -> str:
    """A text without NUL, at which SQLite's functions end a text."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")
