"""air-unroll-segments."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from allo_air import dialects
from allo_air.core.cloning import clone
from allo_air.core.constants import constant_of, index_constant
from allo_air.core.diagnostics import error_at
from allo_air.core.names import sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.air import SegmentOp
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.names import Names


@dataclass(frozen=True)
class AirUnrollSegments(Pass):
    """Unrolls the instances of an `air.segment` into one segment of a single instance.

    Each instance has its own buffers and herds, and all share one device; `air-place-herds` places all of them. Herds get
    names of their own. Segments of one instance stay unchanged. MLIR-AIR creates a device for each instance instead, and
    merges them (`air-merge-unrolled-devices`).

    Before:

        air.segment @s unroll (%i) in (%n=%c2) args(%x=%a) : memref<128xi32> {
          air.herd @h tile (%u, %v) in (%p=%c1, %q=%c1) args(%k=%i, %y=%x) : index, memref<128xi32> { ... }
        }

    After:

        air.segment @s args(%x=%a) : memref<128xi32> {
          %c0 = arith.constant 0 : index
          air.herd @h tile (%u, %v) in (%p=%c1, %q=%c1) args(%k=%c0, %y=%x) : index, memref<128xi32> { ... }
          %c1 = arith.constant 1 : index
          air.herd @h_0 tile (%u, %v) in (%p=%c1, %q=%c1) args(%k=%c1, %y=%x) : index, memref<128xi32> { ... }
        }
    """

    name = "air-unroll-segments"
    anchor = "builtin.module"
    works_on = ("air.*",)

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        names = Names(op)
        for segment in walk_named(op, "air.segment"):
            if len(segment.opview.sizes):
                _unroll(segment.opview, names)


def _unroll(segment: SegmentOp, names: Names) -> None:
    sizes = [constant_of(v) for v in segment.sizes]
    if any(s is None for s in sizes):
        raise error_at(segment, "is unrolled a number of times that is not constant, and cores are placed when it is compiled")
    attributes = {n: v for n, v in segment.attributes.items() if n not in ("operandSegmentSizes", "sym_name")}
    new = SegmentOp.build(
        [], list(segment.args), deps=list(segment.deps), token=segment.token is not None, sym_name=segment.sym_name,
        attributes=attributes, loc=segment.location, ip=ir.InsertionPoint(segment),
    )  # fmt: skip
    [*body, _] = [o.operation for o in segment.block.operations]
    [*_, end] = [o.operation for o in new.block.operations]
    for number, ids in enumerate(product(*(range(s or 0) for s in sizes))):
        values = dict(zip(segment.body_args, new.body_args, strict=True))
        for value, size in zip((*segment.ids, *segment.size_args), (*ids, *sizes), strict=True):
            values[value] = index_constant(size or 0, segment.location, ir.InsertionPoint(end))
        copies = [clone(op, values, ir.InsertionPoint(end)) for op in body]
        if number:
            _rename([herd for copy in copies for herd in walk_named(copy, "air.herd")], names)
    if new.token is not None:
        segment.token.replace_all_uses_with(new.token)
    segment.operation.erase()


def _rename(herds: list[ir.Operation], names: Names) -> None:
    """Renames herds. Herds with the same name, phases of the same cores, get the same new name."""
    fresh: dict[str, str] = {}
    for herd in herds:
        if "sym_name" in herd.attributes:
            old = sym_name_of(herd)
            fresh[old] = fresh.get(old) or names.fresh(old)
            herd.attributes["sym_name"] = ir.StringAttr.get(fresh[old])
