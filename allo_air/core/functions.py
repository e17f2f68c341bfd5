"""Builders of functions and their calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from allo_air.mlir import ir


def new_function(
    name: str,
    inputs: Sequence[ir.Type],
    results: Sequence[ir.Type],
    attributes: Mapping[str, ir.Attribute] | None = None,
    *,
    is_private: bool = True,
    ip: ir.InsertionPoint | bool | None = None,
) -> tuple[ir.Operation, ir.Block]:
    """A function at the current location and its empty block; with `ip=False` it is in no module."""
    type_ = ir.FunctionType.get(list(inputs), list(results))
    function = declare_function(name, type_, attributes, is_private=is_private, ip=ip)
    return function, function.regions[0].blocks.append(*inputs)


def declare_function(
    name: str,
    type_: ir.FunctionType,
    attributes: Mapping[str, ir.Attribute] | None = None,
    *,
    is_private: bool = True,
    ip: ir.InsertionPoint | bool | None = None,
) -> ir.Operation:
    """A function without a body at the current location; with `ip=False` it is in no module."""
    every: dict[str, Any] = {
        "sym_name": ir.StringAttr.get(name),
        "function_type": ir.TypeAttr.get(type_),
        **(attributes or {}),
    }
    if is_private:
        every["sym_visibility"] = ir.StringAttr.get("private")
    return ir.Operation.create("func.func", attributes=every, regions=1, ip=ip)


def call_function(
    name: str, results: Sequence[ir.Type], operands: Sequence[ir.Value], ip: ir.InsertionPoint | None = None
) -> ir.Operation:
    """A call of the function called `name`."""
    callee = {"callee": ir.FlatSymbolRefAttr.get(name)}
    return ir.Operation.create("func.call", list(results), list(operands), callee, ip=ip)
