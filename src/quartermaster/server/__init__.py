"""The game server: an API over HTTP, live streams, a database."""
