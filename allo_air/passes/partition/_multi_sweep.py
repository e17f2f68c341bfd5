"""Kernels whose rows or columns do not fit into a core: the core sweeps over the reduced dimension in parts, once for each
operation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air.device import Device
from allo_air.mlir import ir
from allo_air.passes._analysis.neutral import neutral_number
from allo_air.passes._analysis.row_parts import LANES, smaller_first
from allo_air.passes._analysis.structured import is_structured, reductions
from allo_air.passes.partition._access import Access
from allo_air.passes.partition._domain import Classes, Loop, bytes_of
from allo_air.passes.partition._roles import is_elementwise, is_setup


@dataclass(frozen=True)
class Sweeps:
    """The sweeps of cores over a row: one for each reduction, and one for the results. Each sweep reads the row in parts.

    For each of `tiles`, a core holds `near` bytes and a memtile holds `far` bytes. A tile is a row, or a vector of columns.
    """

    tiles: int
    near: int
    far: int


def sweeps(ops: Sequence[ir.Operation], accesses: Sequence[Access], device: Device) -> Sweeps | None:
    """The sweeps over the longest loop that operations reduce and that the last one iterates again; None if there is none.

    Parts are as small as the number of buffer descriptors allows, if more tensors arrive than a core has channels for.
    """
    if not all(map(is_structured, ops)) or any(reductions(ops[-1])):
        return None
    classes, last = Classes(ops, accesses, shared=True), len(ops) - 1
    extent = {classes.of((last, d)): e for d, e in enumerate(accesses[last].extents)}
    tiled = classes.tiled()
    row = max((c for c in extent if c not in tiled), key=lambda c: extent[c], default=None)
    if row is None or not all(_can_sweep(op, classes, n, row) for n, op in enumerate(ops)):
        return None
    vectors, far, crossing = 1, 0, list[_Crossing]()
    results = {r for op in ops for r in op.results}
    for value, dims, users in _crossing(ops, accesses, classes, _runs(ops, accesses, classes, row)):
        along = [extent[row] if c == row else e if c not in tiled else 1 for c, e in zip(dims, value.type.shape, strict=True)]
        if dims and dims[-1] in tiled:
            along[-1] = min(LANES, value.type.shape[-1])
            vectors = along[-1] if row in dims else vectors
        far += bytes_of(value.type, along)
        crossing.append(_Crossing(value.type, along, [c == row for c in dims], users, value not in results))
    for part in smaller_first(extent[row], masked=all(map(_can_mask, ops))):
        if _has_descriptors(crossing, -(-extent[row] // part), device):
            near = sum(2 * c.users * bytes_of(c.type, c.tile_of(part)) for c in crossing)
            return Sweeps(-(-prod(e for c, e in extent.items() if c in tiled) // vectors), near, far)
    return None


@dataclass(frozen=True)
class _Crossing:
    """A tensor that arrives or leaves: the extent of a tile `along` each dimension, which dimension is cut, and the number of
    users.
    """

    type: Any
    along: list[int]
    is_row: list[bool]
    users: int
    comes: bool

    def tile_of(self, part: int) -> list[int]:
        return [part if row else n for row, n in zip(self.is_row, self.along, strict=True)]


def _has_descriptors(crossing: Sequence[_Crossing], count: int, device: Device) -> bool:
    """Whether a core, and a memtile for two columns, have enough buffer descriptors for `count` parts of each row.

    They need one for each part if more tensors arrive than a core has channels for.
    """
    core, memtile = (device.tiles[kind] for kind in ("core", "mem"))
    come = [c for c in crossing if c.comes]
    if len(come) <= core.channels[0]:
        return True
    bds = sum(count if any(c.is_row) else 1 for c in come) + len(crossing) - len(come)
    repeated = [c.users * count for c in come if any(c.is_row)]
    descriptors = min(2, device.columns) * sum(repeated) if len(repeated) > core.channels[0] else 0
    return bds <= core.bds and descriptors <= memtile.bds


def _can_sweep(op: ir.Operation, classes: Classes, number: int, row: Loop) -> bool:
    """Whether an operation is independent of the row, reduces it, or is elementwise on it."""
    reduces = reductions(op)
    loops = [d for d in range(len(reduces)) if classes.of((number, d)) == row]
    return not loops or (len(loops) == 1 and (reduces[loops[0]] if any(reduces) else is_elementwise(op)))


def _can_mask(op: ir.Operation) -> bool:
    """Whether an operation reduces nothing, or reduces functions of single elements in any order, so that padding can be
    masked.
    """
    if not any(reductions(op)):
        return True
    [block] = op.regions[0].blocks
    joined = list(block.operations[-1].operands)
    return (
        len(joined) == 1
        and not isinstance(joined[0], ir.BlockArgument)
        and neutral_number(joined[0].owner.name, 32) is not None
    )


def _runs(ops: Sequence[ir.Operation], accesses: Sequence[Access], classes: Classes, row: Loop) -> list[set[int]]:
    """The sweeps in which each operation is computed, by the number of the operation that the sweep is for.

    An elementwise function of the row is recomputed in each sweep that needs it.
    """
    runs: list[set[int]] = [set() for _ in ops]
    for n in reversed(range(len(ops))):
        along = any(classes.of((n, d)) == row for d in range(len(accesses[n].extents)))
        if n == len(ops) - 1 or any(reductions(ops[n])) or not along:
            runs[n] = {n}
            continue
        results = set(ops[n].results)
        runs[n] = {run for m in range(n + 1, len(ops)) if results & {r.value for r in accesses[m].reads} for run in runs[m]}
    return runs


def _crossing(
    ops: Sequence[ir.Operation], accesses: Sequence[Access], classes: Classes, runs: Sequence[set[int]]
) -> Iterator[tuple[Any, list[Loop | None], int]]:
    """The tensors that arrive and leave, the loop of each dimension, and the number of sweeps that read or write each."""
    new_values = {r for op in ops for r in op.results}
    matches: dict[Any, tuple[list[Loop | None], set[int]]] = {}
    for n, access in enumerate(accesses):
        reads = [(r.value, r.dims) for r in access.reads if r.value not in new_values and not is_setup(r.value)]
        results = zip(ops[n].results, access.results, strict=True)
        leave = [(r, dims) for r, dims in results if n == len(ops) - 1 and isinstance(r.type, ir.RankedTensorType)]
        for value, dims in (*reads, *leave):
            _, users = matches.setdefault(value, ([None if d is None else classes.of((n, d)) for d in dims], set()))
            users |= runs[n]
    return ((value, dims, len(users)) for value, (dims, users) in matches.items())
