"""air-fuse-parallel-launch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air import dialects
from allo_air.core.cloning import clone
from allo_air.core.constants import constant_of, index_constant
from allo_air.core.loops import Dim, Loop
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.air import HerdOp
from allo_air.mlir import AnyOp, affine, ir
from allo_air.passes._analysis.effects import is_pure


@dataclass(frozen=True)
class AirFuseParallelLaunch(Pass):
    """Fuses a one-dimensional `scf.parallel` that contains only a herd into that herd, where it replaces a dimension of size 1.

    Loops without iterations or with dynamic bounds stay unchanged, as do herds with tokens, with a dynamic size, or without a
    dimension of size 1.

    Before:

        scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
          air.herd tile (%x, %y) in (%m=%c1, %n=%c2) args(%k=%i) : index {
            "use"(%k, %y) : (index, index) -> ()
          }
        }

    After:

        air.herd tile (%x, %y) in (%m=%c4, %n=%c2) {
          "use"(%x, %y) : (index, index) -> ()
        }
    """

    name = "air-fuse-parallel-launch"
    anchor = "func.func"
    works_on = ("air.*",)

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        for parallel in walk_named(op, "scf.parallel"):
            loop = Loop(parallel)
            herds = [o for o in loop.body if not is_pure(o)]
            dims = loop.dims()
            if len(herds) == 1 and herds[0].name == "air.herd" and dims is not None and len(dims) == 1 and not loop.inits:
                _fuse(loop, dims[0], HerdOp(herds[0]))


def _fuse(loop: Loop, dim: Dim, herd: HerdOp) -> None:
    sizes = [constant_of(v) for v in herd.sizes]
    if herd.token is not None or len(herd.deps) or None in sizes or 1 not in sizes or dim.trips < 1:
        return
    place = sizes.index(1)
    sizes[place] = dim.trips
    inside = {r for o in loop.body for r in o.results} | {dim.iv}
    outer = _needed(loop, herd, inside)
    attributes = {k: v for k, v in herd.operation.attributes.items() if k not in ("operandSegmentSizes", "sym_name")}
    with ir.InsertionPoint(loop.op):
        grid = [index_constant(n or 0, herd.location) for n in sizes]
    result = HerdOp.build(
        grid, outer, loc=herd.location, ip=ir.InsertionPoint(loop.op), sym_name=herd.sym_name, attributes=attributes
    )
    mapping: dict[Any, Any] = dict(zip(outer, result.body_args, strict=True))
    end = list(result.block.operations)[-1].operation
    with ir.InsertionPoint(end), herd.location:
        mapping[dim.iv] = result.ids[place]
        if (dim.lower, dim.step) != (0, 1):
            d0 = ir.AffineExpr.get_dim(0)
            mapping[dim.iv] = affine.apply(ir.AffineMap.get(1, 0, [d0 * dim.step + dim.lower]), [result.ids[place]])
        for op in loop.body:
            if op != herd.operation:
                clone(op, mapping)
        one, zero = index_constant(1, herd.location), index_constant(0, herd.location)
        for old, new, new_value in ((herd.ids, result.ids, zero), (herd.size_args, result.size_args, one)):
            for n, value in enumerate(old):
                value.replace_all_uses_with(new_value if n == place else new[n])
    for argument, value in zip(herd.body_args, herd.args, strict=True):
        argument.replace_all_uses_with(mapping[value])
    for op in [o.operation for o in herd.block.operations][:-1]:
        op.move_before(end)
    loop.op.erase()


def _needed(loop: Loop, herd: HerdOp, inside: set[ir.Value]) -> list[Any]:
    """The values from outside of `loop` that `herd` uses, directly or to compute its arguments, in order."""
    results = [v for o in loop.body if o != herd.operation for v in o.operands]
    return list(dict.fromkeys(v for v in (*herd.args, *results) if v not in inside))
