"""The version of the package, and nothing else, so that building need not import it."""

VERSION = "0.2.0"
