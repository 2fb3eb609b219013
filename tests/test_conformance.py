"""Agreement with an independent implementation of the same rule pages, record by record.

The records and their expected findings are copied in `fixtures/conformance`; if the originals are next to the checkout,
they are tested too.
"""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from golden import FIXTURES, ROOT, audited, name_in
from ledger.audit.review import Review
from ledger.record import codec
from test_frozen import AUDITS, digests_in

FOLDERS = [FIXTURES / "conformance", ROOT.parent / "shared" / "conformance-2"]
FILES = sorted(path for folder in FOLDERS for path in folder.rglob("*.ndjson*") if ".expect." not in path.name)
GRAVE = ("breach", "impossible")


def cases(path: Path) -> Iterator[tuple[dict[str, Any], str, codec.Record]]:
    """Each record of a file with the expected report and the number of its line."""
    expectations = path.with_name(path.name.replace(".ndjson", ".expect.ndjson"))
    with codec.open_bytes(path) as records, codec.open_bytes(expectations) as expected:
        for line, expect in zip(codec.read_archive(records, str(path)), expected, strict=True):
            assert isinstance(line.result, codec.Record), line.result
            yield json.loads(expect), str(line.number), line.result


def differences(expect: dict[str, Any], report: dict[str, Any]) -> Iterator[str]:
    """The differences between a report and the expected one."""
    if expect["verdict"] is not None and report["verdict"] not in _as_list(expect["verdict"]):
        yield f"verdict {report['verdict']}, not {expect['verdict']}"
    for field in ("finished", "scores"):
        if expect[field] is not None and report[field] != expect[field]:
            yield f"{field} {report[field]}, not {expect[field]}"
    if expect["winners"] is not None and sorted(report["winners"] or []) != sorted(expect["winners"]):
        yield f"winners {report['winners']}, not {expect['winners']}"
    unnamed = set(expect.get("rulings", [])) - set(report["rulings"])
    if unnamed:
        yield f"rulings that are not named: {', '.join(sorted(unnamed))}"
    findings = report["findings"]
    yield from _of_a_slip(expect, findings) if "must" in expect else _of_faults(expect, findings)


def _of_faults(expect: dict[str, Any], findings: list[dict[str, Any]]) -> Iterator[str]:
    """Each expected finding is there, and no other breach."""
    also = expect.get("also", [])
    right = [(wanted["seq"], {wanted["clause"], *also}, _as_list(wanted["verdict"])) for wanted in expect["findings"]]
    for seq, clauses, verdicts in right:
        if not any(f["seq"] == seq and f["clause"] in clauses and f["verdict"] in verdicts for f in findings):
            yield f"no finding at {seq} of {clauses}"
    first = min((seq for seq, _clauses, _verdicts in right), default=0)
    for finding in findings:
        is_expected = any(finding["seq"] == seq and finding["clause"] in clauses for seq, clauses, _verdicts in right)
        follows = expect.get("first_only") and finding["seq"] >= first
        if finding["verdict"] in GRAVE and not is_expected and not follows:
            yield f"also {finding['verdict']} at {finding['seq']}: {finding['clause']}"


def _of_a_slip(expect: dict[str, Any], findings: list[dict[str, Any]]) -> Iterator[str]:
    """Every required finding is there, no forbidden one is, and there are not too many."""
    for wanted in expect["must"]:
        if not any(_meets(finding, wanted) for finding in findings):
            yield f"no finding like {wanted}"
    for wrong in expect.get("must_not", []):
        if any(_meets(finding, wrong) for finding in findings):
            yield f"a finding like {wrong}"
    most = expect.get("at_most")
    if most is None:
        return
    grave = [finding for finding in findings if finding["verdict"] in GRAVE]
    if len(grave) > most:
        yield f"{len(grave)} breaches, at most {most}: {[(f['seq'], f['clause']) for f in grave]}"
    first = min((wanted["seq"] for wanted in expect["must"] if wanted["seq"] is not None), default=0)
    early = [finding["seq"] for finding in grave if finding["seq"] < first]
    if early:
        yield f"breaches before {first}: {early}"


def _meets(finding: dict[str, Any], wanted: dict[str, Any]) -> bool:
    same_seq = wanted["seq"] is None or finding["seq"] == wanted["seq"]
    same_clause = wanted["clause"] is None or finding["clause"] in _as_list(wanted["clause"])
    return same_seq and same_clause and finding["verdict"] in _as_list(wanted["verdict"])


def _as_list(wanted: str | list[str]) -> list[str]:
    return wanted if isinstance(wanted, list) else [wanted]


@pytest.mark.parametrize("path", FILES, ids=lambda path: "/".join(path.parts[-4:]))
def test_each_record_is_read_and_judged_as_it_should_be_and_always_was(path: Path) -> None:
    wrong, count, digest = {}, 0, sha256()
    for count, (expect, number, record) in enumerate(cases(path), 1):  # noqa: B007  how many there were
        assert codec.decode(codec.encode(record)) == record
        review = Review(record, number)
        digest.update(audited(review))
        faults = list(differences(expect, msgspec.to_builtins(review.report)))
        if faults:
            wrong[expect["id"]] = faults
    assert count
    assert not wrong
    kept = digests_in(AUDITS)
    if path.is_relative_to(FIXTURES) and name_in(path) in kept:
        assert digest.hexdigest() == kept[name_in(path)]


def test_there_is_something_to_agree_with() -> None:
    ours = [path for path in FILES if FOLDERS[0] in path.parents]
    assert len(ours) == 26
    for expect, number, record in cases(FOLDERS[0] / "examples" / "zigzag.ndjson.zst"):
        upside_down = {**expect, "finished": expect["finished"] is False}
        assert list(differences(upside_down, msgspec.to_builtins(Review(record, number).report)))
