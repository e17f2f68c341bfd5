"""Casts the arguments and results of a function, so that its body uses another element type than the caller."""

from __future__ import annotations

from typing import Any

from allo_air.core.names import function_type_of
from allo_air.core.walking import body_of
from allo_air.dialects.passed_types import is_moved
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.generic import generic
from allo_air.passes._ir.tensors import empty


def cast_arguments(function: AnyOp, outer: ir.Type, inner: ir.Type, into: str, back: str | None = None) -> None:
    """Makes the function use arguments of element type `outer` as type `inner`, by the cast `into`. With `back`, they are cast
    back to `outer`.

    The caller checks that values are representable in `inner`. A truncation has the flag `nsw`, which says so.
    """
    [block] = function.regions[0].blocks
    for argument in block.arguments:
        if not _contains_type(argument.type, outer):
            continue
        uses = list(argument.uses)
        if back is not None and len(uses) == 1 and _is_cast(uses[0].owner.operation, into, inner):
            continue
        with ir.InsertionPoint.at_block_begin(block), function.location:
            result = cast(argument, inner, into, is_exact=back is not None)
            result = cast(result, outer, back) if back else result
        for use in uses:
            use.owner.operands[use.operand_number] = result


def cast_results(function: AnyOp, outer: ir.Type, inner: ir.Type, by: str) -> None:
    """Casts the results of the function from `inner` to `outer`, if its type has `outer`."""
    last = body_of(function)[-1]
    for n, (value, expected_type) in enumerate(zip(last.operands, function_type_of(function).results, strict=True)):
        if _contains_type(expected_type, outer) and _contains_type(value.type, inner):
            with ir.InsertionPoint(last), last.location:
                last.operands[n] = cast(value, outer, by)


def is_boundary_cast(op: AnyOp) -> bool:
    """Whether `op` computes a returned value of a type that DMAs do not move, as `cast_results` makes it."""
    return any(not is_moved(r.type) and any(u.owner.operation.name == "func.return" for u in r.uses) for r in op.results)


def cast(value: ir.Value, element: ir.Type, name: str, *, is_exact: bool = False) -> Any:
    """A generic that casts each element of `value`."""
    flags = {"overflowFlags": ir.Attribute.parse("#arith.overflow<nsw>")} if is_exact and name == "arith.trunci" else {}
    shape = list(value.type.shape)
    kind = ir.RankedTensorType.get(shape, element)
    identity = ir.AffineMap.get_identity(len(shape))

    def body(values: list[ir.Value]) -> list[Any]:
        return [ir.Operation.create(name, [element], [values[0]], flags).results[0]]

    return generic([value], [empty(kind)], [identity, identity], ["parallel"] * len(shape), body).results[0]


def _contains_type(type_: ir.Type, element: ir.Type) -> bool:
    return isinstance(type_, ir.RankedTensorType) and type_.element_type == element


def _is_cast(op: AnyOp, name: str, element: ir.Type) -> bool:
    """Whether `op` casts its operand and does nothing else."""
    if op.name != "linalg.generic" or len(op.results) != 1 or op.results[0].type.element_type != element:
        return False
    return [o.operation.name for o in op.regions[0].blocks[0].operations] == [name, "linalg.yield"]
