"""Golden files: the report and the replay of each fixture, as somebody once checked them.

`pytest --golden-update` writes them again; the diff then shows one fact per line.
"""

from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec

from ledger.audit.reports import step_lines
from ledger.audit.review import Review
from ledger.record import codec

ROOT = Path(__file__).parents[1]
FIXTURES = ROOT / "fixtures"
CASES = sorted(
    path
    for path in FIXTURES.glob("*/*.json")
    if not path.name.endswith(".report.json") and path.parent.name != "conformance"
)


def name_in(path: Path) -> str:
    """A file's path among the fixtures."""
    return path.relative_to(FIXTURES).as_posix()


ARCHIVES = sorted(name_in(p) for p in FIXTURES.glob("*/**/*.ndjson.zst") if ".expect." not in p.name)


def name_of(path: Path) -> str:
    """A fixture's name: its game and case."""
    return f"{path.parent.name}/{path.stem}"


@cache
def review_of(path: Path) -> Review:
    """The review of a fixture, made once in each process."""
    return Review(codec.decode(path.read_bytes()), name_of(path))


def goldens(path: Path) -> dict[Path, str]:
    """The expected contents of a fixture's golden files."""
    review = review_of(path)
    report = msgspec.json.format(msgspec.json.encode(review.report), indent=1).decode()
    return {
        path.with_suffix(".report.json"): report + "\n",
        path.with_suffix(".replay.txt"): "\n".join(by_seq(review)) + "\n",
    }


def by_seq(review: Review) -> list[str]:
    """The steps of a replay with seqs in place of the numbers of moves."""
    seqs = (step.seq for step in review.steps)
    return [line if line.startswith("      ") else f"{next(seqs):>4}{line[4:]}" for line in step_lines(review)]


def audited(review: Review) -> bytes:
    """The audit of a record and each state in its replay."""
    report = msgspec.json.encode(review.report, order="deterministic")
    return report + b"\n" + "\n".join(review.fingerprints()).encode() + b"\n"


def audits(name: str) -> str:
    """The digest of the audits of an archive."""
    digest = sha256()
    with codec.open_bytes(FIXTURES / name) as lines:
        for line in codec.read_archive(lines, name):
            assert isinstance(line.result, codec.Record), line.result
            digest.update(audited(Review(line.result, str(line.number))))
    return digest.hexdigest()
