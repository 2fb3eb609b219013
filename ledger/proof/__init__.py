"""Shows that nothing was changed or lost: the tree head of a ledger, the manifest of an archive."""
