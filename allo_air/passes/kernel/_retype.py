"""Changes the types of all values in an operation, and its type attributes, such as those of functions and globals."""

from __future__ import annotations

from collections.abc import Callable

from allo_air.core.walking import walk_pre_order
from allo_air.mlir import AnyOp, ir


def retype(op: AnyOp, change: Callable[[ir.Type], ir.Type]) -> None:
    """Applies `change` to the type of each result and block argument in `op`, and to each type attribute."""
    for inner in walk_pre_order(op):
        for result in inner.results:
            _set(result, change)
        for region in inner.regions:
            for block in region.blocks:
                for argument in block.arguments:
                    _set(argument, change)
        for name in list(inner.attributes):
            attribute = inner.attributes[name]
            if isinstance(attribute, ir.TypeAttr) and (new := change(attribute.value)) != attribute.value:
                inner.attributes[name] = ir.TypeAttr.get(new)


def _set(value: ir.Value, change: Callable[[ir.Type], ir.Type]) -> None:
    new = change(value.type)
    if new != value.type:
        value.set_type(new)
