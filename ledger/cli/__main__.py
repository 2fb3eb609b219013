"""``python -m ledger.cli``."""

from ledger.cli import main

if __name__ == "__main__":  # the processes of a bulk audit look at this file too
    main()
