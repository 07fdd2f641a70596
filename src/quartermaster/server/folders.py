"""Where games are kept on this machine, and where the page's files lie."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).parent.parent / "page"


def data_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """The folder for all that is kept, where each system has the data of its users: saved games
    of `play`, the database of `serve`."""
    if sys.platform == "win32":
        base = Path(environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(environ.get("XDG_DATA_HOME") or "")
        if not base.is_absolute():  # relative ones are to be ignored, says the standard
            base = Path.home() / ".local" / "share"
    return base / "quartermaster"
