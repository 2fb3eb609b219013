"""One frozen Struct per event type of the record format, version 1.

The tag is the class name in lower case.  Three tuples group the types: `ACTS` are what players do at the table,
`CLAIMS` what is said or written there, `BOOKKEEPING` what the recorder does to the record.  Acts change the state of
a game; claims are compared with it; only `record` reads bookkeeping.

Source: the record format, version 1 (docs/record-format.md).
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ledger.record.tiles import Tile

Text = Annotated[str, Meta(max_length=2000)]
"""A line that somebody wrote."""
Name = Annotated[str, Meta(min_length=1, max_length=200)]
"""A name or an id."""
When = Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z\Z")]
"""RFC 3339, in UTC, as it was written: kept as text so that it comes back byte for byte."""
Date = Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")]
"""A day of the calendar; `codec.check` refuses one that does not exist."""
GREATEST = 1_000_000_000
"""The greatest number in a record."""
Whole = Annotated[int, Meta(ge=-GREATEST, le=GREATEST)]
"""A number that somebody wrote down: points, tiles, a bid.  Large enough for any table, and for its slips."""
Seq = Annotated[int, Meta(ge=0, le=GREATEST)]
"""An event's place in its record, from 0."""
Level = Annotated[int, Meta(ge=1, le=1000)]
FARTHEST = 1000
"""The farthest column or row from the middle of the table."""
Coordinate = Annotated[int, Meta(ge=-FARTHEST, le=FARTHEST)]
"""A column or row in squares; y grows towards south."""
Square = tuple[Coordinate, Coordinate]
Direction = Literal["e", "s", "w", "n"]
LineEnd = Literal["left", "right"]
"""The two ends of a line of tiles, as the recorder sees it."""
Tiles = Annotated[tuple[Tile, ...], Meta(max_length=200)]
OptionValue = Text | Whole | bool | Annotated[tuple[Whole, ...], Meta(max_length=200)] | None


class Event(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False, tag=str.lower):
    """What every event may have: `when` it was recorded, and `by` whom."""

    when: When | None = None
    by: Name | None = None


