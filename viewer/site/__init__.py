"""The static site, and games that somebody types."""
