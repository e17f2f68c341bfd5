"""air-par-to-herd."""

from dataclasses import dataclass
from typing import Any, Literal

from allo_air import dialects
from allo_air.core.diagnostics import error_at
from allo_air.core.loops import Dim
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.air import L1, HerdOp
from allo_air.dialects.air_values import HIERARCHIES
from allo_air.errors import PassError
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.memory import is_in
from allo_air.passes._analysis.parallel import PADDING, ParallelLoop
from allo_air.passes._ir.names import Names, name_herds
from allo_air.passes.bind._affine_scope import leave_affine_scope
from allo_air.passes.bind._cascade import check_reductions, expand_reductions
from allo_air.passes.bind._outline import candidates, outline, parallel
from allo_air.passes.bind._tile_dma import tile_l1_dmas


@dataclass(frozen=True)
class AirParToHerd(Pass):
    """Turns parallel loops into `air.herd`, a two-dimensional grid of cores.

    `depth` counts the parallel loops around a loop: 0 is outermost, -1 innermost, other negative numbers select all, of which
    those inside a herd stay loops. Loops that hold a hierarchy stay. Bounds must be constant; a loop without iterations is
    erased. One-dimensional loops lie along dimension `first-dim` of the herd; of more than two dimensions the last two become
    the herd and the others a loop around it. Constants are cloned into the herd, other values from outside become arguments.
    `link_with` comes from the functions that the body calls. Herds that share an L1 buffer get the same symbol. A reduction of
    L1 memrefs becomes a chain of cascade channels. A DMA between L1 and L2 outside of the loop is split into the loop's tiles.

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
    depth: int = -2
    first_dim: Literal[0, 1] = 0

    def run(self, op: Any, /) -> None:
        dialects.load(op.context, ("air",))
        tile_l1_dmas(op)
        names, links = Names(op), _links(op)
        for loop in candidates(op, self.depth, "air.herd", inside=["air.herd"], around=HIERARCHIES):
            self._to_herd(op, loop, names, links)
        for herd in walk_named(op, "air.herd"):
            leave_affine_scope(herd)
        name_herds(op, names)

    def _to_herd(self, root: AnyOp, loop: ParallelLoop, names: Names, links: dict[str, str]) -> None:
        check_reductions(loop)
        _check_allocations(loop.op)
        for result, init in zip(loop.op.results, loop.inits, strict=True):
            result.replace_all_uses_with(init)
        loop = _split(loop)
        ops = [*loop.body, loop.terminator] if loop.inits else loop.body
        herd = outline(loop, HerdOp, self._grid(loop.grid), ops, also=loop.inits, link_with=_link_with(loop.op, links))
        expand_reductions(root, names, herd, dict(zip(herd.args, herd.body_args, strict=True)), loop.inits)
        loop.op.erase()

    def _grid(self, dims: tuple[Dim, ...]) -> tuple[Dim, ...]:
        if len(dims) == 1:
            return (*dims, PADDING) if self.first_dim == 0 else (PADDING, *dims)
        return dims or (PADDING, PADDING)


def _check_allocations(loop: Any) -> None:
    """What a herd allocates is in L1."""
    for alloc in walk_named(loop, "memref.alloc"):
        if not is_in(alloc.results[0].type, L1):
            raise error_at(
                loop,
                f"cannot become air.herd: it allocates {alloc.results[0].type}, which is not in L1 (memory space {L1}); select"
                " a loop inside it with 'depth', or allocate outside of it",
            )


def _split(loop: ParallelLoop) -> ParallelLoop:
    """Of more than two dimensions, all but the last two move to an scf.parallel around `loop`."""
    outer, inner = loop.grid[:-2], loop.grid[-2:]
    if not outer:
        return loop
    with ir.InsertionPoint(loop.op):
        around = parallel(outer, loop.op.location)
    block = around.regions[0].blocks[0]
    for dim, iv in zip(outer, block.arguments, strict=True):
        dim.iv.replace_all_uses_with(iv)
    loop.op.move_before(block.operations[0])
    return ParallelLoop(loop.op, inner)


def _links(root: ir.Operation) -> dict[str, str]:
    """Object file of each function declared with `link_with`."""
    functions = [f for f in walk_named(root, "func.func") if "link_with" in f.attributes]
    return {f.attributes["sym_name"].value: f.attributes["link_with"].value for f in functions}


def _link_with(loop: AnyOp, links: dict[str, str]) -> str | None:
    """The object file that the functions called in `loop` are in."""
    called = [call.attributes["callee"].value for call in walk_named(loop, "func.call")]
    files = sorted({links[name] for name in called if name in links})
    if len(files) > 1:
        raise PassError(
            f"cannot become air.herd: it calls functions from {', '.join(files)}, and a herd links with one object file;"
            " put the functions into one file (ld -r)",
            loop.location,
            loop.name,
        )
    return files[0] if files else None
