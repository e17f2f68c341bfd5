"""Splits a kernel into several, which its callers call one after another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.core.functions import call_function, new_function
from allo_air.core.names import function_type_of
from allo_air.mlir import AnyOp, func, ir
from allo_air.passes._analysis.kernels import KERNEL, calls_of

_SETUP = ("arith.constant", "tensor.empty", "linalg.fill")
_MOVES = ("tensor.expand_shape", "tensor.collapse_shape", "tensor.cast", "tensor.extract_slice", "tensor.insert_slice")
NOTE = "allo.partition"
"""Attribute of a kernel: why it is one."""


def divide(function: ir.Operation, parts: Sequence[tuple[str, list[ir.Operation]]], why: str) -> dict[str, ir.Operation]:
    """Replaces `function` by one kernel for each of `parts` (its name and operations); returns the kernels by name.

    A part that only reshapes, slices or inserts becomes operations of the callers instead. `why` is recorded in the kernels.

    Before:

        func.func private @k(%a, %b, %d) { %c = linalg.matmul ins(%a, %b), %e = linalg.generic ins(%c, %d), return %e }
        %r = call @k(%a, %b, %d)

    After:

        func.func private @k(%a, %b) { %c = linalg.matmul ins(%a, %b), return %c }
        func.func private @k_after(%c, %d) { %e = linalg.generic ins(%c, %d), return %e }
        %c = call @k(%a, %b)
        %r = call @k_after(%c, %d)
    """
    [block] = function.regions[0].blocks
    end = block.operations[-1].operation
    results = {name: _outlined(function, name, ops, end, why) for name, ops in parts if not all(o.name in _MOVES for o in ops)}
    for call in calls_of(function):
        mapping: dict[Any, Any] = dict(zip(block.arguments, call.operands, strict=True))
        with ir.InsertionPoint(call), call.location:
            for name, ops in parts:
                if name not in results:
                    for op in ops:
                        _copy(op, mapping)
                    continue
                new = call_function(name, function_type_of(results[name]).results, [mapping[v] for v in _inputs(ops)])
                mapping.update(zip(_outputs(ops), new.results, strict=True))
        for old, value in zip(call.results, end.operands, strict=True):
            old.replace_all_uses_with(mapping[value])
        call.erase()
    function.erase()
    return results


def compute_ops(function: ir.Operation) -> list[ir.Operation]:
    """The operations of a one-block kernel, without set-up operations, which each part copies."""
    [block] = function.regions[0].blocks
    *inside, _ = [o.operation for o in block.operations]
    return [o for o in inside if not _is_setup(o)]


def _is_setup(op: ir.Operation) -> bool:
    return op.name in _SETUP or (not op.name.startswith(("linalg.", "tensor.")) and not len(op.operands))


def _inputs(ops: list[ir.Operation]) -> list[Any]:
    """The values that `ops` use from outside, without set-up values."""
    values = [v for op in ops for v in _captured(op)]
    return list(dict.fromkeys(v for v in values if isinstance(v, ir.BlockArgument) or _is_defined_outside(v, ops)))


def _is_defined_outside(value: ir.Value, ops: list[ir.Operation]) -> bool:
    return value.owner.operation not in ops and not _is_setup(value.owner.operation)


def _outputs(ops: list[ir.Operation]) -> list[Any]:
    """The values of `ops` that others use."""
    values = [v for op in ops for v in op.results]
    return [v for v in values if any(use.owner.operation not in ops for use in v.uses)]


def _outlined(function: ir.Operation, name: str, ops: list[ir.Operation], end: ir.Operation, why: str) -> ir.Operation:
    inputs, value = _inputs(ops), _outputs(ops)
    with ir.InsertionPoint(function), function.location:
        attributes = {KERNEL: ir.UnitAttr.get(), NOTE: ir.StringAttr.get(why)}
        result, block = new_function(name, [v.type for v in inputs], [v.type for v in value], attributes)
        mapping: dict[Any, Any] = dict(zip(inputs, block.arguments, strict=True))
        with ir.InsertionPoint(block):
            for op in ops:
                _copy(op, mapping)
            func.ReturnOp([mapping[v] for v in value], loc=end.location)
    return result


def _copy(op: AnyOp, mapping: dict[ir.Value, ir.Value]) -> None:
    """Copies `op` to the insertion point, after the set-up operations that it needs; adds the copies to `mapping`."""
    for value in _captured(op):
        if value not in mapping:
            _copy(value.owner.operation, mapping)
    new = op.clone()
    _replace(new, mapping)
    mapping.update(zip(op.results, new.results, strict=True))


def _captured(op: AnyOp) -> list[Any]:
    """The values that `op` and its body use from outside."""
    captured, inside = list(op.operands), set[Any]()
    for region in op.regions:
        for block in region.blocks:
            inside |= set(block.arguments)
            for inner in block.operations:
                captured += [v for v in inner.operation.operands if v not in inside]
                inside |= set(inner.operation.results)
    return captured


def _replace(op: AnyOp, mapping: dict[ir.Value, ir.Value]) -> None:
    for number, value in enumerate(op.operands):
        op.operands[number] = mapping.get(value, value)
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                _replace(inner.operation, mapping)
