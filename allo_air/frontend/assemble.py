"""Puts the cores of a region together as AIR: a launch, a segment with parts of tensors in L2, a herd for each core, channels.

func.func @top(%t0, %t1)
  air.launch over the rounds of bundles
    air.segment
      L2 buffers: tensors that are read, or the boxes of them that a round or a step of it needs
      air.channel.put of the part that each core reads; cores that read the same parts share one put by broadcast
      air.herd @kernel_0_1 for each core: its gets, programs and puts
      air.channel.get of the parts that cores write, copies of what is in L2 back
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from typing import Any

from allo_air.device import Device
from allo_air.frontend.boxes import PORTS, Box, boxes_of, mixed_boxes, strides_of
from allo_air.frontend.cores import MEMORY, Body, Core, compile_core
from allo_air.frontend.errors import KernelError
from allo_air.frontend.numbers import mlir_type
from allo_air.frontend.overlaps import Parts
from allo_air.frontend.placement import Cell, place
from allo_air.frontend.region import RegionSpec
from allo_air.frontend.rounds import Rounds
from allo_air.frontend.transfers import Channel, Group, Plan, plan_transfers
from allo_air.frontend.types import ScalarType, carried
from allo_air.frontend.virtual import VirtualGraph

FIRST_ROW = 2
"""The row of the first cores of an NPU."""


def memref_text(element: ScalarType, shape: Sequence[int], space: int = 0) -> str:
    """The type as text, with elements as DMAs move them."""
    sizes = "".join(f"{s}x" for s in shape)
    return f"memref<{sizes}{mlir_type(carried(element) or element)}{f', {space} : i32' if space else ''}>"


@dataclass
class Assembly:
    """The module on its way: index constants that the segment uses, lines before and behind the herds."""

    spec: RegionSpec
    plan: Plan
    rounds: Rounds
    constants: set[int] = field(default_factory=set)
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    names: int = 0

    def index(self, number: int) -> str:
        """An index constant."""
        self.constants.add(number)
        return f"%k{number}"

    def fresh(self) -> str:
        """A name of the segment."""
        self.names += 1
        return f"%v{self.names}"

    def kind(self, tensor: int, space: int = 0) -> str:
        """The type of a tensor as a whole."""
        declared = list(self.spec.tensors.values())[tensor]
        return memref_text(declared.element, declared.shape or (), space)

    def shape(self, tensor: int) -> tuple[int, ...]:
        return list(self.spec.tensors.values())[tensor].shape or ()

    def part(self, channel: Channel, offsets: Sequence[int], sizes: Sequence[int], shape: Sequence[int]) -> str:
        """The access to a part of a buffer of `shape`, in tiles where the channel carries such."""
        strides, places = strides_of(shape), [self.index(n) for n in offsets]
        if channel.tile is None:
            return self.access(places, sizes, strides)
        rows, columns = channel.tile
        counts = [sizes[0] // rows, sizes[1] // columns, rows, columns]
        steps = [rows * strides[0], columns * strides[1], *strides]
        return self.access([self.index(0), self.index(0), *places], counts, steps)

    def access(self, offsets: Sequence[str], sizes: Sequence[int], strides: Sequence[int]) -> str:
        """`[offsets] [sizes] [strides]`."""
        lists = (offsets, [self.index(n) for n in sizes], [self.index(n) for n in strides])
        return " ".join(f"[{', '.join(found)}]" for found in lists)


@dataclass(frozen=True)
class Assembled:
    """The module as text, its external kernels, and the tile (column and row) of each node of the virtual graph."""

    text: str
    externals: dict[str, Any]
    tiles: dict[str, tuple[int, int]]


def assemble(graph: VirtualGraph, spec: RegionSpec, device: Device, context: Any) -> Assembled:
    """The region as AIR, its herds placed on `device`."""
    rounds, plan = plan_transfers(graph, PORTS * device.columns)
    _check_writers(graph, spec)
    made = Assembly(spec, plan, rounds)
    streams = _streams(graph, rounds)
    taken = {*streams.values()}
    assert not taken & {c.name for c in plan.channels}
    compiled = partial(_body, graph, spec, rounds, plan, streams, context=context, arch=device.arch)
    bodies = [compiled(number) for number in range(len(rounds.cores))]
    if _tile(plan, bodies):
        tiled = [compiled(number) for number in range(len(rounds.cores))]
        if all(after.bytes <= max(before.bytes, MEMORY) for before, after in zip(bodies, tiled, strict=True)):
            bodies = tiled
        else:
            _untile(plan)
    _whole(made)
    for group in plan.groups:
        for box in boxes_of(group):
            _boxed(made, group, box)
    for piece, places in mixed_boxes(plan.mixed):
        _mixed(made, piece, places)
    cells = _cells(graph, rounds, plan, device)
    externals = {name: module for body in bodies for name, module in body.externals.items()}
    tiles = {name: (column, row + FIRST_ROW) for name, (column, row) in zip(rounds.names, cells, strict=True)}
    return Assembled(_module(made, sorted(taken), bodies, cells), externals, tiles)


def _tile(plan: Plan, bodies: Sequence[Body]) -> bool:
    """Lets parts come in tiles where all who receive them over a channel want the same; whether there are such."""
    wanted: dict[str, set[tuple[int, int] | None]] = {}
    for wiring, body in zip(plan.wiring, bodies, strict=True):
        for end, (name, _) in wiring.gets.items():
            wanted.setdefault(name, set()).add(body.tiles.get(end))
    for channel in plan.channels:
        tiles = wanted.get(channel.name, {None})
        channel.tile = next(iter(tiles)) if len(tiles) == 1 else None
    named = {c.name: c.tile for c in plan.channels if c.tile is not None}
    for wiring in plan.wiring:
        wiring.tiles |= {end: named[name] for end, (name, _) in wiring.gets.items() if name in named}
    return bool(named)


def _untile(plan: Plan) -> None:
    """Lets parts come as they lie in the tensors, where tiles and products in the accumulators' type do not fit."""
    for channel in plan.channels:
        channel.tile = None
    for wiring in plan.wiring:
        wiring.tiles.clear()


