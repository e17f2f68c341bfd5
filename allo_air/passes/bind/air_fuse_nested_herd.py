"""air-fuse-nested-herd."""

from dataclasses import dataclass
from typing import Any, Literal

from allo_air import dialects
from allo_air.core.constants import constant_of, index_constant
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.air import HerdOp
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.effects import is_pure


@dataclass(frozen=True)
class AirFuseNestedHerd(Pass):
    """Fuses a herd that contains only another herd into one of two dimensions; each must have one dimension larger than 1.

    With `order` outer-inner, the outer herd's id is the column; with inner-outer, the inner herd's id.

    Before:

        air.herd @o tile (%x, %y) in (%sx=%c4, %sy=%c1) args(%a=%m) : memref<8xi32> {
          air.herd @i tile (%u, %v) in (%su=%c2, %sv=%c1) args(%b=%a, %k=%x) : memref<8xi32>, index {
            "use"(%b, %k, %u) : (memref<8xi32>, index, index) -> ()
          }
        }

    After:

        air.herd @o tile (%x, %u) in (%sx=%c4, %su=%c2) args(%a=%m) : memref<8xi32> {
          "use"(%a, %x, %u) : (memref<8xi32>, index, index) -> ()
        }
    """

    name = "air-fuse-nested-herd"
    anchor = "func.func"
    works_on = ("air.*",)
    order: Literal["outer-inner", "inner-outer"] = "outer-inner"
    """Which herd's id becomes the column of the fused herd: that of the outer or of the inner one."""

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        herds = walk_named(op, HerdOp.OPERATION_NAME)
        for outer, inner in [(herd, inner_herd) for herd in herds if (inner_herd := _only_herd_in(herd)) is not None]:
            _fuse(HerdOp(outer), HerdOp(inner), self.order == "inner-outer")


def _only_herd_in(herd: ir.Operation) -> Any:
    """The only herd in `herd`, which otherwise only computes values; None if it contains anything else."""
    ops = [o.operation for o in herd.regions[0].blocks[0].operations][:-1]
    inner = [o for o in ops if not is_pure(o)]
    return inner[0] if len(inner) == 1 and inner[0].name == HerdOp.OPERATION_NAME else None


def _fuse(outer: HerdOp, inner: HerdOp, inner_first: bool) -> None:
    dims = [_dim(outer), _dim(inner)]
    if None in dims or len(inner.deps):
        return
    location, sizes = outer.location, [[constant_of(v) or 1 for v in herd.sizes] for herd in (outer, inner)]
    attributes = {k: v for k, v in outer.operation.attributes.items() if k not in ("operandSegmentSizes", "sym_name")}
    order = [1, 0] if inner_first else [0, 1]
    with ir.InsertionPoint(outer.operation):
        grid = [index_constant(sizes[n][dims[n] or 0], location) for n in order]
    result = HerdOp.build(
        grid,
        list(outer.args),
        deps=list(outer.deps),
        token=len(outer.operation.results) == 1,
        loc=location,
        ip=ir.InsertionPoint(outer.operation),
        sym_name=outer.sym_name or inner.sym_name,
        attributes={**attributes, **({"link_with": inner.operation.attributes["link_with"]} if inner.link_with else {})},
    )
    end = list(result.block.operations)[-1].operation
    with ir.InsertionPoint(end):
        for n, herd in enumerate((outer, inner)):
            for d, (id_, size) in enumerate(zip(herd.ids, herd.size_args, strict=True)):
                new = result.ids[order.index(n)] if d == dims[n] else index_constant(0, location)
                id_.replace_all_uses_with(new)
                size.replace_all_uses_with(index_constant(sizes[n][d], location))
    for old, new in zip(outer.body_args, result.body_args, strict=True):
        old.replace_all_uses_with(new)
    for op in [o.operation for o in outer.block.operations][:-1]:
        if op != inner.operation:
            op.move_before(end)
    for old, new in zip(inner.body_args, list(inner.args), strict=True):
        old.replace_all_uses_with(new)
    for op in [o.operation for o in inner.block.operations][:-1]:
        op.move_before(end)
    for old, new in zip(outer.operation.results, result.operation.results, strict=True):
        old.replace_all_uses_with(new)
    outer.operation.erase()


def _dim(herd: HerdOp) -> int | None:
    """The only dimension of `herd` that is not 1; None if there is none, or several, or a size is not constant."""
    sizes = [constant_of(v) for v in herd.sizes]
    wide = [d for d, size in enumerate(sizes) if size != 1]
    return wide[0] if len(wide) == 1 and sizes[wide[0]] is not None else None
