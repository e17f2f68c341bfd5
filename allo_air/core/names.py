"""Attributes that most passes read, with their types."""

from __future__ import annotations

from collections.abc import Sequence

from allo_air.mlir import AnyOp, ir


def sym_name_of(op: AnyOp) -> str:
    """The name of a symbol; raises KeyError if the operation has none."""
    name: str = op.attributes["sym_name"].value
    return name


def callee_of(call: AnyOp) -> str:
    """The name of the function that `call` calls; KeyError if it is not a call."""
    name: str = call.attributes["callee"].value
    return name


def channel_of(transfer: AnyOp) -> str:
    """The name of the channel of an `air.channel.put` or `air.channel.get`; raises KeyError for other operations."""
    name: str = transfer.attributes["chan_name"].value
    return name


def function_type_of(function: AnyOp) -> ir.FunctionType:
    """The type of a function; KeyError on other operations."""
    kind: ir.FunctionType = function.attributes["function_type"].value
    return kind


def set_function_type(function: AnyOp, results: Sequence[ir.Type] | None = None) -> None:
    """Updates the type of a function to the types of its block arguments and of `results`, by default the returned values."""
    block = function.regions[0].blocks[0]
    if results is None:
        results = [value.type for value in block.operations[-1].operands]
    kind = ir.FunctionType.get([a.type for a in block.arguments], results, context=function.context)
    function.attributes["function_type"] = ir.TypeAttr.get(kind, context=function.context)


def is_private(op: AnyOp) -> bool:
    """Whether the function, global or sequence `op` is visible in its module only."""
    return "sym_visibility" in op.attributes and op.attributes["sym_visibility"].value == "private"
