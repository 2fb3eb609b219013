"""Runs the core's tests with the clock of the machine set to ten days and places, by libfaketime (Debian: `faketime`).

    python tests/days.py --day leap-day -n 2 tests/test_codec.py

Arguments that it does not have go to pytest.
"""

import os
import shutil
import subprocess
import sys
import time
from argparse import ArgumentParser
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

DAYS = {
    "new-years-eve": ("2026-12-31 23:58", "Pacific/Auckland"),
    "end-of-february": ("2027-02-28 12:00", "UTC"),
    "leap-day": ("2028-02-29 12:00", "UTC"),
    "berlin-in-spring": ("2027-03-28 01:59", "Europe/Berlin"),
    "berlin-in-autumn": ("2027-10-31 02:59", "Europe/Berlin"),
    "fourteen-hours-east": ("2026-11-29 13:00", "Pacific/Kiritimati"),
    "ziggurat": ("2026-12-12 09:00", "UTC"),
    "zigzag": ("2026-12-13 09:00", "America/New_York"),
    "build-up": ("2026-12-14 09:00", "Asia/Kolkata"),
    "domino-ziggurat": ("2026-12-15 09:00", "Etc/GMT+12"),
}
"""A name, a time, and a zone.  The last four are days with a puzzle of that game."""
HERE = Path(__file__).parent


def run(when: str, zone: str, arguments: list[str]) -> int:
    """The status of the tests that run from this time on in this zone."""
    ahead = datetime.fromisoformat(when).replace(tzinfo=ZoneInfo(zone)).timestamp() - time.time()
    # What waits measures with the real clock, and files have their real times.
    clock = {"TZ": zone, "FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1"}
    env = os.environ | clock | {"PYTHONPATH": str(HERE / "faked_clock")}
    pytest = [sys.executable, "-m", "pytest", "-q", *(arguments or ["-n", "auto", "--dist", "worksteal"])]
    return subprocess.call(["faketime", "-m", "-f", f"{ahead:+.0f}", *pytest], cwd=HERE.parent, env=env)


def main() -> None:
    """Names the days on which a test fails, and ends with status 1 if there are any."""
    if shutil.which("faketime") is None:
        sys.exit("The clock is set by libfaketime: on Debian, apt-get install faketime")
    parser = ArgumentParser(description="Runs the core's tests with the clock set to ten days and places.")
    parser.add_argument("--day", action="append", choices=list(DAYS), help="only this day (again for more)")
    chosen, arguments = parser.parse_known_args()
    failed = []
    for name in chosen.day or DAYS:
        print(name, *DAYS[name], flush=True)  # noqa: T201  whose failures come next
        failed += [name] if run(*DAYS[name], arguments) else []
    sys.exit(f"failed: {', '.join(failed)}" if failed else None)


if __name__ == "__main__":
    main()
