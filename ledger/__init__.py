"""Domino Ledger: records of domino games, replayed move by move and audited against the rules."""

__version__ = "0.1.0"
