"""move-host-copies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, count
from math import prod
from typing import Any

from allo_air import dialects
from allo_air.access.dims import row_major
from allo_air.core.names import sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import enclosing, is_result_of, walk_named
from allo_air.dialects.air import DmaMemcpyNdOp, LaunchOp, SegmentOp
from allo_air.dialects.air_values import HIERARCHIES
from allo_air.mlir import AnyOp, arith, ir, memref, scf

_COPIES = ("memref.copy", "linalg.copy")
_VIEWS = ("memref.subview", "memref.collapse_shape", "memref.expand_shape", "memref.cast", "memref.reinterpret_cast")


@dataclass(frozen=True)
class MoveHostCopies(Pass):
    """Converts the remaining copies between host buffers to launches that copy by DMA through an L2 buffer.

    A memtile holds `bytes` at a time; larger copies become loops. Copies of buffers with dynamic shape or layout stay, and are
    rejected later.

    Before:

        func.func @f(%x: memref<64xf32>, %z: memref<64xf32>) {
          memref.copy %x, %z : memref<64xf32> to memref<64xf32>

    After:

        func.func @f(%x: memref<64xf32>, %z: memref<64xf32>) {
          air.launch (%i) in (%n=%c1) args(%a=%x, %b=%z) : memref<64xf32>, memref<64xf32> {
            air.segment @copy args(%c=%a, %d=%b) : memref<64xf32>, memref<64xf32> {
              %l2 = memref.alloc() : memref<64xf32, 1>
              air.dma_memcpy_nd (%l2[] [] [], %c[0] [64] [1]) : (memref<64xf32, 1>, memref<64xf32>)
              air.dma_memcpy_nd (%d[0] [64] [1], %l2[] [] []) : (memref<64xf32>, memref<64xf32, 1>)
              memref.dealloc %l2 : memref<64xf32, 1>
            }
          }
    """

    name = "move-host-copies"
    anchor = "builtin.module"
    bytes: int = 65536
    """Largest number of bytes of a transfer."""

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        used_names = {sym_name_of(s) for s in walk_named(op, "air.segment") if "sym_name" in s.attributes}
        names = (n for n in chain(["copy"], (f"copy_{i}" for i in count(1))) if n not in used_names)
        for function in walk_named(op, "func.func"):
            for name in _COPIES:
                for copy in [c for c in walk_named(function, name) if _is_of_the_host(c)]:
                    self._move(copy, names)

    def _move(self, copy: ir.Operation, names: Iterator[str]) -> None:
        sides = [_Side.of(value) for value in list(copy.operands)[:2]]
        if None in sides:
            return
        source, target = sides
        assert source is not None and target is not None
        if source.is_dense and target.is_dense:
            source, target = source.flat, target.flat
        with ir.InsertionPoint(copy), copy.location:
            one = _index(1)
            launch = LaunchOp.build([one], [source.base, target.base])
            with ir.InsertionPoint(launch.block.operations[0] if len(launch.block.operations) else launch.block):
                segment = SegmentOp.build([], launch.body_args, sym_name=next(names))
            ip = segment.block
            with ir.InsertionPoint(ip.operations[0] if len(ip.operations) else ip):
                inner = [
                    _Side(v, s.offset, s.sizes, s.strides) for v, s in zip(segment.body_args, (source, target), strict=True)
                ]
                self._pieces(inner[0], inner[1], [])
        views = [v.owner for v in list(copy.operands)[:2] if is_result_of(v, *_VIEWS)]
        copy.erase()
        for view in views:
            if not any(len(list(r.uses)) for r in view.results):
                view.operation.erase()

    def _pieces(self, source: _Side, target: _Side, starts: list[ir.Value]) -> None:
        """Copies the dimensions that the loops with the variables `starts` do not cover, in pieces that fit."""
        sizes, rank = source.sizes, len(starts)
        element = _bytes(source.base.type.element_type)
        inner = prod(sizes[rank + 1 :]) * element
        rows = max(1, self.bytes // inner) if rank < len(sizes) else 1
        if rank == len(sizes) or rows >= sizes[rank]:
            _copy_through_l2(source, target, starts, list(sizes[rank:]))
            return
        full = sizes[rank] // rows * rows
        loop = scf.ForOp(_index(0), _index(full), _index(rows))
        with ir.InsertionPoint(loop.body):
            if inner > self.bytes:
                self._pieces(source, target, [*starts, loop.induction_variable])
            else:
                _copy_through_l2(source, target, [*starts, loop.induction_variable], [rows, *sizes[rank + 1 :]])
            scf.YieldOp([])
        if rest := sizes[rank] - full:
            _copy_through_l2(source, target, [*starts, _index(full)], [rest, *sizes[rank + 1 :]])


@dataclass(frozen=True)
class _Side:
    """One side of a copy: the buffer, and the elements that are copied."""

    base: Any
    offset: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]

    @classmethod
    def of(cls, value: ir.Value) -> _Side | None:
        """The side for `value`, which may be a view; None if the view is not constant."""
        kind = value.type
        if not kind.has_static_shape or _bytes(kind.element_type) == 0:
            return None
        strides, offset = kind.get_strides_and_offset()
        if any(n < 0 for n in (*strides, offset)):
            return None
        while is_result_of(value, *_VIEWS):
            value = value.owner.operands[0]
        is_supported = isinstance(value.type, ir.MemRefType) and value.type.has_static_shape
        if not is_supported or list(value.type.get_strides_and_offset()[0]) != list(row_major(tuple(value.type.shape))):
            return None
        return cls(value, offset, tuple(kind.shape) or (1,), tuple(strides) or (1,))

    @property
    def is_dense(self) -> bool:
        """Whether the elements are contiguous."""
        return self.strides == row_major(self.sizes)

    @property
    def flat(self) -> _Side:
        """The same elements as one dimension."""
        return _Side(self.base, self.offset, (prod(self.sizes),), (1,))

    def lists(self, starts: list[ir.Value], sizes: list[int]) -> tuple[list[ir.Value], list[ir.Value], list[ir.Value]]:
        """Offsets, sizes and strides for the part of the elements from `starts` with `sizes`."""
        rank = len(self.sizes)
        offsets = [*starts, *[_index(0)] * (rank - len(starts))]
        counts = [*[1] * (rank - len(sizes)), *sizes]
        strides = list(self.strides)
        if self.offset:
            offsets, counts, strides = [_index(self.offset), *offsets], [1, *counts], [1, *strides]
        return offsets, [_index(n) for n in counts], [_index(n) for n in strides]


def _copy_through_l2(source: _Side, target: _Side, starts: list[ir.Value], sizes: list[int]) -> None:
    space = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 1)
    kind = ir.MemRefType.get(sizes or [1], source.base.type.element_type, memory_space=space)
    buffer = memref.AllocOp(kind, [], []).result
    for side, into in ((source, True), (target, False)):
        offsets, counts, strides = side.lists(starts, sizes)
        if into:
            DmaMemcpyNdOp(dst=buffer, src=side.base, src_offsets=offsets, src_sizes=counts, src_strides=strides)
        else:
            DmaMemcpyNdOp(dst=side.base, src=buffer, dst_offsets=offsets, dst_sizes=counts, dst_strides=strides)
    memref.DeallocOp(buffer)


def _index(number: int) -> ir.Value:
    return arith.ConstantOp(ir.IndexType.get(), number).result


def _bytes(kind: ir.Type) -> int:
    return getattr(kind, "width", 0) // 8


def _is_of_the_host(copy: ir.Operation) -> bool:
    """Whether both sides are host buffers, outside of launches, segments and herds."""
    buffers = list(copy.operands)[:2]
    return enclosing(copy, *HIERARCHIES) is None and all(
        isinstance(v.type, ir.MemRefType) and _is_l3(v.type.memory_space) for v in buffers
    )


def _is_l3(space: ir.Attribute | None) -> bool:
    return space is None or (isinstance(space, ir.IntegerAttr) and not space.value)
