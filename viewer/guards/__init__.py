"""Guards between requests and pages: access, limits and health."""
