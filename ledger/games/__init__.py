"""The games: one file each, none of which knows another."""
