"""What stands between a request and the pages: access, limits, health and metrics."""
