"""You are the referee: a puzzle each day."""
