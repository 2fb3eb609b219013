"""The JSON API: its endpoints, their types, and the OpenAPI document."""
