"""The reports of a bulk audit in a file that takes its name only when it is whole, and an audit that goes on.

Beside FILE stands FILE.part with the reports so far and, every few megabytes, FILE.state: how far the input was read,
and how long FILE.part was then.  What was written after that is cut off and audited again, so that no record is lost
or comes twice.  Both are the same bytes however often the audit was interrupted.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Self

import msgspec
from msgspec import Struct

from ledger import __version__
from ledger.bulk.crew import Done
from ledger.bulk.plan import Place
from ledger.bulk.work import counted
from ledger.codec import zstd
from ledger.errors import NotForNow

EVERY = 4 << 20
"""Bytes of reports after which the state is kept; so much is one frame where they are compressed."""
LEVEL = 3


class State(Struct, frozen=True):
    """How far an audit had come: of which input, by which program, where the file ended, and the verdicts so far."""

    digest: str
    program: str = __version__
    upto: int | None = None
    place: Place = Place()
    written: int = 0
    verdicts: dict[str, int] = {}


class Output:
    """The file of that path: NDJSON, through zstd if its name ends in ``.zst``; Parquet if it ends in ``.parquet``.

    Use it in a `with`, and say `finish` when all is written.  Raises NotForNow where an interrupted audit stands that
    is neither to be resumed nor of the same input.
    """

    def __init__(self, path: Path, *, every: int = EVERY) -> None:
        self.path, self._every = path, every
        self._parquet = path.suffix == ".parquet"
        self._packed = self._parquet or path.suffix == ".zst"
        self._part, self._kept = (path.with_name(f"{path.name}.{what}") for what in ("part", "state"))
        self._held, self._size = list[bytes](), 0
        self._file: IO[bytes] | None = None
        self.state = State("")

    def interrupted(self) -> State | None:
        """The state of an audit that was interrupted, if one was: whoever takes away what it wrote begins again."""
        if not self._part.exists():
            return None
        try:
            return msgspec.json.decode(self._kept.read_bytes(), type=State)
        except FileNotFoundError:
            return None

    def begin(self, digest: str, upto: int | None, *, resume: bool) -> Place:
        """The place in the input to go on from."""
        state = self.interrupted()
        if state is not None and not resume:
            raise NotForNow(f"{self._part} is of an audit that was interrupted: go on with --resume, or remove it")
        if state is not None and (state.digest, state.program) != (digest, __version__):
            raise NotForNow(f"{self._part} is of another input, or another version: remove it to begin again")
        self.state = state or State(digest, upto=upto)
        self._file = self._part.open("r+b" if state else "wb")
        self._file.truncate(self.state.written)
        self._file.seek(self.state.written)
        if state is None:
            self._keep(self.state)
        return self.state.place

    def write(self, found: Iterable[Done]) -> Iterable[Done]:
        """Takes the reports as they come, and passes all of it on."""
        verdicts = Counter(self.state.verdicts)
        for task, all_told in found:
            for told in all_told:
                self._held.append(told.text)
                self._size += len(told.text)
            verdicts += counted(all_told)
            if self._size >= self._every:
                self._flush(task.after, verdicts)
            yield task, all_told
        self._flush(self.state.place, verdicts, last=True)

    def _flush(self, place: Place, verdicts: Counter[str], *, last: bool = False) -> None:
        assert self._file is not None  # noqa: S101  it was begun
        data = b"".join(self._held)
        self._held, self._size = [], 0
        if self._packed and (data or not self.state.written):
            data = zstd().compress(data, LEVEL)
        self._file.write(data)
        self._file.flush()
        os.fsync(self._file.fileno())
        written = self.state.written + len(data)
        self.state = msgspec.structs.replace(self.state, place=place, written=written, verdicts=dict(verdicts))
        if not last:
            self._keep(self.state)

    def _keep(self, state: State) -> None:
        # First the reports are on the disk, then what says so, and that at once and whole.
        fresh = self._kept.with_name(f"{self._kept.name}.new")
        with fresh.open("wb") as out:
            out.write(msgspec.json.encode(state))
            out.flush()
            os.fsync(out.fileno())
        fresh.replace(self._kept)

    def finish(self) -> None:
        """Gives the file its name.  Raises NotForNow for Parquet without the package that writes it."""
        self.close()
        whole = self._part
        if self._parquet:
            from ledger.bulk.parquet import as_parquet  # noqa: PLC0415  an extra

            whole = self.path.with_name(f"{self.path.name}.whole")
            as_parquet(self._part, whole)
        whole.replace(self.path)
        self._kept.unlink(missing_ok=True)
        self._part.unlink(missing_ok=True)

    def close(self) -> None:
        """Lets go of the file; what was not finished stays beside it."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()
