"""Score sheets on paper: brought, blank, and the links of an evening's tables."""
