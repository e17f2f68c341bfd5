"""Unrolls a loop, and marks each operation with the number of its copy."""

from __future__ import annotations

from allo_air.core.cloning import clone_body, replace
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.loops import Loop
from allo_air.mlir import AnyOp, affine, arith, ir, scf
from allo_air.passes.schedule._ping_pong_buffers import UNROLL

ITERATION = "unrolled_iteration"


def unroll(loop: AnyOp) -> None:
    """Unrolls scf.for `loop` by the factor in its label; a completely unrolled loop is erased.

    Before: `scf.for %i = %c0 to %c4 step %c1 { "use"(%i) } {unroll = 2 : i32}`, after: `scf.for %i = %c0 to %c4 step %c2 {
    "use"(%i) {unrolled_iteration = 0 : i32}; %j = %i + 1; "use"(%j) {unrolled_iteration = 1 : i32} }`.
    """
    factor, count = int(loop.attributes[UNROLL].value), Loop(loop).trips()
    if count is None or factor < 1 or count % factor:
        runs = "an unknown number of" if count is None else count
        raise error_at(loop, f"runs {runs} times, which is not a multiple of its label, unroll = {factor}")
    lower, upper, step = list(loop.operands)[:3]
    width, inits = constant_of(step) or 1, Loop(loop).inits
    location, ip = loop.location, ir.InsertionPoint(loop)
    if factor == count:
        values, op, iv, inner_ip = inits, None, lower, ip
    else:
        wide = arith.ConstantOp(ir.IndexType.get(), width * factor, loc=location, ip=ip).result
        op = scf.ForOp(lower, upper, wide, inits, loc=location, ip=ip)
        values, iv, inner_ip = list(op.inner_iter_args), op.induction_variable, ir.InsertionPoint(op.body)
    i32 = ir.IntegerType.get_signless(32)
    for n in range(factor):
        named = dict(zip(Loop(loop).block.arguments, [_shifted_iv(iv, n * width, inner_ip, location), *values], strict=True))
        copies, values = clone_body(Loop(loop).block, named, inner_ip)
        for copy in copies:
            copy.attributes[ITERATION] = ir.IntegerAttr.get(i32, n)
    if op is not None:
        scf.YieldOp(values, loc=location, ip=inner_ip)
        values = list(op.results)
    replace(loop, values)


def _shifted_iv(iv: ir.Value, by: int, ip: ir.InsertionPoint, location: ir.Location) -> ir.Value:
    if not by:
        return iv
    sum_ = ir.AffineMap.get(1, 0, [ir.AffineDimExpr.get(0) + by])
    return affine.AffineApplyOp(sum_, [iv], loc=location, ip=ip).result
