"""The dimension along which an L2 buffer can be split, and the number of buffers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from allo_air.access.box import Walk
from allo_air.access.cut import Cut, Run, walk_of_piece
from allo_air.access.dims import row_major
from allo_air.access.linear import ZERO, Linear
from allo_air.core.constants import constant_of
from allo_air.core.names import channel_of, sym_name_of
from allo_air.core.walking import parents, root_of, walk_named
from allo_air.dialects.operands import lists_of, memref_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.access import explicit_lists
from allo_air.passes._analysis.box import is_row_major
from allo_air.passes._analysis.buffers import CHANNEL_OPS, Buffer, Nest, nest_of
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._analysis.loops import interval


@dataclass(frozen=True)
class SlabTransfer:
    """A transfer that stays in slab `slab`."""

    nest: Nest
    slab: int


@dataclass(frozen=True)
class MultiSlabTransfer:
    """A transfer over several slabs from `first` on. It and the transfer at the channel's other end are cut into pieces."""

    nest: Nest
    first: int
    cut: Cut
    cut_step: int  # the step of the walk that is cut
    far: Any

    def piece(self, number: int) -> Walk:
        """The walk over slab `first + number` on the whole buffer."""
        steps = list(self.nest.walk.steps)
        step = steps[self.cut_step]
        steps[self.cut_step] = replace(step, size=self.cut.group, offset=step.offset + Linear(number * self.cut.group))
        return replace(self.nest.walk, steps=tuple(steps))