class Player(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Somebody at the table: the `id` that events use, the `name` that people read."""

    id: Name
    name: Text = ""


class Source(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False, rename={"from_": "from"}):
    """Where a score card came from: a program or a file, and its own id of the game."""

    from_: Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^\S+\Z")]
    id: Name


class Open(Event, frozen=True):
    """The opening of a record, always its first event: which game, by which rules, who sat where.

    `players` are in the order of their seats, clockwise round the table.  `played` is the day, `event` the
    tournament or league, and `rules` the revision of the rules that it was recorded under.  `card`: the
    record is a score card, and only the end of the game is known.  Of a card, `lowest` says that the fewest points win,
    `teams` who won or lost together, by id, and `source` is the importer's own id of the game.
    """

    game: Name
    edition: Name | None = None
    options: dict[Name, OptionValue] = {}
    # `codec.check` requires it.  It has a default because it comes after `edition`, and fields are written in this
    # order.
    players: Annotated[tuple[Player, ...], Meta(min_length=1, max_length=26)] = ()
    played: Date | None = None
    place: Text | None = None
    event: Text | None = None
    recorder: Text | None = None
    rules: Name | None = None
    card: bool = False
    lowest: bool = False
    teams: Annotated[tuple[Annotated[tuple[Name, ...], Meta(min_length=1)], ...], Meta(max_length=26)] = ()
    source: Source | None = None


class Deal(Event, frozen=True):
    """The known tiles of a hand: the whole hand unless `partial`."""

    player: Name
    tiles: Tiles
    partial: bool = False


class Aside(Event, frozen=True):
    """Tiles out of the game; in Build Up, with `player`, the tiles that this player could not play in the hand."""

    tiles: Tiles
    player: Name | None = None


class Layout(Event, frozen=True):
    """Build Up: the six tiles that a player lays out, in stack order."""

    player: Name
    tiles: Tiles


class Draw(Event, frozen=True):
    """A tile drawn: into the open hand (Domino Ziggurat), or for the first turn (Build Up)."""

    player: Name
    tile: Tile


class Bid(Event, frozen=True):
    """Zigzag: how many tiles (or points) a player undertakes to take."""

    player: Name
    bid: Whole


class Pass(Event, frozen=True):
    """A turn without an act: in Zigzag's bidding, in Build Up; elsewhere always a breach."""

    player: Name


class Rank(Event, frozen=True):
    """Zigzag: the number that the contractor names highest, and the direction from there; without one, regular."""

    player: Name
    high: Whole
    direction: Literal["regular", "reverse"] | None = None


class Over(Event, frozen=True):
    """Zigzag: the tile over goes to the contractor."""

    player: Name
    tile: Tile


class Place(Event, frozen=True):
    """Both ziggurats: the first half lies on `at`, the second on the next square in direction `dir`.

    `level` counts from 1, the base.  `points` is a claim: what the table gave for it.
    """

    player: Name
    tile: Tile
    at: Square
    dir: Direction
    level: Level
    points: Whole | None = None


class Lift(Event, frozen=True):
    """Domino Ziggurat: a placed domino is picked up again (a cheat)."""

    player: Name
    tile: Tile


class Stack(Event, frozen=True):
    """Build Up: a tile is put on a stack; stacks are numbered from 1 in the order of the layout."""

    player: Name
    tile: Tile
    stack: Whole


class Play(Event, frozen=True):
    """A tile is played: in Zigzag to the pile in the centre, in a line game to an `end` of the line."""

    player: Name
    tile: Tile
    end: LineEnd | None = None


class Take(Event, frozen=True):
    """Zigzag, a claim: a player took the pile; `tiles` is its number of tiles, `points` what they are worth."""

    player: Name
    tiles: Whole | None = None
    points: Whole | None = None


class Score(Event, frozen=True):
    """A claim: the points of the `hand` that is over, or the totals of the `game` so far, by player id."""

    scope: Literal["hand", "game"]
    points: dict[str, Whole]


class Cheats(Event, frozen=True):
    """Domino Ziggurat, a claim: how many cheats were counted."""

    count: Whole


class Result(Event, frozen=True):
    """A claim: who won, in Domino Ziggurat the title that was earned, and on a score card who came where, from 1."""

    winners: tuple[Name, ...]
    title: Text | None = None
    ranks: dict[Name, Annotated[int, Meta(ge=1, le=1000)]] = {}


class Void(Event, frozen=True):
    """The owner of the ledger sets the whole record aside, or with `undo` brings it back; nothing is deleted."""

    why: Text
    undo: bool = False


class Note(Event, frozen=True):
    """A remark, perhaps about the event `about`."""

    text: Text
    about: Seq | None = None


class Close(Event, frozen=True):
    """The record ends: the game was `finished` or `abandoned`."""

    why: Literal["finished", "abandoned"]


class Confirm(Event, frozen=True):
    """A player agrees to the record whose fingerprint is `head`."""

    player: Name
    head: Name


Act = Deal | Aside | Layout | Draw | Bid | Pass | Rank | Over | Place | Lift | Stack | Play
Claim = Take | Score | Cheats | Result
Correctable = Open | Act | Claim | Note | Close | Confirm
"""The events that a correction may put in a record.  Corrections cannot be corrected: see `record`."""


class Retract(Event, frozen=True):
    """The event `seq` was a slip of the recorder and never happened."""

    seq: Seq
    why: Text


class Amend(Event, frozen=True):
    """The event `seq` as it really was, in its old place."""

    seq: Seq
    event: Correctable
    why: Text


class Insert(Event, frozen=True):
    """A forgotten event, in its right place.  Its seq is that of the insert."""

    before: Seq
    event: Correctable
    why: Text


AnyEvent = Correctable | Retract | Amend | Insert | Void

ACTS: tuple[type[Event], ...] = (
    Deal, Aside, Layout, Draw, Bid, Pass, Rank, Over, Place, Lift, Stack, Play,
)  # fmt: skip
MOVES: frozenset[type[Event]] = frozenset((Place, Stack, Play))
"""The acts that lay a tile on the table: what people count as moves, in every game."""
CLAIMS: tuple[type[Event], ...] = (Take, Score, Cheats, Result)
CORRECTIONS: tuple[type[Event], ...] = (Retract, Amend, Insert)
ABOUT_RECORDS: tuple[type[Event], ...] = (*CORRECTIONS, Void)
"""The types of events that are about the record itself, and not among its effective events."""
BOOKKEEPING: tuple[type[Event], ...] = (Open, Note, Close, Confirm, *ABOUT_RECORDS)
EVENTS: tuple[type[Event], ...] = (*ACTS, *CLAIMS, *BOOKKEEPING)


def kind(event: Event | type[Event]) -> str:
    """The tag of an event or of its type: ``"place"``."""
    return (event if isinstance(event, type) else type(event)).__name__.lower()


def actor(event: Event) -> str | None:
    """The player that an event names; None if it names none."""
    return getattr(event, "player", None)
