"""Everything to read, for programs, and whole records to write."""
