"""The text and data forms of a game: notation, records, positions, saves."""
