"""The command line, `quartermaster`."""
