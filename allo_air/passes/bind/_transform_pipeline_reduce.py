"""`transform.air.pipeline_reduce`: distributes a reduction over a line of cores, which pass on partial results."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from allo_air.core.constants import index_constant
from allo_air.dialects.air import ChannelGetOp, ChannelOp, ChannelPutOp, HerdOp
from allo_air.errors import PassError, counted
from allo_air.mlir import ir, memref
from allo_air.passes._analysis.structured import first_output, indexing_maps, is_structured, loop_extents, reductions
from allo_air.passes._ir.names import Names
from allo_air.passes.bind._cascade import if_at
from allo_air.passes.bind._outline import apply as affine_apply
from allo_air.transform.operations import Application

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp


def apply(call: Application) -> list[list[ir.Operation]]:
    """The herds, each a line of `pipeline_depth` cores; a core computes a part of the reduction and passes its result on.

    The first core starts with the output's value, the last writes the output. With `promote`, the inputs that a core reads are
    first copied to L1.
    Before: `linalg.matmul` of 16x64 and 64x16 on buffers, with `tile_size = [0, 0, 16], pipeline_depth = 4`
    After:  `air.herd tile (%x, %y) in (4, 1) { affine.if (x == 0) { linalg.matmul of 16x16; air.channel.put } ... }`
    """
    depth, direction = call.option("pipeline_depth", 1), call.option("direction", "horiz")
    if direction not in ("horiz", "vert"):
        raise call.refuse(f'expects direction "horiz" or "vert", found "{direction}"')
    sizes, promote = call.option("tile_size", []), call.flag("promote")
    names = Names(call.root)
    return call.each(
        lambda target: pipelined(call.root, names, target, sizes, depth, vertical=direction == "vert", promote=promote)
    )


def pipelined(
    root: AnyOp, names: Names, op: ir.Operation, sizes: list[int], depth: int, *, vertical: bool, promote: bool
) -> Any:
    """The herd in module `root` that computes `op`. Raises PassError if the reduction cannot be divided in this way."""
    _check(op, sizes, depth)
    return _Line(root, names, op, sizes[-1], depth, vertical, promote).build()


def _check(op: ir.Operation, sizes: list[int], depth: int) -> None:
    def refuse(why: str) -> PassError:
        return PassError(f"cannot be pipelined: {why}", op.location, op.name)

    if not is_structured(op) or len(op.results):
        raise refuse("it is not a linalg operation on buffers")
    maps, extents = indexing_maps(op), loop_extents(op)
    if not reductions(op)[-1] or len(op.operands) - first_output(op) != 1:
        raise refuse("its last loop does not reduce into one output")
    if any(not isinstance(e, ir.AffineDimExpr) for m in maps for e in m.results):
        raise refuse("its indexing maps have results that are not single dimensions")
    if len(sizes) != len(extents) or any(sizes[:-1]) or sizes[-1:] < [1]:
        raise refuse(
            f"its tile sizes are {sizes}, expected a number for each of its "
            f"{counted(len(extents), 'loop')}: 0 for all but the last"
        )
    if depth < 2:
        raise refuse(f"pipeline_depth is {depth}; a line needs at least 2 cores")
    if sizes[-1] * depth != extents[-1]:
        raise refuse(f"{counted(depth, 'core')} times {sizes[-1]} iterations are not the {extents[-1]} of its last loop")


class _Line:
    """The herd for one operation."""

    def __init__(self, root: Any, names: Names, op: ir.Operation, size: int, depth: int, vertical: bool, promote: bool) -> None:
        self.root, self.names, self.op, self.size, self.depth = root, names, op, size, depth
        self.vertical, self.promote, self.where = vertical, promote, op.location

    def build(self) -> ir.Operation:
        top = ir.InsertionPoint.at_block_begin(self.root.regions[0].blocks[0])
        self.channels = [self.names.fresh("channel") for _ in range(self.depth - 1)]
        for name in self.channels:
            ChannelOp(sym_name=name, size=[1], ip=top, loc=self.where)
        with ir.InsertionPoint(self.op):
            sizes = [index_constant(n, self.where) for n in ((1, self.depth) if self.vertical else (self.depth, 1))]
            herd = HerdOp.build(sizes, list(self.op.operands), loc=self.where, sym_name=self.names.fresh("herd"))
        position = herd.ids[1 if self.vertical else 0]
        end = herd.block.operations[-1]
        with ir.InsertionPoint(end), self.where:
            *inputs, output = [self._part(n, value, position) for n, value in enumerate(herd.body_args)]
            for stage in range(self.depth):
                if_at(herd, 1 if self.vertical else 0, stage, self.where, partial(self._stage, stage, inputs, output))
        self.op.erase()
        return herd.operation

    def _part(self, number: int, value: ir.BlockArgument, position: object) -> Any:
        """The part of an operand that the core at `position` reads."""
        maps = indexing_maps(self.op)
        last = len(loop_extents(self.op)) - 1
        dims = [ir.AffineDimExpr(e).position for e in maps[number].results]
        if last not in dims:
            return value
        start = affine_apply(ir.AffineDimExpr.get(0) * self.size, [position], self.where)
        shape = list(value.type.shape)
        offsets = [start if d == last else 0 for d in dims]
        sizes = [self.size if d == last else n for d, n in zip(dims, shape, strict=True)]
        return memref.subview(value, offsets, sizes, [1] * len(dims))

    def _stage(self, stage: int, inputs: Sequence[ir.Value], output: ir.BlockArgument) -> None:
        inputs = [self._near(v) if self.promote else v for v in inputs]
        partial = output
        if stage or self.promote:
            partial = self._buffer(output.type)
        if stage:
            ChannelGetOp(chan_name=self.channels[stage - 1], indices=[], dst=partial, loc=self.where)
        elif self.promote:
            memref.CopyOp(output, partial)
        op = self.op.clone()
        for n, value in enumerate([*inputs, partial]):
            op.operands[n] = value
        if stage < self.depth - 1:
            ChannelPutOp(chan_name=self.channels[stage], indices=[], src=partial, loc=self.where)
        else:
            memref.CopyOp(partial, output)

    def _near(self, value: ir.Value) -> Any:
        if not isinstance(value.type, ir.MemRefType):
            return value
        near = self._buffer(value.type)
        memref.CopyOp(value, near)
        return near

    def _buffer(self, kind: ir.MemRefType) -> Any:
        space = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 2)
        type_ = ir.MemRefType.get(kind.shape, kind.element_type, None, space)
        return memref.AllocOp(type_, [], []).result
