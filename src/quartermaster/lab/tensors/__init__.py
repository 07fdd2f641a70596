"""The hot part of observations, compiled with the core: plain Python, no numpy."""

from quartermaster.core import compiled_path

__path__[:0] = compiled_path("lab/tensors")
