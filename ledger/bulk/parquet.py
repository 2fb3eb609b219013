"""Reports as Parquet, one row per record, for queries over millions of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from ledger.record.codec import unpacked
from ledger.record.errors import NotForNow
from ledger.stores.offsets import open_private

ROWS = 10_000
"""The most records in memory at once; also the size of a row group."""


def as_parquet(reports: Path, target: Path) -> None:
    """Writes a file of reports (NDJSON, through zstd) as Parquet.

    Expected and claimed values, and the values of rulings, have many types, so they are stored as JSON text.
    Raises NotForNow without the package that writes Parquet.
    """
    pa, pq = packages()
    schema = _schema(pa)
    with (
        reports.open("rb") as raw,
        unpacked(raw, Path("reports.zst")) as lines,
        open(target, "wb", opener=open_private) as out,
    ):
        with pq.ParquetWriter(out, schema, compression="zstd") as writer:
            rows = _rows(lines)
            while batch := list(islice(rows, ROWS)):
                writer.write_table(pa.Table.from_pylist(batch, schema=schema))
        out.flush()
        os.fsync(out.fileno())


def packages() -> tuple[Any, Any]:
    """The package that writes Parquet.  Raises NotForNow if it is not installed."""
    try:
        import pyarrow as pa  # noqa: PLC0415  an extra, and heavy
        import pyarrow.parquet as pq  # noqa: PLC0415
    except ImportError as error:
        raise NotForNow("Parquet needs an extra: pip install 'domino-ledger[parquet]'") from error
    return pa, pq


def _schema(pa: Any) -> Any:
    text, points = pa.string(), pa.struct([("player", pa.string()), ("points", pa.int64())])
    finding = pa.struct(
        [
            ("seq", pa.int32()),
            *((name, text) for name in ("clause", "verdict", "player", "expected", "claimed", "message")),
        ]
    )
    return pa.schema(
        [
            ("record", text),
            ("game", text),
            ("finished", pa.bool_()),
            ("verdict", text),
            ("scores", pa.list_(points)),
            ("winners", pa.list_(text)),
            ("findings", pa.list_(finding)),
            ("rulings", pa.list_(pa.struct([("name", text), ("value", text)]))),
            ("title", text),
            ("balance", text),
        ]
    )


def _rows(lines: Iterator[bytes]) -> Iterator[dict[str, Any]]:
    for line in lines:
        row = msgspec.json.decode(line)
        row["scores"] = [{"player": player, "points": points} for player, points in row["scores"].items()]
        row["rulings"] = [
            {"name": name, "value": msgspec.json.encode(value).decode()} for name, value in row["rulings"].items()
        ]
        for finding in row["findings"]:
            finding.update({name: _json(finding.get(name)) for name in ("expected", "claimed")})
        yield row


def _json(value: Any) -> str | None:
    return None if value is None else msgspec.json.encode(value).decode()
