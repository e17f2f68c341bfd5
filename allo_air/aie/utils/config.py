"""Folders of the tool chain that exist here."""

from __future__ import annotations

import os
from pathlib import Path

import allo_air.aie_api


def cxx_header_path() -> str:
    """The folder with the headers of the AIE API, which kernels include."""
    return str(Path(allo_air.aie_api.__file__).parent / "include")


def root_path() -> str:
    """The folder of this layer."""
    return str(Path(__file__).parents[1])


def peano_install_dir() -> str:
    """The folder of Peano, or of its replacement under `allo-env`; empty if there is none."""
    return os.environ.get("PEANO_INSTALL_DIR", "")


def peano_cxx_path() -> str:
    """Peano's compiler."""
    return str(Path(peano_install_dir()) / "bin/clang++")


def peano_linker_path() -> str:
    """Peano's linker."""
    return str(Path(peano_install_dir()) / "bin/ld.lld")
