"""The mark of a command that reported a fault and went on: it ends with status 2."""

from __future__ import annotations

FAULT = "domino_ledger.fault"
"""Its entry in the `meta` of a command."""
