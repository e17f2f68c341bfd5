"""Recognizes requantization: i32 sums that are shifted by a constant, clamped and truncated to bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from allo_air.core.constants import constant_of
from allo_air.core.walking import is_result_of
from allo_air.mlir import ir

CLAMPS = ("arith.maxsi", "arith.minsi")
RANGES = ((-(1 << 7), (1 << 7) - 1), (0, (1 << 8) - 1))
"""The ranges of i8 and u8, to which an instruction can clamp."""
_SIMPLE = ("arith.addi", *CLAMPS, "arith.shrsi", "arith.trunci", "arith.constant")


def is_requantisation(body: Sequence[ir.Operation]) -> bool:
    """Whether `body` computes a byte from sums of i32, shifted by a constant and clamped, and otherwise only adds and
    clamps.
    """
    shorter = [op for op in body if op.name == "arith.trunci"]
    return (
        len(shorter) == 1
        and {_element(v) for op in body for v in op.operands} == {"i32"}
        and all(op.name in _SIMPLE for op in body)
        and sum(op.name == "arith.shrsi" for op in body) == 1
        and shifted(shorter[0]) is not None
    )


def shifted(truncation: ir.Operation) -> tuple[int, int, int, Any] | None:
    """For a byte that is shifted, clamped and truncated: the bounds, the shift and the operand; None for anything else."""
    bounds, value = clamps(truncation)
    if len(bounds) != 2 or not is_result_of(value, "arith.shrsi"):
        return None
    number, shift = value.owner.operands
    by, least, most = constant_splat(shift), bounds["arith.maxsi"], bounds["arith.minsi"]
    fits = any(low <= least <= most <= high for low, high in RANGES)
    if by is None or not 0 < by < 24 or not fits or _element(truncation.results[0]) != "i8":
        return None
    return least, most, by, number


def clamps(truncation: ir.Operation) -> tuple[dict[str, int], ir.Value]:
    """For a truncation whose operand is clamped by constants, on one side or both: the bounds and the clamped operand."""
    results: dict[str, int] = {}
    value = truncation.operands[0]
    for op in clamping(truncation):
        bound = constant_splat(op.operands[1])
        if bound is None or op.name in results:
            break
        results[op.name], value = bound, op.operands[0]
    return results, value


def clamping(truncation: ir.Operation) -> Iterator[Any]:
    """The operations that clamp the operand of a truncation, the last one first."""
    value = truncation.operands[0]
    while is_result_of(value, *CLAMPS):
        yield value.owner
        value = value.owner.operands[0]


def constant_splat(value: ir.Value) -> int | None:
    """The integer in every lane of `value`; None if unknown."""
    number = constant_of(value)
    if number is not None or not is_result_of(value, "arith.constant"):
        return number
    attribute = value.owner.attributes["value"]
    if not isinstance(attribute, ir.DenseElementsAttr) or not attribute.is_splat:
        return None
    splat = attribute.get_splat_value()
    return splat.value if isinstance(splat, ir.IntegerAttr) else None


def _element(value: ir.Value) -> str:
    kind = value.type
    return str(kind.element_type if isinstance(kind, ir.ShapedType) else kind)
