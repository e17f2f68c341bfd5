"""The dialects of MLIR's bindings, under the name that Allo's programs import."""

import importlib
from typing import Any


def __getattr__(name: str) -> Any:
    """The module of dialect `name`."""
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(importlib.import_module("allo_air.mlir"), name)
