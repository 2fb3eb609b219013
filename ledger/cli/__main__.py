"""``python -m ledger.cli``."""

from ledger.cli import main

main()
