"""Fixtures that any test may use."""

from databases import database_url, empty_url, postgres_server, postgres_url

__all__ = ["database_url", "empty_url", "postgres_server", "postgres_url"]
