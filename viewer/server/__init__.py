"""Who asks, for which ledger, how often, and what is logged."""
