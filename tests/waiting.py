"""Waiting for a condition: tests measure no time, and a busy machine may take long."""

import time
from collections.abc import Callable

PATIENCE = 120.0
"""Seconds until a test gives up on what takes a moment on a quiet machine."""


def wait_until(condition: Callable[[], object], what: str) -> None:
    """Waits until the condition is true.  Raises AssertionError that says what was awaited."""
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, f"never: {what}"
        time.sleep(0.005)
