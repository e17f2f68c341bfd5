"""`transform.air.par_to_segment`: applies air-par-to-segment to single scf.parallel loops."""

from typing import Any

from allo_air.dialects.air import SegmentOp
from allo_air.errors import PassError
from allo_air.mlir import ir
from allo_air.passes._analysis.parallel import PADDING, view
from allo_air.passes._ir.names import Names, name_around
from allo_air.passes.bind._affine_scope import lower_affine_scope
from allo_air.passes.bind._outline import check_no_reduction, outline
from allo_air.transform.operations import Application


def apply(call: Application) -> list[list[ir.Operation]]:
    """The segments, unrolled over the loops' iterations, that replace the loops."""
    names = Names(call.root)

    def rewrite(target: ir.Operation) -> Any:
        call.expect(target, "scf.parallel")
        loop = view(target, "air.segment")
        check_no_reduction(loop, "air.segment")
        if loop.is_empty:
            raise PassError("cannot become air.segment: it has no iterations", target.location, target.name)
        name = names.fresh(name_around(target, "segment"))
        segment = outline(loop, SegmentOp, loop.grid or (PADDING,), loop.body, sym_name=name)
        target.erase()
        lower_affine_scope(segment.operation)
        return segment.operation

    return call.each(rewrite)
