"""The bindings' module `rewrite`."""

from __future__ import annotations

from typing import Any

from allo_air import mlir

__all__ = [n for n in dir(mlir.rewrite) if not n.startswith("_")]


def __getattr__(name: str) -> Any:
    return getattr(mlir.rewrite, name)
