"""The streams of a core: emits channel operations for streams to other cores, and buffers for streams that stay on the core."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from allo_air.frontend import tensors
from allo_air.frontend.assignments import new_variable, set_variable
from allo_air.frontend.numbers import Number
from allo_air.frontend.scripts import Script
from allo_air.frontend.state import State
from allo_air.frontend.types import ScalarType, index
from allo_air.frontend.values import Buffer, allocate
from allo_air.mlir import AnyOp, affine, arith, ir, memref, scf

CHANNEL_OPS = ("air.channel.put", "air.channel.get")


@dataclass
class LocalFifo:
    """A stream with both ends on one core: `count` blocks in the core's memory. Each block is put before it is got."""

    count: int
    slots: Any = None
    """A buffer for each block if each is put and got once; otherwise one buffer with a dimension for the blocks."""
    put_at: Any = None
    got_at: Any = None

    def put(self, state: State, block: Buffer) -> None:
        """Copies `block` into the FIFO."""
        if self.slots is None:
            self._make(state, block.element, block.shape)
        tensors.copy(block, self._slot(state, self.put_at))

    def get(self, state: State, element: ScalarType, shape: tuple[int, ...]) -> Buffer:
        """The next block."""
        if self.slots is None:
            self._make(state, element, shape)
        if self.count == 1:
            return self.slots
        block = allocate(element, shape)
        tensors.copy(self._slot(state, self.got_at), block)
        return block

    def _make(self, state: State, element: ScalarType, shape: tuple[int, ...]) -> None:
        whole = shape if self.count == 1 else (self.count, *shape)
        with ir.InsertionPoint.at_block_begin(state.body):
            self.slots = allocate(element, whole)
            if self.count > 1:
                self.put_at, self.got_at = (new_variable(state, index, n) for n in ("put_at", "got_at"))
        if self.count > 1:
            with ir.InsertionPoint.at_block_begin(state.body):
                zero = arith.ConstantOp(ir.IndexType.get(), 0)
            with ir.InsertionPoint.after(self.slots.value.owner):
                for variable in (self.put_at, self.got_at):
                    memref.store(zero.result, variable.value, [])

    def _slot(self, state: State, next_slot: Any) -> Buffer:
        """The block at counter `next_slot`, which is incremented."""
        if self.count == 1:
            return self.slots
        position = memref.load(next_slot.value, [])
        one = arith.constant(ir.IndexType.get(), 1)
        set_variable(next_slot, Number(arith.addi(position, one), index))
        from allo_air.frontend.indexing import subview

        rank = len(self.slots.shape)
        pieces = [(position, 1, 1), *((0, size, 1) for size in self.slots.shape[1:])]
        return subview(self.slots, pieces, [False, *[True] * (rank - 1)])


@dataclass
class Traffic:
    """The streams of a core. `local` streams stay in its memory; `names` are the channels of the other streams."""

    local: dict[str, LocalFifo] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    script: Script | None = None
    """The core's script for forwarded streams."""
    blocks: Mapping[str, tuple[ScalarType, tuple[int, ...]]] = field(default_factory=dict)
    """The type of each stream's blocks."""
    events: int = 0
    acted: set[int] = field(default_factory=set)
    waiting: dict[int, Buffer] = field(default_factory=dict)

    def put(self, state: State, stream: str, block: Buffer) -> None:
        """Sends all of `block`."""
        from allo_air.dialects.air import ChannelPutOp

        if stream in self.local:
            self.local[stream].put(state, block)
            return
        number = self._event()
        script = self.script or Script()
        if number in script.tokens:
            self.waiting[script.tokens[number]] = copy = allocate(block.element, block.shape)
            tensors.copy(block, copy)
            return
        ChannelPutOp(chan_name=script.puts.get(number, self.names.get(stream, stream)), src=block.value)

    def get(self, state: State, stream: str, element: ScalarType, shape: tuple[int, ...]) -> Buffer:
        """The next block of `stream`."""
        from allo_air.dialects.air import ChannelGetOp

        if stream in self.local:
            return self.local[stream].get(state, element, shape)
        number = self._event()
        block = allocate(element, shape)
        script = self.script or Script()
        ChannelGetOp(chan_name=script.gets.get(number, self.names.get(stream, stream)), dst=block.value)
        return block

    def _event(self) -> int:
        """Emits the forwarding before the next put or get, and returns the number of that put or get."""
        self.act()
        self.events += 1
        return self.events - 1

    def act(self) -> None:
        """Emits the core's forwarding before its next put or get."""
        from allo_air.dialects.air import ChannelGetOp, ChannelPutOp

        if self.script is None or self.events in self.acted:
            return
        self.acted.add(self.events)
        for act in self.script.acts.get(self.events, ()):
            if act.token is not None:
                block = self.waiting[act.token]
            else:
                block = allocate(*self.blocks[act.stream])
                ChannelGetOp(chan_name=act.source, dst=block.value)
            ChannelPutOp(chan_name=act.onward, src=block.value)


def events_of(function: AnyOp) -> tuple[tuple[bool, str], ...] | None:
    """The puts (and gets) of a function with their streams, in order; None if some may be outside its own block."""
    from allo_air.core.walking import walk_named

    ops = walk_named(function.operation.parent, *CHANNEL_OPS)
    if any(op.operation.parent != function.operation for op in ops):
        return None
    names = [(op.name == "air.channel.put", str(ir.FlatSymbolRefAttr(op.attributes["chan_name"]).value)) for op in ops]
    return tuple(names)


def counts(function: AnyOp) -> tuple[dict[str, int | None], dict[str, int | None]]:
    """For each stream, the number of blocks that a function puts and gets; None for a number that is known only at run time."""
    from allo_air.core.walking import walk_named

    puts: dict[str, int | None] = {}
    gets: dict[str, int | None] = {}
    for op in walk_named(function, *CHANNEL_OPS):
        result = puts if op.name == "air.channel.put" else gets
        name = str(ir.FlatSymbolRefAttr(op.attributes["chan_name"]).value)
        times, count = _times(op, function), result.get(name, 0)
        result[name] = None if times is None or count is None else count + times
    return puts, gets


def _times(op: AnyOp, function: AnyOp) -> int | None:
    """How often an operation is executed; None if that is known only at run time."""
    from allo_air.frontend.effects import constant_trip

    times = 1
    parent = op.operation.parent
    while parent is not None and parent != function.operation:
        view = parent.opview
        if isinstance(view, affine.AffineForOp):
            trip = constant_trip(parent)
            if trip is None:
                return None
            times *= trip
        elif isinstance(view, (scf.ForOp, scf.IfOp, scf.WhileOp, affine.AffineIfOp)):
            return None
        parent = parent.parent
    return times
