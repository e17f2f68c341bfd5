"""Puts the cores of a region together as AIR: a launch, a segment with parts of tensors in L2, a herd for each core, channels.

func.func @top(%t0, %t1)
  air.launch over the rounds of bundles
    air.segment
      L2 buffers: tensors that are read, or the boxes of them that a round or a step of it needs
      air.channel.put of the part that each core reads; cores that read the same parts share one put by broadcast
      air.herd @kernel_0_1 for each core: its gets, programs and puts
      air.channel.get of the parts that cores write, copies from L2 to the tensors
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from allo_air.device import DEVICES, Device
from allo_air.errors import position
from allo_air.frontend.arrangement import arrange
from allo_air.frontend.cores import LOCKS, MEMORY, Body, Core, compile_core
from allo_air.frontend.forwarding import Forwarding, TooFewChannels, forward
from allo_air.frontend.instances import stream_types
from allo_air.frontend.overlaps import Parts
from allo_air.frontend.placement import Cell
from allo_air.frontend.region import RegionSpec
from allo_air.frontend.rounds import Rounds
from allo_air.frontend.segment import LAUNCH, SEGMENT, Assembly, Scope, write_transfers
from allo_air.frontend.transfers import Plan
from allo_air.frontend.virtual import VirtualGraph

if TYPE_CHECKING:
    from allo_air.mlir import ir

FIRST_ROW = DEVICES["npu1"].core_rows[0]
"""The row of the first cores of an NPU."""


@dataclass(frozen=True)
class Assembled:
    """The module as text, its external kernels, and the tile (column and row) of each node of the virtual graph."""

    text: str
    externals: dict[str, Any]
    tiles: dict[str, tuple[int, int]]


def assemble(graph: VirtualGraph, spec: RegionSpec, device: Device, context: ir.Context) -> Assembled:
    """The region as AIR, its herds placed on `device`."""
    _check_writers(graph, spec)
    arranged = arrange(graph, device)
    rounds, plan, cells = arranged.rounds, arranged.plan, arranged.cells
    assembly = Assembly(spec, plan, arranged.boxes, rounds)
    streams = _streams(graph, rounds)
    try:
        forwarding = forward(graph, rounds, plan, cells, stream_types(spec))
    except TooFewChannels as error:
        node = graph.instances[rounds.cores[error.core][0]].kernel.node
        raise spec.source.error(node, error.message(rounds.names)) from None
    compiled = partial(_body, graph, spec, rounds, plan, streams, forwarding, context=context, arch=device.arch)
    bodies = [compiled(number) for number in range(len(rounds.cores))]
    if forwarding.links and max(body.home_locks for body in bodies) > LOCKS:
        entirely = forward(graph, rounds, plan, cells, stream_types(spec), entirely=True)
        compiled = partial(_body, graph, spec, rounds, plan, streams, entirely, context=context, arch=device.arch)
        rest = [compiled(number) for number in range(len(rounds.cores))]
        if max(body.home_locks for body in rest) <= max(body.home_locks for body in bodies):
            forwarding, bodies = entirely, rest
    compiled = partial(_body, graph, spec, rounds, plan, streams, forwarding, context=context, arch=device.arch)
    used_channels = {name for stream, name in streams.items() if stream not in forwarding.streams} | {*forwarding.links}
    if _tile(plan, bodies):
        tiled = [compiled(number) for number in range(len(rounds.cores))]
        if all(after.bytes <= max(before.bytes, MEMORY) for before, after in zip(bodies, tiled, strict=True)):
            bodies = tiled
        else:
            _untile(plan)
    write_transfers(assembly)
    externals = {name: module for body in bodies for name, module in body.externals.items()}
    tiles = {name: (column, row + FIRST_ROW) for name, (column, row) in zip(rounds.names, cells, strict=True)}
    places = [_location(assembly, graph.instances[numbers[0]].kernel.node) for numbers in rounds.cores]
    return Assembled(_module(assembly, sorted(used_channels), bodies, cells, places), externals, tiles)


def _tile(plan: Plan, bodies: Sequence[Body]) -> bool:
    """Makes parts arrive in tiles if all receivers of a channel want the same tiles; returns whether any do."""
    tiles_of: dict[str, set[tuple[int, int] | None]] = {}
    for wiring, body in zip(plan.wiring, bodies, strict=True):
        for end, (name, _) in wiring.gets.items():
            tiles_of.setdefault(name, set()).add(body.tiles.get(end))
    for channel in plan.channels:
        tiles = tiles_of.get(channel.name, {None})
        channel.tile = next(iter(tiles)) if len(tiles) == 1 else None
    named = {c.name: c.tile for c in plan.channels if c.tile is not None}
    for wiring in plan.wiring:
        wiring.tiles |= {end: named[name] for end, (name, _) in wiring.gets.items() if name in named}
    return bool(named)


def _untile(plan: Plan) -> None:
    """Makes parts arrive in row-major order if tiles, and products in the accumulators' type, do not fit."""
    for channel in plan.channels:
        channel.tile = None
    for wiring in plan.wiring:
        wiring.tiles.clear()


