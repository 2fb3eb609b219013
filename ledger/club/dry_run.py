"""What importing a table would do, before anything is kept: its columns, people, games and faults."""

import csv
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from hashlib import sha256
from typing import NamedTuple

import msgspec

from ledger.club.load import club_of
from ledger.club.people import everybody
from ledger.club.result_exports import safe
from ledger.games.catalog import title
from ledger.keep.bg_stats_import import read_plays
from ledger.keep.recorder import folded
from ledger.keep.score_cards import Match, Outcome, ScoreCard, compare, standing_of
from ledger.keep.score_tables import Column, Plan, Reading, read_table
from ledger.keep.sources import is_export
from ledger.record.words import day, listed, plural
from ledger.stores.beside import ColumnsSaid
from ledger.stores.query import Query, searchable
from ledger.stores.store import SqliteStore

ALIKE = 0.85
"""How alike two names are that may be one person's."""


class Somebody(NamedTuple):
    """A person of a file: the games there and in the ledger, and who it may be, with that person's games.

    People who played with each other are two people.
    """

    name: str
    games: int
    known: int
    same_as: str = ""
    others: int = 0


class DryRun(NamedTuple):
    """What a file would bring; `differing` are the games that are here with other scores."""

    reading: Reading
    matches: Sequence[Match]
    people: Sequence[Somebody]
    differing: Sequence[Match] = ()

    def count(self, outcome: str) -> int:
        """How many games are new, known, amended or differ."""
        return sum(match.outcome == outcome for match in self.matches)

    @property
    def summary(self) -> str:
        """How many games will be kept, and what becomes of the others."""
        new, changed, differ, known = map(self.count, ("new", "amended", "differs", "known"))
        faulty, left = self.reading.faulty, self.reading.left_out
        alone = sum(match.outcome == "new" and len(match.card.scores) == 1 for match in self.matches)
        others = (
            (alone, "of one person alone"), (changed, "corrected"), (differ, "here with other scores"),
            (faulty, "has a fault" if faulty == 1 else "have a fault"),
            (known, "is here already" if known == 1 else "are here already"),
            (left, f"{'row' if left == 1 else 'rows'} of other games"),
        )  # fmt: skip
        return ", ".join([f"{plural(new, 'game')} will be kept", *(f"{n} {words}" for n, words in others if n)])

    @property
    def faults(self) -> dict[str, list[str]]:
        """The reasons of the faults, each with where it is."""
        places = defaultdict[str, list[str]](list)
        for error in self.reading.errors:
            place, _, reason = error.reason.partition(": ")
            places[reason or place].append(place if reason else "")
        return places


def read(text: bytes, source: str, plan: Plan, store: SqliteStore | None) -> Reading:
    """Reads a table or an export of BG Stats, with what the ledger remembers.  Raises NotARecord for another text."""
    if store:
        lowest = {*plan.lowest, *_won_by_the_lowest(store)}
        plan = plan._replace(recall=lambda titles: recalled(store, titles), lowest=lowest)
    return (read_plays if is_export(text) else read_table)(text, source, plan)


def _won_by_the_lowest(store: SqliteStore) -> Iterator[str]:
    """The games whose newest card in a ledger says that the fewest points win."""
    cards = {row.game: row.id for row in store.find(Query(reverse=True)) if row.card}
    return (game for game, record in cards.items() if store.read(record).opening.lowest)


def look(reading: Reading, store: SqliteStore | None, differing: Outcome = "differs") -> DryRun:
    """What a file would bring to a ledger, or to a new one; `differing` is what games with other scores become."""
    matches = compare(store, reading.cards) if store else [Match(card, "new") for card in reading.cards]
    differ = [match for match in matches if match.outcome == "differs"]
    decided = [
        match._replace(outcome=differing)
        if match.outcome == "differs" and not (match.played_out and differing == "amended")
        else match
        for match in matches
    ]
    return DryRun(reading, decided, [*people_of(reading.cards, store)], differ)


