"""Reports of 5,000 simulated and spoiled records, to compare two checkouts of this program byte for byte.

``python tests/reports_of.py make ARCHIVE`` plays games of every rule set by a seed and spoils most of them; every other
one hides its hands.  ``audit ARCHIVE REPORTS`` writes the report of each record under its digest, and at the end one
digest of all; run it with the Python of each checkout.  ``compare REPORTS OTHER`` prints the lines that differ.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import unified_diff
from hashlib import sha256
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from ledger.audit.reports import text
from ledger.audit.review import Review
from ledger.audit.slip.slip_search import explain
from ledger.games import catalog
from ledger.play.simulate import any_options, simulate, slips, states_of
from ledger.record import codec
from ledger.record.errors import NotARecord
from ledger.record.events import CLAIMS, Cheats, Deal, Event, Place, Result, Score, Take
from ledger.record.record import Record
from ledger.rules.game import GRAVE

COUNT, SEED = 5_000, 40
LONGEST = 300
"""The most events of a game: one of nine hands shows what one of three shows."""
EXPLAINED, FEW = 50, 5
"""Every so many records with few findings get their causes too, whatever time that takes."""


# ── The records ────────────────────────────────────────────────────────────────────────────────────────────


class Played(NamedTuple):
    """A simulated game, with what spoils it."""

    name: str
    events: Sequence[Any]
    random: Random


def left_out(game: Played) -> Sequence[Any]:
    """One event is forgotten."""
    place = _any_place(game)
    return [*game.events[:place], *game.events[place + 1 :]]


def twice(game: Played) -> Sequence[Any]:
    """One event is recorded twice, the second time a little later."""
    place = _any_place(game)
    later = min(len(game.events), place + game.random.randint(1, 3))
    return [*game.events[:later], game.events[place], *game.events[later:]]


def swapped(game: Played) -> Sequence[Any]:
    """Two events are exchanged."""
    events, one, other = list(game.events), _any_place(game), _any_place(game)
    events[one], events[other] = events[other], events[one]
    return events


def tiles_confused(game: Played) -> Sequence[Any]:
    """One tile is taken for another in the acts of one player, so that it is there twice."""
    texts = [codec.encode_event(event) for event in game.events]
    tiles = sorted({tile for line in texts for tile in re.findall(rb'"\d+-\d+"', line)})
    one, other = game.random.sample(tiles, 2)
    who = b'"%s"' % game.random.choice(game.events[0].players).id.encode()
    document = b",".join(line.replace(one, other) if who in line else line for line in texts)
    return codec.decode(b'{"format":"%s","events":[%s]}' % (codec.FORMAT.encode(), document)).events


def breach(game: Played) -> Sequence[Any]:
    """Something that a table could do wrong, beside what was done or instead of it."""
    rules, place = catalog.find(game.name), _any_place(game)
    state = states_of(rules, game.events[:place])[-1]
    acts = list(slips(rules, game.events, place, state, game.random))
    return [*game.events[:place], game.random.choice(acts), *game.events[place + game.random.randrange(2) :]]


def wrong_claim(game: Played) -> Sequence[Any]:
    """One claim is off by one, or names no winner."""
    claims = [place for place, event in enumerate(game.events) if _claims(event)]
    if not claims:
        return game.events
    place = game.random.choice(claims)
    return [*game.events[:place], _off_by_one(game.events[place]), *game.events[place + 1 :]]


def _claims(event: Any) -> bool:
    return isinstance(event, CLAIMS) or (isinstance(event, Place) and event.points is not None)


def _off_by_one(claim: Any) -> Any:
    if isinstance(claim, Score):
        first = next(iter(claim.points))
        return replace(claim, points={**claim.points, first: claim.points[first] + 1})
    if isinstance(claim, Take):
        return replace(claim, tiles=(claim.tiles or 0) + 1)
    if isinstance(claim, Cheats):
        return replace(claim, count=claim.count + 1)
    if isinstance(claim, Place):
        return replace(claim, points=(claim.points or 0) + 1)
    return Result(())


def silent(game: Played) -> Sequence[Any]:
    """Some or all claims are missing."""
    share = game.random.choice((0.3, 1))
    return [event for event in game.events if not isinstance(event, CLAIMS) or game.random.random() > share]


def soup(game: Played) -> Sequence[Any]:
    """A few random events are among the others."""
    from soup import event

    events, players = list(game.events), [player.id for player in game.events[0].players]
    for _ in range(game.random.randint(1, 3)):
        place = game.random.randrange(1, len(events))
        events.insert(place, event(game.random.choice(_kinds(game)), players, game.random))
    return events


def corrected(game: Played) -> Sequence[Any]:
    """Events are corrected afterwards, rightly or wrongly."""
    from soup import correction

    players = [player.id for player in game.events[0].players]
    kinds, length = _kinds(game), len(game.events)
    return [*game.events, *(correction(length, kinds, players, game.random) for _ in range(game.random.randint(1, 2)))]


def cut(game: Played) -> Sequence[Any]:
    """Only the beginning is there."""
    return game.events[: game.random.randrange(1, len(game.events))]


def _any_place(game: Played) -> int:
    return game.random.randrange(1, len(game.events))


def _kinds(game: Played) -> tuple[type[Event], ...]:
    return catalog.find(game.name).events


SPOILERS: tuple[Callable[[Played], Sequence[Any]], ...] = (
    left_out, twice, swapped, tiles_confused, breach, breach, wrong_claim, silent, soup, corrected, cut,
)  # fmt: skip


def records(total: int, seed: int) -> Iterator[Record]:
    """So many records, the same for the same seed.  One in eight is played by the rules."""
    names, found = catalog.built_in(), 0
    for number in count():
        if found == total:
            return
        random = Random(f"{seed}/{number}")
        record = _planted(names, number, random) if number % 5 == 4 else _spoiled(names, number, random)
        if record is not None:
            found += 1
            yield record


def _planted(names: Sequence[str], number: int, random: Random) -> Record | None:
    """A game with one slip of a recorder."""
    from planted_slips import KINDS, plant

    slip = plant(random.choice(names), random.choice(KINDS), number)
    return None if slip is None or len(slip.record.events) > LONGEST else _checked(slip.record.events)


def _spoiled(names: Sequence[str], number: int, random: Random) -> Record | None:
    """A game under any options, with hidden hands or open ones, spoiled once, twice, three times or not at all."""
    rules = catalog.find(names[number % len(names)])
    options, players, edition = any_options(rules, random)
    events: Sequence[Any] = simulate(rules, number, options, players=players, edition=edition).events
    if len(events) > LONGEST:
        return None
    if number // len(names) % 2:
        events = [event for event in events if type(event) is not Deal or random.random() < 0.1]
    for spoil in random.choices(SPOILERS, k=random.choice((0, 1, 1, 1, 1, 2, 2, 3))):
        record = _checked(spoil(Played(rules.name, events, random)))
        if record is None or len(record.events) < 2:
            return None
        events = record.events
    return _checked(events)


def _checked(events: Iterable[Any]) -> Record | None:
    try:
        return codec.decode(codec.encode(codec.check(events)))
    except NotARecord:
        return None


# ── Their reports ──────────────────────────────────────────────────────────────────────────────────────────


def report(number: int, line: bytes) -> list[str]:
    """All that the program finds in a record: what it prints, the report as JSON, and a digest of all states."""
    try:
        review = Review(codec.decode(line), f"record {number}")
        if number % EXPLAINED == 0 and review.report.verdict in GRAVE and len(review.report.findings) <= FEW:
            explain(review)
    except NotARecord as error:
        return [f"refused: {error}"]
    states = sha256("".join(review.fingerprints()).encode()).hexdigest()
    return [*text(review), msgspec.json.encode(review.report).decode(), f"states {states}"]


def write_reports(archive: Path, out: Path) -> str:
    """Writes the reports of an archive; returns the digest of all."""
    whole = sha256()
    with archive.open("rb") as lines, out.open("w", encoding="utf-8") as file:
        for number, line in enumerate(lines):
            body = "\n".join(report(number, line))
            digest = sha256(body.encode()).hexdigest()
            whole.update(digest.encode())
            file.write(f"\n# record {number} {digest}\n{body}\n")
        file.write(f"\n# all {whole.hexdigest()}\n")
    return whole.hexdigest()


def differences(one: Path, other: Path) -> Iterator[str]:
    """For each record whose report differs, the lines of both."""
    left, right = (path.read_text("utf-8").split("\n# record ")[1:] for path in (one, other))
    if len(left) != len(right):
        yield f"{len(left)} records and {len(right)}"
    for before, after in zip(left, right, strict=False):
        if before.partition("\n# all ")[0] != after.partition("\n# all ")[0]:
            yield from (line.rstrip("\n") for line in unified_diff(before.splitlines(), after.splitlines(), n=0))


def main() -> None:
    """Makes records, writes their reports, or compares two files of reports."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("make", "audit", "compare"))
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--count", type=int, default=COUNT, help="how many records are made")
    parser.add_argument("--seed", type=int, default=SEED)
    asked = parser.parse_args()
    first, *rest = asked.files
    if asked.what == "make":
        with first.open("wb") as archive:
            archive.writelines(codec.encode(record) + b"\n" for record in records(asked.count, asked.seed))
    elif asked.what == "audit":
        print(write_reports(first, rest[0]))  # noqa: T201  it is what this command is for
    else:
        found = list(differences(first, rest[0]))
        print("\n".join(found or ["the same"]))  # noqa: T201
        sys.exit(bool(found))


if __name__ == "__main__":
    main()
