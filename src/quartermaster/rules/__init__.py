from quartermaster.core import compiled_path

__path__[:0] = compiled_path("rules")
