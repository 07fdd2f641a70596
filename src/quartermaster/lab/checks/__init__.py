"""Checks on the engine itself: invariants, a slow second opinion on supply, fuzzing."""
