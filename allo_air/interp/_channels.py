"""Channels: streams of elements between puts and gets, bundles, broadcast, capacity."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.dialects.air_values import outer_operand
from allo_air.errors import counted
from allo_air.interp._async import asynchronous
from allo_air.interp._effects import VIEWS
from allo_air.interp._walk import Walk, padded
from allo_air.interp.environment import stream
from allo_air.interp.errors import Race, RunError, Unsupported
from allo_air.interp.memory import View
from allo_air.interp.program import Step, Translator
from allo_air.interp.rules import task
from allo_air.interp.scheduler import Agent, Condition, Task
from allo_air.mlir import AnyOp, ir

if TYPE_CHECKING:
    from allo_air.interp.scheduler import Future, Token

_REFEED = "air.refeed_count"
_ID = 31
"""The bits of a packet's header that hold its id; without `packet_ids` destination d has this id less d."""
_KINDS = ("dma_stream", "dma_packet", "cascade", "mmio")


@dataclass
class Message:
    """The elements of one put, the events before it, the number of gets that must receive it, and the number of gets that
    have received all of it. A packet may be addressed to the single get `only`.
    """

    step: Step
    data: np.ndarray
    past: int
    takers: int
    only: Any = None
    receipts: int = 0


class Endpoint(Condition):
    """One channel of a bundle: messages in order, and for each get the number of elements that it has received."""

    def __init__(self, name: str, takers: int, capacity: int) -> None:
        super().__init__()
        self.channel = name[1 : name.index("[")]
        self.name, self.takers, self.capacity = name, takers, capacity
        self.messages: deque[Message] = deque()
        self.first = 0
        self.cursors: dict[Any, tuple[int, int]] = {}
        self.queues: dict[Any, deque[object]] = {}
        self.issued: dict[Any, tuple[int, int, Step]] = {}
        self.places: list[Any] = []
        self.ids: list[int] = []
        self.owns_header = False

    def pick(self, header: int, ids: list[int]) -> Any:
        """The get that receives a packet with this header, if its id selects one of several gets; None if all receive it."""
        if not ids and self.owns_header and self.takers <= _ID + 1:  # a word that is one of the generated ids
            ids, number = [_ID - d for d in range(self.takers)], header
        else:
            number = header & _ID
        return self.places[ids.index(number)] if len(ids) == self.takers > 1 and number in ids else None

    def describe(self) -> str:
        fill = f"it holds {len(self.messages)} of at most {counted(self.capacity, 'message')}"
        return f"channel {self.name}, {fill}" if self.capacity else f"channel {self.name}"

    def drop(self) -> None:
        """Drops the messages that every get has received."""
        while self.messages and self.messages[0].receipts == self.messages[0].takers:
            self.messages.popleft()
            self.first += 1


