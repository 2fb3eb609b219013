"""The viewer: shows records of a ledger as pages, pictures and JSON.  It reads `ledger.review` and knows no game."""
