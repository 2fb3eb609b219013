"""The viewer: shows records of a ledger as pages, pictures and JSON.  It knows no game."""
