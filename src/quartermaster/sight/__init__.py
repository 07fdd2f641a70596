"""What one may know of a game: concealed states, views, decisions, the log."""
