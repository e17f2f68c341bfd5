"""The iteration space that a kernel's operations share: the dimensions that tiles of the last operation divide, and the size of
a tile.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import ir
from allo_air.passes._analysis.structured import is_structured, reductions
from allo_air.passes.partition._access import Access
from allo_air.passes.partition._roles import is_elementwise, is_setup

RECOMPUTE = 16
"""The largest factor by which work that each tile recomputes counts. There may be more tiles, but only about as many cores
recompute at the same time.
"""

Loop = tuple[int, int]
"""An operation, by its position in the list, and one of its loops."""


@dataclass(frozen=True)
class Columns:
    """A tensor of which the smallest tile has one element per row: its bytes, the bytes of an element, and the elements of a
    row.
    """

    bytes: int
    element: int
    row: int


@dataclass(frozen=True)
class Domain:
    """The tiles of a kernel: the number of the smallest `tiles`, and the bytes of all tensors of one tile.

    Operands and results count twice, since one tile is transferred while another is computed. A tensor that an elementwise
    operation computes for a single user does not count.
    """

    tiles: int
    bytes_held: int
    columns: tuple[Columns, ...] = ()
    """The operands and results of the kernel of which a tile contains parts of rows."""


def bytes_of(kind: ir.RankedTensorType, shape: Iterable[int]) -> int:
    """Bytes of a tensor with the element type of `kind` and the given shape."""
    return -(-(element_bits(kind) or 64) // 8) * prod(shape)


def domain(ops: Sequence[ir.Operation], accesses: Sequence[Access]) -> Domain:
    """The domain of `ops`. The last operation is tiled, and each tile computes the parts of its producers that it needs."""
    classes = Classes(ops, accesses)
    tiled = classes.tiled()
    last = len(ops) - 1
    loops = {classes.of((last, d)): e for d, e in enumerate(accesses[last].extents)}
    tiles = prod(e for c, e in loops.items() if c in tiled)
    bytes_of_value: dict[Any, int] = {}
    narrow: set[Any] = set()
    for n, item in enumerate(accesses):
        sizes = [1 if classes.of((n, d)) in tiled else e for d, e in enumerate(item.extents)]
        for read in item.reads:
            if is_setup(read.value):
                continue
            bytes_of_value[read.value] = max(bytes_of_value.get(read.value, 0), bytes_of(read.value.type, read.spans(sizes)))
            narrow |= {read.value} if _is_tiled(classes, tiled, n, read.dims) else set()
        for result, dims in zip(ops[n].results, item.results, strict=True):
            if isinstance(result.type, ir.RankedTensorType):
                shape = [e if d is None else sizes[d] for d, e in zip(dims, result.type.shape, strict=True)]
                bytes_of_value[result] = max(bytes_of_value.get(result, 0), bytes_of(result.type, shape))
                narrow |= {result} if _is_tiled(classes, tiled, n, dims) else set()
    results = {r for op in ops for r in op.results}
    leaving = {r for r in results if any(use.owner.operation not in ops for use in r.uses)}
    crossing = {v for v in bytes_of_value if v not in results} | set(ops[last].results) | leaving
    inside = {v for v in results - crossing if _is_fused(v, ops)}
    columns = tuple(_columns(v) for v in bytes_of_value if v in crossing & narrow) if rereads_reduction(ops) else ()
    return Domain(tiles, sum(2 * n if v in crossing else n for v, n in bytes_of_value.items() if v not in inside), columns)


def _is_tiled(classes: Classes, tiled: set[Loop], op: int, dims: Sequence[int | None]) -> bool:
    """Whether tiles divide the last dimension of an operand or result of operation `op`."""
    last = dims[-1] if dims else None
    return last is not None and classes.of((op, last)) in tiled


def _columns(value: ir.Value) -> Columns:
    return Columns(bytes_of(value.type, value.type.shape), bytes_of(value.type, ()), value.type.shape[-1])


def rereads_reduction(ops: Sequence[ir.Operation]) -> bool:
    """Whether others of `ops` read the result of a reduction again along its row, so that a core cannot compute the reduction
    in parts.

    A single sum that is not broadcast again does not count.
    """
    sums = [op for op in ops if is_structured(op) and any(reductions(op))]
    readers = {use.owner.operation for op in sums for r in op.results for use in r.uses}
    if readers.isdisjoint(ops):
        return False
    following = ops[list(ops).index(sums[0]) + 1 :]
    size = max(prod(r.type.shape) for r in sums[0].results)
    return len(sums) > 1 or any(prod(r.type.shape) > size for op in following for r in op.results)


def _is_fused(value: ir.Value, ops: Sequence[ir.Operation]) -> bool:
    """Whether one of `ops` reads the result of an elementwise operation, so that `linalg-fuse-elementwise-ops` fuses both."""
    uses = [use.owner.operation for use in value.uses]
    return len(uses) == 1 and uses[0] in ops and is_structured(uses[0]) and is_elementwise(value.owner.operation)


def loops_of_last(ops: Sequence[ir.Operation], accesses: Sequence[Access], value: Any) -> tuple[int, ...] | None:
    """The loop of the last operation for each dimension of `value`, a result; None unless these are all of its loops."""
    classes, last = Classes(ops, accesses), len(ops) - 1
    maker = next(n for n, op in enumerate(ops) if value in list(op.results))
    dims = accesses[maker].results[value.result_number]
    loops = {classes.of((last, d)): d for d in range(len(accesses[last].extents))}
    results = [None if d is None else loops.get(classes.of((maker, d))) for d in dims]
    loops_present = tuple(d for d in results if d is not None)
    return (
        loops_present
        if sorted(loops_present) == list(range(len(accesses[last].extents))) and len(loops_present) == len(results)
        else None
    )


class Classes:
    """Groups loops of different operations that index the same elements of the tensors between them and, with `shared`, of
    common operands.
    """

    def __init__(self, ops: Sequence[ir.Operation], accesses: Sequence[Access], *, shared: bool = False) -> None:
        self.accesses = accesses
        self.parent: dict[Loop, Loop] = {}
        self.whole_loops: set[Loop] = set()
        results = {r: (n, dims) for n, op in enumerate(ops) for r, dims in zip(op.results, accesses[n].results, strict=True)}
        for n, item in enumerate(accesses):
            for read in item.reads:
                if read.value in results:
                    self._join(n, read.dims, *results[read.value])
                elif shared and not is_setup(read.value):
                    results[read.value] = (n, read.dims)
        for n, item in enumerate(accesses):
            own = [self.of((n, d)) for d in range(len(item.extents))]
            self.whole_loops.update(c for d, c in enumerate(own) if d in item.whole_loops or own.count(c) > 1)
        self.whole_loops = {self.of(c) for c in self.whole_loops}

    def of(self, loop: Loop) -> Loop:
        while (up := self.parent.get(loop, loop)) != loop:
            loop = up
        return loop

    def _join(self, reader: int, dims: Sequence[int | None], writer: int, items: Sequence[int | None]) -> None:
        for own_loop, item in zip(dims, items, strict=True):
            if item is None:
                continue
            if own_loop is None:
                self.whole_loops.add((writer, item))
                continue
            a, b = self.of((reader, own_loop)), self.of((writer, item))
            if a != b:
                self.parent[b] = a

    def tiled(self) -> set[Loop]:
        """The classes of loops that tiles divide: those of the last operation, unless a large tensor would be recomputed."""
        last = len(self.accesses) - 1
        classes = {self.of((last, d)) for d in range(len(self.accesses[last].extents))} - self.whole_loops
        work = [a.work for a in self.accesses]
        follows = [{self.of((n, d)) for d in range(len(a.extents))} for n, a in enumerate(self.accesses)]
        total = sum(work)
        extent = {self.of((n, d)): e for n, a in enumerate(self.accesses) for d, e in enumerate(a.extents)}
        repeated_work = {c: sum(w for w, f in zip(work, follows, strict=True) if c not in f) for c in classes}
        return {c for c in classes if repeated_work[c] * (min(extent[c], RECOMPUTE) - 1) <= total}
