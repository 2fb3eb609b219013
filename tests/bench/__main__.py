"""`make bench`: how fast the audit and the ledger are, as ratios within one run.

Each case is compared with the least that it could cost, audits also with python-chess, if it is installed
(``pip install 'domino-ledger[bench]'``).  The tables are Markdown.

``load [minutes]`` instead puts a server under load, and says whether it stays level; ``starve [readers]``, whether
readers hold up a phone that records; ``clubs [clubs [seconds [rate]]]``, how many clubs one server holds.
"""

import argparse
import os
import platform
import sqlite3
import sys
import tempfile
import warnings
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tests.bench import audits, load, many_clubs, starve, stores

PARTS = {"audits": audits.main, "stores": stores.main}
PEERS = ("msgspec", "chess")


def main() -> None:
    """Prints the tables."""
    if sys.argv[1:2] == ["load"]:  # it takes long, and measures no ratio
        with tempfile.TemporaryDirectory() as folder:
            load.main(Path(folder), int(sys.argv[2]) if sys.argv[2:] else load.MINUTES)
        return
    if sys.argv[1:2] == ["starve"]:
        with tempfile.TemporaryDirectory() as folder:
            starve.main(Path(folder), int(sys.argv[2]) if sys.argv[2:] else starve.READERS)
        return
    if sys.argv[1:2] == ["clubs"]:
        with tempfile.TemporaryDirectory() as folder:
            many_clubs.main(Path(folder), *map(int, sys.argv[2:]))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="which; all of them, if left out")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--events", type=int, default=6000, help="events of each rule set")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # warnings of the other program are not ours
    said = ", ".join([f"Python {platform.python_version()}", f"SQLite {sqlite3.sqlite_version}", *map(_version, PEERS)])
    print(f"{said}; {os.cpu_count()} cores; {arguments.rounds} rounds: median (least-greatest)")
    with tempfile.TemporaryDirectory() as folder:
        for part in arguments.parts or PARTS:
            PARTS[part](Path(folder), arguments.events, arguments.rounds)


def _version(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"no {name}"


if __name__ == "__main__":
    main()
