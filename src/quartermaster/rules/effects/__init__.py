"""The vocabulary of effects: what cards do."""
