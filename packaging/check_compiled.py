"""Fails unless the package that is installed is compiled; for wheels that are to be given out."""

import sys

from quartermaster.lab.bench import is_compiled

if __name__ == "__main__" and not is_compiled():
    sys.exit("the rules core is interpreted")
