"""What the bots know and how they think; compiled together with the rules core."""

from quartermaster.core import compiled_path

__path__[:0] = compiled_path("bots/mind")
