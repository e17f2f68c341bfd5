"""`transform.air.linalg_tile`: tiles linalg operations with scf.forall."""

from allo_air.errors import PassError, counted
from allo_air.mlir import ir
from allo_air.passes._analysis.structured import is_structured, loop_extents, reductions
from allo_air.transform.operations import Application
from allo_air.transform.segments import run_snippet


def apply(call: Application) -> list[list[ir.Operation]]:
    """Tiles each target, and returns the tiled operations and the scf.forall around each.

    A size of 0 leaves a loop untiled; a size above the loop's extent becomes the extent, also for the following targets. Sizes
    must divide the extents. Iterations of a reduction loop write the same elements. If a reduction loop is tiled into several
    iterations, it becomes an scf.for, which is returned if no other loop is tiled.
    """
    attributes = list(call.op.attributes["static_sizes"])
    loops: list[ir.Operation] = []

    def rewrite(target: ir.Operation) -> ir.Operation:
        if not is_structured(target):
            raise PassError(f"expects a linalg operation, found {target.name}", target.location, target.name)
        sizes = _sizes(target, attributes)
        if not any(sizes):
            raise PassError("has no loop left to tile: all sizes are 0", target.location, target.name)
        extents, reduced = loop_extents(target), reductions(target)
        serial = [size if r and size != extent else 0 for size, r, extent in zip(sizes, reduced, extents, strict=False)]
        parallel = [0 if s else size for size, s in zip(sizes, serial, strict=True)]
        ops: list[ir.Operation] = []
        for form, part in (("forall", parallel), ("for", serial)):
            if any(part):
                target, around = _tiled(call.root, target, form, part)
                ops += around
        loops.append(ops[0])
        return target

    [tiled] = call.each(rewrite)
    return [tiled, loops]


def _tiled(root: ir.Operation, target: ir.Operation, form: str, sizes: list[int]) -> tuple[ir.Operation, list[ir.Operation]]:
    """The target tiled by transform.structured.tile_using_`form`, and the loops around it."""
    names = [f"l{n}" for n in range(1 if form == "forall" else sum(map(bool, sizes)))]
    kinds = ", ".join(["!transform.any_op"] * (len(names) + 1))
    results = ", ".join(f"%{n}" for n in ("r", *names))
    text = f"{results} = transform.structured.tile_using_{form} %t tile_sizes {sizes} : (!transform.any_op) -> ({kinds})"
    [[tiled], *loops] = run_snippet(root, text, {"t": [target]}, ("r", *names))
    return tiled, [loop for [loop] in loops]


def _sizes(target: ir.Operation, sizes: list[int]) -> list[int]:
    """The tile sizes for `target`. Sizes above an extent are changed in `sizes`, too."""
    extents = loop_extents(target)
    if len(sizes) > len(extents):
        raise PassError(
            f"has {counted(len(extents), 'loop')}, found {counted(len(sizes), 'size')}", target.location, target.name
        )
    for d, size in enumerate(sizes):
        if size and extents[d] < 0:
            raise PassError(f"cannot tile loop {d}: its extent is not known", target.location, target.name)
        sizes[d] = min(size, extents[d])
        if sizes[d] and extents[d] % sizes[d]:
            raise PassError(
                f"only supports tiling in integer factors: size {sizes[d]} does not divide the extent {extents[d]} of loop {d}",
                target.location,
                target.name,
            )
    return list(sizes)
