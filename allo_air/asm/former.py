"""Replaces operations of 2023 and 2024 by their successors after the module is read."""

from __future__ import annotations

from allo_air.mlir import ir

_CONTROL = "aiex.npu."


def sequences_from_functions(module: ir.Operation) -> None:
    """Converts each `func.func` in a device whose body programs the NPU's controller to an `aie.runtime_sequence`.

    Until August 2024 a runtime sequence was such a function; most files named it `sequence`.
    """
    for op in list(module.regions[0].blocks[0].operations):
        if op.operation.name == "aie.device":
            for inner in list(op.operation.opview.block.operations):
                if inner.operation.name == "func.func" and _programs(inner.operation):
                    _replace(inner.operation)


def _programs(function: ir.Operation) -> bool:
    """Whether `function` is one block of controller operations that returns nothing."""
    blocks = list(function.regions[0].blocks)
    if len(blocks) != 1:
        return False
    operations = [o.operation for o in blocks[0].operations]
    last = operations[-1]
    return last.name == "func.return" and not len(last.operands) and any(o.name.startswith(_CONTROL) for o in operations)


def _replace(function: ir.Operation) -> None:
    from allo_air.dialects.aie import RuntimeSequenceOp

    name = ir.StringAttr(function.attributes["sym_name"]).value
    block = function.regions[0].blocks[0]
    op = RuntimeSequenceOp(sym_name=name, loc=function.location, ip=ir.InsertionPoint(function))
    list(block.operations)[-1].operation.erase()
    block.append_to(op.regions[0])
    function.erase()
