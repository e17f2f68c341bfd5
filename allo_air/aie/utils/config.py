"""Folders of the tool chain, as far as they are here."""

from pathlib import Path

import allo_air.aie_api


def cxx_header_path() -> str:
    """The folder with the headers of the AIE API, which kernels include."""
    return str(Path(allo_air.aie_api.__file__).parent / "include")
