"""The club: home, search, players, events, seasons, statistics, and what only the owner does."""
