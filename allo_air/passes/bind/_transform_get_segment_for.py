"""`transform.air.get_segment_for`: finds the segments around operations."""

from allo_air.core.walking import enclosing
from allo_air.mlir import ir
from allo_air.transform.operations import Application


def apply(call: Application) -> list[list[ir.Operation]]:
    """The segments around the targets, each once."""
    ops: list[ir.Operation] = []
    for target in call.targets[0]:
        segment = enclosing(target, "air.segment")
        if segment is None:
            raise call.refuse("could not find an 'air.segment' around its target", target)
        if all(segment != candidate for candidate in ops):
            ops.append(segment)
    return [ops]
