"""Released fixtures never change: neither their records nor how they are judged.

`fixtures/frozen.sha256` has a line for each file, `fixtures/audits.sha256` one for each archive of `conformance/`: the
digest of the audits of its records and of every state in their replays.  `pytest tests/test_frozen.py
--golden-update` adds lines for new files.  It never changes an existing line, and neither should anybody.
`tests/test_conformance.py` compares the audits.
"""

from hashlib import sha256
from pathlib import Path

from golden import ARCHIVES, FIXTURES, audits, name_in

FROZEN, AUDITS = FIXTURES / "frozen.sha256", FIXTURES / "audits.sha256"
FILES = sorted(name_in(p) for p in FIXTURES.glob("*/**/*") if p.is_file() and p.suffix != ".md")


def digests_in(manifest: Path) -> dict[str, str]:
    """The digests in a list, by the name of the file; no file is listed twice."""
    lines = [line.split("  ", 1) for line in manifest.read_text("utf-8").splitlines()]
    assert len({name for _digest, name in lines}) == len(lines)
    return {name: digest for digest, name in lines}


def add(manifest: Path, digests: dict[str, str]) -> None:
    """Adds lines for the files that are not in a list."""
    known = digests_in(manifest) if manifest.exists() else {}
    with manifest.open("a", encoding="utf-8") as lines:
        lines.writelines(f"{digest}  {name}\n" for name, digest in digests.items() if name not in known)


def test_every_file_is_listed_and_unchanged(golden_update: bool) -> None:
    digests = {name: sha256((FIXTURES / name).read_bytes()).hexdigest() for name in FILES}
    if golden_update:
        add(FROZEN, digests)
    listed = digests_in(FROZEN)
    assert set(listed) - set(digests) == set(), "a released fixture is gone"
    assert set(digests) - set(listed) == set(), "pytest tests/test_frozen.py --golden-update lists new ones"
    changed = [name for name in FILES if digests[name] != listed[name]]
    assert not changed, "a released fixture was changed: correct a rule by a new revision, with fixtures of its own"


def test_every_archive_has_a_digest_of_its_audits(golden_update: bool) -> None:
    if golden_update:
        add(AUDITS, {name: audits(name) for name in ARCHIVES})
    assert sorted(digests_in(AUDITS)) == ARCHIVES
    assert len(ARCHIVES) > 15


def test_an_existing_line_is_never_changed(tmp_path) -> None:
    manifest = tmp_path / "list.sha256"
    add(manifest, {"a": "1"})
    add(manifest, {"a": "2", "b": "3"})
    assert digests_in(manifest) == {"a": "1", "b": "3"}
