"""A parallel loop as a nest of `scf.for`, with loop-carried reductions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from allo_air.core.cloning import clone_body, replace
from allo_air.core.constants import index_constant
from allo_air.core.loops import Loop
from allo_air.mlir import AnyOp, ir, scf


def to_for_nest(loop: ir.Operation) -> None:
    """Replaces `scf.parallel` `loop` by `scf.for` loops, the first dimension outermost.

    Before:
        %r = scf.parallel (%i, %j) = (%a, %b) to (%c, %d) step (%e, %f) init (%x) -> f32 {
          scf.reduce(%v : f32) { ^bb0(%l: f32, %m: f32): %s = arith.addf %l, %m ... scf.reduce.return %s }
        }
    After:
        %r = scf.for %i = %a to %c step %e iter_args(%y = %x) -> f32 {
          %q = scf.for %j = %b to %d step %f iter_args(%z = %y) -> f32 {
            %s = arith.addf %z, %v
            scf.yield %s
          }
          scf.yield %q
        }
    """
    block, location = Loop(loop).block, loop.location
    operands, rank = list(loop.operands), len(block.arguments)
    lower, upper, steps = (operands[k * rank : (k + 1) * rank] for k in range(3))
    carried, ip = Loop(loop).inits, ir.InsertionPoint(loop)
    outer, result = [], None
    for bounds in zip(lower, upper, steps, strict=True):
        result = scf.ForOp(*bounds, carried, loc=location, ip=ip)
        outer.append(result)
        carried, ip = list(result.inner_iter_args), ir.InsertionPoint(result.body)
    *body, reduce = [o.operation for o in block.operations]
    for iv, new in zip(block.arguments, outer, strict=True):
        iv.replace_all_uses_with(new.induction_variable)
    innermost = outer[-1]
    end = scf.YieldOp(carried, loc=location, ip=ir.InsertionPoint(innermost.body)).operation
    for op in body:
        op.move_before(end)
    for n, (region, value) in enumerate(zip(reduce.regions, reduce.operands, strict=True)):
        end.operands[n] = _combined(region.blocks[0], carried[n], value, end)
    for outer_loop, inner_loop in pairwise(outer):
        scf.YieldOp(list(inner_loop.results), loc=location, ip=ir.InsertionPoint(outer_loop.body))
    replace(loop, outer[0].results)


def _combined(block: ir.Block, so_far: ir.Value, value: ir.Value, before: AnyOp) -> ir.Value:
    """The result of a reduction's body on both values, emitted before `before`."""
    values = {block.arguments[0]: so_far, block.arguments[1]: value}
    return clone_body(block, values, ir.InsertionPoint(before))[1][0]


def nest_over(sizes: Sequence[ir.Value], location: ir.Location, carried: Sequence[ir.Value] = ()) -> list[scf.ForOp]:
    """`scf.for` loops from 0 to each of `sizes`, at the insertion point, outermost first; they carry `carried`.

    Each yields the results of the next one. The innermost is left without its yield; there must be at least one.
    """
    zero, one = index_constant(0, location), index_constant(1, location)
    ip, values, loops = ir.InsertionPoint.current, list(carried), []
    for size in sizes:
        loops.append(scf.ForOp(zero, size, one, values, loc=location, ip=ip))
        ip, values = ir.InsertionPoint(loops[-1].body), list(loops[-1].inner_iter_args)
    for outer_loop, inner_loop in pairwise(loops):
        scf.YieldOp(list(inner_loop.results), loc=location, ip=ir.InsertionPoint(outer_loop.body))
    return loops
