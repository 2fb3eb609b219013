"""``python -m ledger.cli``."""

from ledger.cli import main

if __name__ == "__main__":  # the processes of a bulk audit import this file too
    main()
