"""Converts a configured design and its instruction words to a transition system, which `allo_air/sim/engine/orders.h`
explores.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from allo_air.core.names import sym_name_of
from allo_air.sim.array import Design
from allo_air.sim.control import Control
from allo_air.sim.cores.rounds import Undecided
from allo_air.sim.orders.phases import Phases
from allo_air.sim.orders.steps import GET, PUT
from allo_air.sim.orders.streams import Streams
from allo_air.sim.orders.turns import Fields, executions
from allo_air.target.bd_layout import LAYOUTS, WORDS, decode
from allo_air.target.npu_bd import BD_BASE, BD_STRIDE, LOCK_BASE, LOCK_STRIDE, QUEUE_BASE
from allo_air.target.npu_registers import Push, effects_of_write
from allo_air.target.npu_words import BLOCKWRITE, MASKWRITE, SYNC, WRITE

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp, ir

PUSH, WAIT, SET = range(3)
_CORE_CONTROL = 0x32000

Channel = tuple[int, int, int, int]


@dataclass(frozen=True)
class RunFacts:
    """The facts from a run: the initial values of `locks`, and the `steps` of a core by column and row."""

    locks: Mapping[tuple[Any, int], int]
    steps: Callable[[int, int], list[tuple[int, int, int, int]] | None]


class System:
    """The transition system of a design, and the meaning of its numbers.

    `cores`, `channels`, `bds`, `locks` and `buffers` describe each item by number: a tile, (column, row, direction, channel),
    the operation of a BD, (tile, id), a buffer.
    """

    def __init__(self, design: Design, control: Control, seen: RunFacts) -> None:
        from allo_air.sim import _engine

        self.design, self.control, self.seen = design, control, seen
        self.followed: list[Undecided] = []
        """Cores whose control flow depends on data. In every order they take the same branches as in the run."""
        self.system = _engine.Orders()
        self.device = design.layout.device
        self.locks: dict[tuple[Any, int], int] = {}
        self.lock_inits: list[int] = []
        self.buffers: list[Any] = []
        self.channels: list[Channel] = []
        self.bds: list[tuple[Any, Any, Fields]] = []
        self.bd_locks: list[tuple[int, int]] = []
        """The lock that each BD acquires, and the one that it releases; -1 for none."""
        self.chains: dict[int, list[int]] = {}
        """The BDs of each task."""
        self.begun: list[tuple[int, int]] = []
        """Channels that the configuration starts, with their tasks."""
        self.cores: list[Any] = []
        self.sites: list[list[Any]] = []
        self.steps: list[list[tuple[int, int, int, int]]] = []
        self.orders: list[tuple[int, int, int]] = []
        self.order_ops: list[Any] = []
        self._numbers: dict[Any, int] = {}
        self._tasks: dict[Any, int] = {}
        if any(d.port[2] == "TileControl" for r in design.routes for d in r.destinations):
            raise Undecided(design.layout.op, "is configured by control packets")
        for lock in design.layout.locks.values():
            self._lock(lock.tile, lock.id, seen.locks.get((lock.tile, lock.id), lock.init))
        for buffer in design.layout.buffers.values():
            self._numbers[buffer.op.buffer] = self.system.buffer(-(-buffer.bytes // 4))
            self.buffers.append(buffer)
        self.streams = Streams(self.system, design)
        self._words = {(d.tile, d.number): list(d.words) for d in design.descriptors}
        self._ops = {(d.tile, d.number): d.op for d in design.descriptors}
        self._cascades()
        self._cores()
        for start in design.starts:
            channel = self._channel((*start.tile, start.direction, start.channel))
            token = start.tile[1] == 0 and start.direction == 0
            task = self._task(start.tile, start.bd, start.repeat, token)
            self.system.begin(channel, task)
            self.begun.append((channel, task))
        self._sequence()
        self.system.set_sequence(self.orders)
        self.system.prepare()

    # Cores.

    def _cascades(self) -> None:
        self._links = {pair: self.system.link(2) for pair in self.design.cascades}
        for (source, dest), link in self._links.items():
            self.streams.names[link] = f"the cascade from {source} to {dest}"

    def _cores(self) -> None:
        module = self.design.layout.op.operation.parent
        places = [self.design.layout.op.block, *([module.regions[0].blocks[0]] if module is not None else [])]
        functions = {
            sym_name_of(o.operation): o.operation
            for block in places
            for o in block.operations
            if o.operation.name == "func.func"
        }

        def bodies(name: str) -> Any:
            function = functions.get(name)
            return function if function is not None and len(function.regions[0].blocks) else None

        for tile, core in self.design.core_ops.items():
            phases = Phases(core, self._lock_of, partial(self._port, tile), self._numbers.get, bodies)
            recorded = self.seen.steps(*tile)
            try:
                steps, sites = phases.steps(), phases.sites
                if recorded and {s[0] for s in recorded} - {s[0] for s in steps} & {GET, PUT}:
                    raise Undecided(core, "has a stream or cascade that a kernel uses")
            except Undecided as why:
                if recorded is None:
                    raise
                self.followed.append(why)
                steps, sites = self._recorded(tile, recorded)
            self.cores.append(tile)
            self.sites.append(sites)
            self.steps.append(steps)
            self.system.core(steps)

    def _recorded(self, tile: tuple[int, ...], met: list[tuple[int, int, int, int]]) -> tuple[list[Any], list[Any]]:
        """The steps that a core took in the run, and their sites."""
        sites = self.design.cores.sites if self.design.cores is not None else []
        steps = []
        for kind, what, amount, site in met:
            if kind in (GET, PUT):
                name = "cascade" if what < 0 else "Core"
                number = self._port(tile, f"{name}:{'get' if kind == GET else 'put'}", what)
            else:
                number = self._lock((what >> 16, what >> 8 & 255), what & 255)
            steps.append((kind, -1 if number is None else number, amount, site))
        return steps, list(sites)

    def _lock_of(self, value: ir.Value) -> int:
        lock = self.design.layout.locks.get(value)
        if lock is None:
            raise Undecided(value.owner, "chooses a lock")
        return self._lock(lock.tile, lock.id)

    def _lock(self, tile: tuple[int, ...], number: int, init: int = 0) -> int:
        if (tile, number) not in self.locks:
            self.locks[tile, number] = self.system.lock(init)
            self.lock_inits.append(init)
        return self.locks[tile, number]

    def _port(self, tile: Any, name: str, channel: int) -> int | None:
        kind, end = name.split(":")
        if kind == "cascade":
            side = 1 if end == "get" else 0
            return next((link for pair, link in self._links.items() if pair[side] == tile), None)
        port = (*tile, "Core", channel)
        return (self.streams.sinks if end == "get" else self.streams.sources).get(port)

    # DMAs.

    def _channel(self, channel: Channel) -> int:
        if channel not in self.channels:
            port = (channel[0], channel[1], "DMA", channel[3])
            ends = self.streams.sources if channel[2] else self.streams.sinks
            self.channels.append(channel)
            self.system.channel(bool(channel[2]), ends.get(port, -1))
        return self.channels.index(channel)

    def _task(self, tile: tuple[int, int], bd: int, repeat: int, token: bool) -> int:
        kind = self.device.kind(*tile)
        bd_number = bd
        key: list[Any] = []
        chain: list[tuple[int, dict[str, int]]] = []
        while True:
            words = self._words.get((tile, bd_number))
            if words is None:
                raise Undecided(self.design.layout.op, f"runs BD {bd_number} of tile {tile}, which nothing describes")
            fields = {**decode(kind, tuple(words)), **({"iteration_wrap": 0} if kind == "shim_noc" else {})}
            chain.append((bd_number, fields))
            key.append((bd_number, tuple(words)))
            if not fields["use_next"] or fields["next_bd"] in [n for n, _ in chain]:
                break
            bd_number = fields["next_bd"]
        whole = (tile, tuple(key), repeat, token)
        if whole in self._tasks:
            return self._tasks[whole]
        task = executions(chain, repeat)
        if task is None:
            raise Undecided(self.design.layout.op, f"iterates over too many addresses in the BDs of tile {tile}")
        results = [self._bd(tile, kind, number, fields) for number, fields in task.bds]
        for before, after in pairwise(results):
            self.system.chain(before, after)
        if task.back is not None:
            self.system.chain(results[-1], results[task.back])
        for number, turn in task.turns.items():
            bits, words = LAYOUTS[kind]["iteration_current"], self._words[tile, number]
            words[bits.word] = words[bits.word] & ~bits.put(bits.range[-1]) | bits.put(turn)
        self._tasks[whole] = self.system.task(results[0], task.repeat + 1, token)
        self.chains[self._tasks[whole]] = results
        return self._tasks[whole]

    def _bd(self, tile: tuple[int, int], kind: str, number: int, fields: Fields) -> int:
        def lock(side: str) -> int:
            number = fields.get(f"{side}_id", 0)
            if kind != "mem":
                return self._lock(tile, number)
            return self._lock((tile[0] + number // 64 - 1, tile[1]), number % 64)

        acquires = bool(fields["acq_enable"])
        value, release = fields["acq_value"], fields["rel_value"]
        buffer, low, high, plain = self._place(tile, kind, fields)
        acquired, argument = lock("acq") if acquires else -1, lock("rel") if release else -1
        result = self.system.bd(
            acquired, abs(value), value > 0, fields["length"],
            fields["packet_id"] if fields["enable_packet"] else -1, argument, release,
            buffer, low, high, plain, not fields["tlast_suppress"],
        )  # fmt: skip
        self.bds.append((self._ops.get((tile, number)), tile, fields))
        self.bd_locks.append((acquired, argument))
        return int(result)

    def _place(self, tile: tuple[int, int], kind: str, fields: Fields) -> tuple[int, int, int, bool]:
        """The buffer of a BD, and the words of it that the BD lies between."""
        if kind == "shim_noc":
            return -1, 0, 0, True
        memory = self.device.tile(*tile).memory
        address, place = 4 * fields["base"], tile
        if kind == "mem":
            place, address = (tile[0] + address // memory - 1, tile[1]), address % memory
        buffer = self.design.layout.buffer_at(place, address)
        if buffer is None:
            return -1, 0, 0, True
        low = (address - buffer.offset) // 4
        span, remaining, plain = 1, fields["length"], True
        for d in range(4):
            wrap, step = fields.get(f"d{d}_wrap", 0), fields.get(f"d{d}_step", 0) + 1
            count = min(wrap, remaining) if wrap else remaining
            if fields.get(f"d{d}_before") or fields.get(f"d{d}_after"):
                plain = False
            if count > 1 and step != fields["length"] // max(remaining, 1):
                plain = False
            span += (count - 1) * step
            remaining = -(-remaining // max(count, 1))
            if remaining <= 1:
                break
        high = min(low + span, -(-buffer.bytes // 4))
        return self._numbers[buffer.op.buffer], low, high, plain and high - low == fields["length"]

    # The sequence.

    def _sequence(self) -> None:
        words = self.control.words
        for start, op in zip(self.control.starts, self.control.ops, strict=True):
            code = int(words[start]) & 0xFF
            if code in (WRITE, MASKWRITE):
                mask = int(words[start + 5]) if code == MASKWRITE else 0xFFFFFFFF
                self._write(op, int(words[start + 2]), [int(words[start + 4]) & mask], mask)
            elif code == BLOCKWRITE:
                size = int(words[start + 3]) // 4
                self._write(op, int(words[start + 2]), [int(w) for w in words[start + 4 : start + size]])
            elif code == SYNC:
                first, second = int(words[start + 2]), int(words[start + 3])
                column, row, direction = first >> 16 & 0xFF, first >> 8 & 0xFF, first & 0xFF
                for x in range(second >> 16 & 0xFF):
                    for y in range(second >> 8 & 0xFF):
                        self._order(op, WAIT, self._channel((column + x, row + y, direction, second >> 24)), 0)

    def _order(self, op: AnyOp, kind: int, a: int, b: int) -> None:
        self.orders.append((kind, a, b))
        self.order_ops.append(op)

    def _write(self, op: AnyOp, address: int, values: list[int], mask: int = 0xFFFFFFFF) -> None:
        column, row, first = self.device.split(address)
        if not self.device.holds(column, row):
            return
        kind, tile = self.device.kind(column, row), (column, row)
        if kind not in BD_BASE:
            return
        shape = self.device.tile(column, row)
        for offset, value in zip(range(first, first + 4 * len(values), 4), values, strict=True):
            bd, word = divmod(offset - BD_BASE[kind], BD_STRIDE)
            lock = (offset - LOCK_BASE[kind]) // LOCK_STRIDE
            if 0 <= bd < shape.bds and word // 4 < WORDS[kind]:
                registers = self._words.setdefault((tile, bd), [0] * WORDS[kind])
                registers[word // 4] = registers[word // 4] & ~mask | value
                self._ops[tile, bd] = op
            elif 0 <= lock < shape.locks:
                self._order(op, SET, self._lock(tile, lock), value & 63)
            elif offset == _CORE_CONTROL and kind == "core":
                raise Undecided(op, "stops or starts a core")
            elif (
                any(
                    0 <= offset + 4 - b < 8 * n and (offset + 4 - b) % 8 == 0
                    for b, n in zip(QUEUE_BASE[kind], shape.channels, strict=True)
                )
                and value & 2
            ):
                raise Undecided(op, "resets a channel")
            for effect in effects_of_write(self.device, address + offset - first, [value]):
                if isinstance(effect, Push):
                    channel = self._channel(effect.channel)
                    self._order(op, PUSH, channel, self._task(effect.channel[:2], effect.bd, effect.repeat, effect.token))