def _check_writers(graph: VirtualGraph, spec: RegionSpec) -> None:
    """KernelError where two instances write the same elements."""
    written: Parts[str] = Parts()
    names = list(spec.tensors)
    for instance in graph.instances:
        for part, does in zip(instance.parts, instance.writes, strict=True):
            if not does:
                continue
            clash = min(written.shared(part), key=itemgetter(0), default=None)
            if clash is not None:
                _, other, name = clash
                raise KernelError(
                    f"cores {name} and {instance.name} write parts of tensor '{names[part.tensor]}' that overlap, from "
                    f"{other.start} and from {part.start}; let one of them write, or cut the tensor by a layout"
                )
            written.add(part, instance.name)


def _streams(graph: VirtualGraph, rounds: Rounds) -> dict[str, str]:
    """The channel of each stream between two cores: in rounds, that of the stream that takes its place in the first."""
    owner = graph.owners()
    between = [e for e in graph.edges if owner[e.source] != owner[e.target]]
    instead: dict[str, str] = {}
    if rounds.grid:
        for node in graph.nodes.values():
            for numbers in node.rounds:
                for a, b in zip(node.rounds[0], numbers, strict=True):
                    instead |= dict(zip(graph.instances[b].streams, graph.instances[a].streams, strict=True))
    return {e.stream: _channel_name(instead.get(e.stream, e.stream)) for e in between}


def _channel_name(stream: str) -> str:
    """A name that no channel of a tensor has."""
    return f"{stream}_" if stream.startswith(("in_", "out_")) else stream


def _body(
    graph: VirtualGraph,
    spec: RegionSpec,
    rounds: Rounds,
    plan: Plan,
    streams: dict[str, str],
    number: int,
    *,
    context: Any,
    arch: str,
) -> Body:
    numbers = rounds.cores[number]
    own = set(numbers)
    inside = [e for e in graph.edges if e.source in own and e.target in own and e.source != e.target]
    local = {e.stream: e.puts or 0 for e in inside}
    instances = [graph.instances[n] for n in numbers]
    drains = {e.stream: e.unread for e in graph.edges if e.unread}
    wiring, circle = plan.wiring[number], graph.circle is not None
    return compile_core(Core(spec, instances, wiring, local, drains, streams, context, f"core_{number}", circle), arch)


def _cells(graph: VirtualGraph, rounds: Rounds, plan: Plan, device: Device) -> list[Cell]:
    columns, rows = device.columns, len(device.core_rows)
    at = {name: n for n, name in enumerate(rounds.names)}
    owner = graph.owners()
    links = list(dict.fromkeys((at[owner[e.source]], at[owner[e.target]]) for e in graph.edges))
    ends = [(len(set(w.gets.values())), len(set(w.puts.values()))) for w in plan.wiring]
    found = place(len(rounds.cores), links, columns, rows, ends)
    if found is None:
        raise KernelError(
            f"{len(rounds.cores)} kernel instances for {columns * rows} cores of {device.name}; make the mappings smaller"
        )
    return found