@dataclass
class Bundle:
    """A channel operation: `size` endpoints, each with `shape` gets."""

    op: Any
    name: str
    size: list[int]
    shape: list[int]
    capacity: int
    ids: list[int]
    owns_header: bool
    endpoints: dict[Any, Endpoint] = field(default_factory=dict)

    @classmethod
    def of(cls, op: AnyOp, capacity: int) -> Bundle:
        view, attributes = op.opview, op.attributes
        kind = view.channel_type.removeprefix("npu_")
        if kind not in _KINDS:
            raise Unsupported(
                op, f"has channel_type {kind}, which the interpreter cannot execute; it knows {', '.join(_KINDS)}"
            )
        shape = [a.value for a in attributes["broadcast_shape"]] if "broadcast_shape" in attributes else list(view.size)
        capacity_of_bundle = attributes["buffer_resources"].value if "buffer_resources" in attributes else capacity
        ids = [a.value for a in attributes["packet_ids"]] if "packet_ids" in attributes else []
        owns_header = "keep_pkt_header" in attributes or "air.src_writes_pkt_header" in attributes
        return cls(op, view.sym_name, list(view.size), shape, capacity_of_bundle, ids, owns_header)

    def place(self, step: Step, indices: list[int], *, getting: bool) -> tuple[Endpoint, Any]:
        """The endpoint of a put or a get at `indices`, and the position of the get."""
        shape = self.shape if getting else self.size
        if not shape and not any(indices):
            indices = []
        if indices and len(indices) != len(shape):
            raise RunError(
                step.op, f"has {counted(len(indices), 'index')}, @{self.name} has {len(shape)}", (self.op, "is the channel")
            )
        indices = indices or [0] * len(shape)
        broadcasts = self.shape != self.size
        place = [0 if n == 1 and broadcasts else i for i, n in zip(indices, shape, strict=True)]
        for i, n in zip(place, shape, strict=True):
            if not 0 <= i < n:
                raise RunError(step.op, f"has indices {indices}, @{self.name} has {shape}", (self.op, "is the channel"))
        source = tuple(0 if n == 1 else i for i, n in zip(place, self.size, strict=True))
        if source not in self.endpoints:
            name = f"@{self.name}[{', '.join(map(str, source))}]"
            endpoint = self.endpoints[source] = Endpoint(name, prod(self.shape) // prod(self.size), self.capacity)
            near = zip(self.shape, self.size, source, strict=True)
            endpoint.places = list(product(*(range(wide) if size < wide else (index,) for wide, size, index in near)))
            endpoint.ids, endpoint.owns_header = self.ids, self.owns_header
        return self.endpoints[source], tuple(place) if getting else "put"


@task("air.channel.put", "air.channel.get", lazy=True)
def transfer(translator: Translator, step: Step) -> Any:
    op = step.op.opview
    deps, indices = len(op.deps), range(len(op.deps), len(op.deps) + len(op.indices))
    getting = step.name == "air.channel.get"
    has_dest = not getting and op.dest is not None
    walk, pads = Walk.of(step, "dst" if getting else "src"), padded(step)
    if getting and pads is not None:
        raise Unsupported(step.op, "pads, which the interpreter cannot execute on a get; pad on the put")
    machine = translator.machine
    if op.chan_name not in translator.symbols:
        raise RunError(step.op, f"names @{op.chan_name}, which is not a channel")
    bundle = machine.bundle(translator.symbols[op.chan_name])
    times = 1 if getting else _times(step, bundle)

    def issue(agent: Agent, operands: list[View | Future | Token | int]) -> Task:
        """Queues a transfer: transfers in one direction of a channel run in program order."""
        where = yield from agent.resolved([operands[i] for i in indices])
        endpoint, place = bundle.place(step, where, getting=getting)
        history = machine.scheduler.history
        instance, stamp, earlier = endpoint.issued.get(place, (agent.instance, 0, step))
        lenient = machine.allow.races
        if not lenient and instance == agent.instance and stamp and not agent.clock.knows(history.stamps[stamp][0]):
            what = "gets" if getting else "puts"
            raise Race(
                step.op, f"and another operation are two {what} on {endpoint.name} without order", (earlier.op, "is the other")
            )
        endpoint.issued[place] = agent.instance, history.stamp(agent.clock, step), step
        ticket = object()
        endpoint.queues.setdefault(place, deque()).append(ticket)
        return endpoint, place, ticket

    def start(own: Agent, operands: list[View | Future | Token | int], issued: Any) -> Task:
        endpoint, place, ticket = issued
        value = yield from own.resolved(operands)
        queue = endpoint.queues[place]
        while queue[0] is not ticket:
            yield endpoint
        yield
        if getting:
            yield from walk.deliver(own, value, (yield from _receive(own, step, endpoint, place, walk.view(value))))
        else:
            for _ in range(times):
                yield from _give(own, step, endpoint, walk, value, pads, value[-1] if has_dest else None)
        queue.popleft()
        machine.scheduler.fire(endpoint)

    return asynchronous(translator, step, deps, start, issue=issue)


def _times(step: Step, bundle: Bundle) -> int:
    """The number of times that a put sends its elements, from an attribute of the put, of its buffer's allocation, or of the
    channel."""
    value: Any = step.op.opview.src
    while True:
        if (passed := outer_operand(value)) is not None:
            value = passed
        elif not isinstance(value, ir.BlockArgument) and value.owner.name in VIEWS:
            value = value.owner.operands[0]
        else:
            break
    holders = [step.op, *([] if isinstance(value, ir.BlockArgument) else [value.owner]), bundle.op]
    return next((int(h.attributes[_REFEED].value) for h in holders if _REFEED in h.attributes), 1)


def _give(
    own: Agent, step: Step, endpoint: Endpoint, walk: Walk, values: list[View | int | Token], pads: Any, dest: int | None
) -> Task:
    """Sends a message; done when the channel holds it or, in a channel without capacity, when all gets have received it.

    With a destination the first word becomes the packet's header; a channel with one id for each get routes by that header.
    """
    is_open = endpoint.channel in own.machine.allow.open
    while not is_open and len(endpoint.messages) >= max(endpoint.capacity, 1):
        yield endpoint
    data = yield from walk.fetch(own, values)
    if pads is not None:
        data = pads(data, None)
    if is_open:
        own.machine.environment.receive(f"channel {endpoint.name}", data)
        return
    data = data.reshape(-1)
    ids, place = endpoint.ids, None
    if dest is not None:
        packet_ids = ids or [_ID - d for d in range(_ID + 1)]
        if not 0 <= dest < len(packet_ids):
            raise RunError(step.op, f"is for destination {dest} of {len(packet_ids)}; give one that there is")
        data = _headed(step, data, packet_ids[dest])
        ids = ids or packet_ids[: endpoint.takers]
    if ids or endpoint.owns_header:
        place = endpoint.pick(_header(data), ids)
    message = Message(step, data, own.clock.fork(), endpoint.takers if place is None else 1, place)
    endpoint.messages.append(message)
    own.machine.scheduler.fire(endpoint)
    if endpoint.capacity == 0:
        while message.receipts < message.takers:
            yield endpoint


def _headed(step: Step, data: np.ndarray, header: int) -> np.ndarray:
    """`data` with `header` as its first word of 32 bits."""
    if data.nbytes < 4 or 4 % data.itemsize:
        raise Unsupported(
            step.op, f"sends {counted(data.size, 'element')} of {data.dtype}, whose first word is not a whole number of them"
        )
    words = np.ascontiguousarray(data).copy()
    words.view(np.uint8)[:4] = np.frombuffer(np.int32(header).tobytes(), np.uint8)
    return words


def _header(data: np.ndarray) -> int:
    """The first 32-bit word, 0 for empty data."""
    head = np.ascontiguousarray(data[: max(1, 4 // data.itemsize)]).view(np.uint8)[:4]
    return int.from_bytes(head.tobytes(), "little")


def _receive(own: Agent, step: Step, endpoint: Endpoint, place: tuple[int, ...], view: View) -> Task:
    """Receives the elements of `view`, from as many messages as necessary."""
    if endpoint.channel in own.machine.allow.open:
        _, first = endpoint.cursors.get(place, (0, 0))
        endpoint.cursors[place] = 0, first + view.size
        return stream(endpoint.name, first, view.size, view.buffer.data.dtype)
    parts: list[np.ndarray] = []
    missing = view.size
    while missing:
        number, offset = endpoint.cursors.get(place, (0, 0))
        if number < endpoint.first:  # packets for others
            number, offset = endpoint.first, 0
        if number - endpoint.first >= len(endpoint.messages):
            yield endpoint
            continue
        message = endpoint.messages[number - endpoint.first]
        if message.only not in (None, place):
            endpoint.cursors[place] = number + 1, 0
            continue
        own.clock.join(message.past)
        if message.data.dtype != view.buffer.data.dtype:
            result, element = message.data.dtype, view.buffer.data.dtype
            raise RunError(
                step.op, f"receives elements of {result} into a buffer of {element}", (message.step.op, "sends them")
            )
        part = message.data[offset : offset + missing]
        parts.append(part)
        missing, offset = missing - part.size, offset + part.size
        endpoint.cursors[place] = number, offset
        if offset == message.data.size:
            endpoint.cursors[place] = number + 1, 0
            message.receipts += 1
            endpoint.drop()
            own.machine.scheduler.fire(endpoint)
    return np.concatenate(parts) if parts else np.zeros(0, view.buffer.data.dtype)
