"""Which slip explains the findings of a record?  One search: candidates, tried by auditing."""
