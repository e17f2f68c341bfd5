"""`transform.air.par_to_herd`: applies air-par-to-herd to single scf.parallel loops."""

from typing import Any

from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_named
from allo_air.errors import PassError
from allo_air.mlir import ir
from allo_air.passes._analysis.parallel import view
from allo_air.passes._ir.names import Names, name_herds
from allo_air.passes.bind._affine_scope import lower_affine_scope
from allo_air.passes.bind._herd import to_herd
from allo_air.transform.operations import Application


def apply(call: Application) -> list[list[ir.Operation]]:
    """The herds that replace the loops; herds that share an L1 buffer get one name."""
    first_dim = call.option("first_dim", 0)
    if first_dim not in (0, 1):
        raise call.refuse(f"expects first_dim to be 0 or 1, found {first_dim}")
    names = Names(call.root)

    def rewrite(target: ir.Operation) -> Any:
        call.expect(target, "scf.parallel")
        loop = view(target, "air.herd")
        if loop.is_empty:
            raise PassError("cannot become air.herd: it has no iterations", target.location, target.name)
        herd = to_herd(call.root, loop, names, first_dim, swap=first_dim == 1)
        lower_affine_scope(herd)
        return herd.operation

    ops = call.each(rewrite)
    for herd in walk_named(call.root, "air.herd"):
        if "sym_name" in herd.attributes and sym_name_of(herd).startswith("herd_"):
            del herd.attributes["sym_name"]
    name_herds(call.root, Names(call.root))
    return ops
