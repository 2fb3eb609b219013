"""Agreement with an independent implementation of the same rule pages, record by record.

The records and what an audit must say of them are copied in `fixtures/conformance`; where the originals stand beside
the checkout, those are held to the same test.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger import catalog, codec
from ledger.audit import audit

HERE = Path(__file__).parents[1]
FOLDERS = [HERE / "fixtures" / "conformance", HERE.parent / "shared" / "conformance-2"]
FILES = sorted(path for folder in FOLDERS for path in folder.rglob("*.ndjson*") if ".expect." not in path.name)
GRAVE = ("breach", "impossible")


def said(path: Path) -> Iterator[tuple[dict[str, Any], codec.Record]]:
    """Each record of a file with what is expected of its report."""
    expectations = path.with_name(path.name.replace(".ndjson", ".expect.ndjson"))
    with codec.open_bytes(path) as records, codec.open_bytes(expectations) as expected:
        for line, expect in zip(codec.read_archive(records, str(path)), expected, strict=True):
            assert isinstance(line.result, codec.Record), line.result
            yield json.loads(expect), line.result


def differences(expect: dict[str, Any], report: dict[str, Any]) -> Iterator[str]:
    """What a report says otherwise than is expected."""
    if expect["verdict"] is not None and report["verdict"] not in _any(expect["verdict"]):
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
    """Each finding that is expected is there, and no other breach."""
    also = expect.get("also", [])
    right = [(want["seq"], {want["clause"], *also}, _any(want["verdict"])) for want in expect["findings"]]
    for seq, clauses, verdicts in right:
        if not any(f["seq"] == seq and f["clause"] in clauses and f["verdict"] in verdicts for f in findings):
            yield f"no finding at {seq} of {clauses}"
    first = min((seq for seq, _clauses, _verdicts in right), default=0)
    for finding in findings:
        welcome = any(finding["seq"] == seq and finding["clause"] in clauses for seq, clauses, _verdicts in right)
        follows = expect.get("first_only") and finding["seq"] >= first
        if finding["verdict"] in GRAVE and not welcome and not follows:
            yield f"also {finding['verdict']} at {finding['seq']}: {finding['clause']}"


def _of_a_slip(expect: dict[str, Any], findings: list[dict[str, Any]]) -> Iterator[str]:
    """What must be found is there, what must not be is not, and the report does not flood."""
    for want in expect["must"]:
        if not any(_meets(finding, want) for finding in findings):
            yield f"no finding like {want}"
    for wrong in expect.get("must_not", []):
        if any(_meets(finding, wrong) for finding in findings):
            yield f"a finding like {wrong}"
    most = expect.get("at_most")
    if most is None:
        return
    grave = [finding for finding in findings if finding["verdict"] in GRAVE]
    if len(grave) > most:
        yield f"{len(grave)} breaches, at most {most}: {[(f['seq'], f['clause']) for f in grave]}"
    first = min((want["seq"] for want in expect["must"] if want["seq"] is not None), default=0)
    early = [finding["seq"] for finding in grave if finding["seq"] < first]
    if early:
        yield f"breaches before {first}: {early}"


def _meets(finding: dict[str, Any], want: dict[str, Any]) -> bool:
    there = want["seq"] is None or finding["seq"] == want["seq"]
    named = want["clause"] is None or finding["clause"] in _any(want["clause"])
    return there and named and finding["verdict"] in _any(want["verdict"])


def _any(wanted: str | list[str]) -> list[str]:
    return wanted if isinstance(wanted, list) else [wanted]


@pytest.mark.parametrize("path", FILES, ids=lambda path: "/".join(path.parts[-4:]))
def test_the_audit_agrees(path: Path) -> None:
    wrong, count = {}, 0
    for expect, record in said(path):
        report = msgspec.to_builtins(audit(catalog.find(record.opening.game), record))
        found = list(differences(expect, report))
        count += 1
        if found:
            wrong[expect["id"]] = found
    assert count
    assert not wrong


@pytest.mark.parametrize("path", FILES, ids=lambda path: "/".join(path.parts[-4:]))
def test_a_record_is_read_and_written_without_loss(path: Path) -> None:
    for _expect, record in said(path):
        assert codec.decode(codec.encode(record)) == record


def test_there_is_something_to_agree_with() -> None:
    ours = [path for path in FILES if FOLDERS[0] in path.parents]
    assert len(ours) == 26
    for expect, record in said(FOLDERS[0] / "examples" / "zigzag.ndjson.zst"):
        upside_down = {**expect, "finished": expect["finished"] is False}
        assert list(differences(upside_down, msgspec.to_builtins(audit(catalog.find("zigzag"), record))))
