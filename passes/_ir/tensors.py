"""Tensors are made."""

from __future__ import annotations

from typing import Any

from allo_air.mlir import tensor


def empty(kind: Any) -> Any:
    """A tensor of ranked type `kind` of static shape, of unknown contents, at the insertion point."""
    return tensor.EmptyOp(list(kind.shape), kind.element_type).result  # type: ignore[arg-type]
