"""Helpers for values in a core's registers: accumulators, halves of registers, and AIEVec conversions between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air.arch import Core
from allo_air.core.walking import defining_op
from allo_air.dialects import aievec
from allo_air.mlir import arith, ir


@dataclass(frozen=True)
class Target:
    """The target of the rules: the core, and the consumer of their result (C++ or LLVM)."""

    core: Core
    backend: str
    bf16_emulation: bool = False

    @property
    def is_llvm(self) -> bool:
        return self.backend == "llvmir"


def lanes(kind: object) -> int:
    """The number of lanes of a vector; 0 for other types, and for vectors with several dimensions larger than 1."""
    if not isinstance(kind, ir.VectorType) or any(kind.scalable_dims):
        return 0
    shape = list(kind.shape)
    return prod(shape) if all(size == 1 for size in shape[:-1]) else 0


def bit_width(kind: ir.Type) -> int:
    """Bits of a vector's element or of a scalar; 0 for types without a width."""
    element = kind.element_type if isinstance(kind, ir.VectorType) else kind
    return element.width if isinstance(element, ir.IntegerType | ir.FloatType) else 0


def bits(kind: ir.Type) -> int:
    return lanes(kind) * bit_width(kind)


def is_float(kind: object) -> bool:
    return isinstance(kind.element_type if isinstance(kind, ir.VectorType) else kind, ir.FloatType)


def is_bf16(kind: object) -> bool:
    return isinstance(kind.element_type if isinstance(kind, ir.VectorType) else kind, ir.BF16Type)


def is_f32(kind: object) -> bool:
    return isinstance(kind.element_type if isinstance(kind, ir.VectorType) else kind, ir.F32Type)


def of_width(kind: ir.ShapedType, element: ir.Type | int) -> ir.VectorType:
    """A vector type with the shape of `kind` and other elements; `element` is a type, or the bits of an integer."""
    inner = ir.IntegerType.get_signless(element) if isinstance(element, int) else element
    return ir.VectorType.get(list(kind.shape), inner)


def i32(number: int) -> Any:
    return arith.constant(ir.IntegerType.get_signless(32), number)


def cast(value: Any, *, accumulator: bool) -> Any:
    return aievec.CastOp(source=value, isResAcc=accumulator, result=value.type).result


def ups(value: object, kind: ir.Type) -> Any:
    return aievec.UPSOp(source=value, shift=0, result=kind).result


def srs(value: object, kind: ir.Type, shift: object = 0) -> Any:
    """`value`, an accumulator, as lanes of `kind`, shifted to the right by a number or a value of i32."""
    amount = i32(shift) if isinstance(shift, int) else shift
    return aievec.SRSOp(source=value, amount=amount, result=kind).result


def by_halves(operands: list[ir.Value], vector_type: ir.VectorType, rule: Callable[[list[Any], ir.VectorType], object]) -> Any:
    """Applies `rule` to both halves of the operands and concatenates the results."""
    half = _half(vector_type)
    parts = []
    for index in (0, 1):
        parts.append(rule([aievec.ExtOp(source=v, index=index, result=_half(v.type)).result for v in operands], half))
    return aievec.ConcatOp(sources=parts, result=vector_type).result


def _half(kind: ir.ShapedType) -> ir.VectorType:
    shape = list(kind.shape)
    return ir.VectorType.get([*shape[:-1], shape[-1] // 2], kind.element_type)


def extended_from(value: ir.Value, *names: str) -> Any:
    """The source of `value` if it is an extension by one of the operations `names`; otherwise None."""
    owner = defining_op(value, *names)
    return owner.operands[0] if owner is not None else None


def used_once(value: ir.Value) -> bool:
    return len(list(value.uses)) == 1
