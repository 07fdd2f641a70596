"""The hot part of observations, compiled with the core: plain Python, no numpy."""
