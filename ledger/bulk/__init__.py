"""Very many records audited: by several processes or machines, with results as files, and going on where it stopped."""
