"""Reductions over the cores of a herd: a chain of cascade channels combines the cores' values one after another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allo_air.core.cloning import clone_body
from allo_air.core.walking import parents
from allo_air.dialects.air import L1, ChannelGetOp, ChannelOp, ChannelPutOp, IfOp, YieldOp
from allo_air.errors import PassError
from allo_air.mlir import AnyOp, ir, memref
from allo_air.passes._analysis.memory import is_in
from allo_air.passes._analysis.parallel import ParallelLoop
from allo_air.passes._ir.names import Names
from allo_air.passes.bind._outline import apply


def check_reductions(loop: ParallelLoop) -> None:
    """Raises PassError unless the reductions of `loop`, if any, run along one dimension, on L1 memrefs of static shape."""
    if not loop.inits:
        return

    def refuse(why: str) -> PassError:
        return PassError(f"cannot become air.herd: {why}", loop.op.location, loop.op.name)

    if sum(dim.trips > 1 for dim in loop.grid) > 1 or len(loop.grid) > 2:
        raise refuse(
            "it reduces over more than one dimension, and a cascade is a line of cores; reduce over one dimension at a time"
        )
    for init, region in zip(loop.inits, loop.terminator.regions, strict=True):
        if not is_in(init.type, L1) or not init.type.has_static_shape:
            raise refuse(
                f"it reduces {init.type}, and a cascade combines memrefs of static shape in memory space 2 (L1);"
                " reduce a memref there, of one element for a scalar"
            )
        if not _in_place(region) and any(
            use.owner.name != "memref.dealloc" for use in init.uses if _follows(loop.op, use.owner)
        ):
            raise refuse(
                "the memref that its reduction starts from is used after it, where the cascade's result replaces it;"
                " use the loop's result"
            )


def _in_place(region: ir.Region) -> bool:
    """Whether a reduction returns its first memref, so that the initial memref becomes the result."""
    [*_, returned] = region.blocks[0].operations
    return bool(returned.operands[0] == region.blocks[0].arguments[0])


def _follows(op: AnyOp, user: ir.OpView) -> bool:
    """Whether `user`, or the operation in `op`'s block that contains it, follows `op`."""
    chain = (o for o in (user.operation, *parents(user)) if o.block == op.block)
    inner = next(chain, None)
    return inner is not None and inner != op and bool(op.is_before_in_block(inner))


def expand_reductions(
    root: AnyOp, names: Names, herd: ir.OpView, inside: dict[ir.Value, ir.Value], inits: list[ir.Value]
) -> None:
    """Replaces the scf.reduce at the end of `herd`: the first core sends its value on, the others combine it with theirs.

    The last core combines the total with the initial memref and stores it there. The cascade runs from west to east along
    dimension 0 and from north to south, that is from high to low ids, along dimension 1.

    Before (in a 4x1 herd):

        scf.reduce(%v : memref<8xf32, 2>) { ^bb0(%l, %r): ... scf.reduce.return %l }

    After:

        affine.if (x == 0) { air.channel.put @cascade_0[%x, %y] (%v[] [] []) }
        else {
          %l = memref.alloc() : memref<8xf32, 2>
          air.channel.get @cascade_0[%x - 1, %y] (%l[] [] [])
          affine.if (x == 3) { ... memref.copy %total, %init } else { ... air.channel.put @cascade_0[%x, %y] (%l[] [] []) }
        }
    """
    if not inits:
        return
    [*_, reduce, _terminator] = [o.operation for o in herd.block.operations]
    for value, region, init in zip(reduce.operands, reduce.regions, inits, strict=True):
        with ir.InsertionPoint(reduce):
            _Chain(herd, region.blocks[0], inside[init]).build(root, names, value)
    reduce.erase()


class _Chain:
    """One reduction: `block` combines two memrefs, `init` is the initial one."""

    def __init__(self, herd: Any, block: ir.Block, init: ir.Value):
        self.herd, self.block, self.init, self.where = herd, block, init, block.owner.location
        counts = [size.owner.attributes["value"].value for size in herd.sizes]
        self.axis = 0 if counts[0] > 1 else 1
        self.count = counts[self.axis]
        self.links = [n - 1 if axis == self.axis else 1 for axis, n in enumerate(counts)]

    def build(self, root: AnyOp, names: Names, value: ir.Value) -> None:
        """Emits the chain at the insertion point; `value` is this core's part."""
        if self.count == 1:
            self._finish(value)
            return
        self.channel = names.fresh("cascade")
        top = ir.InsertionPoint.at_block_begin(root.operation.regions[0].blocks[0])
        ChannelOp(sym_name=self.channel, size=self.links, channel_type="cascade", ip=top, loc=self.where)
        first, last = (0, self.count - 1) if self.axis == 0 else (self.count - 1, 0)
        self._if_at(first, lambda: self._send(value), lambda: self._receive(last, value))

    def _receive(self, last: int, value: ir.Value) -> None:
        arriving = memref.alloc(value.type, [], [], loc=self.where)
        ChannelGetOp(chan_name=self.channel, indices=self._link(-1), dst=arriving, loc=self.where)
        if self.count == 2:
            self._finish(self._combine(arriving, value))
        else:
            self._if_at(
                last, lambda: self._finish(self._combine(arriving, value)), lambda: self._send(self._combine(arriving, value))
            )
        if not any(use.owner.name == "memref.dealloc" for use in arriving.uses):
            memref.DeallocOp(arriving, loc=self.where)

    def _finish(self, total: Any) -> None:
        """Combines the initial memref with `total` and stores the result in it."""
        result = self._combine(self.init, total)
        if result != self.init:
            memref.CopyOp(result, self.init, loc=self.where)

    def _send(self, value: ir.Value) -> None:
        ChannelPutOp(chan_name=self.channel, indices=self._link(0), src=value, loc=self.where)

    def _link(self, shift: int) -> list[Any]:
        """Indices of the channel that this core sends (0) or receives (-1) on: link n connects ids n and n + 1."""
        ids = list(self.herd.ids)
        shift = shift if self.axis == 0 else -1 - shift
        if shift:
            ids[self.axis] = apply(ir.AffineDimExpr.get(0) + shift, [ids[self.axis]], self.where)
        return ids

    def _combine(self, left: ir.Value, right: ir.Value) -> Any:
        """A copy of the reduction's body; returns its result."""
        [total] = clone_body(self.block, dict(zip(self.block.arguments, (left, right), strict=True)))[1]
        return total

    def _if_at(self, position: int, then: Callable[[], None], otherwise: Callable[[], None]) -> None:
        if_at(self.herd, self.axis, position, self.where, then, otherwise)


def if_at(herd: ir.OpView, axis: int, position: int, location: ir.Location, *writes: Callable[[], object]) -> None:
    """An `affine.if` that holds if this core's id along `axis` is `position`; the other id has extent 1.

    `writes` emit the then branch and, if there are two, the else branch.
    """
    symbols = [ir.AffineSymbolExpr.get(n) for n in (0, 1)]
    condition = ir.IntegerSet.get(0, 2, [symbols[axis] - position, symbols[1 - axis]], [True, True])
    test = IfOp(args=herd.ids, condition=ir.IntegerSetAttr.get(condition), loc=location)
    for region, write in zip(test.regions, writes, strict=False):
        with ir.InsertionPoint(region.blocks.append()):
            write()
            YieldOp(loc=location)