def _whole(made: Assembly) -> None:
    """Tensors that stand in L2 as a whole, one buffer for what is read and one for what is written."""
    for reads in (True, False):
        channels = [c for c in made.plan.channels if c.reads == reads and c.parts[0].tensor in made.plan.whole]
        buffers: dict[int, str] = {}
        for tensor in sorted({p.tensor for c in channels for p in c.parts}):
            buffers[tensor] = made.fresh()
            kind, l2 = made.kind(tensor), made.kind(tensor, 1)
            made.before.append(f"{buffers[tensor]} = memref.alloc() : {l2}")
            if reads:
                made.before.append(f"air.dma_memcpy_nd ({buffers[tensor]}[] [] [], %s{tensor}[] [] []) : ({l2}, {kind})")
        for channel in channels:
            for part in channel.parts:
                at = made.part(channel, part.start, part.sizes, made.shape(part.tensor))
                lines = made.before if reads else made.after
                _transfer(made, lines, channel, buffers[part.tensor], at, made.kind(part.tensor, 1))
        for tensor, buffer in buffers.items():
            kind, l2 = made.kind(tensor), made.kind(tensor, 1)
            if not reads:
                made.after.append(f"air.dma_memcpy_nd (%s{tensor}[] [] [], {buffer}[] [] []) : ({kind}, {l2})")
            made.after.append(f"memref.dealloc {buffer} : {l2}")


def _mixed(made: Assembly, channels: Sequence[Channel], places: list[dict[str, Box]]) -> None:
    """Channels that carry parts of several tensors: all boxes of a place, then each channel's parts in order."""
    reads = channels[0].reads
    lines = made.before if reads else made.after
    buffers: dict[tuple[int, int], str] = {}
    fills: list[str] = []
    for at, boxes in enumerate(places):
        for box in {id(b): b for b in boxes.values()}.values():
            tensor = box.channels[0].parts[0].tensor
            buffer = buffers[at, id(box)] = made.fresh()
            l2, kind = _box_kind(made, tensor, box), made.kind(tensor)
            lines.append(f"{buffer} = memref.alloc() : {l2}")
            outer = f"%s{tensor}{_outer_access(made, lines, Group(box.channels, 1, ()), box, '')}"
            if reads:
                lines.append(f"air.dma_memcpy_nd ({buffer}[] [] [], {outer}) : ({l2}, {kind})")
            else:
                fills.append(f"air.dma_memcpy_nd ({outer}, {buffer}[] [] []) : ({kind}, {l2})")
    for channel in channels:
        for at, part in enumerate(channel.parts):
            box = places[at][channel.name]
            [single] = [c for c in box.channels if c.name == channel.name]
            where = made.part(channel, box.place(single), part.sizes, box.shape)
            _transfer(made, lines, channel, buffers[at, id(box)], where, _box_kind(made, part.tensor, box))
    lines += fills


def _box_kind(made: Assembly, tensor: int, box: Box) -> str:
    return memref_text(list(made.spec.tensors.values())[tensor].element, box.shape, 1)


def _transfer(made: Assembly, lines: list[str], channel: Channel, buffer: str, at: str, kind: str) -> None:
    op, zero = "put" if channel.reads else "get", made.index(0)
    lines.append(f"air.channel.{op} @{channel.name}[{zero}, {zero}] ({buffer}{at}) : ({kind})")


def _boxed(made: Assembly, group: Group, box: Box) -> None:
    """A box in L2, filled or emptied once for each part of its channels."""
    lines = made.before if group.reads else made.after
    step = made.fresh()
    if group.count > 1:
        low, high, one = (made.index(n) for n in (0, group.count, 1))
        lines.append(f"scf.for {step} = {low} to {high} step {one} {{")
    l2, kind = _box_kind(made, group.tensor, box), made.kind(group.tensor)
    buffer = made.fresh()
    lines.append(f"{buffer} = memref.alloc() : {l2}")
    outer = f"%s{group.tensor}{_outer_access(made, lines, group, box, step)}"
    if group.reads:
        lines.append(f"air.dma_memcpy_nd ({buffer}[] [] [], {outer}) : ({l2}, {kind})")
    for channel in box.channels:
        at = made.part(channel, box.place(channel), channel.parts[0].sizes, box.shape)
        _transfer(made, lines, channel, buffer, at, l2)
    if not group.reads:
        lines.append(f"air.dma_memcpy_nd ({outer}, {buffer}[] [] []) : ({kind}, {l2})")
    lines.append(f"memref.dealloc {buffer} : {l2}")
    if group.count > 1:
        lines.append("}")


