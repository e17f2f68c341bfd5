"""Runs asynchronous AIR in any order that its tokens allow."""

import random
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

from allo_air.core.walking import walk_named

POISON = -(1 << 40)


class Task:
    """Something that runs once, after `deps`; `ready` may hold it back, `run` does it."""

    def __init__(self, deps: frozenset[int], ready: Callable[[], bool], run: Callable[[], None]):
        self.deps, self.ready, self.run = deps, ready, run


class Program:
    """One function, elaborated into tasks: control flow runs at once, asynchronous operations become tasks."""

    def __init__(self, module: Any, arguments: list[Any]):
        self.tasks: list[Task] = []
        self.values: dict[Any, Any] = {}
        self.streams: dict[tuple[Any, ...], list[int]] = {}
        self.shapes = {
            c.opview.sym_name: [a.value for a in c.attributes["broadcast_shape"]]
            for c in walk_named(module, "air.channel")
            if "broadcast_shape" in c.attributes
        }
        [function] = [f for f in walk_named(module, "func.func") if f.regions[0].blocks]
        self.block(function.regions[0].blocks[0], arguments)

    def run(self, seed: int) -> None:
        choose = random.Random(seed)
        open_, done = dict(enumerate(self.tasks)), set()
        while open_:
            able = [n for n, t in open_.items() if t.deps <= done and t.ready()]
            assert able, f"deadlock: {len(open_)} tasks wait"
            for n in choose.sample(able, max(1, len(able) // 3)):
                if self.tasks[n].ready():
                    open_.pop(n).run()
                    done.add(n)

    def block(self, block: Any, arguments: Any = ()) -> list[Any]:
        self.values.update(zip(block.arguments, arguments, strict=True))
        for op in [o.operation for o in block.operations]:
            if op.name in ("scf.yield", "affine.yield", "air.affine_yield", "scf.reduce.return"):
                return [self.values[v] for v in op.operands]
            if op.name.endswith(("terminator", "return")):
                return []
            results = getattr(self, op.name.replace(".", "_"))(op)
            self.values.update(zip(op.results, results or [], strict=True))
        raise AssertionError("a block ends in a terminator")

    def add(self, op: Any, run: Any, ready: Any = lambda: True, deps: Any = None) -> list[Any]:
        waits = frozenset().union(*(self.values[d] for d in (op.opview.deps if deps is None else deps)))
        self.tasks.append(Task(waits, ready, run))
        return [frozenset([len(self.tasks) - 1])]

    # Control flow and values.

    def scf_for(self, op: Any) -> list[Any]:
        lower, upper, step, *state = (self.values[v] for v in op.operands)
        for i in range(lower, upper, step):
            state = self.block(op.regions[0].blocks[0], [i, *state])
        return state

    def air_affine_if(self, op: Any) -> list[Any]:
        names, constraints = str(op.opview.condition).removeprefix("affine_set<()[").removesuffix(")>").split("] : (")
        known = dict(zip(names.split(", "), (int(self.values[v]) for v in op.operands), strict=True))
        holds = all(eval(c, known) for c in constraints.split(","))
        return self.block(op.regions[0 if holds else 1].blocks[0])

    def hierarchy(self, op: Any) -> list[Any]:
        view, ends = op.opview, []
        for point in product(*(range(self.values[s]) for s in view.sizes)):
            first = len(self.tasks)
            deps = frozenset().union(*(self.values[d] for d in view.deps))
            if op.name == "air.launch":  # one set of channels serves all of its instances, one after another
                deps |= frozenset(ends)
            self.block(view.block, [*point, *(self.values[s] for s in view.sizes), *(self.values[a] for a in view.args)])
            for task in self.tasks[first:]:
                task.deps |= deps
            ends += range(first, len(self.tasks))
        return [frozenset(ends)] if op.results else []

    air_launch = air_segment = air_herd = hierarchy

    def air_channel(self, op: Any) -> None:
        pass

    def func_func(self, op: Any) -> None:
        pass

    def arith_constant(self, op: Any) -> list[Any]:
        return [op.opview.value.value]

    def binary(self, op: Any, fn: Any) -> list[int]:
        return [fn(*(self.values[v] for v in op.operands))]

    def arith_addi(self, op: Any) -> list[int]:
        return self.binary(op, lambda a, b: a + b)

    def arith_subi(self, op: Any) -> list[int]:
        return self.binary(op, lambda a, b: a - b)

    def arith_muli(self, op: Any) -> list[int]:
        return self.binary(op, lambda a, b: a * b)

    def arith_divsi(self, op: Any) -> list[int]:
        return self.binary(op, lambda a, b: int(a / b))

    def arith_ceildivsi(self, op: Any) -> list[int]:
        return self.binary(op, lambda a, b: -(-a // b))

    def affine_apply(self, op: Any) -> list[int]:
        used = op.attributes["map"].value
        names = [f"d{i}" for i in range(used.n_dims)] + [f"s{i}" for i in range(used.n_symbols)]
        return [eval(str(used.results[0]), dict(zip(names, (self.values[v] for v in op.operands), strict=True)))]

    # Tasks.

    def air_wait_all(self, op: Any) -> list[Any]:
        return [frozenset().union(*(self.values[d] for d in op.opview.deps))]

    def air_execute(self, op: Any) -> list[Any]:
        inner = next(iter(op.regions[0].blocks[0].operations)).operation
        if inner.name == "memref.alloc":
            kind = inner.results[0].type
            array = np.full(kind.shape, POISON, np.int64)
            return [*self.add(op, lambda: None), array]
        if inner.name == "memref.dealloc":
            return self.add(op, lambda: None)
        given = [self.values.get(v) for v in inner.operands]
        return self.add(op, lambda: getattr(self, "do_" + inner.name.replace(".", "_"))(inner, *given))

    def walked(self, memref: Any, offsets: Any, sizes: Any, strides: Any) -> Any:
        array = self.values[memref]
        offsets, sizes, strides = ([self.values[v] for v in group] for group in (offsets, sizes, strides))
        if not sizes:
            return array
        offsets = [0] * (len(sizes) - len(offsets)) + offsets
        start = sum(o * s for o, s in zip(offsets, strides, strict=True))
        assert start + sum((n - 1) * s for n, s in zip(sizes, strides, strict=True)) < array.size, "out of bounds"
        return as_strided(array.reshape(-1)[start:], sizes, [s * array.itemsize for s in strides])

    def air_channel_put(self, op: Any) -> list[Any]:
        view = op.opview
        part = self.walked(view.src, view.src_offsets, view.src_sizes, view.src_strides)
        at = tuple(self.values[i] for i in view.indices)
        shape = self.shapes.get(view.chan_name)
        keys = [(view.chan_name, *p) for p in product(*map(range, shape))] if shape else [(view.chan_name, *at)]

        def run() -> None:
            assert (part != POISON).all(), "sends what was never written"
            for key in keys:
                self.streams.setdefault(key, []).extend(part.reshape(-1).tolist())

        return self.add(op, run)

    def air_channel_get(self, op: Any) -> list[Any]:
        view = op.opview
        part = self.walked(view.dst, view.dst_offsets, view.dst_sizes, view.dst_strides)
        at = [self.values[i] for i in view.indices]
        shape = self.shapes.get(view.chan_name, ())
        key = (view.chan_name, *(i % n for i, n in zip(at, shape, strict=True))) if shape else (view.chan_name, *at)

        def run() -> None:
            stream = self.streams[key]
            taken, self.streams[key] = stream[: part.size], stream[part.size :]
            part[...] = np.array(taken).reshape(part.shape)

        return self.add(op, run, lambda: len(self.streams.get(key, ())) >= part.size)

    def do_linalg_fill(self, op: Any, value: int, out: Any) -> None:
        out[...] = value

    def do_linalg_matmul(self, op: Any, a: Any, b: Any, c: Any) -> None:
        assert (a != POISON).all() and (b != POISON).all(), "multiplies what was never written"
        c += a @ b

    def do_linalg_add(self, op: Any, a: Any, b: Any, c: Any) -> None:
        assert (a != POISON).all() and (b != POISON).all(), "adds what was never written"
        c[...] = a + b


@pytest.fixture
def execute() -> Callable[..., None]:
    """`execute(module, *arguments, seed=0)` runs the module's function on integer arrays (and index values) in place."""

    def run(module: Any, *arguments: Any, seed: int = 0) -> None:
        program = Program(module, list(arguments))
        program.run(seed)
        assert not any(program.streams.values()), "all that is sent is received"

    return run
