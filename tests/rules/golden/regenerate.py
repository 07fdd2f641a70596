"""Write the golden numbers of test_perft.py anew: `python tests/rules/golden/regenerate.py`.

Only after a change that was meant to change them; look at the difference before committing.
"""

import runpy
from pathlib import Path

if __name__ == "__main__":
    runpy.run_path(str(Path(__file__).parents[1] / "test_perft.py"))["regenerate"]()
