"""Replaces one L2 buffer by several smaller ones, and distributes the streams that fill or drain it over new channels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from allo_air.access.cut import walk_of_piece
from allo_air.access.linear import Linear
from allo_air.access.pattern import Lists
from allo_air.core.cloning import clone
from allo_air.core.names import channel_of
from allo_air.core.walking import ancestor_in, is_result_of, walk_named
from allo_air.dialects.air import ChannelOp
from allo_air.dialects.operands import MEMREFS, memref_of, with_lists
from allo_air.mlir import AnyOp, affine, ir
from allo_air.passes._analysis.buffers import CHANNEL_OPS, Buffer
from allo_air.passes._ir.channel_origins import from_channel
from allo_air.passes._ir.constants import Indices
from allo_air.passes._ir.names import Names
from allo_air.passes._ir.operands import with_operands
from allo_air.passes._ir.tokens import distinct, joined, token_of
from allo_air.passes.memory._shrink import reallocated
from allo_air.passes.memory._slabs import Channels, MultiSlabTransfer, SlabTransfer, Split, in_slab, runs_of


@dataclass(frozen=True)
class Bundle:
    """The bundle called `name` whose channels from number `first` on get the pieces of a transfer."""

    name: str
    first: int = 0


def bundle_for(shared: MultiSlabTransfer, names: Names, channels: Channels, count: int) -> Bundle:
    """A new bundle of `count` channels, declared next to the bundle of `shared`, with its attributes."""
    old = channels.declared[channel_of(shared.nest.transfer)]
    name = names.fresh("channel")
    ChannelOp(
        sym_name=name,
        size=[count, 1],
        channel_type=old.opview.channel_type,
        attributes={k: v for k, v in old.attributes.items() if k not in ("sym_name", "size", "channel_type")},
        loc=from_channel(old),
        ip=ir.InsertionPoint(old),
    )
    return Bundle(name)


def split(plan: Split, names: Names, channels: Channels, numbers: Iterator[int], bundle: Bundle | None = None) -> None:
    """Applies `plan`; `numbers` are ids for new transfers.

    With `bundle`, the pieces of its transfers use that bundle, and the caller erases the old one. Otherwise each transfer gets
    a new bundle.

    Before:

        air.channel @in []
        air.channel.put @in[] (%a[] [] []) : (memref<64x64xf32>)
        %m = memref.alloc() : memref<64x64xf32, 1>
        air.channel.get @in[] (%m[] [] []) : (memref<64x64xf32, 1>)

    After (two slabs of dimension 0):

        air.channel @channel_0 [2, 1]
        air.channel.put @channel_0[%c0, %c0] (%a[%c0, %c0] [%c32, %c64] [%c64, %c1]) : (memref<64x64xf32>)
        air.channel.put @channel_0[%c1, %c0] (%a[%c32, %c0] [%c32, %c64] [%c64, %c1]) : (memref<64x64xf32>)
        %m = memref.alloc() : memref<32x64xf32, 1>
        %n = memref.alloc() : memref<32x64xf32, 1>
        air.channel.get @channel_0[%c0, %c0] (%m[%c0, %c0] [%c32, %c64] [%c64, %c1]) : (memref<32x64xf32, 1>)
        air.channel.get @channel_0[%c1, %c0] (%n[%c0, %c0] [%c32, %c64] [%c64, %c1]) : (memref<32x64xf32, 1>)
    """
    buffer = plan.buffer
    kind = buffer.value.type
    smaller = ir.MemRefType.get(plan.shape, kind.element_type, memory_space=kind.memory_space)
    values = [reallocated(buffer, smaller) for _ in range(plan.count)]
    if buffer.token is not None:
        _wait_for_own(plan, [value.owner.operation.results[0] for value in values])
    for transfer in plan.transfers:
        if isinstance(transfer, SlabTransfer):
            walk = in_slab(transfer.nest.walk, plan.shape, plan.dim, transfer.slab)
            assert walk is not None, "checked when the split was planned"
            _replace(transfer.nest.transfer, [_Copy(values[transfer.slab], walk.lists())], numbers)
        else:
            old = channels.declared[channel_of(transfer.nest.transfer)]
            _distribute(transfer, plan, values, bundle or bundle_for(transfer, names, channels, transfer.cut.count), numbers)
            if bundle is None:
                old.erase()
    replace_frees(buffer, values)
    buffer.home.erase()


def replace_frees(buffer: Buffer, values: Sequence[Any]) -> None:
    """Frees `values` where `buffer` was freed."""
    for free in buffer.frees:
        clones = [clone(free, {buffer.value: value}, ir.InsertionPoint(free)) for value in values]
        if token_of(free) is not None:
            token_of(free).replace_all_uses_with(joined([token_of(op) for op in clones], free))
        free.erase()


def split_all(plans: Sequence[Split], name: str, channels: Channels, module: ir.Operation) -> str:
    """Applies `plans` to the buffers of bundle `name`, each with the same number of parts.

    The pieces use one new bundle, the pieces of the first buffer first; returns its name.
    """
    names, numbers, into = Names(module), new_ids(module), plans[0].count
    bundle = bundle_for(plans[0].shared[0], names, channels, into * len(plans))
    for number, plan in enumerate(plans):
        split(plan, names, channels, numbers, Bundle(bundle.name, number * into))
    channels.declared[name].erase()
    return bundle.name


def new_ids(module: ir.Operation) -> Iterator[int]:
    """Ids that no transfer has."""
    used_ids = [op.attributes["id"].value for op in walk_named(module, *CHANNEL_OPS) if "id" in op.attributes]
    return count(1 + max(used_ids, default=0))


@dataclass(frozen=True)
class _Copy:
    """A copy of a transfer on `memref` with `lists`, and on `channel` at `place` if that is given."""

    memref: Any
    lists: Lists
    channel: str | None = None
    place: int = 0


def _wait_for_own(plan: Split, tokens: list[ir.Value]) -> None:
    """Makes users of the old allocation wait for the allocations of the buffers that they use, and for all if they use none
    themselves.
    """
    old, block = plan.buffer.token, plan.buffer.block
    slabs = []
    for transfer in plan.transfers:
        first, size = (transfer.slab, 1) if isinstance(transfer, SlabTransfer) else (transfer.first, transfer.cut.count)
        slabs.append((ancestor_in(transfer.nest.transfer, block), range(first, first + size)))
    for use in list(old.uses):
        outer = ancestor_in(use.owner, block)
        used = sorted({n for op, several in slabs if op == outer for n in several}) or range(len(tokens))
        use.owner.operands[use.operand_number] = joined([tokens[n] for n in used], outer)


def _distribute(
    shared: MultiSlabTransfer, plan: Split, values: Sequence[ir.Value], bundle: Bundle, numbers: Iterator[int]
) -> None:
    """Replaces both ends of the old channel by pieces on new channels."""
    near, far = shared.nest.transfer, shared.far
    near_copies, far_copies = [], []
    for n in range(shared.cut.count):
        walk = in_slab(shared.piece(n), plan.shape, plan.dim, shared.first + n)
        runs = walk_of_piece(runs_of(far) or [], shared.cut, n)
        assert walk is not None and runs is not None, "checked when the split was planned"
        near_copies.append(_Copy(values[shared.first + n], walk.lists(), bundle.name, bundle.first + n))
        lists = Lists(*zip(*((r.offset, Linear(r.size), Linear(r.stride)) for r in runs), strict=True))
        far_copies.append(_Copy(memref_of(far), lists, bundle.name, bundle.first + n))
    _replace(near, near_copies, numbers)
    _replace(far, far_copies, numbers)


def _replace(transfer: AnyOp, copies: list[_Copy], numbers: Iterator[int]) -> None:
    """Replaces `transfer` by `copies`. Each further copy gets a new `id`, and users wait for all copies."""
    results = []
    lasts: dict[ir.Operation, ir.Operation] = {}
    for n, copy in enumerate(copies):
        clone = transfer.clone(ip=ir.InsertionPoint(transfer))
        if n and "id" in clone.attributes:
            clone.attributes["id"] = ir.IntegerAttr.get(clone.attributes["id"].type, next(numbers))
        [field], constants = MEMREFS[clone.name], Indices()
        parts = (copy.lists.offsets, copy.lists.sizes, copy.lists.strides)
        lists = [[_recomputed(p, lasts) or constants.value(p, _outermost(p, clone)) for p in several] for several in parts]
        operands = {field: [copy.memref], **with_lists(field, lists)}
        if copy.channel is not None:
            clone.attributes["chan_name"] = ir.FlatSymbolRefAttr.get(copy.channel)
            operands["indices"] = [constants.constant(number, clone) for number in (copy.place, 0)]
        results.append(with_operands(clone, operands))
    for result in transfer.results:
        result.replace_all_uses_with(joined(distinct(token_of(op) for op in results), transfer))
    transfer.erase()


def _recomputed(part: Linear, lasts: dict[ir.Operation, ir.Operation]) -> ir.Value | None:
    """The value of `part` if it is the sum of an `affine.apply` and a constant: a new `affine.apply` after it, as in mlir-air.

    `lasts` are the last operations that were created after each.
    """
    if len(part.terms) != 1 or part.terms[0][1] != 1 or not part.constant:
        return None
    [(value, _)] = part.terms
    if not is_result_of(value, "affine.apply"):
        return None
    old = value.owner.operation
    applied = old.attributes["map"].value
    moved = ir.AffineMap.get(applied.n_dims, applied.n_symbols, [applied.results[0] + part.constant], old.context)
    ip = ir.InsertionPoint.after(lasts.get(old, old))
    new = affine.AffineApplyOp(moved, list(old.operands), loc=old.location, ip=ip)
    lasts[old] = new.operation
    return new.result


def _outermost(part: Linear, op: AnyOp) -> Any:
    """The outermost loop around `op` in which no value that `part` depends on is defined; `op` itself if there is none."""
    op = op.operation
    blocks = [v.owner if isinstance(v, ir.BlockArgument) else v.owner.operation.block for v, _ in part.terms]
    while op.parent.name == "scf.for" and all(block != op.block for block in blocks):
        op = op.parent.operation
    return op
