"""How records come into a ledger, are kept there, copied and audited."""
