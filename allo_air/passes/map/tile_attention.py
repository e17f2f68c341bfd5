"""tile-attention."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.attention_plan import AttentionPlan
from allo_air.passes.map._attention_kernel import attention_of
from allo_air.passes.map._attention_tiles import tiled
from allo_air.plan.schema import decided_for


@dataclass(frozen=True)
class TileAttention(Pass):
    """Tiles the functions that `plan-attention` planned; the scores of a tile never leave the core that computes them.

    A launch iteration takes the queries of all cores. Keys and values are copied to L2 and from there to all cores, block by
    block. Each core processes the blocks with the running maximum of the scores, the sum of their powers and the sum of
    products (online softmax), and divides at the end. Padded queries and keys do not contribute.

    Before:

        %s = linalg.batch_matmul ins(%q, %kt) ...
        // maximum, difference, exp, sum, quotient
        %o = linalg.batch_matmul ins(%p, %v) ...

    After:

        scf.forall (%b, %t) in (2, 4) {
          // the queries of all cores, keys and values in memory space 1
          scf.forall (%x, %y) in (4, 4) {
            // the core's queries in memory space 2
            scf.for %key = %c0 to %c256 step %c32 iter_args(%sum, %max, %total) {
              // a block of keys and values in memory space 2; linalg operations on it
            }
            // %sum / %total
    """

    name = "tile-attention"

    def run(self, op: AnyOp, /) -> None:
        for function in walk_named(op, "func.func"):
            plan = AttentionPlan.of(decided_for(function))
            if plan is None:
                continue
            group = attention_of(function)
            if group is None:
                raise error_at(
                    function, "is planned as attention and computes something else; tile it as plan-attention left it"
                )
            *old, end = [o.operation for o in function.regions[0].blocks[0].operations]
            with ir.InsertionPoint(end), group.product.data[0].location:
                end.operands[0] = tiled(group, plan, end.operands[0].type)
            for dead in reversed(old):
                dead.erase()
