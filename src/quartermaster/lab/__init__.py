"""Many games: simulation, the arena, benchmarks, scenarios and checks."""
