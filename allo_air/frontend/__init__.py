"""Compiles Python functions to linalg, affine and scf on memrefs; has `from_pytorch` for Allo's programs."""

import importlib
from typing import Any


def __getattr__(name: str) -> Any:
    """`from_pytorch`, which is of a room above this one."""
    if name != "from_pytorch":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module("allo_air.torch").from_pytorch
