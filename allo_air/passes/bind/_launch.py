"""Turns one parallel loop into a launch, and a launch's body into a segment."""

from __future__ import annotations

from typing import Any

from allo_air.dialects.air import LaunchOp, SegmentOp
from allo_air.mlir import ir
from allo_air.passes._analysis.parallel import PADDING, ParallelLoop
from allo_air.passes._ir.names import Names, name_around
from allo_air.passes.bind._outline import arranged, check_no_reduction, fill, outline


def to_launch(loop: ParallelLoop) -> ir.OpView:
    """The launch that replaces `loop`."""
    op = loop.op
    check_no_reduction(loop, "air.launch")
    attributes = {"air.actual_sizes": op.attributes["air.actual_sizes"]} if "air.actual_sizes" in op.attributes else {}
    launch = outline(loop, LaunchOp, loop.grid or (PADDING,), loop.body, attributes=attributes)
    op.erase()
    return launch


def add_segment(launch: Any, names: Names) -> None:
    """Moves the body of `launch` into a segment that gets all of the launch's block arguments."""
    [*body, terminator] = [o.operation for o in launch.block.operations]
    args = arranged(list(launch.block.arguments))
    name = names.fresh(name_around(launch, "segment"))
    segment = SegmentOp.build([], args, sym_name=name, loc=launch.location, ip=ir.InsertionPoint(terminator))
    fill(segment, body, dict(zip(args, segment.body_args, strict=True)))
