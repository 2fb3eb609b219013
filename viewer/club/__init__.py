"""The pages of a club: its players, statistics and events."""
