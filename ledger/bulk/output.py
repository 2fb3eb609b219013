"""Writes the reports of a bulk audit to a file that gets its name only when it is complete, and resumes audits.

While the audit runs, FILE.part holds the reports so far.  Every few megabytes FILE.state says how far the input was
read, and how long FILE.part was then.  On resuming, anything later is cut off and audited again, so no record is lost
or appears twice.  The result has the same bytes however often the audit was interrupted.
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
from ledger.bulk.chunks import Position
from ledger.bulk.crew import Done
from ledger.record.codec import zstd
from ledger.record.errors import NotForNow
from ledger.stores.offsets import keep_mode, open_private

EVERY = 4 << 20
"""Bytes of reports between two saved states; compressed, this is one frame."""
LEVEL = 3


class State(Struct, frozen=True):
    """A saved state: the input's digest, the program, the position, the length of the file, the verdicts so far."""

    digest: str
    program: str = __version__
    upto: int | None = None
    position: Position = Position()
    written: int = 0
    verdicts: dict[str, int] = {}


class Output:
    """The file of that path: NDJSON, through zstd if its name ends in ``.zst``; Parquet if it ends in ``.parquet``.

    Use it in a `with`, and call `finish` at the end.  `begin` raises NotForNow for an interrupted audit of another
    input, or one that you do not resume.
    """

    def __init__(self, path: Path, *, every: int = EVERY) -> None:
        self.path, self._every = path, every
        self._parquet = path.suffix == ".parquet"
        self._packed = self._parquet or path.suffix == ".zst"
        self._part, self._state_file = (path.with_name(f"{path.name}.{end}") for end in ("part", "state"))
        self._pending, self._size = list[bytes](), 0
        self._file: IO[bytes] | None = None
        self.state = State("")

    def interrupted(self) -> State | None:
        """The saved state of an interrupted audit, or None.  Delete FILE.part to start over."""
        if not self._part.exists():
            return None
        try:
            return msgspec.json.decode(self._state_file.read_bytes(), type=State)
        except FileNotFoundError:
            return None

    def begin(self, digest: str, upto: int | None, *, resume: bool) -> Position:
        """The position in the input to continue from."""
        state = self.interrupted()
        if state is not None and not resume:
            raise NotForNow(f"{self._part} is from an interrupted audit: continue with --resume, or delete it")
        if state is not None and (state.digest, state.program) != (digest, __version__):
            raise NotForNow(f"{self._part} is from another input or program version: delete it to start over")
        self.state = state or State(digest, upto=upto)
        os.close(open_private(self._part, os.O_WRONLY | os.O_CREAT))
        self._file = self._part.open("r+b" if state else "wb")
        self._file.truncate(self.state.written)
        self._file.seek(self.state.written)
        if state is None:
            self._save(self.state)
        return self.state.position

    def write(self, batches: Iterable[Done]) -> Iterable[Done]:
        """Writes the reports as they come, and passes everything on."""
        verdicts = Counter(self.state.verdicts)
        for task, results in batches:
            for result in results:
                self._pending.append(result.text)
                self._size += len(result.text)
            verdicts.update(result.verdict for result in results)
            if self._size >= self._every:
                self._flush(task.after, verdicts)
            yield task, results
        self._flush(self.state.position, verdicts, last=True)

    def _flush(self, position: Position, verdicts: Counter[str], *, last: bool = False) -> None:
        assert self._file is not None  # noqa: S101  `begin` opened it
        data = b"".join(self._pending)
        self._pending, self._size = [], 0
        if self._packed and (data or not self.state.written):
            data = zstd().compress(data, LEVEL)
        self._file.write(data)
        self._file.flush()
        os.fsync(self._file.fileno())
        written = self.state.written + len(data)
        self.state = msgspec.structs.replace(self.state, position=position, written=written, verdicts=dict(verdicts))
        if not last:
            self._save(self.state)

    def _save(self, state: State) -> None:
        # The reports reach the disk first; then the state that counts them replaces the old one atomically.
        new_file = self._state_file.with_name(f"{self._state_file.name}.new")
        with open(new_file, "wb", opener=open_private) as out:
            out.write(msgspec.json.encode(state))
            out.flush()
            os.fsync(out.fileno())
        new_file.replace(self._state_file)

    def finish(self) -> None:
        """Gives the file its final name.  Raises NotForNow for Parquet without the package that writes it."""
        self.close()
        complete = self._part
        if self._parquet:
            from ledger.bulk.parquet import as_parquet  # noqa: PLC0415  an extra

            complete = self.path.with_name(f"{self.path.name}.whole")
            as_parquet(self._part, complete)
        keep_mode(complete, self.path)
        complete.replace(self.path)
        self._state_file.unlink(missing_ok=True)
        self._part.unlink(missing_ok=True)

    def close(self) -> None:
        """Closes the file; an unfinished audit stays beside it."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()
