"""Runs AIR with tokens and channels in numpy, tasks in a random order, before and after a pass.

A put hands its data over when the last of its gets takes it; `early` says whether it reads its buffer when it starts or then.
Memory is garbage before it is written and after it is freed.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest

from allo_air import asm
from allo_air.core.walking import parents, walk_named
from allo_air.mlir import ir
from allo_air.passes._analysis.integer_sets import IntegerSet, evaluate
from allo_air.passes._analysis.parallel import view
from allo_air.passes.channel.air_dma_to_channel import AirDmaToChannel

DTYPES = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "f32": np.float32, "bf16": np.float32, "index": np.int64}
TOKEN = "!air.async.token"
Task = Iterator[None]


@dataclass
class Token:
    done: bool = False


@dataclass
class Message:
    memref: Any
    lists: Any
    data: Any
    takers: set[Any] = field(default_factory=set)


class Deadlock(AssertionError):
    pass


class Machine:
    """One run of the only function with a body."""

    def __init__(self, module: Any, seed: int, *, early: bool):
        self.random = random.Random(seed)
        self.early = early
        self.ready: list[tuple[Task, Token]] = []
        self.channels = {o.opview.sym_name: o.opview for o in walk_named(module, "air.channel")}
        self.queues: dict[Any, list[Message]] = {}
        [self.function] = [f for f in walk_named(module, "func.func") if len(f.regions[0].blocks)]

    def run(self, arguments: list[Any]) -> None:
        self.spawn(self.block(self.function.regions[0].blocks[0], {}, arguments, []))
        idle = 0
        while self.ready:
            task, token = self.ready.pop(self.random.randrange(len(self.ready)))
            before = self.steps
            try:
                next(task)
                self.ready.append((task, token))
            except StopIteration:
                token.done = True
                self.steps += 1
            idle = 0 if self.steps != before else idle + 1
            if idle > 50 * (len(self.ready) + 1):
                raise Deadlock(f"{len(self.ready)} tasks wait for each other")
        assert not any(self.queues.values()), "every put has its gets"

    steps = 0

    def spawn(self, task: Task) -> Token:
        token = Token()
        self.ready.append((task, token))
        return token

    def wait(self, tokens: list[Token]) -> Task:
        while not all(t.done for t in tokens):
            yield

    def block(self, block: Any, outer: dict[Any, Any], arguments: Any, results: list[Any]) -> Task:
        """Runs a block to its end and waits for what it started; `results` takes what the terminator yields."""
        started: list[Token] = []
        yield from self.body(block, outer, arguments, results, started)
        yield from self.wait(started)

    def body(self, block: Any, env: dict[Any, Any], arguments: Any, results: list[Any], started: list[Token]) -> Task:
        env.update(zip(block.arguments, arguments, strict=True))
        for item in block.operations:
            op = item.operation
            self.steps += 1
            given = [env[v] for v in op.operands]
            if op.name == "scf.reduce" or op.name.endswith(("terminator", "yield", ".return", "in_parallel")):
                results += given
                return
            tokens = [g for g in given if isinstance(g, Token)]
            action = getattr(self, op.name.replace(".", "_"), None)
            if op.name in ("scf.for", "affine.for", "scf.parallel", "scf.forall", "scf.if", "air.affine_if"):
                values: list[Any] = []
                yield from action(op.opview, env, given, values, started)
                env.update(zip(op.results, values, strict=True))
            elif op.name == "air.execute" and len(op.results) > 1:
                values = []
                yield from self.body(op.regions[0].blocks[0], env, [], values, started)
                env.update(zip(op.results, [self.spawn(self.wait(tokens)), *values], strict=True))
            elif op.name.startswith("air."):
                task = self.after(tokens, action(op.opview, dict(env)))
                if op.results and str(op.results[0].type) == TOKEN:
                    env[op.results[0]] = self.spawn(task)
                    started.append(env[op.results[0]])
                else:
                    yield from task
            else:
                result = self.compute(op, given)
                env.update(zip(op.results, [result] if len(op.results) else [], strict=True))

    def after(self, tokens: list[Token], task: Task) -> Task:
        yield from self.wait(tokens)
        yield from task

    # Control flow: the issuing thread runs through it; results are values and tokens.

    def scf_for(self, op: Any, env: Any, given: Any, values: list[Any], started: Any) -> Task:
        carried = given[3:]
        for i in range(*given[:3]):
            results: list[Any] = []
            yield from self.body(op.operation.regions[0].blocks[0], env, [i, *carried], results, started)
            carried = results
        values += carried

    def affine_for(self, op: Any, env: Any, given: Any, values: list[Any], started: Any) -> Task:
        maps = [op.operation.attributes[n].value.results[0].value for n in ("lowerBoundMap", "upperBoundMap")]
        yield from self.scf_for(op, env, [*maps, op.operation.attributes["step"].value, *given], values, started)

    def scf_parallel(self, op: Any, env: Any, given: Any, values: list[Any], started: Any) -> Task:
        loop, block = op.operation, op.operation.regions[0].blocks[0]
        rank = len(block.arguments)
        results: list[Any]
        lower, upper, step = (given[k * rank : (k + 1) * rank] for k in range(3))
        if loop.name == "scf.forall":
            dims = view(loop, "a loop").dims
            lower, upper, step = ([getattr(d, n) for d in dims] for n in ("lower", "upper", "step"))
        points = list(product(*map(range, lower, upper, step)))
        if any(p.name == "air.herd" for p in parents(loop)):  # a core is one thread
            for point in points:
                results = []
                yield from self.body(block, dict(env), point, results, started)
                values[:] = [self.spawn(self.wait([*values, *given[3 * rank :], *results]))] if loop.results else []
            return
        self.random.shuffle(points)
        instances = []
        for point in points:
            results = []
            instances.append((results, self.spawn(self.body(block, dict(env), point, results, started))))
        yield from self.wait([t for _, t in instances])
        if loop.results:
            joined = [r for results, _ in instances for r in results]
            values.append(self.spawn(self.wait([*given[3 * rank :], *joined])))

    scf_forall = scf_parallel

    def scf_if(self, op: Any, env: Any, given: Any, values: list[Any], started: Any) -> Task:
        region = op.operation.regions[0 if given[0] else 1]
        for block in region.blocks:
            yield from self.body(block, env, [], values, started)

    def air_affine_if(self, op: Any, env: Any, given: Any, values: list[Any], started: Any) -> Task:
        condition = IntegerSet.of(op.operation.attributes["condition"])
        holds = condition.contains(given[: condition.dims], given[condition.dims :])
        for block in op.operation.regions[0 if holds else 1].blocks:
            yield from self.body(block, env, [], values, started)

    # Tasks.

    def air_execute(self, op: Any, env: Any) -> Task:
        yield
        yield from self.body(op.operation.regions[0].blocks[0], env, [], [], [])

    def air_wait_all(self, op: Any, env: Any) -> Task:
        yield from ()

    def air_herd(self, op: Any, env: Any) -> Task:
        sizes, args = [env[v] for v in op.sizes], [env[v] for v in op.args]
        points = product(*map(range, sizes))
        yield from self.wait([self.spawn(self.block(op.block, {}, [*p, *sizes, *args], [])) for p in points])

    air_segment = air_herd

    def air_launch(self, op: Any, env: Any) -> Task:
        sizes, args = [env[v] for v in op.sizes], [env[v] for v in op.args]
        for point in product(*map(range, sizes)):
            yield from self.block(op.block, {}, [*point, *sizes, *args], [])

    def air_dma_memcpy_nd(self, op: Any, env: Any) -> Task:
        yield
        read = self.read(*self.side(op, env, "src"))
        self.write(*self.side(op, env, "dst"), read)

    def air_channel_put(self, op: Any, env: Any) -> Task:
        yield
        channel, side = self.channels[op.chan_name], self.side(op, env, "src")
        indices = tuple(int(env[v]) for v in op.indices) or (0,) * len(channel.size)
        shape = [a.value for a in channel.operation.attributes["broadcast_shape"]] if self.broadcasts(channel) else channel.size
        message = Message(*side, self.read(*side) if self.early else None)
        queue = self.queues.setdefault((op.chan_name, indices), [])
        queue.append(message)
        while len(message.takers) < prod(shape) // prod(channel.size):
            yield
        queue.remove(message)

    def air_channel_get(self, op: Any, env: Any) -> Task:
        yield
        channel = self.channels[op.chan_name]
        who = tuple(int(env[v]) for v in op.indices)
        source = who
        if self.broadcasts(channel):
            source = tuple(0 if n == 1 else i for n, i in zip(channel.size, who, strict=True))
        queue = self.queues.setdefault((op.chan_name, source), [])
        while all(who in m.takers for m in queue):
            yield
        message = next(m for m in queue if who not in m.takers)
        data = self.read(message.memref, message.lists) if message.data is None else message.data
        self.write(*self.side(op, env, "dst"), data)
        message.takers.add(who)
        self.steps += 1

    def broadcasts(self, channel: Any) -> bool:
        return "broadcast_shape" in channel.operation.attributes

    def side(self, op: Any, env: Any, name: str) -> Any:
        lists = [[int(env[v]) for v in getattr(op, f"{name}_{part}")] for part in ("offsets", "sizes", "strides")]
        return env[getattr(op, name)], lists

    def read(self, memref: Any, lists: Any) -> Any:
        return memref.reshape(-1)[self.addresses(memref, lists)].copy()

    def write(self, memref: Any, lists: Any, data: Any) -> None:
        memref.reshape(-1)[self.addresses(memref, lists)] = data

    def addresses(self, memref: Any, lists: Any) -> Any:
        offsets, sizes, strides = lists
        if not sizes:
            return np.arange(memref.size)
        offsets = [0] * (len(sizes) - len(offsets)) + offsets
        walked = np.full(1, sum(o * s for o, s in zip(offsets, strides, strict=True)))
        for size, stride in zip(sizes, strides, strict=True):
            walked = (walked[:, None] + np.arange(size) * stride).reshape(-1)
        assert walked.min() >= 0, "no access before the buffer"
        assert walked.max() < memref.size, "no access behind the buffer"
        return walked

    # Compute.

    def compute(self, op: Any, given: list[Any]) -> Any:
        match op.name, given:
            case "arith.constant", []:
                return op.attributes["value"].value
            case "affine.apply", _:
                used = op.attributes["map"].value
                return evaluate(used.results[0], given[: used.n_dims], given[used.n_dims :])
            case "arith.addi" | "arith.addf", [a, b]:
                return a + b
            case "arith.muli", [a, b]:
                return a * b
            case "arith.andi", [a, b]:
                return a and b
            case "arith.remsi" | "arith.remui", [a, b]:
                return a % b
            case "arith.cmpi", [a, b]:
                return [a == b, a != b, a < b, a <= b, a > b, a >= b][op.attributes["predicate"].value]
            case "memref.alloc", []:
                kind = op.results[0].type
                return self.garbage(np.empty(kind.shape, DTYPES[str(kind.element_type)]))
            case "memref.dealloc", [memref]:
                return self.garbage(memref)
            case "linalg.fill", [value, memref]:
                memref[...] = value
            case "linalg.add", [a, b, c]:
                c[...] = a + b
            case "linalg.matmul", [a, b, c]:
                c += (a.astype(c.dtype) @ b.astype(c.dtype)).astype(c.dtype)
            case "linalg.generic", [a, c]:
                env: dict[Any, Any] = dict(zip(op.operands, given, strict=True))
                env |= {v: self.compute(v.owner.operation, []) for o in op.regions[0].blocks[0].operations for v in o.operands
                        if isinstance(v, ir.OpResult) and v.owner.name == "arith.constant"}  # fmt: skip
                results: list[Any] = []
                for _ in self.body(op.regions[0].blocks[0], env, [a, c], results, []):
                    raise AssertionError("compute does not block")
                c[...] = results[0]
            case "func.call", [*_, c]:
                self.call(given, c)
            case _:
                raise NotImplementedError(op.name)
        return None

    def call(self, given: list[Any], c: Any) -> None:
        """The case study's kernels: fill, and the product of tiles packed as (column, row, row in tile, column in tile)."""
        if len(given) == 2:
            c[...] = given[0]
        else:
            c += np.einsum("kmac,nkcb->nmab", given[0], given[1])

    def garbage(self, memref: Any) -> Any:
        memref[...] = 77 + self.random.randrange(20)
        return memref


