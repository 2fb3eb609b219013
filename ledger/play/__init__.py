"""Games that play themselves, and what could be recorded next."""
