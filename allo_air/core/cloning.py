"""Copies of operations with other operands."""

from __future__ import annotations

from typing import Any

from allo_air.core.rewrite import walk_post_order


def clone(op: Any, values: dict[Any, Any]) -> Any:
    """A copy of `op` at the insertion point, operands replaced as `values` says, in which its results are noted."""
    new = op.clone().operation
    for inner in walk_post_order(new):
        for i, value in enumerate(inner.operands):
            if value in values:
                inner.operands[i] = values[value]
    values.update(zip(op.results, new.results, strict=True))
    return new
