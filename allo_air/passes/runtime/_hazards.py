"""Finds host transfers that must wait for others, because they access the same external memory.

Tokens also order transfers that need no order on the host: transfers of one channel are ordered by the channel, and reads are
independent. A wait remains if a transfer depends, directly or not, on another of the same buffer, one of them writes, and
their regions may overlap.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from allo_air.access.dims import row_major
from allo_air.core.folding import number_of
from allo_air.core.walking import walk_named
from allo_air.dialects.air_values import is_token
from allo_air.mlir import AnyOp, ir
from allo_air.passes.runtime._host_ops import L3_OPS, is_l3
from allo_air.passes.runtime._residues import Residue, apart, residue


@dataclass(frozen=True)
class HostSide:
    """The side of a transfer in external memory: the buffer and its lists, outermost first."""

    memref: Any
    offsets: list[Any]
    sizes: list[Any]
    strides: list[Any]
    writes: bool


def host_side(op: ir.Operation) -> HostSide | None:
    """The side of `op` in external memory; None if it has none."""
    view = op.opview
    if op.name == "air.channel.put":
        side = HostSide(view.src, view.src_offsets, view.src_sizes, view.src_strides, False)
    elif op.name == "air.channel.get":
        side = HostSide(view.dst, view.dst_offsets, view.dst_sizes, view.dst_strides, True)
    elif op.name == "air.dma_memcpy_nd":
        side = HostSide(view.src, view.src_offsets, view.src_sizes, view.src_strides, False)
        if not is_l3(side.memref):
            side = HostSide(view.dst, view.dst_offsets, view.dst_sizes, view.dst_strides, True)
    else:
        return None
    return side if is_l3(side.memref) else None


@dataclass(frozen=True)
class Access:
    """A transfer. `channel` is None for a DMA without one. `region` has the start and the size in each dimension of the
    buffer; None if the transfer is not such a box.
    """

    root: ir.Value
    writes: bool
    channel: tuple[Any, ...] | None
    region: tuple[tuple[Residue, int], ...] | None = None

    def meets(self, other: Access) -> bool:
        """Whether both may touch the same element, for any iterations of the loops around them."""
        if self.region is None or other.region is None:
            return True
        return not any(apart(a, n, b, m) for (a, n), (b, m) in zip(self.region, other.region, strict=True))


def conflict(first: Access, then: Access) -> bool:
    """Whether `then` must wait for `first`: they overlap in a buffer, one of them writes, and they are on different
    channels."""
    if first is then or first.root != then.root or not (first.writes or then.writes) or not first.meets(then):
        return False
    return first.writes != then.writes or first.channel is None or first.channel != then.channel


class Accesses:
    """The host's transfers in a function, numbered in program order."""

    def __init__(self, function: AnyOp) -> None:
        self._ops = [o for o in walk_named(function, *L3_OPS) if host_side(o) is not None]
        self._numbers = {op: i for i, op in enumerate(self._ops)}  # the operations stay as they are until the function is done
        self._all = [_access(op) for op in self._ops]
        self._meets = [any(conflict(a, b) or conflict(b, a) for b in self._all) for a in self._all]

    def __getitem__(self, i: int) -> Access:
        return self._all[i]

    def number(self, op: ir.Operation) -> int:
        return self._numbers[op.operation]

    def meets(self, i: int) -> bool:
        """Whether transfer `i` may conflict with another one."""
        return self._meets[i]

    def moves(self, op: AnyOp) -> bool:
        """Whether `op` contains transfers of the host."""
        return any(o in self._numbers for o in walk_named(op, *L3_OPS))

    def feeding(self, tokens: Iterable[object]) -> frozenset[int]:
        """The transfers that `tokens` wait for, traced up to the block arguments of the enclosing loops."""
        results: set[int] = set()
        todo, seen = [t for t in tokens if is_token(t)], set()
        while todo:
            value = todo.pop()
            if value in seen or not isinstance(value, ir.OpResult):
                continue
            seen.add(value)
            owner = value.owner.operation
            if owner in self._numbers:
                results.add(self._numbers[owner])
            todo += [v for v in owner.operands if is_token(v)]
            for region in owner.regions if not owner.name.startswith("air.") or owner.name == "air.affine_if" else ():
                for block in region.blocks:
                    todo += [v for v in block.operations[-1].operands if is_token(v)]
        return frozenset(results)


def _access(op: ir.Operation) -> Access:
    side = host_side(op)
    assert side is not None
    channel = None
    if op.name != "air.dma_memcpy_nd":
        channel = (op.opview.chan_name, *(number_of(i) for i in op.opview.indices))
    return Access(_root(side.memref), side.writes, channel, _region(side))


def _region(side: HostSide) -> tuple[tuple[Residue, int], ...] | None:
    kind = side.memref.type
    sizes, strides = [number_of(v) for v in side.sizes], [number_of(v) for v in side.strides]
    if not isinstance(kind, ir.MemRefType) or not kind.has_static_shape or not isinstance(kind.layout, ir.AffineMapAttr):
        return None
    if len(side.offsets) != len(sizes) or None in sizes or tuple(strides) != row_major(kind.shape):
        return None
    if kind.layout.value != ir.AffineMap.get_identity(kind.rank):
        return None
    return tuple((residue(v), size) for v, size in zip(side.offsets, sizes, strict=True) if size is not None)


def _root(memref: ir.Value) -> Any:
    """The buffer outside of all hierarchies that `memref` is, or is a view of."""
    while True:
        if isinstance(memref, ir.OpResult):
            owner = memref.owner.operation
            if not owner.name.startswith("memref.") or not len(owner.operands):
                return memref
            memref = owner.operands[0]
            continue
        parent = memref.owner.owner
        if parent is None or parent.operation.name not in ("air.launch", "air.segment", "air.herd"):
            return memref
        view = parent.operation.opview
        memref = dict(zip(view.body_args, view.args, strict=True))[memref]
