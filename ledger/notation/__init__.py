"""The score sheet: records as people write them by hand."""
