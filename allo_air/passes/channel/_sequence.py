"""Converts parallel loops that contain DMA copies to sequential loops, since their iterations share the copies' channels."""

from __future__ import annotations

from typing import Any

from allo_air.core.constants import index_constant
from allo_air.core.diagnostics import error_at
from allo_air.core.loops import PARALLEL
from allo_air.core.walking import walk_named
from allo_air.dialects.air import WaitAllOp
from allo_air.dialects.air_values import is_token
from allo_air.mlir import AnyOp, ir, scf
from allo_air.passes._analysis.parallel import view


def in_sequence(root: AnyOp) -> None:
    """Replaces each parallel loop in `root` that contains an `air.dma_memcpy_nd` by `scf.for` loops that carry its tokens.

    A channel delivers data in the order of its puts, so the iterations need an order; any order is valid.
    """
    for loop in reversed(walk_named(root, *PARALLEL)):
        if walk_named(loop, "air.dma_memcpy_nd"):
            _to_for(loop)


def _to_for(loop: ir.Operation) -> None:
    if not all(map(is_token, loop.results)):
        raise error_at(
            loop,
            "reduces values, and contains a DMA copy, whose channel would be used by unordered iterations; write each"
            " iteration's value to a memref, or turn the loop into a herd (air-par-to-herd)",
        )
    with ir.InsertionPoint(loop), loop.location:
        bounds, inits = _bounds(loop)
        loops: list[Any] = []
        ip = ir.InsertionPoint.current
        for low, up, step in bounds:
            with ip:
                carried = loops[-1].regions[0].blocks[0].arguments[1:] if loops else inits
                loops.append(scf.ForOp(low, up, step, list(carried)))
            ip = ir.InsertionPoint(loops[-1].regions[0].blocks[0])
    block = loop.regions[0].blocks[0]
    for iv, item in zip(block.arguments, loops, strict=True):
        iv.replace_all_uses_with(item.regions[0].blocks[0].arguments[0])
    inner = loops[-1].regions[0].blocks[0]
    *ops, terminator = [o.operation for o in block.operations]
    for op in ops:
        inner.append(op)
    _close(loops, list(terminator.operands) if inits else [], loop.location)
    terminator.erase()
    for old, new in zip(loop.results, loops[0].results, strict=True):
        old.replace_all_uses_with(new)
    loop.erase()


def _close(loops: list[AnyOp], tokens: list[ir.Value], location: ir.Location) -> None:
    """Ends each loop. The innermost one yields a token for the end of its iteration and of the previous ones."""
    with location:
        for n, item in enumerate(loops):
            block = item.regions[0].blocks[0]
            with ir.InsertionPoint(block):
                results = list(loops[n + 1].results) if n + 1 < len(loops) else []
                if not results:
                    results = [
                        WaitAllOp(deps=[t, c], token=True).token for t, c in zip(tokens, list(block.arguments)[1:], strict=True)
                    ]
                scf.YieldOp(results)


def _bounds(loop: ir.Operation) -> tuple[list[tuple[Any, Any, Any]], list[Any]]:
    """Lower bound, upper bound and step of each dimension as values, and the tokens that the loop starts from."""
    if loop.name == "scf.parallel":
        rank = len(loop.regions[0].blocks[0].arguments)
        operands = list(loop.operands)
        return list(zip(*(operands[k * rank : (k + 1) * rank] for k in range(3)), strict=True)), operands[3 * rank :]
    dims, location = view(loop, "scf.for").grid, loop.location
    return [
        (index_constant(d.lower, location), index_constant(d.upper, location), index_constant(d.step, location)) for d in dims
    ], []
