"""`transform.air.par_to_launch`: applies air-par-to-launch to single scf.parallel loops."""

from typing import Any

from allo_air.core.walking import walk_named
from allo_air.errors import PassError
from allo_air.mlir import ir
from allo_air.passes._analysis.parallel import view
from allo_air.passes._ir.names import Names
from allo_air.passes.bind._affine_scope import lower_affine_scope
from allo_air.passes.bind._launch import add_segment, to_launch
from allo_air.transform.operations import Application


def apply(call: Application) -> list[list[ir.Operation]]:
    """The launches that replace the loops; with `has_air_segment`, each contains a segment."""
    with_segment = call.flag("has_air_segment")
    names = Names(call.root)

    def rewrite(target: ir.Operation) -> Any:
        call.expect(target, "scf.parallel")
        loop = view(target, "air.launch")
        if loop.is_empty:
            raise PassError("cannot become air.launch: it has no iterations", target.location, target.name)
        launch = to_launch(loop)
        if with_segment and not walk_named(launch, "air.segment"):
            add_segment(launch, names)
        lower_affine_scope(launch.operation)
        return launch.operation

    return call.each(rewrite)
