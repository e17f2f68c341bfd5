"""Turns one parallel loop into a herd."""

from __future__ import annotations

from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.loops import Dim
from allo_air.core.names import callee_of, sym_name_of
from allo_air.core.walking import walk_named
from allo_air.dialects.air import L1, HerdOp
from allo_air.errors import PassError
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.memory import is_in
from allo_air.passes._analysis.parallel import PADDING, ParallelLoop
from allo_air.passes._ir.names import Names
from allo_air.passes.bind._cascade import check_reductions, expand_reductions
from allo_air.passes.bind._outline import outline, parallel


def to_herd(root: AnyOp, loop: ParallelLoop, names: Names, first_dim: int, *, swap: bool = False) -> Any:
    """The herd that replaces `loop`; one-dimensional loops are along dimension `first_dim` of the herd.

    With `swap`, the two dimensions of a herd are exchanged. Of more than two dimensions, all except the last two stay a loop
    around it. The herd links with the file of the functions that it calls.
    """
    check_reductions(loop)
    for result, init in zip(loop.op.results, loop.inits, strict=True):
        result.replace_all_uses_with(init)
    loop = _split(loop)
    ops = [*loop.body, loop.terminator] if loop.inits else loop.body
    grid = _grid(loop.grid, first_dim)[:: -1 if swap and len(loop.grid) == 2 else 1]
    attributes = (
        {"air.actual_sizes": loop.op.attributes["air.actual_sizes"]} if "air.actual_sizes" in loop.op.attributes else {}
    )
    herd = outline(
        loop, HerdOp, grid, ops, also=loop.inits, link_with=_link_with(loop.op, links(root.operation)), attributes=attributes
    )
    expand_reductions(root, names, herd, dict(zip(herd.args, herd.body_args, strict=True)), loop.inits)
    loop.op.erase()
    return herd


def _grid(dims: tuple[Dim, ...], first_dim: int) -> tuple[Dim, ...]:
    if len(dims) == 1:
        return (*dims, PADDING) if first_dim == 0 else (PADDING, *dims)
    return dims or (PADDING, PADDING)


def check_allocations(loop: ir.OpView) -> None:
    """Checks that a herd allocates only in L1."""
    for alloc in walk_named(loop, "memref.alloc"):
        if not is_in(alloc.results[0].type, L1):
            raise error_at(
                loop,
                f"cannot become air.herd: it allocates {alloc.results[0].type}, which is not in L1 (memory space {L1}); select"
                " a loop inside it with 'depth', or allocate outside of it",
            )


def _split(loop: ParallelLoop) -> ParallelLoop:
    """Moves all dimensions except the last two to an scf.parallel around `loop`."""
    outer, inner = loop.grid[:-2], loop.grid[-2:]
    if not outer:
        return loop
    with ir.InsertionPoint(loop.op):
        outer_loop = parallel(outer, loop.op.location)
    block = outer_loop.regions[0].blocks[0]
    for dim, iv in zip(outer, block.arguments, strict=True):
        dim.iv.replace_all_uses_with(iv)
    loop.op.move_before(block.operations[0])
    return ParallelLoop(loop.op, inner)


def links(root: ir.Operation) -> dict[str, str]:
    """Object file of each function declared with `link_with`."""
    functions = [f for f in walk_named(root, "func.func") if "link_with" in f.attributes]
    return {sym_name_of(f): f.attributes["link_with"].value for f in functions}


def _link_with(loop: AnyOp, links: dict[str, str]) -> str | None:
    """The object file of the functions called in `loop`."""
    called = [callee_of(call) for call in walk_named(loop, "func.call")]
    files = sorted({links[name] for name in called if name in links})
    if len(files) > 1:
        raise PassError(
            f"cannot become air.herd: it calls functions from {', '.join(files)}, and a herd links with one object file;"
            " put the functions into one file (ld -r)",
            loop.location,
            loop.name,
        )
    return files[0] if files else None
