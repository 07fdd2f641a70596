"""A table of people, without clock, database or network."""
