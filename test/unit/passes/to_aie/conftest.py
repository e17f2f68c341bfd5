"""Runs a module after air-to-aie: the host's transfers, the DMA programs, the flows and the cores, in an order drawn at random.

Buffers start poisoned, streams hold few elements, and any agent that can go on may be the next: an access that its locks do
not keep in order shows as wrong numbers or as a deadlock for some seed. As in the hardware, a DMA channel asks for its next
lock as soon as its BD is done, and those that wait are served in turn.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any

import numpy as np

from allo_air.core.affine import compiled
from allo_air.core.walking import walk_named
from allo_air.dialects._places import pairs

POISON = -123456789
DEPTH = 4  # elements that a stream holds on its way


class Deadlock(AssertionError):
    """No agent can go on, and the host is not done."""


class Machine:
    """One device and the host's function; values are int64 whatever their type."""

    def __init__(self, module: Any, kernels: dict[str, Any] | None = None, seed: int = 0):
        self.module, self.random, self.kernels = module, random.Random(seed), kernels or {}
        [self.device] = walk_named(module, "aie.device")
        [self.function] = [f for f in walk_named(module, "func.func") if walk_named(f, "air.launch")]
        self.values: dict[Any, Any] = {}
        self.streams: dict[tuple[Any, ...], list[deque[int]]] = {}
        self.locks: dict[Any, list[int]] = {}
        self.waiting: dict[Any, deque[object]] = {}
        self.bundles = {o.attributes["sym_name"].value: o for o in walk_named(module, "air.channel")}
        self.tiles: dict[Any, tuple[int, int]] = {}
        for op in walk_named(self.device, "aie.tile", "aie.lock", "aie.buffer", "aie.flow", "aie.shim_dma_allocation"):
            self._declare(op.opview)

    def _declare(self, op: Any) -> None:
        match op.OPERATION_NAME:
            case "aie.tile":
                self.tiles[op.tile] = (op.col, op.row)
            case "aie.lock":
                self.locks[op.lock] = [op.init]
            case "aie.buffer":
                self.values[op.buffer] = np.full(op.buffer.type.shape, POISON, dtype=np.int64)
            case "aie.flow":
                queue: deque[int] = deque()
                self.streams.setdefault((self.tiles[op.source], "out", op.source_channel), []).append(queue)
                self.streams[self.tiles[op.dest], "in", op.dest_channel] = [queue]
            case _:
                place = self.tiles[op.tile], "out" if op.channel_dir else "in", op.channel_index
                self.streams[op.sym_name] = self.streams[place]  # type: ignore[index]

    def run(self, *arguments: Any) -> None:
        """Runs the host's function on numpy arrays until its transfers are done."""
        self.host: list[Iterator[None]] = []
        entry = self.function.regions[0].blocks[0]
        env = dict(zip(entry.arguments, arguments, strict=True))
        self._issue(entry, env)
        agents = [self._ring(start) for start in walk_named(self.device, "aie.dma_start")]
        agents += [self._core(core) for core in walk_named(self.device, "aie.core")]
        host = [self._in_turn(transfers) for transfers in self.queues.values()]
        live = [*agents, *host]
        pending = set(map(id, host))
        for agent in agents:
            next(agent)  # the DMAs wait for their locks before anything moves
        idle = 0
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
                raise Deadlock(f"{len(pending)} host channels wait; locks {[v for [v] in self.locks.values()]}")

    # DMA.

    def _ring(self, start: Any) -> Iterator[bool]:
        op = start.opview
        place = self.tiles[start.parent.operands[0]]
        sends = bool(op.channel_dir)
        queues = self.streams[place, "out" if sends else "in", op.channel_index]
        block = op.dest
        while True:
            bd, take, give, following = None, None, None, None
            for view in block.operations:
                if view.OPERATION_NAME == "aie.use_lock":
                    take, give = (take, view) if view.action == 1 else (view, give)
                elif view.OPERATION_NAME == "aie.dma_bd":
                    bd = view
                else:
                    following = view.successors[0]
            yield from self._use(take)
            yield from self._move(self.values[bd.buffer], *walk_of(bd), queues, sends)
            yield from self._use(give)
            block = following

    def _move(self, memory: Any, offset: int, dims: Any, queues: list[Any], sends: bool) -> Iterator[bool]:
        flat = memory.reshape(-1)
        for at in product(*[range(size) for size, _ in dims]):
            place = offset + sum(i * stride for i, (_, stride) in zip(at, dims, strict=True))
            if sends:
                while any(len(q) >= DEPTH for q in queues):
                    yield False
                for queue in queues:
                    queue.append(int(flat[place]))
            else:
                while not queues[0]:
                    yield False
                flat[place] = queues[0].popleft()
            if self.random.random() < 0.2:
                yield True
        yield True

    def _use(self, use: Any) -> Iterator[bool]:
        if use is None:
            return
        level, amount = self.locks[use.lock], use.value
        if use.action == 1:
            level[0] += amount
            assert level[0] <= 63, "a lock overflows"
            return
        waiting = self.waiting.setdefault(use.lock, deque())
        me = object()
        waiting.append(me)
        while level[0] < amount or waiting[0] is not me:
            yield False
        waiting.popleft()
        level[0] -= amount

    # Cores.

    def _core(self, core: Any) -> Iterator[bool]:
        env = dict(self.values)
        block = core.regions[0].blocks[0]
        while True:
            for view in block.operations:
                name = view.operation.name
                if name == "aie.end":
                    return
                if name == "cf.br":
                    block = view.operation.successors[0]
                    break
                yield from self._step(view.operation, env)

    def _step(self, op: Any, env: dict[Any, Any]) -> Iterator[bool]:
        if op.name == "aie.use_lock":
            yield from self._use(op.opview)
            yield True
        elif op.name == "scf.for":
            low, high, step = [env[v] for v in list(op.operands)[:3]]
            body = op.regions[0].blocks[0]
            for i in range(low, high, step):
                env[body.arguments[0]] = i
                for view in body.operations:
                    if view.operation.name != "scf.yield":
                        yield from self._step(view.operation, env)
        else:
            self._compute(op, [env[v] for v in op.operands], env)

    def _compute(self, op: Any, given: list[Any], env: dict[Any, Any]) -> None:
        match op.name:
            case "arith.constant":
                env[op.results[0]] = op.attributes["value"].value
            case "memref.load":
                found = given[0][tuple(given[1:])]
                assert found != POISON, f"reads memory never written: {op}"
                env[op.results[0]] = found
            case "memref.store":
                given[1][tuple(given[2:])] = given[0]
            case "func.call":
                self.kernels[op.attributes["callee"].value](*given)
            case _:
                operate = {"add": lambda a, b: a + b, "mul": lambda a, b: a * b}[op.name.split(".")[1][:3]]
                env[op.results[0]] = operate(*given)

    # The host.

    def _issue(self, block: Any, env: dict[Any, Any]) -> None:
        """Queues the transfers of each shim channel in program order; launch iterations run one after another."""
        self.queues: dict[str, list[tuple[Any, Any, int, Any, bool]]] = {}
        self._host_block(block, env)

    def _host_block(self, block: Any, env: dict[Any, Any]) -> None:
        for view in block.operations:
            op = view.operation
            if op.name == "air.launch":
                sizes = [env[v] for v in op.opview.sizes]
                inner = dict(zip(op.opview.body_args, [env[v] for v in op.opview.args], strict=True))
                for ids in product(*map(range, sizes)):
                    self._host_block(op.opview.block, inner | dict(zip(op.opview.ids, ids, strict=True)))
            elif op.name == "scf.for":
                low, high, step = [env[v] for v in list(op.operands)[:3]]
                for i in range(low, high, step):
                    self._host_block(op.regions[0].blocks[0], env | {op.regions[0].blocks[0].arguments[0]: i})
            elif op.name in ("air.channel.put", "air.channel.get"):
                self._host_transfer(op.opview, env)
            elif op.name == "affine.apply":
                env[op.results[0]] = compiled(op.attributes["map"].value)([env[v] for v in op.operands])[0]
            elif op.name == "arith.constant":
                env[op.results[0]] = op.attributes["value"].value

    def _host_transfer(self, op: Any, env: dict[Any, Any]) -> None:
        put = op.OPERATION_NAME.endswith("put")
        side, memref = ("src", op.src) if put else ("dst", op.dst)
        offsets, sizes, strides = [[env[v] for v in getattr(op, f"{side}_{n}")] for n in ("offsets", "sizes", "strides")]
        bundle = self.bundles[op.chan_name].opview
        at = 0
        for index, size in zip([env[v] for v in op.indices] or [0] * len(bundle.size), bundle.size, strict=True):
            at = at * size + index
        [base] = [e["base"].value for e in op.operation.attributes["metadataArray"] if e["index"].value == at]
        dims = list(zip(sizes, strides, strict=True)) or [(prod(memref.type.shape), 1)]
        start = sum(o * s for o, s in zip(offsets, strides, strict=True))
        self.queues.setdefault(base, []).append((env[memref], dims, start, self.streams[base], put))  # type: ignore[index]

    def _in_turn(self, transfers: list[Any]) -> Iterator[bool]:
        for memory, dims, start, queues, put in transfers:
            yield from self._move(memory, start, dims, queues, put)


def walk_of(bd: Any) -> tuple[int, list[tuple[int, int]]]:
    """Offset and dimensions of a BD."""
    dims = pairs(bd.dimensions) if bd.dimensions is not None else [(bd.len, 1)]
    assert prod(size for size, _ in dims) == bd.len
    return bd.offset, dims


__all__ = ["Deadlock", "Machine"]