def _check_writers(graph: VirtualGraph, spec: RegionSpec) -> None:
    """KernelError if two instances write the same elements."""
    written: Parts[str] = Parts()
    names = list(spec.padded)
    for instance in graph.instances:
        for part, is_written in zip(instance.parts, instance.writes, strict=True):
            if not is_written:
                continue
            clash = min(written.shared(part), key=itemgetter(0), default=None)
            if clash is not None:
                _, earlier, name = clash
                raise spec.source.error(
                    instance.kernel.node,
                    f"cores {name} and {instance.name} write parts of tensor '{names[part.tensor]}' that overlap, from "
                    f"{earlier.start} and from {part.start}; let one of them write, or cut the tensor by a layout",
                )
            written.add(part, instance.name)


def _streams(graph: VirtualGraph, rounds: Rounds) -> dict[str, str]:
    """The channel of each stream between two cores; in later rounds that of the corresponding stream of the first."""
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
    """A name that no tensor's channel has."""
    return f"{stream}_" if stream.startswith(("in_", "out_", "boxes_", "link_")) else stream


def _body(
    graph: VirtualGraph,
    spec: RegionSpec,
    rounds: Rounds,
    plan: Plan,
    streams: dict[str, str],
    forwarding: Forwarding,
    number: int,
    *,
    context: ir.Context,
    arch: str,
) -> Body:
    numbers = rounds.cores[number]
    own = set(numbers)
    inside = [e for e in graph.edges if e.source in own and e.target in own and e.source != e.target]
    local = {e.stream: e.puts or 0 for e in inside}
    instances = [graph.instances[n] for n in numbers]
    drains = {e.stream: e.unread for e in graph.edges if e.unread and e.stream not in forwarding.streams}
    wiring, has_cycle = plan.wiring[number], graph.cycle is not None
    return compile_core(
        Core(spec, instances, wiring, local, drains, streams, context, f"core_{number}", has_cycle, forwarding.script(number)),
        arch,
    )


def _herd(name: str, body: Body, cell: Cell, location: str) -> str:
    attributes = [f"x_loc = {cell[0]} : i64", f"y_loc = {cell[1] + FIRST_ROW} : i64"]
    if body.externals:
        attributes.append(f'link_with = "{next(iter(body.externals))}.o"')
    marks = f"attributes {{{', '.join(attributes)}}}"
    return f"air.herd @{_symbol(name)} tile (%tx, %ty) in (%sx=%one, %sy=%one) {marks} {{\n{body.text}\n}} {location}"


def _location(assembly: Assembly, node: ast.FunctionDef) -> str:
    """The MLIR location of a definition of the region."""
    return f"loc({position(assembly.spec.source.file, node.lineno, node.col_offset + 1)})"


def _symbol(name: str) -> str:
    """A node's name as a symbol; long ones are abbreviated to the first node and the number of nodes."""
    parts = name.split("-")
    return name.replace("-", ".") if len(parts) < 4 else f"{parts[0]}.{len(parts)}"


def _module(assembly: Assembly, streams: list[str], bodies: list[Body], cells: list[Cell], places: list[str]) -> str:
    count = range(len(assembly.spec.padded))
    kinds = [assembly.kind(t) for t in count]
    channels = [f"air.channel @{name} [1, 1]" for name in streams]
    for channel in assembly.plan.channels:
        users = len(channel.users)
        channels.append(f"air.channel @{channel.name} [1, 1]" + (f" {{broadcast_shape = [1, {users}]}}" if users > 1 else ""))
    herds = [_herd(*item) for item in zip(assembly.rounds.names, bodies, cells, places, strict=True)]
    rounds, name = assembly.rounds.grid, assembly.spec.source.name
    arguments = ", ".join(f"%t{i}: {kinds[i]}" for i in count)
    ids = ", ".join(f"%l{i}" for i in range(len(rounds)))
    bounds = ", ".join(f"%n{i}=%g{i}" for i in range(len(rounds)))
    types = ", ".join([*kinds, *["index"] * len(rounds)])
    launch = ", ".join(f"%a{i}=%t{i}" for i in count)
    segment = ", ".join([*(f"%s{i}=%a{i}" for i in count), *(f"%r{i}=%l{i}" for i in range(len(rounds)))])
    location_text = _location(assembly, assembly.spec.source.tree)
    return "\n".join(
        [
            *channels,
            *assembly.channels,
            *{line: None for body in bodies for line in (*body.globals.values(), *body.declarations.values())},
            f"func.func @{name}({arguments}) {{",
            *(f"%g{i} = arith.constant {size} : index" for i, size in enumerate(rounds)),
            f"air.launch ({ids}) in ({bounds}) args({launch}) : {', '.join(kinds)} {{",
            *_constants(assembly, LAUNCH),
            *_located(assembly.launch, location_text),
            f"air.segment @{name}_0 args({segment}) : {types} {{",
            "%one = arith.constant 1 : index",
            *_constants(assembly, SEGMENT),
            *_located(assembly.before, location_text),
            *herds,
            *_located(assembly.after, location_text),
            f"}} {location_text}\n}} {location_text}\nreturn\n}} {location_text}",
        ]
    )


def _located(lines: Sequence[str], location_text: str) -> list[str]:
    """Lines of the segment with the region's location, for errors of passes that find no room for them."""
    return [line if line.endswith(("{", "}")) else f"{line} {location_text}" for line in lines]


def _constants(assembly: Assembly, scope: Scope) -> list[str]:
    return [f"%{scope.constant}{n} = arith.constant {n} : index" for n in sorted(assembly.constants[scope])]
