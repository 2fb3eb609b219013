"""The club: home, search, players, events, statistics, and what only the owner does."""
