"""Emits a region's L2 buffers and transfers: tensors, or boxes of them, are filled, sent to cores, received from cores, and
drained.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from allo_air.frontend.boxes import Box, Boxes, MixedChannels, strides_of
from allo_air.frontend.numbers import mlir_type
from allo_air.frontend.region import RegionSpec
from allo_air.frontend.rounds import Rounds
from allo_air.frontend.transfers import Channel, Group, Plan
from allo_air.frontend.types import ScalarType, carried


def memref_text(element: ScalarType, shape: Sequence[int], space: int = 0) -> str:
    """The memref type as text, with elements of the type in which DMAs move them."""
    sizes = "".join(f"{s}x" for s in shape)
    return f"memref<{sizes}{mlir_type(carried(element) or element)}{f', {space} : i32' if space else ''}>"


@dataclass(frozen=True)
class Scope:
    """Names of SSA values in the launch, and in the segment: the letters for index constants and for round numbers."""

    constant: str
    round: str


LAUNCH, SEGMENT = Scope("h", "l"), Scope("k", "r")


@dataclass
class Assembly:
    """The module under construction: index constants, lines of the launch, and lines of the segment before and after the
    herds.
    """

    spec: RegionSpec
    plan: Plan
    boxes: Boxes
    rounds: Rounds
    constants: dict[Scope, set[int]] = field(default_factory=lambda: {LAUNCH: set(), SEGMENT: set()})
    channels: list[str] = field(default_factory=list)
    """Channels between the launch and the segment."""
    launch: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    names: int = 0

    def index(self, number: int, scope: Scope = SEGMENT) -> str:
        """An index constant."""
        self.constants[scope].add(number)
        return f"%{scope.constant}{number}"

    def fresh(self) -> str:
        """A new name of the segment."""
        self.names += 1
        return f"%v{self.names}"

    def kind(self, tensor: int, space: int = 0) -> str:
        """The type of a tensor as a whole."""
        declared = list(self.spec.padded.values())[tensor]
        return memref_text(declared.element, declared.shape or (), space)

    def shape(self, tensor: int) -> tuple[int, ...]:
        return list(self.spec.padded.values())[tensor].shape or ()

    def part(self, channel: Channel, offsets: Sequence[int], sizes: Sequence[int], shape: Sequence[int]) -> str:
        """The access list for a part of a buffer of `shape`, in tiles if the channel carries tiles."""
        strides, places = strides_of(shape), [self.index(n) for n in offsets]
        if channel.tile is None:
            return self.access(places, sizes, strides)
        rows, columns = channel.tile
        counts = [sizes[0] // rows, sizes[1] // columns, rows, columns]
        steps = [rows * strides[0], columns * strides[1], *strides]
        return self.access([self.index(0), self.index(0), *places], counts, steps)

    def access(self, offsets: Sequence[str], sizes: Sequence[int], strides: Sequence[int], scope: Scope = SEGMENT) -> str:
        """An access list as text: `[offsets] [sizes] [strides]`."""
        lists = (offsets, [self.index(n, scope) for n in sizes], [self.index(n, scope) for n in strides])
        return " ".join(f"[{', '.join(list_)}]" for list_ in lists)


def write_transfers(assembly: Assembly) -> None:
    """Emits the buffers in L2 and all transfers to and from them."""
    _l2_tensors(assembly)
    for group, box in assembly.boxes.grouped:
        _boxed(assembly, group, box)
    for number, mixed in enumerate(assembly.boxes.mixed):
        _emit_mixed(assembly, mixed, f"boxes_{assembly.boxes.bin(number)}")


def _l2_tensors(assembly: Assembly) -> None:
    """Emits the tensors that are in L2 as a whole: one buffer for reads and one for writes."""
    for reads in (True, False):
        channels = [c for c in assembly.plan.channels if c.reads == reads and c.parts[0].tensor in assembly.plan.whole_tensors]
        buffers: dict[int, str] = {}
        for tensor in sorted({p.tensor for c in channels for p in c.parts}):
            buffers[tensor] = assembly.fresh()
            kind, l2 = assembly.kind(tensor), assembly.kind(tensor, 1)
            assembly.before.append(f"{buffers[tensor]} = memref.alloc() : {l2}")
            if reads:
                assembly.before.append(f"air.dma_memcpy_nd ({buffers[tensor]}[] [] [], %s{tensor}[] [] []) : ({l2}, {kind})")
        for channel in channels:
            for part in channel.parts:
                part_text = assembly.part(channel, part.start, part.sizes, assembly.shape(part.tensor))
                lines = assembly.before if reads else assembly.after
                _transfer(assembly, lines, channel, buffers[part.tensor], part_text, assembly.kind(part.tensor, 1))
        for tensor, buffer in buffers.items():
            kind, l2 = assembly.kind(tensor), assembly.kind(tensor, 1)
            if not reads:
                assembly.after.append(f"air.dma_memcpy_nd (%s{tensor}[] [] [], {buffer}[] [] []) : ({kind}, {l2})")
            assembly.after.append(f"memref.dealloc {buffer} : {l2}")


def _emit_mixed(assembly: Assembly, mixed: MixedChannels, name: str) -> None:
    """Channels with parts of several tensors: all boxes of a position, then each channel's parts in order.

    If the boxes are joined, the launch fills or drains all of them over channel `name`.
    """
    reads = mixed.channels[0].reads
    lines = assembly.before if reads else assembly.after
    buffers: dict[tuple[int, int], str] = {}
    moves: list[str] = []
    several = sum(len(mixed.boxes(index)) for index in range(len(mixed.places))) > 1
    joined = assembly.boxes.joined and (several or bool(assembly.boxes.bins))
    declaration = f"air.channel @{name} [1, 1]"
    if joined and declaration not in assembly.channels:
        assembly.channels.append(declaration)
    for place_number in range(len(mixed.places)):
        for box in mixed.boxes(place_number):
            buffer = buffers[place_number, id(box)] = assembly.fresh()
            l2, kind = _box_kind(assembly, box), assembly.kind(box.tensor)
            lines.append(f"{buffer} = memref.alloc(){_mark(assembly)} : {l2}")
            fill = lines if reads else moves
            group = Group(box.channels, 1, ())
            if joined:
                ends = ("put", "get") if reads else ("get", "put")
                outer = _outer_access(assembly, assembly.launch, group, box, "", LAUNCH)
                assembly.launch.append(f"air.channel.{ends[0]} @{name}[] (%a{box.tensor}{outer}) : ({kind})")
                fill.append(f"air.channel.{ends[1]} @{name}[] ({buffer}[] [] []) : ({l2})")
                continue
            outer = f"%s{box.tensor}{_outer_access(assembly, lines, group, box, '')}"
            if reads:
                fill.append(f"air.dma_memcpy_nd ({buffer}[] [] [], {outer}) : ({l2}, {kind})")
            else:
                fill.append(f"air.dma_memcpy_nd ({outer}, {buffer}[] [] []) : ({kind}, {l2})")
    for channel in mixed.channels:
        for place_number, part in enumerate(channel.parts):
            box = mixed.places[place_number][channel.name]
            [single] = [c for c in box.channels if c.name == channel.name]
            access_list = assembly.part(channel, box.place(single), part.sizes, box.shape)
            _transfer(assembly, lines, channel, buffers[place_number, id(box)], access_list, _box_kind(assembly, box))
    lines += moves


def _mark(assembly: Assembly) -> str:
    return " {air.no_split}" if assembly.boxes.final else ""


def _box_kind(assembly: Assembly, box: Box) -> str:
    return memref_text(list(assembly.spec.padded.values())[box.tensor].element, box.shape, 1)


def _transfer(assembly: Assembly, lines: list[str], channel: Channel, buffer: str, part_text: str, kind: str) -> None:
    op, zero = "put" if channel.reads else "get", assembly.index(0)
    lines.append(f"air.channel.{op} @{channel.name}[{zero}, {zero}] ({buffer}{part_text}) : ({kind})")


def _boxed(assembly: Assembly, group: Group, box: Box) -> None:
    """A box in L2, filled or drained once for each part of its channels."""
    lines = assembly.before if group.reads else assembly.after
    step = assembly.fresh()
    if group.count > 1:
        low, high, one = (assembly.index(n) for n in (0, group.count, 1))
        lines.append(f"scf.for {step} = {low} to {high} step {one} {{")
    l2, kind = _box_kind(assembly, box), assembly.kind(group.tensor)
    buffer = assembly.fresh()
    lines.append(f"{buffer} = memref.alloc(){_mark(assembly)} : {l2}")
    outer = f"%s{group.tensor}{_outer_access(assembly, lines, group, box, step)}"
    if group.reads:
        lines.append(f"air.dma_memcpy_nd ({buffer}[] [] [], {outer}) : ({l2}, {kind})")
    for channel in box.channels:
        part_text = assembly.part(channel, box.place(channel), channel.parts[0].sizes, box.shape)
        _transfer(assembly, lines, channel, buffer, part_text, l2)
    if not group.reads:
        lines.append(f"air.dma_memcpy_nd ({outer}, {buffer}[] [] []) : ({kind}, {l2})")
    lines.append(f"memref.dealloc {buffer} : {l2}")
    if group.count > 1:
        lines.append("}")


def _outer_access(assembly: Assembly, lines: list[str], group: Group, box: Box, step: str, scope: Scope = SEGMENT) -> str:
    """The position of the box in the tensor, in this round and at this step."""
    offsets: list[str] = []
    sizes: list[int] = []
    strides: list[int] = []
    for dimension, (axis, stride) in enumerate(zip(box.axes, strides_of(assembly.shape(group.tensor)), strict=True)):
        moves = {f"%{scope.round}{g}": s[dimension] for g, s in enumerate(group.shift)}
        if group.count > 1:
            moves[step] = group.step[dimension]
        offset = _sum(assembly, lines, axis.start, {name: by for name, by in moves.items() if by}, scope)
        if not axis.dense:
            offsets.append(assembly.index(0, scope))
            sizes.append(axis.count)
            strides.append(axis.step * stride)
        offsets.append(offset)
        sizes.append(axis.extent if axis.dense else axis.size)
        strides.append(stride)
    return assembly.access(offsets, sizes, strides, scope)


def _sum(assembly: Assembly, lines: list[str], start: int, moves: dict[str, int], scope: Scope) -> str:
    """Emits start plus each of `moves`, a name times a factor."""
    if not moves:
        return assembly.index(start, scope)
    name = assembly.fresh()
    terms = " + ".join(f"d{i} * {by}" for i, by in enumerate(moves.values()))
    dims = ", ".join(f"d{i}" for i in range(len(moves)))
    lines.append(f"{name} = affine.apply affine_map<({dims}) -> ({terms} + {start})>({', '.join(moves)})")
    return name
