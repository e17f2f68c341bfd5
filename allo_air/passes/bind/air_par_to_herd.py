"""air-par-to-herd."""

from dataclasses import dataclass
from typing import Literal

from allo_air import dialects
from allo_air.core.loops import Dim
from allo_air.core.pass_ import Pass
from allo_air.core.walking import enclosing, walk_named
from allo_air.dialects.air_values import HIERARCHIES
from allo_air.mlir import ir
from allo_air.passes._analysis.columns import columns_of
from allo_air.passes._analysis.parallel import ParallelLoop, view
from allo_air.passes._ir.device_option import device_option
from allo_air.passes._ir.names import Names, name_herds
from allo_air.passes.bind._affine_scope import lower_affine_scope
from allo_air.passes.bind._herd import check_allocations, to_herd
from allo_air.passes.bind._outline import apply, candidates, parallel
from allo_air.passes.bind._tile_dma import tile_l1_dmas
from allo_air.plan.plan import UNPLANNED, Plan
from allo_air.plan.schema import plan_or_unplanned


@dataclass(frozen=True)
class AirParToHerd(Pass):
    """Turns parallel loops into `air.herd`, a two-dimensional grid of cores.

    `depth` counts the parallel loops around a loop: 0 is outermost, -1 innermost, other negative numbers select all, of which
    those inside a herd stay loops. Loops that contain a hierarchy stay. Bounds must be constant; a loop without iterations is
    erased. The first dimension of a loop is along dimension `first-dim` of the herd. Loops of one dimension are along dimension
    1 if they have more iterations than `device` has columns, or than their kernel may use, or if `plan-tiles` planned one
    column. They are along both dimensions, column by column, if they have an iteration for each core of these columns, or of
    the columns that a plan uses (`spread`).
    Of more than two dimensions the last two become the herd and the others a loop around it. Constants are cloned into the
    herd, other captured values become arguments. `link_with` comes from the functions that the body calls. Herds that share an
    L1 buffer get the same symbol. A reduction of L1 memrefs becomes a chain of cascade channels. A DMA between L1 and L2
    outside of the loop is split into the loop's tiles.

    Before (`air-par-to-herd`):

        scf.parallel (%i) = (%c4) to (%c8) step (%c2) {
          memref.store %v, %a[%i] : memref<8xi32, 2>
        }

    After:

        air.herd @herd_0 tile (%x, %y) in (%sx=%c2, %sy=%c1) args(%w=%v, %b=%a) : i32, memref<8xi32, 2> {
          %i = affine.apply affine_map<(d0) -> (d0 * 2 + 4)>(%x)
          memref.store %w, %b[%i] : memref<8xi32, 2>
        }
    """

    name = "air-par-to-herd"
    anchor = "builtin.module"
    works_on = ("scf.parallel", "scf.forall", "affine.parallel")
    depth: int = -2
    """Parallel loops around those that become herds: 0 for outermost ones, -1 for innermost ones, other negative numbers for
    all."""
    first_dim: Literal[0, 1] = 0
    """The dimension of the herd for the first dimension of loops."""
    device: str = ""
    """The device whose number of columns limits dimension 0 of herds of one-dimensional loops; by default no limit."""
    cols: int = 0
    """Columns of the device that may be used, 0 for all."""

    def run(self, op: ir.Operation, /) -> None:
        dialects.load(op.context, ("air",))
        tile_l1_dmas(op)
        names = Names(op)
        device = device_option(self.name, self.device) if self.device else None
        columns, rows = (device.columns, len(device.core_rows)) if device else (0, 0)
        for loop in candidates(op, self.depth, "air.herd", inside=["air.herd"], containing=HIERARCHIES):
            check_allocations(loop.op)
            placed = _on_both(loop, _plan_for(loop).spread or _columns_for(loop, self.cols or columns), rows)
            first = 1 if _is_column(placed, columns) else self.first_dim
            to_herd(op, placed, names, first, swap=self.first_dim == 1 and placed is loop)
        for herd in walk_named(op, "air.herd"):
            lower_affine_scope(herd)
        name_herds(op, names)


def _is_column(loop: ParallelLoop, columns: int) -> bool:
    """Whether `loop`, of one dimension, has more iterations than columns available, of `columns` on the device, or its plan has
    one column of cores.
    """
    if not columns or len(loop.grid) != 1:
        return False
    plan, trips = _plan_for(loop), loop.grid[0].trips
    return trips > _columns_for(loop, columns) or (plan.is_tiled and plan.cores == (1, trips))


def _columns_for(loop: ParallelLoop, columns: int) -> int:
    """The number of `columns` that the function around `loop` may use."""
    function = _parallel_around(loop)
    return columns if function is None else columns_of(function, columns)


def _plan_for(loop: ParallelLoop) -> Plan:
    function = _parallel_around(loop)
    return UNPLANNED if function is None else plan_or_unplanned(function)


def _parallel_around(loop: ParallelLoop) -> ir.Operation | None:
    return enclosing(loop.op, "func.func")


def _on_both(loop: ParallelLoop, columns: int, rows: int) -> ParallelLoop:
    """`loop` over both dimensions of the array, column by column, if it has one dimension and an iteration for each core."""
    if len(loop.grid) != 1 or loop.inits or 1 in (columns, rows) or loop.grid[0].trips != columns * rows:
        return loop
    [dim], location = loop.grid, loop.op.location
    with ir.InsertionPoint(loop.op):
        result = parallel([Dim(None, 0, columns, 1), Dim(None, 0, rows, 1)], location)
    block = result.regions[0].blocks[0]
    column, row = ir.AffineDimExpr.get(0), ir.AffineDimExpr.get(1)
    with ir.InsertionPoint.at_block_begin(block):
        along = (column * rows + row) * dim.step + dim.lower
        dim.iv.replace_all_uses_with(apply(along, list(block.arguments), location))
    [*_, last] = block.operations
    for op in loop.body:
        op.move_before(last)
    loop.op.erase()
    return view(result, "air.herd")