def _outer_access(made: Assembly, lines: list[str], group: Group, box: Box, step: str) -> str:
    """Where the box lies in the tensor, in this round and at this step."""
    offsets: list[str] = []
    sizes: list[int] = []
    strides: list[int] = []
    for dimension, (axis, stride) in enumerate(zip(box.axes, strides_of(made.shape(group.tensor)), strict=True)):
        moves = {f"%r{g}": s[dimension] for g, s in enumerate(group.shift)}
        if group.count > 1:
            moves[step] = group.step[dimension]
        offset = _sum(made, lines, axis.start, {name: by for name, by in moves.items() if by})
        if not axis.dense:
            offsets.append(made.index(0))
            sizes.append(axis.count)
            strides.append(axis.step * stride)
        offsets.append(offset)
        sizes.append(axis.extent if axis.dense else axis.size)
        strides.append(stride)
    return made.access(offsets, sizes, strides)


def _sum(made: Assembly, lines: list[str], start: int, moves: dict[str, int]) -> str:
    """start plus each name times its factor."""
    if not moves:
        return made.index(start)
    name = made.fresh()
    terms = " + ".join(f"d{i} * {by}" for i, by in enumerate(moves.values()))
    dims = ", ".join(f"d{i}" for i in range(len(moves)))
    lines.append(f"{name} = affine.apply affine_map<({dims}) -> ({terms} + {start})>({', '.join(moves)})")
    return name


def _herd(name: str, body: Body, cell: Cell) -> str:
    attributes = [f"x_loc = {cell[0]} : i64", f"y_loc = {cell[1] + FIRST_ROW} : i64"]
    if body.externals:
        attributes.append(f'link_with = "{next(iter(body.externals))}.o"')
    marks = f"attributes {{{', '.join(attributes)}}}"
    return f"air.herd @{_symbol(name)} tile (%tx, %ty) in (%sx=%one, %sy=%one) {marks} {{\n{body.text}\n}}"


def _symbol(name: str) -> str:
    """A node's name as a symbol; long ones by their first node and the number of nodes."""
    parts = name.split("-")
    return name.replace("-", ".") if len(parts) < 4 else f"{parts[0]}.{len(parts)}"


def _module(made: Assembly, streams: list[str], bodies: list[Body], cells: list[Cell]) -> str:
    count = range(len(made.spec.tensors))
    kinds = [made.kind(t) for t in count]
    channels = [f"air.channel @{name} [1, 1]" for name in streams]
    for channel in made.plan.channels:
        users = len(channel.users)
        channels.append(f"air.channel @{channel.name} [1, 1]" + (f" {{broadcast_shape = [1, {users}]}}" if users > 1 else ""))
    herds = [_herd(*found) for found in zip(made.rounds.names, bodies, cells, strict=True)]
    rounds, name = made.rounds.grid, made.spec.source.name
    arguments = ", ".join(f"%t{i}: {kinds[i]}" for i in count)
    ids, sizes = (", ".join(f"%{letter}{i}" for i in range(len(rounds))) for letter in "ln")
    bounds = ", ".join(f"%n{i}=%g{i}" for i in range(len(rounds)))
    types = ", ".join([*kinds, *["index"] * len(rounds)])
    launch = ", ".join(f"%a{i}=%t{i}" for i in count)
    segment = ", ".join([*(f"%s{i}=%a{i}" for i in count), *(f"%r{i}=%l{i}" for i in range(len(rounds)))])
    assert sizes or not rounds
    return "\n".join(
        [
            *channels,
            *{line: None for body in bodies for line in (*body.globals.values(), *body.declarations.values())},
            f"func.func @{name}({arguments}) {{",
            *(f"%g{i} = arith.constant {size} : index" for i, size in enumerate(rounds)),
            f"air.launch ({ids}) in ({bounds}) args({launch}) : {', '.join(kinds)} {{",
            f"air.segment @{name}_0 args({segment}) : {types} {{",
            "%one = arith.constant 1 : index",
            *(f"%k{n} = arith.constant {n} : index" for n in sorted(made.constants)),
            *made.before,
            *herds,
            *made.after,
            "}\n}\nreturn\n}",
        ]
    )
