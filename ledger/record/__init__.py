"""What was written down at a table: events and the tiles they name, the record, its text, its chain of links."""
