"""What every page has, with a server or without one: frame, style, small scripts."""
