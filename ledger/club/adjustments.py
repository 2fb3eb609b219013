"""Points that the owner adds to a player in an event, for a penalty, a walk-over or a bye, each with the reason."""

from ledger.club.load import club_of
from ledger.club.standings import games_of
from ledger.keep.recorder import is_blank, now
from ledger.record.errors import NotForNow
from ledger.stores.beside import Adjustment
from ledger.stores.store import SqliteStore

MOST = 1_000_000
"""The most points that are added or taken."""


def adjust(store: SqliteStore, event: str, player: str, points: int, why: str) -> Adjustment:
    """Adds points to a player in an event, or takes some with a negative number.

    Raises NotForNow for an event or a player that the ledger does not know, for no points, and without a reason.
    """
    club = club_of(store)
    games = games_of(club, event)
    if not games:
        raise NotForNow(f"no game names an event {event!r}")
    name = club.people.name(club.people.find(player))
    if is_blank(why) or not 0 < abs(points) <= MOST:
        raise NotForNow("say how many points, and why")
    number = max((old.number for old in store.kept(Adjustment)), default=0) + 1
    adjustment = Adjustment(number, " ".join((games[0].event or "").split()), name, points, why.strip(), now())
    store.put([adjustment])
    return adjustment


def withdraw(store: SqliteStore, number: int) -> None:
    """Takes an adjustment back.  Raises NotForNow if there is none with that number."""
    if not store.drop([known for known in store.kept(Adjustment) if known.number == number]):
        raise NotForNow(f"there is no adjustment {number}")
