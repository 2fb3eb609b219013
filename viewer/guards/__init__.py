"""Guards between requests and pages: access, limits, health and metrics."""