@dataclass(frozen=True)
class Split:
    """`buffer` becomes `count` buffers of `width` indices in dimension `dim`."""

    buffer: Buffer
    dim: int
    width: int
    count: int
    transfers: tuple[SlabTransfer | MultiSlabTransfer, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of each of the buffers."""
        return narrowed(self.buffer.value.type.shape, self.dim, self.width)

    @property
    def shared(self) -> list[MultiSlabTransfer]:
        return [t for t in self.transfers if isinstance(t, MultiSlabTransfer)]

    @property
    def most_transfers(self) -> int:
        """The largest number of transfers in one direction that one of the slabs has."""
        slabs = [
            (t, [t.slab] if isinstance(t, SlabTransfer) else range(t.first, t.first + t.cut.count)) for t in self.transfers
        ]
        return max(Counter((t.nest.transfer.name, slab) for t, several in slabs for slab in several).values(), default=0)


class Channels:
    """The transfers of a module, or of a function, and the declarations of their channels.

    With `each`, the channels of a bundle whose indices are all constant count as separate channels.
    """

    def __init__(self, scope: AnyOp, *, each: bool = False) -> None:
        self.each = each
        self._at: dict[tuple[str, str], list[ir.Operation]] = {}
        for op in walk_named(scope, *CHANNEL_OPS):
            self._at.setdefault((channel_of(op), op.name), []).append(op)
        used = {name for name, _ in self._at}
        all_declared = {sym_name_of(op): op for op in walk_named(root_of(scope), "air.channel")}
        self.declared = {name: op for name, op in all_declared.items() if name in used}

    def at(self, name: str, end: str) -> list[ir.Operation]:
        """The transfers at end `end` (put or get) of channel `name`."""
        return self._at.get((name, end), [])

    def same(self, transfer: ir.Operation) -> list[ir.Operation]:
        """The transfers at the same end as `transfer`, including it."""
        return self._on_same_channel(transfer, self._at[channel_of(transfer), transfer.name])

    def other(self, transfer: ir.Operation) -> list[Any]:
        """The transfers at the other end of the channel."""
        far_end = CHANNEL_OPS[transfer.name == CHANNEL_OPS[0]]
        return self._on_same_channel(transfer, self._at.get((channel_of(transfer), far_end), []))

    def is_single(self, transfer: ir.Operation) -> bool:
        """Whether the bundle is one channel without broadcast and has one transfer at each end."""
        channel = self.declared.get(channel_of(transfer))
        if channel is None or "broadcast_shape" in channel.attributes:
            return False
        if prod(channel.opview.size) != 1 and not (self.each and None not in places_of(transfer)):
            return False
        return len(self.same(transfer)) == len(self.other(transfer)) == 1

    def _on_same_channel(self, transfer: AnyOp, ops: list[ir.Operation]) -> list[Any]:
        """The operations of `ops` that may use the same channel of the bundle as `transfer`."""
        if not self.each:
            return ops
        own = places_of(transfer)
        return [t for t in ops if all(None in pair or pair[0] == pair[1] for pair in zip(own, places_of(t), strict=False))]


def places_of(transfer: AnyOp) -> list[int | None]:
    """The indices of a transfer's channel in its bundle; None if one is not constant."""
    return [constant_of(v) for v in transfer.opview.indices]


def reads_along_rows(buffer: Buffer, channels: Channels) -> bool:
    """Whether all transfers that read `buffer` go to cores of several columns, with the same data for each column."""
    read = [channels.declared[channel_of(t)] for t in buffer.transfers if t.name == CHANNEL_OPS[0]]
    shapes = [[int(n) for n in c.attributes["broadcast_shape"]] for c in read if "broadcast_shape" in c.attributes]
    return bool(read) and len(shapes) == len(read) and all(x > 1 and y == 1 for x, y in shapes)


def split_for(buffer: Buffer, channels: Channels, fits: Callable[[Split], bool], most: int) -> Split | None:
    """A split of `buffer` in which each transfer from or to a herd stays in one slab; None if there is none.

    The first dimension that can be split is chosen, with as many slabs as the herds' accesses distinguish, or with the
    greatest divisor of that number for which `fits` holds. A split in which a slab has `most` transfers in one direction, the
    number of a memtile's channels, is the second choice: the memtile then has no channels for other buffers. A split with more
    transfers is the last choice.
    """
    indices = IndexValues()
    nests = [nest_of(t, buffer.block, indices) for t in buffer.transfers]
    nests_present = [n for n in nests if n is not None]
    herds = [n for n in nests_present if any(_in_herd(op) for op in channels.other(n.transfer))]
    if len(nests_present) < len(nests) or not herds:
        return None
    full = crowded = None
    for dim, extent in enumerate(nests_present[0].walk.shape):
        splits = (_split(buffer, nests_present, herds, dim, extent // count, channels) for count in _counts(herds, dim, extent))
        split = next((s for s in splits if s is not None and fits(s)), None)
        if split is not None and split.most_transfers < most:
            return split
        if split is not None and split.most_transfers == most:
            full = full or split
        crowded = crowded or split
    return full or crowded


def _counts(herds: list[Nest], dim: int, extent: int) -> Iterator[int]:
    """Numbers of slabs to try: no slab may be narrower than the span of a herd's transfer."""
    spans = [_span(n, dim) for n in herds]
    if any(s is None for s in spans):
        return
    widest = max(s[1] for s in spans if s is not None)
    yield from (count for count in range(extent // widest, 1, -1) if extent % count == 0)


def _span(nest: Nest, dim: int) -> tuple[int, int] | None:
    """The first index and the number of indices that a nest visits in dimension `dim`; None if they are not constant."""
    least, reach = interval(nest.walk.low[dim], list(nest.loops))
    return (least.constant, nest.walk.size[dim] + reach) if least.is_constant else None


def _split(buffer: Buffer, nests: list[Nest], herds: list[Nest], dim: int, width: int, channels: Channels) -> Split | None:
    results: list[SlabTransfer | MultiSlabTransfer] = []
    for nest in nests:
        span = _span(nest, dim)
        if span is None:
            return None
        first, last = span[0] // width, (span[0] + span[1] - 1) // width
        if first == last:
            if in_slab(nest.walk, narrowed(nest.walk.shape, dim, width), dim, first) is None:
                return None
            results.append(SlabTransfer(nest, first))
            continue
        shared = None if nest in herds else _shared(nest, dim, width, first, channels)
        if shared is None:
            return None
        results.append(shared)
    return Split(buffer, dim, width, nests[0].walk.shape[dim] // width, tuple(results))


def _shared(nest: Nest, dim: int, width: int, first: int, channels: Channels) -> MultiSlabTransfer | None:
    """`nest` and the other end of its channel, cut at slab borders; None if they cannot be cut."""
    transfer = nest.transfer
    if not channels.is_single(transfer) or not nest.walk.low[dim].is_constant or nest.walk.low[dim].constant % width:
        return None
    [far] = channels.other(transfer)
    padded = any(name in op.attributes for op in (transfer, far) for name in ("pad_before", "pad_after"))
    outermost = [n for n, s in enumerate(nest.walk.steps) if s.dim == dim and s.size > 1]
    if padded or not outermost:
        return None
    cut_step = max(outermost, key=lambda n: nest.walk.steps[n].step)
    step = nest.walk.steps[cut_step]
    group, rest = divmod(width, step.step)
    inside = sum((s.size - 1) * s.step for n, s in enumerate(nest.walk.steps) if s.dim == dim and n != cut_step)
    if rest or step.size % group or inside >= step.step:
        return None
    inner = prod(s.size for s in nest.walk.steps[cut_step + 1 :])
    cut = Cut(inner, group, step.size // group)
    far_runs = runs_of(far)
    if (
        far_runs is None
        or prod(r.size for r in far_runs) != prod(s.size for s in nest.walk.steps)
        or walk_of_piece(far_runs, cut, 0) is None
    ):
        return None
    return MultiSlabTransfer(nest, first, cut, cut_step, far)


def runs_of(transfer: AnyOp) -> list[Run] | None:
    """The access lists of `transfer`, explicit also for a whole buffer; None if a size or stride is not constant."""
    explicit = explicit_lists(lists_of(transfer))
    kind = memref_of(transfer).type
    if explicit is None:
        return None
    if not explicit.sizes:
        if not is_row_major(kind):
            return None
        return [Run(ZERO, n, s) for n, s in zip(kind.shape, row_major(kind.shape), strict=True)]
    if not all(part.is_constant for part in (*explicit.sizes, *explicit.strides)):
        return None
    return [Run(o, n.constant, s.constant) for o, n, s in zip(explicit.offsets, explicit.sizes, explicit.strides, strict=True)]


def in_slab(walk: Walk, shape: Sequence[int], dim: int, slab: int) -> Walk | None:
    """`walk`, on the whole buffer, as a walk on slab number `slab`, of `shape`; None if no dimension of the list can be
    moved.
    """
    base = [Linear(slab * shape[dim]) if d == dim else ZERO for d in range(len(shape))]
    return walk.moved(shape, base)


def narrowed(shape: Sequence[int], dim: int, width: int) -> tuple[int, ...]:
    """`shape` with `width` indices in dimension `dim`."""
    return tuple(width if d == dim else n for d, n in enumerate(shape))


def _in_herd(op: ir.Operation) -> bool:
    return any(p.name == "air.herd" for p in parents(op))
