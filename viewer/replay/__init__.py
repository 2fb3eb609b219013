"""One game: step by step, its story, live, comments, downloads."""
