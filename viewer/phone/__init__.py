"""Recording on a phone at the table, also without a network."""
