"""Pictures of the table: from a review to SVG."""
