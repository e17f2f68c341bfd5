"""Advice for findings by kind, and for the misuse of a channel by cause, with the operations concerned."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from allo_air.codes import CODES, code_of
from allo_air.device import Coordinate
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir
from allo_air.sim.naming import DIRECTIONS, Names, place_text, position_of
from allo_air.target.npu_words import SYNC

if TYPE_CHECKING:
    from allo_air.sim._engine import Finding
    from allo_air.sim._engine import Finding as EngineFinding

_ADVISED = (
    "uninitialized-read", "out-of-buffer", "lock-overflow", "lock-underflow", "unconsumed-stream-data", "sync-without-end",
    "host-out-of-bounds", "bad-instruction",
)  # fmt: skip
ADVICE = {kind: CODES[code_of(kind)].cure for kind in _ADVISED}
"""The advice, by kind."""

_CAUSES: dict[str, Callable[[Names, Any], Iterator[str]]] = {}
_QUEUED, _LISTED = 5, 6
"""Number of tasks that a channel accepts (one runs, four wait), and of operations that a hint lists."""


def hints(names: Names, finding: EngineFinding) -> list[str]:
    """The notes with advice for a finding of the engine."""
    if (cause := _CAUSES.get(finding.cause)) is not None:
        return list(cause(names, finding))
    if finding.cause in _PLAIN:
        return [_PLAIN[finding.cause]]
    return [ADVICE[finding.kind]] if finding.kind in ADVICE else []


_PLAIN = {
    "bd-length": "give the BD a length of at least one word (len, or sizes in its dimensions)",
    "not-simulated": "the design may be right on hardware: this mode is not simulated; remove the mode to simulate the design",
    "padding": "pad on the sending side (MM2S), in dimensions that have an end",
    "neighbour": "use a buffer or lock of the same memtile, or of an adjacent one with a channel from 0 to 3",
    "reset": "wait for the channel's tasks before it is reset, and take the reset back before tasks are queued",
    "mode": "set the bits of the S2MM channel that receives",
    "full-before-last": "make the BD at least as long as the packet, or let the sender end it (TLAST) earlier",
    "core-cascade": "add an aie.cascade_flow between the two cores, or drop the cascade operation",
    "kernel": "give the function in kernels=, or --kernel NAME=FILE in allo-run",
}
"""Causes with a fixed advice."""


def _hint_of(cause: str) -> Any:
    def register(function: Any) -> Any:
        _CAUSES[cause] = function
        return function

    return register


def _places_text(ops: Sequence[AnyOp]) -> str:
    """` (f:3, f:4 and 2 more)`."""
    places = [f"{file}:{line}" for file, line, _ in map(position_of, ops) if line]
    more = f" and {len(places) - _LISTED} more" if len(places) > _LISTED else ""
    return f" ({', '.join(places[:_LISTED])}{more})" if places else ""


def _channel(finding: Finding) -> tuple[Coordinate, int, int]:
    return (finding.agent.col, finding.agent.row), finding.agent.direction, finding.agent.channel


def _waits(names: Names, channel: tuple[Coordinate, int, int], before: int) -> list[Any]:
    """Operations before word `before` that wait for a token of a channel."""
    (column, row), direction, number = channel
    words, waits = names.control.words, []
    for start, op in zip(names.control.starts, names.control.ops, strict=True):
        if start >= before or int(words[start]) & 0xFF != SYNC:
            continue
        what, which = int(words[start + 2]), int(words[start + 3])
        first, rows, columns = what >> 16 & 255, which >> 8 & 255, which >> 16 & 255
        inside = first <= column < first + columns and what >> 8 & 255 <= row < (what >> 8 & 255) + rows
        if inside and (what & 255, which >> 24) == (direction, number):
            waits.append(op)
    return waits


@_hint_of("queue-full")
def _queue_full(names: Names, finding: EngineFinding) -> Iterator[str]:
    channel = _channel(finding)
    before = [op for op, start in names.queued(channel) if start < finding.agent.site]
    waits = _waits(names, channel, finding.agent.site)
    yield f"a channel runs one task while four wait; {len(before)} are queued before this one{_places_text(before)}"
    text = names.channel(*channel)
    fact = (
        f"the sequence waits for {len(waits)} of them before{_places_text(waits)}"
        if waits
        else "the sequence waits for none of them before"
    )
    yield f"{fact}: wait for a task of {text} (aiex.npu.dma_wait, npu.sync, dma_await_task) before this one is queued"


@_hint_of("no-flow")
def _no_flow(names: Names, finding: Finding) -> Iterator[str]:
    tile, direction, number = _channel(finding)
    started = {(s.tile, s.direction, s.channel): s.op for s in names.design.starts} | {
        k: v[0][0] for k, v in names.pushes.items()
    }
    relation = "leaves" if direction else "leads to"
    ends = list(_flow_ends(names, direction))
    same = [(port[3], op) for port, op in ends if port[:2] == tile and (tile, direction, port[3]) not in started]
    if same:
        channel, op = same[0]
        text = f"a flow {relation} DMA {channel} of {names.module(tile)}{place_text(position_of(op))}, which is never started"
        yield f"{text}: one of the two names the wrong channel"
        return
    routed = {(port[:2], 1 - direction, port[3]) for port, _ in _flow_ends(names, 1 - direction)}
    alone = [key for key in started if key[1] != direction and key not in routed and key[0] != tile]
    if alone:
        listed = " or ".join(names.channel(*key) for key in alone[:_LISTED])
        yield f"{listed} is started without a flow as well: an aie.flow (or aie.packet_flow) between the two is missing"
        return
    kind = f"{relation} DMA {number} of {names.module(tile)}"
    there = [op for port, op in ends if port[:2] == tile]
    yield f"add an aie.flow or aie.packet_flow that {kind}, or start a channel that has one{_places_text(there)}"


def _flow_ends(names: Names, direction: int) -> Iterator[tuple[Any, Any]]:
    """Ports of DMAs at which flows begin (1) or end (0), each with its flow."""
    for route in names.design.routes:
        ports = [route.source] if direction else [d.port for d in route.destinations]
        yield from ((port, route.op) for port in ports if port[2] == "DMA")


@_hint_of("packet-id")
def _packet_id(names: Names, finding: Finding) -> Iterator[str]:
    tile, number = (finding.agent.col, finding.agent.row), max(finding.agent.channel, 0)
    bundle = "DMA" if finding.agent.unit == "dma" else "Core"
    own = [r for r in names.design.routes if r.source == (*tile, bundle, number) and r.packet is not None]
    ids = ", ".join(f"{r.packet[0]}{place_text(position_of(r.op))}" for r in own if r.packet is not None) or "none"
    if finding.agent.unit == "dma" and not _has_header(names.op(finding.agent)):
        yield "the BD has no packet header (packet, aie.dma_bd_packet): its first word of data is taken for one"
    source = f"{bundle} {number} of {names.module(tile)}"
    yield f"packet flows from {source} have the ids {ids}: give the packet one of these, or add a flow"
    for route in names.design.routes:
        if route.packet is not None and route.packet[0] == finding.value and route not in own:
            column, row, name, channel = route.source
            where = place_text(position_of(route.op))
            yield f"id {finding.value} is that of a flow from {name} {channel} of {names.module((column, row))}{where}"


def _has_header(op: ir.Operation) -> bool:
    """Whether the operation of a BD sets a packet header; True for other operations, which may set one."""
    if op is None or op.operation.name != "aie.dma_bd":
        return True
    beside = (o.operation.name for o in op.operation.block.operations)
    return "packet" in op.operation.attributes or "aie.dma_bd_packet" in beside


@_hint_of("bd-busy")
def _bd_busy(names: Names, finding: Finding) -> Iterator[str]:
    tile, bd = (finding.col, finding.row), finding.agent.bd
    users = [(key, op) for key, pushed in names.pushes.items() if key[0] == tile for op, push in pushed if push.bd == bd]
    for key, op in users[:1]:
        task = f"the task on {names.channel(*key)}{place_text(position_of(op))}"
        yield f"BD {bd} is that of {task}: wait for that one first, or use another BD id"
    if not users:
        yield f"wait for the task that uses BD {bd} of {names.module(tile)} first, or use another BD id"


@_hint_of("bd-invalid")
def _bd_invalid(names: Names, finding: EngineFinding) -> Iterator[str]:
    tile = finding.agent.col, finding.agent.row
    numbers = sorted(
        {d.number for d in names.design.descriptors if d.tile == tile} | {n for t, n in names.written if t == tile}
    )
    listed = ", ".join(map(str, numbers)) or "none"
    yield f"no operation configures BD {finding.agent.bd} before; the configured BDs of {names.module(tile)} are: {listed}"


@_hint_of("bd-missing")
def _bd_missing(names: Names, finding: EngineFinding) -> Iterator[str]:
    yield f"name a BD from 0 to {finding.wanted} of {names.module((finding.agent.col, finding.agent.row))}"


@_hint_of("bd-parity")
def _bd_parity(names: Names, finding: EngineFinding) -> Iterator[str]:
    range_text = "0 to 23" if finding.agent.channel % 2 == 0 else "24 to 47"
    yield f"channel {finding.agent.channel} needs a BD from {range_text}, or use a channel of the other parity"


@_hint_of("lock-missing")
def _lock_missing(names: Names, finding: EngineFinding) -> Iterator[str]:
    tile = finding.agent.col, finding.agent.row
    count = names.design.layout.device.tile(*tile).locks
    yield f"{names.module(tile)} has locks 0 to {count - 1}: correct the lock's id in the BD" + (
        "" if finding.value < 0 else f" (it is {finding.value})"
    )


@_hint_of("after-end")
def _after_end(names: Names, finding: Finding) -> Iterator[str]:
    channel = _channel(finding)
    queued = [op for op, _ in names.queued(channel)]
    waits = _waits(names, channel, len(names.control.words))
    text = names.channel(*channel)
    yield (
        f"{counted(len(queued), 'task')} queued on {text}{_places_text(queued)}, and the sequence waits for "
        f"{len(waits)}{_places_text(waits)}: end it with a wait for the last (aiex.npu.dma_wait, npu.sync, "
        "dma_await_task), which issues a token"
    )


@_hint_of("core-stream-in")
def _core_stream_in(names: Names, finding: EngineFinding) -> Iterator[str]:
    port = f"Core : {finding.value} of {names.module((finding.col, finding.row))}"
    yield f"add an aie.flow to {port}, or read another stream{_cores(names, finding, 0)}"


@_hint_of("core-stream-out")
def _core_stream_out(names: Names, finding: EngineFinding) -> Iterator[str]:
    port = f"Core : {finding.value} of {names.module((finding.col, finding.row))}"
    yield f"add an aie.flow from {port}, or write another stream{_cores(names, finding, 1)}"


def _cores(names: Names, finding: EngineFinding, direction: int) -> str:
    """The flows that the core's stream ports have."""
    there = []
    for route in names.design.routes:
        ports = [route.source] if direction else [d.port for d in route.destinations]
        there += [
            f"Core {p[3]}{place_text(position_of(route.op))}" for p in ports if p[:3] == (finding.col, finding.row, "Core")
        ]
    return f"; flows are at {', '.join(there)}" if there else ""


def left_over(names: Names, finding: EngineFinding) -> str:
    """The data that remain on a stream at the end, with sender and receiver."""
    receiver = finding.other
    if receiver is None:
        return str(finding.detail)
    text = (
        names.who(receiver)
        if receiver.unit == "dma"
        else f"stream {receiver.channel} of {names.module((receiver.col, receiver.row))}"
    )
    direction = DIRECTIONS[finding.agent.direction] if finding.agent.unit == "dma" else "stream"
    return f"{counted(finding.value, 'word')} that this {direction} sent are left at {text} at the end"
