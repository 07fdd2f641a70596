"""The flat map, step by step: `bake_map.py` draws it."""
