"""Splits a DMA copy into a put and a get on its own channel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from allo_air.core.affine import IntegerSet
from allo_air.core.constants import index_constant
from allo_air.core.diagnostics import error_at
from allo_air.dialects.air import ChannelGetOp, ChannelOp, ChannelPutOp, WaitAllOp
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.channel_origins import from_copy
from allo_air.passes._ir.names import Names
from allo_air.passes.channel._boxes import Box, Point, boxes, grid
from allo_air.passes.channel._order import BufferAccess, accesses_of
from allo_air.passes.channel._places import branch, grids, home_of, known_index, level, path, shape_of, space_at

if TYPE_CHECKING:
    from allo_air.dialects.air import DmaMemcpyNdOp

_DROPPED = ("id", "broadcast_pattern", "broadcast_set", "pad_before", "pad_after", "operandSegmentSizes")


@dataclass
class ExternalOp:
    """An operation whose memory hierarchy `top` cannot access: one end of a channel, an allocation or a deallocation.

    In a herd, `points` are the ids of the cores that execute it; `source` is their box if one put serves all of them.
    `source_op` is the name of the user's operation, for messages. `is_anchored`: the other end stays at the place of the copy
    and waits for the copy's dependences. `is_async`: the copy had a token.
    """

    op: Any
    top: Any
    source_op: str
    is_anchored: bool
    is_async: bool = False
    points: tuple[Point, ...] = ()
    source: Box | None = None
    path: tuple[Any, ...] = field(init=False)
    touches: list[BufferAccess] = field(init=False)

    def __post_init__(self) -> None:
        self.path = path(self.top, self.op)
        self.touches = accesses_of(self.op)


@dataclass(frozen=True)
class Bundle:
    """The channels of one copy: their shape, the indices of the end outside and of the end inside, and the receiving cores."""

    size: tuple[int, ...]
    broadcast: tuple[int, ...]
    outside: list[Any]
    inside: list[Any]
    points: tuple[Point, ...]
    source: Box | None


def split(dma: ir.Operation, names: Names, before: ir.OpView) -> list[ExternalOp]:
    """Replaces `dma` by a put and a get on a new channel, declared before `before`; returns the ends that must leave the
    hierarchy.
    """
    view = dma.opview
    if any(name in dma.attributes for name in ("src_rank", "dst_rank")):
        raise error_at(dma, "copies between ranks of a universe, and channels cannot; remove src_rank and dst_rank")
    spaces = space_at(dma, view.src), space_at(dma, view.dst)
    least = level(dma)
    bundle = _bundle(dma, spaces[0] < least <= spaces[1])
    name = names.fresh("channel")
    ChannelOp(
        sym_name=name,
        size=list(bundle.size),
        attributes=_shape_attribute(bundle.broadcast),
        loc=from_copy(dma),
        ip=ir.InsertionPoint(before),
    )
    ends = []
    stay = [memory >= least for memory in spaces]
    with ir.InsertionPoint(dma), dma.location:
        for kind, stays in ((ChannelPutOp, stay[0]), (ChannelGetOp, stay[1])):
            ends.append(_create_end(kind, view, name, bundle, stays, all(stay)))
        _finish(view, [end for end, stays in zip(ends, stay, strict=True) if stays])
    dma_name, is_async = dma.name, view.token is not None
    dma.erase()
    return [
        ExternalOp(end.operation, home_of(end, memory), dma_name, any(stay), is_async, bundle.points, bundle.source)
        for end, stays, memory in zip(ends, stay, spaces, strict=True)
        if not stays
    ]


def points_of(op: ir.Operation, herd: ir.Operation) -> tuple[Point, ...]:
    """The cores of `herd` that execute `op`, according to the `affine.if` operations around it."""
    guards = []
    down = path(herd, op)
    for outer, inner in pairwise(down):
        inputs = guard_inputs(outer, herd)
        if inputs is not None:
            guards.append((IntegerSet.of(outer.attributes["condition"]), inputs, branch(outer, inner) == 0))
    return tuple(
        p
        for p in grid(shape_of(herd)).points()
        if all(_contains(s, _evaluate_at(inputs, p)) == then for s, inputs, then in guards)
    )


def guard_inputs(op: AnyOp, herd: AnyOp) -> list[tuple[str, int]] | None:
    """The inputs of an `affine.if` on ids of `herd` and constants: ("id", dimension) or ("constant", number); None for other
    conditions.
    """
    if op.name != "air.affine_if":
        return None
    ids = herd.opview.ids
    results = []
    for value in op.operands:
        number = known_index(value)
        if value in ids:
            results.append(("id", ids.index(value)))
        elif number is not None:
            results.append(("constant", number))
        else:
            return None
    return results


def _evaluate_at(inputs: list[tuple[str, int]], point: Point) -> list[int]:
    return [point[n] if kind == "id" else n for kind, n in inputs]


def _contains(integer_set: IntegerSet, inputs: Sequence[int]) -> bool:
    return integer_set.contains(inputs[: integer_set.dims], inputs[integer_set.dims :])


def _bundle(dma: ir.Operation, brings: bool) -> Bundle:
    outer_grids = grids(dma)
    shape = tuple(n for g in outer_grids for n in shape_of(g))
    ids = [i for g in outer_grids for i in _ids(dma, g)]
    herd = next((g for g in outer_grids if g.name == "air.herd"), None)
    if herd is None:
        return Bundle(shape, (), ids, ids, (), None)
    points = points_of(dma, herd)
    if "broadcast_set" not in dma.attributes:
        return Bundle(shape, (), ids, ids, points, None)
    source = _broadcast(dma, herd, points, brings)
    prefix, rank = shape[: len(shape) - len(source.shape)], len(source.shape)
    outside = [*ids[: len(prefix)], *([index_constant(0, dma.location, ir.InsertionPoint(dma))] * rank if prefix else [])]
    return Bundle((*prefix, *[1] * rank), (*prefix, *source.shape), outside, ids, points, source)


def _ids(dma: ir.Operation, grid: ir.Operation) -> list[ir.BlockArgument]:
    """The ids of `grid` at `dma`: a herd in a segment gets those of the segment as its last arguments."""
    own = grid.opview.ids
    outer_grids = grids(dma)
    if not own or grid == outer_grids[-1]:
        return list(own)
    inner = outer_grids[outer_grids.index(grid) + 1]
    return list(inner.opview.body_args[-len(own) :])


def _broadcast(dma: ir.Operation, herd: ir.Operation, points: tuple[Point, ...], brings: bool) -> Box:
    """The box of cores that one put serves."""
    value = IntegerSet.of(dma.attributes["broadcast_set"])
    shape = shape_of(herd)
    if value.dims + value.symbols != len(shape):
        raise error_at(
            dma,
            f"has a broadcast_set of {counted(value.dims + value.symbols, 'input')} in a herd of "
            f"{counted(len(shape), 'dimension')}",
        )
    if not brings:
        raise error_at(
            dma, "has a broadcast_set, but does not copy data from outside of the herd into it; remove the attribute"
        )
    result = boxes(p for p in grid(shape).points() if _contains(value, p))
    if len(result) != 1:
        raise error_at(
            dma, "has a broadcast_set that is not a box of cores, found " + (f"{len(result)} boxes" if result else "none")
        )
    if tuple(result[0].points()) != points:
        raise error_at(
            dma,
            f"has a broadcast_set of cores {result[0].lower} to {tuple(n - 1 for n in result[0].upper)}, and is executed by"
            " other cores: all of them have to get the data of each put; guard it with an affine.if on the same set",
        )
    return result[0]


def _create_end(kind: type, view: DmaMemcpyNdOp, name: str, bundle: Bundle, stays: bool, has_company: bool) -> AnyOp:
    """Creates the put or the get. It is asynchronous if the copy is, or if it must not block the other end in the same
    hierarchy."""
    side = "src" if kind is ChannelPutOp else "dst"
    lists = {f: list(getattr(view, f)) for f in (f"{side}_offsets", f"{side}_sizes", f"{side}_strides")}
    attributes = {n: a for n, a in view.operation.attributes.items() if n not in _DROPPED}
    if bundle.source and not stays:
        attributes["broadcast_set"] = view.operation.attributes["broadcast_set"]
    if kind is ChannelPutOp:
        attributes |= {n: a for n, a in view.operation.attributes.items() if n in ("pad_before", "pad_after")}
    return kind(
        chan_name=name,
        indices=bundle.inside if stays else bundle.outside,
        deps=list(view.deps) if stays else [],
        token=stays and (view.token is not None or has_company),
        attributes=attributes,
        **{side: getattr(view, side)},
        **lists,
    )


def _finish(view: DmaMemcpyNdOp, ends: list[Any]) -> None:
    """Replaces the token of the copy by those of its ends that stay, or, if none stays, by the copy's own dependences."""
    tokens = [end.token for end in ends]
    if view.token is None:
        if len(ends) == 2 or (not ends and len(view.deps)):
            WaitAllOp(deps=tokens if ends else list(view.deps))
        return
    done = tokens[0] if len(ends) == 1 else WaitAllOp(deps=tokens if ends else list(view.deps), token=True).token
    view.token.replace_all_uses_with(done)


def _shape_attribute(shape: tuple[int, ...]) -> dict[str, ir.ArrayAttr]:
    i64 = ir.IntegerType.get_signless(64)
    return {"broadcast_shape": ir.ArrayAttr.get([ir.IntegerAttr.get(i64, n) for n in shape])} if shape else {}
