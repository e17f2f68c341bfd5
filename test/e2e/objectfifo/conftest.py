"""Runs a lowered device: runtime sequence, DMA programs, flows and cores, in an order drawn at random.

Buffers start poisoned and streams hold few elements, so an access that locks do not keep in order shows as wrong numbers, as a
read of poison, or as a deadlock for some seed.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest

from allo_air import asm
from allo_air.core import driver
from allo_air.core.registry import Registry
from allo_air.core.walking import walk_named
from allo_air.dialects._places import pairs
from allo_air.mlir import ir, new_context

POISON = -123456789
DEPTH = 4


class Deadlock(AssertionError):
    """No agent can go on, and the host is not done."""


class Machine:
    """One device; values are int64 whatever their type."""

    def __init__(self, module: Any, seed: int = 0, kernels: dict[str, Any] | None = None):
        self.random, self.kernels = random.Random(seed), kernels or {}
        [self.device] = walk_named(module, "aie.device")
        self.values: dict[Any, Any] = {}
        self.locks: dict[Any, int] = {}
        self.tiles: dict[Any, tuple[int, int]] = {}
        self.streams: dict[Any, list[deque[int]]] = {}
        self.channels: dict[str, Any] = {}
        for op in [o.opview for o in walk_named(self.device, "aie.tile", "aie.lock", "aie.buffer")]:
            match op.OPERATION_NAME:
                case "aie.tile":
                    self.tiles[op.tile] = (op.col, op.row)
                case "aie.lock":
                    self.locks[op.lock] = op.init or 0
                case "aie.buffer":
                    self.values[op.buffer] = self._memory(op)
        for flow in [o.opview for o in walk_named(self.device, "aie.flow")]:
            queue: deque[int] = deque()
            self.streams.setdefault((self.tiles[flow.source], 1, flow.source_channel), []).append(queue)
            self.streams[self.tiles[flow.dest], 0, flow.dest_channel] = [queue]
        for flow in [o.opview for o in walk_named(self.device, "aie.packet_flow")]:
            [source] = [o.opview for o in walk_named(flow, "aie.packet_source")]
            for dest in [o.opview for o in walk_named(flow, "aie.packet_dest")]:
                queue = deque()
                self.streams.setdefault((self.tiles[source.tile], 1, source.channel), []).append(queue)
                self.streams[self.tiles[dest.tile], 0, dest.channel] = [queue]
        for op in [o.opview for o in walk_named(self.device, "aie.shim_dma_allocation")]:
            self.channels[op.sym_name] = (self.tiles[op.tile], op.channel_dir, op.channel_index)

    @staticmethod
    def _memory(op: Any) -> Any:
        shape = op.buffer.type.shape
        if op.initial_value is None:
            return np.full(shape, POISON, dtype=np.int64)
        return np.array([int(v) for v in op.initial_value], dtype=np.int64).reshape(shape)

    def run(self, *arguments: Any) -> None:
        """Runs the runtime sequence on int64 arrays until all its transfers are done."""
        [sequence] = walk_named(self.device, "aie.runtime_sequence")
        env = dict(zip(sequence.regions[0].blocks[0].arguments, arguments, strict=True))
        queues: dict[Any, list[Any]] = {}
        for op in [o.opview for o in walk_named(sequence, "aiex.npu.dma_memcpy_nd")]:
            at = sum(o * s for o, s in zip(op.static_offsets, op.static_strides, strict=True))
            dims = list(zip(op.static_sizes, op.static_strides, strict=True))
            queues.setdefault(self.channels[op.metadata], []).append((env[op.memref], at, dims))
        host = [self._host(channel, moves) for channel, moves in queues.items()]
        agents = [self._ring(start.opview) for start in walk_named(self.device, "aie.dma_start")]
        agents += [self._core(core) for core in walk_named(self.device, "aie.core")]
        live, pending, idle = [*agents, *host], set(map(id, host)), 0
        while pending:
            agent = self.random.choice(live)
            try:
                moved = next(agent)
            except StopIteration:
                live.remove(agent)
                pending.discard(id(agent))
                moved = True
            idle = 0 if moved else idle + 1
            if idle > 60 * len(live):
                raise Deadlock(f"{len(pending)} host channels wait")

    def _host(self, channel: Any, moves: list[Any]) -> Iterator[bool]:
        for memory, at, dims in moves:
            yield from self._move(memory, at, dims, [(0, 0)] * len(dims), self.streams[channel], channel[1] == 1)

    def _ring(self, start: Any) -> Iterator[bool]:
        sends = start.channel_dir == 1
        queues = self.streams.get((self.tiles[start.operation.parent.operands[0]], start.channel_dir, start.channel_index))
        if queues is None:
            return
        for _ in range(start.repeat_count + 1):
            block = start.dest
            while block is not None:
                operations = [o.operation.opview for o in block.operations]
                if operations[0].OPERATION_NAME == "aie.end":
                    break
                locks = [o for o in operations if o.OPERATION_NAME == "aie.use_lock"]
                [bd] = [o for o in operations if o.OPERATION_NAME == "aie.dma_bd"]
                if locks:
                    yield from self._use(locks[0])
                dims = pairs(bd.dimensions) if bd.dimensions is not None else [(bd.len, 1)]
                pads = pairs(bd.pad_dimensions) if bd.pad_dimensions is not None else [(0, 0)] * len(dims)
                assert prod(b + n + a for (n, _), (b, a) in zip(dims, pads, strict=True)) == bd.len
                yield from self._move(self.values[bd.buffer], bd.offset, dims, pads, queues, sends)
                if locks:
                    yield from self._use(locks[1])
                block = operations[-1].operation.successors[0]

    def _move(self, memory: Any, at: int, dims: Any, pads: Any, queues: list[Any], sends: bool) -> Iterator[bool]:
        flat = memory.reshape(-1)
        ranges = [range(-before, size + after) for (size, _), (before, after) in zip(dims, pads, strict=True)]
        for index in product(*ranges):
            inside = all(0 <= i < size for i, (size, _) in zip(index, dims, strict=True))
            place = at + sum(i * stride for i, (_, stride) in zip(index, dims, strict=True))
            if sends:
                while any(len(q) >= DEPTH for q in queues):
                    yield False
                for queue in queues:
                    queue.append(int(flat[place]) if inside else 0)
            else:
                while not queues[0]:
                    yield False
                flat[place] = queues[0].popleft()
            if self.random.random() < 0.2:
                yield True
        yield True

    def _use(self, use: Any) -> Iterator[bool]:
        if use.action == 1:
            self.locks[use.lock] += use.value
            assert self.locks[use.lock] <= 63
            return
        while self.locks[use.lock] < use.value:
            yield False
        self.locks[use.lock] -= use.value

    def _core(self, core: Any) -> Iterator[bool]:
        env = dict(self.values)
        block = core.regions[0].blocks[0]
        while block is not None:
            yield from self._block(block, env)
            last = block.operations[len(block.operations) - 1].operation
            block = last.successors[0] if last.name == "cf.br" else None

    def _block(self, block: Any, env: dict[Any, Any]) -> Any:
        for view in block.operations:
            op = view.operation
            given = [env.get(v) for v in op.operands]
            match op.name:
                case "aie.use_lock":
                    yield from self._use(op.opview)
                    yield True
                case "scf.for":
                    yield from self._for(op, given, env)
                case "scf.if":
                    region = op.regions[0 if given[0] else 1]
                    if len(region.blocks):
                        self._bind(op, (yield from self._block(region.blocks[0], env)), env)
                case "scf.while":  # without values
                    while (yield from self._block(op.regions[0].blocks[0], env))[0]:
                        yield from self._block(op.regions[1].blocks[0], env)
                case "scf.index_switch":
                    cases = list(op.attributes["cases"])
                    at = 1 + cases.index(given[0]) if given[0] in cases else 0
                    self._bind(op, (yield from self._block(op.regions[at].blocks[0], env)), env)
                case "scf.yield" | "scf.condition":
                    return given
                case "aie.end" | "cf.br":
                    return []
                case _:
                    self._compute(op, given, env)
        return []

    @staticmethod
    def _bind(op: Any, values: list[Any], env: dict[Any, Any]) -> None:
        env.update(zip(op.results, values, strict=True))

    def _for(self, op: Any, given: list[Any], env: dict[Any, Any]) -> Any:
        low, high, step, *carried = given
        body = op.regions[0].blocks[0]
        while low < high:
            env.update(zip(body.arguments, [low, *carried], strict=True))
            carried = yield from self._block(body, env)
            low += step
        self._bind(op, carried, env)

    def _compute(self, op: Any, given: list[Any], env: dict[Any, Any]) -> None:
        match op.name:
            case "arith.constant":
                value = op.attributes["value"]
                env[op.results[0]] = value.value if isinstance(value, ir.IntegerAttr) else value
            case "memref.load":
                found = given[0][tuple(given[1:])]
                assert found != POISON, f"reads memory never written: {op}"
                env[op.results[0]] = int(found)
            case "memref.store":
                given[1][tuple(given[2:])] = given[0]
            case "func.call":
                self.kernels[op.attributes["callee"].value](*given)
            case "arith.index_cast":
                env[op.results[0]] = given[0]
            case "arith.select":
                env[op.results[0]] = given[1] if given[0] else given[2]
            case "arith.cmpi":
                a, b = given
                predicate = op.attributes["predicate"].value
                env[op.results[0]] = [a == b, a != b, a < b, a <= b, a > b, a >= b][predicate]
            case _:
                operate = {"addi": lambda a, b: a + b, "muli": lambda a, b: a * b, "subi": lambda a, b: a - b,
                           "remui": lambda a, b: a % b}  # fmt: skip
                env[op.results[0]] = operate[op.name.split(".")[1]](*given)


@pytest.fixture
def prepare() -> Any:
    """Runs `aie-prepare` on text; the module, in a context that lives as long as it does."""

    def run(text: str, options: str = "") -> Any:
        with new_context():
            registry = Registry()
            pipeline = registry.pipeline("aie-prepare").instantiate(registry, options)
            module = asm.read(text, "design.mlir")
            driver.run(pipeline, module, driver.Settings(verify=asm.verify))
            return module

    return run


@pytest.fixture
def machine() -> type[Machine]:
    """The interpreter of lowered devices."""
    return Machine
