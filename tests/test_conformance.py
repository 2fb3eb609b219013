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
FOLDERS = [HERE / "fixtures" / "conformance", HERE.parent / "shared" / "conformance"]
FILES = sorted(path for folder in FOLDERS for path in folder.rglob("*.ndjson*") if ".expect." not in path.name)
GRAVE = ("breach", "impossible")


def said(path: Path) -> Iterator[tuple[dict[str, Any], codec.Record]]:
    """Each record of a file with what is expected of its report."""
    expectations = path.with_name(path.name.replace(".ndjson", ".expect.ndjson"))
    with codec.open_bytes(path) as records, codec.open_bytes(expectations) as expected:
        for line, expect in zip(codec.read_archive(records, str(path)), expected, strict=True):
            assert isinstance(line.found, codec.Record), line.found
            yield json.loads(expect), line.found


def differences(expect: dict[str, Any], report: dict[str, Any]) -> Iterator[str]:
    """What a report says otherwise than is expected."""
    if report["verdict"] not in _any(expect["verdict"]):
        yield f"verdict {report['verdict']}, not {expect['verdict']}"
    for field in ("finished", "scores"):
        if expect[field] is not None and report[field] != expect[field]:
            yield f"{field} {report[field]}, not {expect[field]}"
    if expect["winners"] is not None and sorted(report["winners"] or []) != sorted(expect["winners"]):
        yield f"winners {report['winners']}, not {expect['winners']}"
    findings = report["findings"]
    right = [(want["seq"], {want["clause"], *expect["also"]}, _any(want["verdict"])) for want in expect["findings"]]
    for seq, clauses, verdicts in right:
        if not any(f["seq"] == seq and f["clause"] in clauses and f["verdict"] in verdicts for f in findings):
            yield f"no finding at {seq} of {clauses}"
    first = min((seq for seq, _clauses, _verdicts in right), default=0)
    for finding in findings:
        welcome = any(finding["seq"] == seq and finding["clause"] in clauses for seq, clauses, _verdicts in right)
        follows = expect["first_only"] and finding["seq"] >= first
        if finding["verdict"] in GRAVE and not welcome and not follows:
            yield f"also {finding['verdict']} at {finding['seq']}: {finding['clause']}"


def _any(wanted: str | list[str]) -> list[str]:
    return wanted if isinstance(wanted, list) else [wanted]


@pytest.mark.parametrize("path", FILES, ids=lambda path: "/".join(path.parts[-4:]))
def test_the_audit_agrees(path: Path) -> None:
    wrong, count = {}, 0
    for expect, record in said(path):
        report = msgspec.to_builtins(audit(catalog.find(record.opening.game), record))
        found = list(differences({"also": [], "first_only": False, **expect}, report))
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
    assert len(ours) == 19
    for expect, record in said(FOLDERS[0] / "examples" / "zigzag.ndjson.zst"):
        upside_down = {**expect, "finished": expect["finished"] is False, "also": [], "first_only": False}
        assert list(differences(upside_down, msgspec.to_builtins(audit(catalog.find("zigzag"), record))))
