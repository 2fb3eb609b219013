"""One contract for the mistakes that every store keeps beside the audits."""

from ledger.club.load import club_of
from ledger.club.profile import profile
from ledger.club.statistics import statistics
from ledger.record.events import Bid, Open, Pass, Player
from ledger.rules.game import Finding
from ledger.stores import questions
from ledger.stores.query import Audit, CauseRow, Summary
from ledger.stores.store import SqliteStore


def opening() -> Open:
    """The opening of a game of three."""
    return Open("zigzag", players=tuple(Player(id=name, name=name.title()) for name in ("ana", "ben", "cy")))


def mistakes(store: SqliteStore) -> tuple[dict[str, tuple[tuple[str, int], ...]], tuple[tuple[str, int], ...]]:
    """How often each person broke each clause, and in how many games each clause was broken."""
    club = club_of(store)
    profiles = [profile(club, key) for key in club.people.shown]
    return {person.name: person.mistakes for person in profiles if person.mistakes}, statistics(club, "zigzag").rules


def test_audits_with_mistakes_wait_until_they_are_explained(store: SqliteStore) -> None:
    breach, wrong = Summary("breach", False), [Finding(1, "zigzag.bid.raise", "breach", "ana")]
    for record in ("r", "s", "t"):
        store.append(record, 0, [opening(), Bid("ana", 3)])
        store.note_audits([Audit(record, 2, breach, wrong if record != "t" else ())])
    assert questions.unexplained(store, 9) == ("s", "r")
    assert questions.unexplained(store, 1) == ("s",)
    assert (questions.causes(store, "s"), questions.causes(store, "t"), questions.causes(store, "nobody")) == (
        None,
        [],
        None,
    )
    cause = CauseRow(1, "zigzag.bid.raise", "ben", "[0]", '[{"corrections":[],"message":"If …"}]')
    store.note_audits([Audit("s", 2, breach, wrong, causes=[cause])])
    assert questions.causes(store, "s") == [cause]
    assert questions.unexplained(store, 9) == ("r",)
    store.append("s", 2, [Pass("ben")])
    assert questions.causes(store, "s") is None
    assert questions.unexplained(store, 9) == ("r",)
    store.note_audits([Audit("s", 3, breach, wrong)])
    assert questions.unexplained(store, 9) == ("s", "r")


def test_mistakes_are_those_of_up_to_date_audits(store: SqliteStore) -> None:
    findings = [
        Finding(1, "zigzag.bid.raise", "breach", "ana"),
        Finding(2, "zigzag.bid.raise", "breach", "ana"),
        Finding(2, "zigzag.bid.raise", "impossible", "ben"),
        Finding(2, "record.close", "breach"),
        Finding(3, "zigzag.take", "unproven", "ana"),
        Finding(3, "zigzag.take", "note", "ana"),
    ]
    for record in ("r", "s"):
        store.append(record, 0, [opening(), Bid("ana", 3)])
        store.note_audits([Audit(record, 2, Summary("breach", False, scores=(1, 2, 3)), findings)])
    store.append("s", 2, [Pass("ben")])
    assert mistakes(store) == ({"Ana": (("zigzag.bid.raise", 2),)}, (("zigzag.bid.raise", 1),))
    cause = CauseRow(1, "zigzag.bid.raise", "ben", "[0,1,2,3]", '[{"corrections":[]}]')
    store.note_audits([Audit("r", 2, Summary("breach", False, scores=(1, 2, 3)), findings, causes=[cause])])
    assert mistakes(store) == ({"Ben": (("zigzag.bid.raise", 1),)}, (("zigzag.bid.raise", 1),))
    store.note_audits([Audit("r", 2, Summary("clean", False, scores=(1, 2, 3)))])
    assert mistakes(store) == ({}, ())
