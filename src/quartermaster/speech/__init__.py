"""Everything that is said to people, by ids, in the language they read."""
