"""Loaded by each Python under libfaketime, which refuses the call of the system that `time.sleep` makes."""

from __future__ import annotations

import select
import time


def _sleep(seconds: float) -> None:
    select.select([], [], [], seconds)


time.sleep = _sleep
