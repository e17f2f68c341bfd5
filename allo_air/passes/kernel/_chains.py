"""Legality of operations that the tool chain lowers together, as one instruction (docs/sources.md#vector-kernels)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.element_types import element_of
from allo_air.passes._analysis.requantisation import CLAMPS, clamping, constant_splat
from allo_air.passes.kernel._op_signature import Legality, lowered_to_scalars


def fused(op: ir.Operation, lanes: int) -> Iterator[Legality]:
    """The legality of a sum of products, or of an exponential in a sigmoid, each with `lanes` lanes; nothing for other
    operations.
    """
    products = products_used_once(op) if op.name == "arith.addf" and lanes == 16 else []
    if products and len(products) > (0 if element_of(op.results[0].type) == "f32" else 1):
        yield Legality(
            "refused",
            "leaves a vector product as a generic vector operation, for which Peano has no rule",
            "subtract the negated term (arith.subf), or use vector.fma of extended bf16",
        )
    if op.name == "math.exp" and element_of(op.results[0].type) == "bf16" and _in_sigmoid(op):
        yield lowered_to_scalars(
            "stays a generic vector operation as part of 1 / (1 + exp(-x))",
            "write 0 - x instead of arith.negf, or use math.tanh",
        )
    uses = [use.owner.operation.name for use in op.results[0].uses] if op.name == "arith.muli" else []
    if uses == ["arith.addi"] and lanes:
        yield lowered_to_scalars(
            "stays a generic vector operation, with the addition that uses it",
            "use vector.contract, or multiply and add separately",
        )


def products_used_once(addition: Any) -> list[ir.OpResult]:
    """The products that only `addition` uses."""
    return [v for v in addition.operands if _name(v) == "arith.mulf" and len(list(v.uses)) == 1]


def is_requantised(op: ir.Operation) -> bool:
    """Whether a shift by a constant is followed by a truncation, clamped or not; the two become one instruction."""
    if constant_splat(op.operands[1]) is None:
        return False
    while len(uses := list(op.results[0].uses)) == 1:
        op = uses[0].owner.operation
        if op.name == "arith.trunci":
            return True
        if op.name not in CLAMPS:
            return False
    return False


def is_clamped(truncation: ir.Operation) -> bool:
    """Whether the operand of a truncation is clamped on both sides to the range of the result."""
    results: dict[str, int] = {}
    for op in clamping(truncation):
        bound = constant_splat(op.operands[1])
        if bound is None:
            return False
        results.setdefault(op.name, bound)
    if len(results) != 2:
        return False
    bits = int(element_of(truncation.results[0].type)[1:])
    low, high = results["arith.maxsi"], results["arith.minsi"]
    signed = -(1 << (bits - 1)) <= low and high < 1 << (bits - 1)
    return signed or (low >= 0 and high < 1 << bits)


def _in_sigmoid(exp: AnyOp) -> bool:
    uses = list(exp.results[0].uses)
    if len(uses) != 1 or _name(exp.operands[0]) != "arith.negf" or uses[0].owner.operation.name != "arith.addf":
        return False
    return [use.owner.operation.name for use in uses[0].owner.operation.results[0].uses] == ["arith.divf"]


def _name(value: ir.Value) -> str:
    return "" if isinstance(value, ir.BlockArgument) else str(value.owner.name)
