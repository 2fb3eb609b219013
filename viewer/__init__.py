"""The viewer: records of a ledger as pages, pictures and JSON.  It asks `ledger.review` and knows no game."""
