"""affine-loop-opt."""

from collections.abc import Sequence
from dataclasses import dataclass

from allo_air.core.diagnostics import error_at
from allo_air.core.folding import number_of
from allo_air.core.loops import Dim, dim_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.errors import PassError
from allo_air.mlir import AnyOp, ir
from allo_air.passes.runtime._affine_loops import LABEL, affine_for, body_of, constant


@dataclass(frozen=True)
class AffineLoopOpt(Pass):
    """Tiles labelled nests of `affine.for` loops, as air-to-std leaves them for launches.

    `affine-opt-tile-sizes` gives iterations per tile, outermost loop first; loops beyond the list are left alone, and without
    a list nothing is done. `affine-opt-label`, which mlir-air spells `aaffine-opt-label` and which may be spelled so, restricts
    the pass to nests with that `affine_opt_label`; a tiled nest gets `affine-opt-post-label` instead, or none. Rounds of a
    labelled nest must not depend on each other; those of a launch do not. Copies to faster memory (`affine-opt-copy-depths`)
    and separate partial tiles are not done, and refused.

    Before (`affine-loop-opt{affine-opt-tile-sizes=4}`):

        affine.for %i = 0 to 10 {
          "use"(%i) : (index) -> ()
        } {affine_opt_label = "tiling"}

    After:

        affine.for %t = 0 to 10 step 4 {
          affine.for %i = affine_map<(d0) -> (d0)>(%t) to min affine_map<(d0) -> (d0 + 4, 10)>(%t) {
            "use"(%i) : (index) -> ()
          }
        }
    """

    name = "affine-loop-opt"
    anchor = "func.func"
    affine_opt_tile_sizes: tuple[int, ...] = ()
    """Iterations per tile, the outermost loop first; without a list nothing is done."""
    affine_opt_copy_depths: tuple[int, ...] = ()
    """Depths at which copies to faster memory would be made, which is refused."""
    affine_opt_copy_fast_space: int = 1
    """The memory space of those copies."""
    affine_opt_copy_slow_space: int | None = None
    """The memory space that those copies would be made from."""
    affine_opt_tile_separate: bool = False
    """Partial tiles by themselves, which is refused."""
    affine_opt_label: str = ""
    """Tile only nests with this `affine_opt_label`."""
    aaffine_opt_label: str = ""
    """The same, as mlir-air spells it."""
    affine_opt_post_label: str = ""
    """The label of tiled nests; without one they have none."""

    def run(self, op: AnyOp, /) -> None:
        if self.affine_opt_copy_depths:
            raise PassError(
                f"{self.name}: affine-opt-copy-depths={','.join(map(str, self.affine_opt_copy_depths))}: copies to faster"
                " memory are not made; the control program only starts DMA transfers: leave the option out"
            )
        if any(size < 1 for size in self.affine_opt_tile_sizes):
            raise PassError(f"{self.name}: affine-opt-tile-sizes={self.affine_opt_tile_sizes}: each must be at least 1")
        if not self.affine_opt_tile_sizes:
            return
        inside: list[ir.Operation] = []
        nests: list[list[ir.Operation]] = []
        for loop in walk_named(op, "affine.for"):
            wanted = self.affine_opt_label or self.aaffine_opt_label
            if LABEL in loop.attributes and wanted in ("", loop.attributes[LABEL].value) and loop not in inside:
                nests.append(_perfect_nest(loop)[: len(self.affine_opt_tile_sizes)])
                inside += nests[-1]
        for nest in nests:
            self._tile(nest)

    def _tile(self, nest: list[ir.Operation]) -> None:
        found = [dim_of(loop, number_of) for loop in nest]
        for loop, known in zip(nest, found, strict=True):
            if known is None or len(loop.results):
                raise error_at(
                    loop, "cannot be tiled: its bounds are not constant, or it returns values; run canonicalize before"
                )
        ranges = [known for known in found if known is not None]
        sizes = self.affine_opt_tile_sizes[: len(nest)]
        if self.affine_opt_tile_separate:
            _check_even(nest, ranges, sizes)
        _rebuild(nest, ranges, sizes, self.affine_opt_post_label)


def _perfect_nest(loop: ir.Operation) -> list[ir.Operation]:
    """`loop` and the loops of which each is all that the one around it holds."""
    nest = [loop]
    while True:
        inside = [o.operation for o in body_of(nest[-1]).operations]
        if [o.name for o in inside] != ["affine.for", "affine.yield"]:
            return nest
        nest.append(inside[0])


def _check_even(nest: Sequence[ir.Operation], ranges: Sequence[Dim], sizes: Sequence[int]) -> None:
    for loop, dim, size in zip(nest, ranges, sizes, strict=True):
        if dim.trips % size:
            raise error_at(
                loop, f"has {dim.trips} rounds, and partial tiles of {size} are not separated; choose a divisor of {dim.trips}"
            )


def _rebuild(nest: Sequence[ir.Operation], ranges: Sequence[Dim], sizes: Sequence[int], label: str) -> None:
    """Puts loops over tiles and loops inside a tile in the place of `nest`, around its innermost body."""
    outermost, innermost = nest[0], nest[-1]
    point, ivs = ir.InsertionPoint(outermost), []
    for i, (dim, size) in enumerate(zip(ranges, sizes, strict=True)):
        attributes = {LABEL: ir.StringAttr.get(label, outermost.context)} if label and not i else {}
        with point, nest[i].location:
            made = affine_for(constant(dim.lower), constant(dim.upper), dim.step * size, attributes)
        ivs.append(body_of(made).arguments[0])
        point = ir.InsertionPoint.at_block_terminator(body_of(made))
    inner = []
    for loop, iv, dim, size in zip(nest, ivs, ranges, sizes, strict=True):
        with point, loop.location:
            d0 = ir.AffineExpr.get_dim(0)
            ends = [d0 + dim.step * size, ir.AffineExpr.get_constant(dim.upper)]
            even = dim.trips % size == 0
            made = affine_for(
                (ir.AffineMap.get(1, 0, [d0]), [iv]), (ir.AffineMap.get(1, 0, ends[:1] if even else ends), [iv]), dim.step
            )
        inner.append(made)
        point = ir.InsertionPoint.at_block_terminator(body_of(made))
    block = body_of(inner[-1])
    end = block.operations[0].operation
    for op in [o.operation for o in body_of(innermost).operations][:-1]:
        op.move_before(end)
    for old, new in zip(nest, inner, strict=True):
        body_of(old).arguments[0].replace_all_uses_with(body_of(new).arguments[0])
    outermost.erase()
