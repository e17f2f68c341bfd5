"""The primitive reuse_at: keeps elements in a buffer that the next iteration of a loop reads again."""

from __future__ import annotations

from typing import Any

from allo_air.errors import AlloAirError
from allo_air.mlir import AnyOp, ir, memref
from allo_air.scheduling.boxes import Side, box
from allo_air.scheduling.buffers import find
from allo_air.scheduling.loops import Loop, constant_range
from allo_air.scheduling.subscripts import Sum, accesses, load, loop_nest, store


def reuse_at(function: AnyOp, name: str, loop: Loop, item: str) -> None:
    """Creates buffer `item` for the window of tensor `name` that an iteration of `loop` reads. Each iteration shifts it and
    loads the new elements.

    Before (A at x):

        affine.for %x = 0 to 8 { ... A[y, x] ... A[y, x + 1] ... A[y, x + 2] ... }

    After:

        %window = memref.alloc() : memref<3xi32>
        affine.for %t = 0 to 2 { window[t + 1] = A[y, t] }
        affine.for %x = 0 to 8 {
          affine.for %t = 0 to 2 { window[t] = window[t + 1] }
          window[2] = A[y, x + 2]
          ... window[0] ... window[1] ... window[2] ...
    """
    tensor = find(function, name)
    result = accesses(tensor, name, loop.op)
    if not result:
        raise AlloAirError(f"the body of loop '{loop.name}' does not use tensor '{name}'")
    if not all(a.is_load for a in result):
        raise AlloAirError(
            f"the body of loop '{loop.name}' writes to tensor '{name}'; only tensors that are not written can be reused"
        )
    range_ = constant_range(loop)
    sides = box(tensor, name, result, loop)
    moving_dims = [d for d, side in enumerate(sides) if side.stride(loop.variable)]
    if len(moving_dims) != 1:
        raise AlloAirError(f"tensor '{name}' does not move along one dimension with loop '{loop.name}'")
    [along] = moving_dims
    step = sides[along].stride(loop.variable) * range_.step
    if step < 0 or sides[along].extent <= step:
        raise AlloAirError(
            f"an iteration of loop '{loop.name}' reads nothing of tensor '{name}' that the iteration before it read"
        )
    kept_dims = [d for d, side in enumerate(sides) if d == along or side.extent > 1 or side.has_whole_dimension]
    window = _Window(tensor, sides, kept_dims, along, step, loop, range_[0])
    with loop.op.location:
        window.build(item)
    for each in result:
        with ir.InsertionPoint(each.op), each.op.location:
            indices = [sides[d].inside(each.subscripts[d]) for d in kept_dims]
            each.op.results[0].replace_all_uses_with(load(window.buffer, indices))
        each.op.erase()


class _Window:
    """The window buffer, and the loops that fill it."""

    def __init__(
        self, tensor: ir.BlockArgument, sides: list[Side], dims: list[int], along: int, step: int, loop: Loop, first: int
    ):
        self.tensor, self.sides, self.dims, self.along, self.step = tensor, sides, dims, along, step
        self.loop, self.first = loop, first
        self.buffer: Any = None

    def build(self, buffer: str) -> None:
        """Allocates the window as `buffer`, and emits the loops that fill, shift and load it."""
        kind = ir.MemRefType(self.tensor.type)
        kept_extent = self.sides[self.along].extent - self.step
        with ir.InsertionPoint(self.loop.op):
            op = memref.AllocOp(ir.MemRefType.get([self.sides[d].extent for d in self.dims], kind.element_type), [], [])
            op.operation.attributes["name"] = ir.StringAttr.get(buffer)
            self.buffer = op.result
            loop_nest(self._sizes(kept_extent), f"{buffer}_fill", lambda indices: self._load(indices, self.step, 0, self.first))
        with ir.InsertionPoint.at_block_begin(self.loop.body):
            loop_nest(self._sizes(kept_extent), f"{buffer}_shift", self._shift)
            loop_nest(
                self._sizes(self.step), f"{buffer}_load", lambda indices: self._load(indices, kept_extent, kept_extent, None)
            )
        with ir.InsertionPoint.after(self.loop.op):
            memref.DeallocOp(self.buffer)

    def _sizes(self, along: int) -> list[int]:
        return [along if d == self.along else self.sides[d].extent for d in self.dims]

    def _shift(self, indices: list[Sum]) -> None:
        place = self.dims.index(self.along)
        moved = [a.plus({}, self.step) if n == place else a for n, a in enumerate(indices)]
        store(load(self.buffer, moved), self.buffer, indices)

    def _load(self, indices: list[Sum], inside: int, outside: int, iteration: int | None) -> None:
        """Loads position `indices` of a part: offset by `inside` in the buffer, and by `outside` in the tensor's box."""
        position, target = [], []
        running = dict(zip(self.dims, indices, strict=True))
        for d, side in enumerate(self.sides):
            index = running.get(d, Sum({}))
            base = side.base
            if isinstance(base, Sum):
                if iteration is not None and (factor := base.terms.get(self.loop.variable, 0)):
                    base = base.plus({self.loop.variable: -factor}, factor * iteration)
                target.append(base.plus(index.terms, index.constant + (outside if d == self.along else 0)))
            else:
                target.append(base)
            if d in running:
                position.append(index.plus({}, inside) if d == self.along else index)
        store(load(self.tensor, target), self.buffer, position)
