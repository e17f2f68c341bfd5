"""Kernels of which a core holds no whole row, or column: it goes over what is reduced in parts, once for each operation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air.mlir import ir
from allo_air.passes._analysis.neutral import neutral_number
from allo_air.passes._analysis.row_parts import LANES, smallest_part
from allo_air.passes._analysis.structured import is_structured, reductions
from allo_air.passes.partition._access import Access
from allo_air.passes.partition._domain import Classes, Loop, bytes_of
from allo_air.passes.partition._roles import is_elementwise, is_setup


@dataclass(frozen=True)
class Passes:
    """Cores go over the row that is reduced, and read again, in parts, once for each reduction and once for the results.

    For each of `tiles` a core holds `near` bytes, and a memtile `far`; a tile is a row, or as many columns as are a vector.
    """

    tiles: int
    near: int
    far: int


def passes(ops: Sequence[Any], accesses: Sequence[Access]) -> Passes | None:
    """The passes over the longest loop that operations reduce and the last one goes along again; None where there is none."""
    if not all(map(is_structured, ops)) or any(reductions(ops[-1])):
        return None
    classes, last = Classes(ops, accesses, shared=True), len(ops) - 1
    extent = {classes.of((last, d)): e for d, e in enumerate(accesses[last].extents)}
    tiled = classes.tiled()
    row = max((c for c in extent if c not in tiled), key=lambda c: extent[c], default=None)
    if row is None or not all(_goes(op, classes, n, row) for n, op in enumerate(ops)):
        return None
    part = smallest_part(extent[row], masked=all(map(_can_mask, ops)))
    if part is None:
        return None
    vectors, near, far = 1, 0, 0
    for value, dims, users in _crossing(ops, accesses, classes):
        along = [extent[row] if c == row else e if c not in tiled else 1 for c, e in zip(dims, value.type.shape, strict=True)]
        if dims and dims[-1] in tiled:
            along[-1] = min(LANES, value.type.shape[-1])
            vectors = along[-1] if row in dims else vectors
        far += bytes_of(value.type, along)
        near += 2 * users * bytes_of(value.type, [part if c == row else n for c, n in zip(dims, along, strict=True)])
    return Passes(-(-prod(e for c, e in extent.items() if c in tiled) // vectors), near, far)


def _goes(op: Any, classes: Classes, number: int, row: Loop) -> bool:
    """Whether an operation does not go along the row, reduces it, or computes each element by itself."""
    reduces = reductions(op)
    loops = [d for d in range(len(reduces)) if classes.of((number, d)) == row]
    return not loops or (len(loops) == 1 and (reduces[loops[0]] if any(reduces) else is_elementwise(op)))


def _can_mask(op: Any) -> bool:
    """Whether an operation reduces nothing, or joins what it makes of single elements in any order."""
    if not any(reductions(op)):
        return True
    [block] = op.regions[0].blocks
    joined = list(block.operations[len(block.operations) - 1].operands)
    return (
        len(joined) == 1 and not isinstance(joined[0].owner, ir.Block) and neutral_number(joined[0].owner.name, 32) is not None
    )


def _crossing(ops: Sequence[Any], accesses: Sequence[Access], classes: Classes) -> Iterator[tuple[Any, list[Loop | None], int]]:
    """The tensors that come and leave, the loop of each dimension, and how many operations read, or make, each."""
    made = {r for op in ops for r in op.results}
    found: dict[Any, list[list[Loop | None]]] = {}
    for n, access in enumerate(accesses):
        reads = [(r.value, r.dims) for r in access.reads if r.value not in made and not is_setup(r.value)]
        results = zip(ops[n].results, access.results, strict=True)
        leave = [(r, dims) for r, dims in results if n == len(ops) - 1 and isinstance(r.type, ir.RankedTensorType)]
        for value, dims in (*reads, *leave):
            found.setdefault(value, []).append([None if d is None else classes.of((n, d)) for d in dims])
    return ((value, dims[0], len(dims)) for value, dims in found.items())
