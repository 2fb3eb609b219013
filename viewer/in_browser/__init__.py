"""The rules in a reader's browser: what is fetched, kept and started there."""
