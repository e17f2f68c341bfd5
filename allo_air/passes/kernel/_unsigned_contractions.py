"""Emulates signed contractions of i16 by unsigned ones, the only ones that mlir-aie emits for i16 on AIE2p.

If a signed factor is read as unsigned, u(a) is too large by 2 h(a), where h(a) = a & 2^15. Since sums wrap at 32 bits, a b =
u(a) u(b) - 2 (h(a) u(b) + u(a) h(b)). The loop over k carries the sum in parentheses as a second accumulator, which is
subtracted after the loop. A factor without a sign needs no correction. A contraction that is not the only accumulation of its
loop is corrected in place.
"""

from __future__ import annotations

from functools import partial

from allo_air.arch import ARCHITECTURES, core_of
from allo_air.core.walking import walk_named
from allo_air.dialects.mac import contract as product
from allo_air.mlir import AnyOp, arith, ir, vector
from allo_air.passes.kernel._dual_accumulator import with_dual_accumulator
from allo_air.passes.kernel._factors import Factor, factors, flattened, shape_of, splat
from allo_air.passes.kernel._unit_loops import without_unit_loops


def make_unsigned(op: AnyOp, arch: str) -> None:
    """Replaces signed contractions in `op` for which the architecture has only unsigned ones."""
    core = ARCHITECTURES[arch].core
    if core is None or all(contraction.signed != (False, False) for contraction in core.contractions):
        return
    for contract in walk_named(op, "vector.contract"):
        without_unit_loops(contract)
    for contract in walk_named(op, "vector.contract"):
        if _needs_unsigned(contract, arch):
            with_dual_accumulator(contract, partial(_sums, contract), _difference)


def _needs_unsigned(contract: ir.Operation, arch: str) -> bool:
    result = factors(contract)
    if result is None or result[0].bits != result[1].bits or not (result[0].signed or result[1].signed):
        return False
    new = core_of(arch).contraction(f"i{result[0].bits}", shape_of(contract), "i32")
    return new is not None and new.signed == (False, False)


def _sums(contract: ir.Operation, total: ir.Value, correction: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The sum of unsigned products, and the sum of the corrections."""
    result = factors(contract)
    assert result is not None
    a, b = result
    x, y = (_unsigned(factor.value) for factor in result)
    if a.signed:
        correction = product(_unsigned(_sign_bits(a)), y, correction, partial=True)
    if b.signed:
        correction = product(x, _unsigned(_sign_bits(b)), correction, partial=True)
    return product(x, y, total), correction


def _unsigned(value: ir.Value) -> ir.OpResult:
    return arith.extui(ir.VectorType.get(value.type.shape, ir.IntegerType.get_signless(32)), value)


def _sign_bits(factor: Factor) -> ir.OpResult:
    lanes = flattened(factor.value)
    mask = arith.constant(lanes.type, splat(lanes.type, 1 << (factor.bits - 1)))
    return vector.shape_cast(factor.value.type, arith.andi(lanes, mask))


def _difference(total: ir.Value, correction: ir.Value) -> ir.OpResult:
    lanes = flattened(correction)
    return vector.shape_cast(total.type, arith.subi(flattened(total), arith.addi(lanes, lanes)))
