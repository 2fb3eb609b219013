"""Who is who in the ledger's club now, for the pages and the API."""

from difflib import get_close_matches

from ledger.club.load import adjustments_of
from ledger.club.people import Club, People
from ledger.games import catalog
from ledger.stores import questions
from ledger.stores.beside import Alias
from ledger.stores.query import searchable
from viewer.server.context import store
from viewer.server.kept import kept

PERSON = 1000
"""About the bytes of a person among the people of a club."""


def current_club() -> Club:
    """The club of this application's ledger."""
    ledger = store()
    # The state is read before the people: what is written meanwhile is read again the next time.
    seen, aliases = questions.seen(ledger), tuple(ledger.kept(Alias))
    people = kept().get_or_make(
        ("people", seen, aliases), lambda: People(ledger, aliases), lambda people: PERSON * len(people.shown)
    )
    return Club(ledger, people, catalog.together(), adjustments_of(ledger, people))


def similar_name(words: str) -> str | None:
    """The name of a person that resembles some words, for who mistyped it; None if there is none."""
    shown = current_club().people.shown.values()
    # People type a whole name, or one of its words.
    names = {part: name for name in shown for part in (*searchable(name).split(), searchable(name))}
    match = get_close_matches(searchable(words), names, n=1, cutoff=0.7)
    return names[match[0]] if match else None
