"""Reads and creates integer constants, and reads the constants of globals."""

from __future__ import annotations

from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.names import sym_name_of
from allo_air.core.walking import constant_of, root_of, walk_named
from allo_air.mlir import AnyOp, ir

__all__ = ["GLOBAL_LOADS", "constant_of", "global_value", "index_constant", "loaded_global"]

GLOBAL_LOADS = ("ml_program.global_load", "ml_program.global_load_const")


def index_constant(number: int, where: ir.Location | None = None, ip: ir.InsertionPoint | None = None) -> ir.Value:
    """An `arith.constant` of type index, at location `where` and `ip`, or the current ones."""
    index = ir.IndexType.get()
    attributes = {"value": ir.IntegerAttr.get(index, number)}
    return ir.Operation.create("arith.constant", [index], [], attributes, loc=where, ip=ip).results[0]


def loaded_global(load: AnyOp) -> str:
    """The name of the global that an operation of `GLOBAL_LOADS` loads."""
    name = load.attributes["global"].value
    return name if isinstance(name, str) else str(name[-1])


def global_value(load: AnyOp) -> Any:
    """The constant that `load`, one of `GLOBAL_LOADS`, loads; an error if the global is mutable or has no value."""
    name = loaded_global(load)
    for op in walk_named(root_of(load), "ml_program.global"):
        if sym_name_of(op) == name and "is_mutable" not in op.attributes and "value" in op.attributes:
            return op.attributes["value"]
    raise error_at(load, f"loads @{name}, whose value is not known at compile time; make it an argument and a result")
