"""Shows that nothing was changed or lost: the head of the log of a ledger, the manifest of an archive."""