def people_of(cards: Sequence[ScoreCard], store: SqliteStore | None) -> Iterator[Somebody]:
    """The people of a file, the most frequent first; a new one may be somebody known, or more frequent there."""
    known = {person.name: person.games for person in everybody(club_of(store))} if store else {}
    counts = Counter(name for card in cards for name in card.scores)
    keys, met = {folded(name): games for name, games in known.items()}, defaultdict[str, set[str]](set)
    for card in cards:
        for name in card.scores:
            met[name].update(card.scores)
    before = [*known.items()]
    for name, games in counts.most_common():
        here = keys.get(folded(name), 0)
        alike = (other for other in before if not here and other[0] not in met[name] and _alike(name, other[0]))
        other = next(alike, ("", 0))
        yield Somebody(name, games, here, *other)
        before.append((name, games))


def _alike(name: str, other: str) -> bool:
    """Whether two names may be one person's: without accents, shortened, or but for a letter they are the same."""
    if folded(name) == folded(other):
        return False
    one, two = ([*filter(None, re.split(r"[^\w]+", searchable(text)))] for text in (name, other))
    shortened = len(one) == len(two) > 1 and all(
        a.startswith(b) or b.startswith(a) for a, b in zip(one, two, strict=True)
    )
    return one == two or shortened or SequenceMatcher(None, " ".join(one), " ".join(two)).ratio() >= ALIKE


def faulty_rows(reading: Reading) -> bytes:
    """The rows of the games with a fault as a table of their own, to mend and to bring again."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(map(safe, row) for row in reading.faulty_rows)
    return text.getvalue().encode("utf-8-sig")


def told(card: ScoreCard) -> str:
    """A game as a sentence: ``Ana won Zigzag, 121 : 98, against Ben.``"""
    names, standing, game = [*card.scores], standing_of(card.record()), title(card.game)
    won = [names[seat] for seat in standing.winners]
    ranked = sorted(range(len(names)), key=lambda seat: (standing.places[seat] or 0, seat))
    points = " : ".join(str(standing.shown[seat]) for seat in ranked)
    scores = f", {points}," if len(standing.unsaid) < len(names) else ""
    others = [names[seat] for seat in ranked if names[seat] not in won]
    if not won:
        how = "nobody won" if standing.decided else "it is not said who won"
        return f"{listed(names)} played {game}{scores or ','} and {how}."
    verb = "won" if len(won) == 1 or card.teams else "shared"
    against = f" against {listed(others)}" if others else ""
    end = "" if scores else "; points not said"
    return f"{listed(won)} {verb} {game}{scores if against else scores.rstrip(',')}{against}{end}."


def when_and_where(card: ScoreCard) -> str:
    """When and where a game was: ``12 Jan 2019 · table 2``."""
    return " · ".join(filter(None, (day(card.played or ""), card.place, card.event))) or "no day"


# ── What columns mean, remembered ──────────────────────────────────────────────────────────────────────────


def _digest(titles: Iterable[str]) -> str:
    """What stands for the titles of a table: they may be names of people."""
    return sha256(msgspec.json.encode([*map(folded, titles)])).hexdigest()


def recalled(store: SqliteStore, titles: Sequence[str]) -> dict[str, str]:
    """What the columns of a table with these titles meant when somebody said what some of them mean."""
    kept = [said.columns for said in store.kept(ColumnsSaid) if said.titles == _digest(titles)]
    meanings = zip(titles, msgspec.json.decode(kept[0]), strict=True) if kept else ()
    return {title: meaning for title, meaning in meanings if meaning}


def remember(store: SqliteStore, columns: Sequence[Column]) -> None:
    """Remembers what the columns of a table mean, for tables with the same titles."""
    meanings = msgspec.json.encode([column.meaning if column.asked else "" for column in columns]).decode()
    store.put([ColumnsSaid(_digest(column.title for column in columns), meanings)])
