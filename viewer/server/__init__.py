"""What all requests share: the ledger, the log, and a clean stop."""
