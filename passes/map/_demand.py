"""How much of each tensor, and of each operation's loops, one tile of a kernel's last operation needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from allo_air.core.walking import walk_named
from allo_air.mlir import ir
from allo_air.passes._analysis.structured import indexing_maps, loop_extents, loops_in, reductions, spans
from allo_air.passes.map._kernel import Kernel
from allo_air.passes.map._pads import cuts, padding, source_sizes

EXCESS = 0.25
"""Work done again, as a share of all, up to which a loop is cut into tiles that each compute what they need themselves."""


@dataclass(frozen=True)
class Demand:
    """For one tile: the extents of each tensor's part, and those of the loops of each operation."""

    values: dict[ir.Value, list[int]]
    loops: dict[ir.Operation, list[int]]

    @property
    def work(self) -> int:
        """Iterations of all operations but fills."""
        return sum(prod(sizes) for op, sizes in self.loops.items() if op.name != "linalg.fill")


def demand(kernel: Kernel, sizes: Sequence[int]) -> Demand:
    """What a tile of `sizes`, one for each loop of the root and 0 for all of it, needs."""
    assert kernel.root is not None
    values: dict[ir.Value, list[int]] = {}
    loops: dict[ir.Operation, list[int]] = {}
    block = kernel.block
    returned = kernel.returned
    for view in reversed(list(block.operations)):
        op = view.operation
        if padding(op) is not None and op.results[0] in values:
            _need(values, op.operands[0], source_sizes(op, values[op.results[0]]))
            continue
        if op in kernel.others:
            for value in op.operands:
                _need(values, value, list(getattr(value.type, "shape", [])))
            continue
        if op not in kernel.ops:
            continue
        extents, found = loop_extents(op), indexing_maps(op)
        results = found[len(found) - len(op.results) :]
        if op == kernel.root:
            tile = [size or extent for size, extent in zip(sizes, extents, strict=True)]
        else:
            tile = _loops_of_results(op, extents, results, [values.get(r, []) for r in op.results])
            if not tile and not any(r in returned for r in op.results):
                continue
            tile = tile or extents
        loops[op] = tile
        for inner in walk_named(op, "tensor.extract"):
            _need(values, inner.operands[0], list(inner.operands[0].type.shape))
        for value, indexing in zip((*op.operands, *op.results), (*found, *results), strict=True):
            _need(values, value, spans(indexing, tile))
    return Demand(values, loops)


def _loops_of_results(
    op: ir.Operation, extents: list[int], maps: Sequence[ir.AffineMap], wanted: Sequence[list[int]]
) -> list[int]:
    """The loops that compute what is wanted of the results; none where nothing is."""
    tile = [0] * len(extents)
    for indexing, sizes in zip(maps, wanted, strict=True):
        for size, expression in zip(sizes, indexing.results, strict=bool(sizes)):
            if isinstance(expression, ir.AffineDimExpr):
                at = ir.AffineDimExpr(expression).position
                tile[at] = max(tile[at], size)
    if not any(wanted) and any(m.results for m in maps):
        return []
    return [size or extent for size, extent in zip(tile, extents, strict=True)]


def _need(values: dict[ir.Value, list[int]], value: ir.Value, sizes: list[int]) -> None:
    if not isinstance(value.type, ir.RankedTensorType):
        return
    before = values.get(value, [0] * len(sizes))
    values[value] = [min(max(pair), e) for *pair, e in zip(before, sizes, value.type.shape, strict=True)]


def tileable(kernel: Kernel) -> list[bool]:
    """For each loop of the root whether its tiles can be computed apart, without doing much of the work again."""
    assert kernel.root is not None
    root, extents = kernel.root, loop_extents(kernel.root)
    maps = indexing_maps(root)
    results = maps[len(maps) - len(root.results) :]
    shared = [all(any(loop in loops_in(e) for e in m.results) for m in results) for loop in range(len(extents))]
    whole = demand(kernel, [0] * len(extents)).work
    found = []
    for loop, (extent, reduces) in enumerate(zip(extents, reductions(root), strict=True)):
        half = -(-extent // 2)
        needed = demand(kernel, [half if i == loop else 0 for i in range(len(extents))])
        pads = any(cuts(op, needed.values[op.results[0]]) for op in kernel.others if op.results[0] in needed.values)
        apart = shared[loop] and not reduces and not pads and extent > 1
        found.append(apart and needed.work * extent / half <= whole * (1 + EXCESS))
    return found
