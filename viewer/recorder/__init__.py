"""The recorder: beginning a game, and recording it on a phone at the table."""
