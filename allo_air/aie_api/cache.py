"""The cache of compiled kernels."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def user_folder() -> Path | None:
    """The folder for kernels in the user's cache folder (platformdirs); None if it cannot be written."""
    import platformdirs

    folder = Path(platformdirs.user_cache_dir("allo_air", appauthor=False)) / "kernels"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def default_folder() -> Path:
    """Where built kernels are kept: the user's folder, a temporary one if that cannot be written."""
    return user_folder() or Path(tempfile.mkdtemp(prefix="allo-air-kernels-"))
