"""Compiles Python functions to linalg, affine and scf on memrefs. Also has `from_pytorch`, which Allo's programs import from
here.
"""

import importlib
from typing import Any


def __getattr__(name: str) -> Any:
    """Imports `from_pytorch` on first use, since it is in a package that imports this one."""
    if name != "from_pytorch":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module("allo_air.torch").from_pytorch
