"""The games: a package each, and none imports another."""
