"""The core of MLIR's bindings, under the name that Allo's programs import."""

from typing import Any

from allo_air.mlir import ir


def __getattr__(name: str) -> Any:
    """The member of the bindings' module with this name."""
    return getattr(ir, name)
