"""Block floating point of AIE2p: bf16 contractions with 8 x 8 x 8 micro-tiles run on bfp16 operands.

A block is 8 values along the reduction dimension. It shares the exponent E of its largest magnitude; each value is a signed
8-bit multiple of 2^(E - 6). Values are rounded to nearest even; 128 is clamped to 127 (the rounding mode is a setting of the
core on hardware; kernels choose nearest even). Infinities and NaNs are unchanged.
"""

from __future__ import annotations

from math import prod
from typing import Any

from allo_air.core.walking import walk_named
from allo_air.core_model.shapes import has_blocks, is_block_float
from allo_air.mlir import arith, ir, math, vector

BLOCK = 8
_EXPONENT, _MAGNITUDE, _MANTISSA = 0x7F800000, 0x7FFFFFFF, 23
_FRACTION = 6
"""Bits of a mantissa below its leading one: 8 bits less the sign and the leading one."""


def uses_block_floats(device: ir.Operation | ir.OpView, arch: str) -> bool:
    """Whether the cores of an `aie.device` multiply in block floating point."""
    return has_blocks(arch) and any(is_block_float(op, arch) for op in walk_named(device, "vector.contract"))


def rounded(value: ir.Value, along: int) -> Any:
    """The f32 vector `value` with blocks of 8 along dimension `along` rounded to bfp16."""
    shape = value.type.shape
    lanes, stride = prod(shape), prod(shape[along + 1 :])
    f32, i32 = ir.F32Type.get(), ir.IntegerType.get_signless(32)
    floats, ints = ir.VectorType.get([lanes], f32), ir.VectorType.get([lanes], i32)

    def constant(kind: ir.VectorType, number: float) -> Any:
        element = ir.IntegerAttr.get(i32, int(number)) if kind == ints else ir.FloatAttr.get(f32, number)
        return arith.constant(kind, ir.DenseElementsAttr.get_splat(kind, element))

    flat = vector.shape_cast(floats, value)
    largest = arith.andi(arith.bitcast(ints, flat), constant(ints, _MAGNITUDE))
    step = stride
    while step < stride * BLOCK:
        largest = arith.maxui(largest, vector.shuffle(largest, largest, [lane ^ step for lane in range(lanes)]))
        step *= 2
    exponent = arith.andi(largest, constant(ints, _EXPONENT))
    finite = arith.cmpi(arith.CmpIPredicate.ne, exponent, constant(ints, _EXPONENT))
    exponent = arith.maxui(exponent, constant(ints, (_FRACTION + 1) << _MANTISSA))
    unit = arith.bitcast(floats, arith.subi(exponent, constant(ints, _FRACTION << _MANTISSA)))
    inverse = arith.bitcast(floats, arith.subi(constant(ints, (2 * 127 + _FRACTION) << _MANTISSA), exponent))
    whole = math.roundeven(arith.mulf(flat, inverse))
    whole = arith.minimumf(whole, constant(floats, 127.0))
    finite_value = arith.select(finite, arith.mulf(arith.maximumf(whole, constant(floats, -128.0)), unit), flat)
    return vector.shape_cast(value.type, finite_value)
