"""Where what is compiled of kernels is kept."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def default_folder() -> Path:
    """Where built kernels are kept: in the user's cache folder (platformdirs), a temporary one if that cannot be written."""
    import platformdirs

    folder = Path(platformdirs.user_cache_dir("allo_air", appauthor=False)) / "kernels"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.mkdtemp(prefix="allo-air-kernels-"))
    return folder if os.access(folder, os.W_OK) else Path(tempfile.mkdtemp(prefix="allo-air-kernels-"))
