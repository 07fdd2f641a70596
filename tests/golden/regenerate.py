"""Write the golden numbers of tests/test_perft.py anew: `python tests/golden/regenerate.py`.

Only after a change that was meant to change them; look at the difference before committing.
"""

import runpy
from pathlib import Path

if __name__ == "__main__":
    runpy.run_path(str(Path(__file__).parents[1] / "test_perft.py"))["regenerate"]()