def run_and_compare(text: str, *arguments: Any, seeds: int = 4, prepare: Any = ()) -> Any:
    """Runs `text` before and after the pass on copies of `arguments`; returns the module after it."""

    def outcome(module: Any, seed: int, *, early: bool) -> list[Any]:
        copies = [np.array(a) for a in arguments]
        Machine(module, seed, early=early).run(copies)
        return copies

    module = asm.read(text)
    expected = outcome(module, 0, early=True)
    for step in prepare:
        with module.context, module.location:
            step.run(module)
        for ours, wanted in zip(outcome(module, 1, early=True), expected, strict=True):
            np.testing.assert_array_equal(ours, wanted, err_msg=f"after {step.name}, before air-dma-to-channel")
    with module.context, module.location:
        AirDmaToChannel().run(module)
    asm.verify(module)
    assert not walk_named(module, "air.dma_memcpy_nd")
    for seed in range(seeds):
        for early in (True, False):
            for ours, wanted in zip(outcome(module, seed, early=early), expected, strict=True):
                np.testing.assert_array_equal(ours, wanted, err_msg=f"seed {seed}, early {early}")
    return module


@pytest.fixture
def check() -> Callable[..., Any]:
    """`check(text, *arguments)`: see `run_and_compare`."""
    return run_and_compare
