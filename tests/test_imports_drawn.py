"""Drawn files: nothing is imported that the dry run did not show, and nothing is left of what is taken back."""

from contextlib import suppress
from typing import Any, NamedTuple

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.club.dry_run import DryRun, look, read
from ledger.club.load import club_of
from ledger.club.result_exports import csv_bytes
from ledger.club.standings import standings
from ledger.keep import imports
from ledger.keep.recorder import Recorder, folded
from ledger.keep.score_cards import Outcome, ScoreCard, standing_of
from ledger.keep.score_tables import Plan
from ledger.keep.stored_audits import audit_anew
from ledger.record.errors import NotForNow
from ledger.record.record import Effective, Record, effective
from ledger.stores.query import Query
from ledger.stores.store import SqliteStore
from temporary import TemporaryStore

EVENT = "Cup"
DAYS = st.sampled_from(("2026-03-01", "2026-03-01", "1.3.26", "2026-03-08", "soon"))
SCORES = st.sampled_from(("1", "2", "3,00", "", "1,000", "x")) | st.integers(1, 9).map(str)
GAMES = st.tuples(
    st.sampled_from(("", "1", "2")), DAYS, st.sampled_from(("Block", "Block", "Zigzag")),
    st.sampled_from((("Ana", "Ben"), ("Ana", "Ben"), ("ana", "Cy"), ("Ana", ""))), SCORES, SCORES,
    st.sampled_from((("", ""), ("", ""), ("yes", "no"), ("no", "no"))),
)  # fmt: skip


def long(games: list[tuple[Any, ...]]) -> str:
    """A table with a row for each player."""
    rows = [
        ";".join((record, day, game, people[seat], (one, other)[seat], won[seat], EVENT))
        for record, day, game, people, one, other, won in games
        for seat in (0, 1)
    ]
    return "\n".join(["record;day;game;player;score;won;event", *rows])


def wide(games: list[tuple[Any, ...]]) -> str:
    """A table with a row for each game."""
    rows = [f"{day};{EVENT};;{one};{other}" for _, day, _, _, one, other, _ in games]
    return "\n".join(["day;event;|;Ana;Ben", *rows])


FILES = st.builds(
    lambda write, games: write(games), st.sampled_from((long, long, wide)), st.lists(GAMES, min_size=1, max_size=3)
)


class Act(NamedTuple):
    """What somebody does: brings a file, or takes the import with a number back, or brings it back."""

    does: str
    file: str
    number: int
    differing: Outcome


ACTS = st.lists(
    st.builds(
        Act, st.sampled_from(("bring", "bring", "undo", "redo")), FILES, st.integers(1, 4),
        st.sampled_from(("amended", "amended", "differs", "new")),
    ),
    min_size=2,
    max_size=8,
)  # fmt: skip


def records(store: SqliteStore) -> dict[str, Record]:
    """The records of a ledger."""
    return {row.id: store.read(row.id) for row in store.find(Query(voided=None))}


def end(card: Record | Effective) -> object:
    """How a card ends: its day, its game, and of each player the name, the points and the rank, and who won."""
    standing, opening = standing_of(card), card.opening
    seats = (
        (folded(player.name or ""), standing.points[seat], standing.places[seat], seat in standing.winners)
        for seat, player in enumerate(opening.players)
    )
    return opening.played, opening.game, standing.decided, sorted(seats, key=repr)


def club(store: SqliteStore) -> tuple[bytes, bytes]:
    """The results and the standings of a ledger, to the byte."""
    of = club_of(store)
    table = standings(of, EVENT)
    return csv_bytes(of.games()), msgspec.json.encode([place.view() for place in table.places] if table else [])


def tried(store: SqliteStore, act: Act) -> DryRun:
    plan = Plan(game="Block", thousands=act.number > 2)
    return look(read(act.file.encode(), "drawn.csv", plan, store), store, act.differing)


def begin(store: SqliteStore) -> None:
    """A game that somebody entered by hand."""
    card = ScoreCard("Block", {"Ana": 7, "Cy": 3}, None, "2026-03-01", EVENT)
    Recorder(store).import_record(card.record())
    audit_anew(store)


@given(ACTS)
@settings(max_examples=60)
def test_what_is_imported_was_shown_and_is_gone_after_it_is_taken_back(acts: list[Act]) -> None:
    with TemporaryStore() as store:
        begin(store)
        before = club(store)
        for act in acts:
            if act.does == "bring":
                shown, there = tried(store, act), records(store)
                brought = {
                    match.record: match.card
                    for match in imports.keep(store, shown.matches, "drawn.csv")
                    if match.outcome in ("new", "amended")
                }
                assert len(brought) == shown.count("new") + shown.count("amended")
                assert {id_ for id_, record in records(store).items() if there.get(id_) != record} <= {*brought}
                for id_, card in brought.items():
                    assert end(effective(store.read(id_).events)) == end(card.record())
            elif act.number in [one.number for one in imports.imports(store)]:
                with suppress(NotForNow):
                    imports.take_back(store, imports.find(store, str(act.number)), redo=act.does == "redo")
        for number in sorted((one.number for one in imports.imports(store)), key=lambda one: (one * 7) % 5):
            with suppress(NotForNow):
                imports.take_back(store, imports.find(store, str(number)))
        assert club(store) == before
