"""MLIR's core bindings as `aie.ir` has them; contexts know the AIE dialects, and modules read and print their assembly."""

from __future__ import annotations

from typing import Any

from allo_air.air import ir as _air_ir
from allo_air.mlir import ir as _ir

__all__ = [n for n in vars(_ir) if not n.startswith("_")]
Module = _air_ir.Module
Type = _air_ir.Type


def __getattr__(name: str) -> Any:
    return getattr(_ir, name)


def Context() -> Any:
    """A context with the dialects aie, aiex and aievec."""
    from allo_air.dialects import load
    from allo_air.mlir import new_context

    context = new_context()
    load(context, ("aie", "aiex", "aievec"))
    return context
