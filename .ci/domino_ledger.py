"""``python -m domino_ledger``: the wheel has this file beside `ledger`."""

from ledger.cli import main

if __name__ == "__main__":  # the processes of a large audit import this file too
    main()
