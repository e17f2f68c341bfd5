"""air-merge-segments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.air import SegmentOp
from allo_air.dialects.air_values import is_token
from allo_air.mlir import AnyOp, ir
from allo_air.passes.bind._outline import arranged, fill


@dataclass(frozen=True)
class AirMergeSegments(Pass):
    """Merges the segments of a launch into one, since one device is configured at a time.

    If one of them has several instances or a token, they stay unchanged. The merged segment has the name of the first and the
    place of the last. Only computations may be between them, and names of herds must differ; this is not checked.

    Before:

        air.launch () in () args(%x=%a, %y=%b) : memref<64xi32>, memref<32xi32> {
          air.segment @s args(%u=%x) : memref<64xi32> { FIRST }
          air.segment @t args(%v=%y) : memref<32xi32> { SECOND }
        }

    After:

        air.launch () in () args(%x=%a, %y=%b) : memref<64xi32>, memref<32xi32> {
          air.segment @s args(%u=%x, %v=%y) : memref<64xi32>, memref<32xi32> {
            FIRST
            SECOND
          }
        }
    """

    name = "air-merge-segments"
    anchor = "builtin.module"
    works_on = ("air.*",)

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        for launch in walk_named(op, "air.launch"):
            block = launch.regions[0].blocks[0]
            segments = [o.operation for o in block.operations if o.operation.name == "air.segment"]
            if len(segments) > 1 and not any(map(_is_apart, segments)):
                _merge(segments)


def _is_apart(segment: AnyOp) -> bool:
    return bool(len(segment.opview.sizes)) or any(map(is_token, (*segment.operands, *segment.results)))


def _merge(segments: list[Any]) -> None:
    first, last = segments[0], segments[-1]
    args = arranged(list(dict.fromkeys(v for s in segments for v in s.opview.args)))
    attributes = {n: v for n, v in first.attributes.items() if n not in ("operandSegmentSizes", "sym_name")}
    new = SegmentOp.build(
        [], args, sym_name=first.opview.sym_name, attributes=attributes, loc=first.location, ip=ir.InsertionPoint(last)
    )
    outer = dict(zip(args, new.body_args, strict=True))
    for segment in segments:
        view = segment.opview
        inside = {inner: outer[value] for inner, value in zip(view.body_args, view.args, strict=True)}
        fill(new, [o.operation for o in view.block.operations][:-1], inside)
        segment.erase()
