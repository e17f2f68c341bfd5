"""Cores that share a program: each is as if it had been compiled by itself."""

import numpy as np
import pytest

import allo_air as allo
import allo_air.dataflow as df
from allo_air.dialects import load
from allo_air.errors import AlloAirError
from allo_air.frontend import instances
from allo_air.frontend.graph import read_graph
from allo_air.frontend.instances import Part
from allo_air.frontend.kinds import Decisions
from allo_air.frontend.overlaps import Parts
from allo_air.frontend.region import read_region
from allo_air.ir.types import Stream, int32
from allo_air.memory import Layout
from allo_air.mlir import ir, new_context

S = Layout.Shard
TABLE = np.array([3, 1, 2, 1, 3], np.int32)


def by_number():
    @df.region()
    def top(A: int32[20], B: int32[20]):
        @df.kernel(mapping=[5], args=[A, B])
        def core(a: int32[20] @ [S(0)], b: int32[20] @ [S(0)]):
            b[:] = allo.add(a, df.get_pid())

    return top, 5


def by_table():
    @df.region()
    def top(A: int32[20], B: int32[20]):
        @df.kernel(mapping=[5], args=[A, B])
        def core(a: int32[20] @ [S(0)], b: int32[20] @ [S(0)]):
            i = df.get_pid()
            b[:] = allo.add(a, TABLE[i])

    return top, 3


def by_closure():
    @df.region()
    def top(A: int32[20], B: int32[20]):
        @df.kernel(mapping=[5], args=[A, B])
        def core(a: int32[20] @ [S(0)], b: int32[20] @ [S(0)]):
            i = df.get_pid()

            def scaled(v: int32) -> int32:
                return v * (i // 2)

            for t in range(4):
                b[t] = scaled(a[t])

    return top, 3


def by_ring():
    @df.region()
    def top(A: int32[16, 4], B: int32[16, 4]):
        ring: Stream[int32[1, 4], 2][4, 4]

        @df.kernel(mapping=[4, 4], args=[A, B])
        def core(a: int32[16, 4], b: int32[16, 4]):
            i, j = df.get_pid()
            x: int32[1, 4] = 0
            ring[i, (j - 1) % 4].put(x)
            y: int32[1, 4] = ring[i, j].get()
            with allo.meta_if(i == 0):
                ring[1 - i, j].put(y)

    return top, 2


def by_same_stream():
    @df.region()
    def top(A: int32[16]):
        pipe: Stream[int32[4], 2][5]

        @df.kernel(mapping=[5], args=[A])
        def core(a: int32[16]):
            i = df.get_pid()
            x: int32[4] = 0
            pipe[i].put(x)
            pipe[i * i % 5].put(x)

    return top, 2


@pytest.mark.parametrize("program", [by_number, by_table, by_closure, by_ring, by_same_stream])
def test_shared_programs_are_those_of_each_core(program, monkeypatch):
    region, kinds = program()
    alone, compiled = instances._compiled, []
    monkeypatch.setattr(instances, "_compiled", lambda *args: compiled.append(args) or alone(*args))
    context = new_context()
    with context, ir.Location.unknown():
        load(context, ("air",))
        spec = read_region(region)
        for found in instances.inspect(spec, spec.kernels[0], context):
            wanted = alone(spec, found.kernel, found.pid, context, Decisions())
            for name in ("code", "reads", "writes", "puts", "gets", "streams", "parts"):
                assert getattr(found, name) == getattr(wanted, name), (found.name, name)
    assert len(compiled) == kinds


def test_the_first_primitive_that_lets_cores_wait_is_named():
    @df.region()
    def top(A: int32[4], B: int32[4]):
        pipe: Stream[int32[1], 2][3]

        @df.kernel(mapping=[4], args=[A, B])
        def core(a: int32[4] @ [S(0)], b: int32[4] @ [S(0)]):
            i = df.get_pid()
            with allo.meta_if(i > 0):
                b[:] = pipe[i - 1].get()
            with allo.meta_if(i < 3):
                pipe[i].put(a)

    context = new_context()
    with context, ir.Location.unknown():
        load(context, ("air",))
        graph = read_graph(read_region(top), context)
        before = list(graph.nodes)
        good, bad = ("chain", ["core_0", "core_1"]), ("chain", ["core_3", "core_2"])
        for primitives in ([good, bad], [good, bad, ("chain", ["core_0", "core_9"])], [bad, good]):
            with pytest.raises(AlloAirError, match=r"chain \[core_3, core_2\]: .* name them in the other order"):
                graph.apply(primitives)
            assert list(graph.nodes) == before
        with pytest.raises(AlloAirError, match=r"unknown node .core_9"):
            graph.apply([good, ("chain", ["core_0-core_1", "core_9"]), bad])
        graph.apply([("chain", ["core_2", "core_3"]), good])
        assert list(graph.nodes) == ["core_0-core_1", "core_2-core_3"]


def test_overlaps_are_those_of_all_pairs():
    rng = np.random.default_rng(5)
    added, parts = [], Parts()
    for number in range(200):
        sizes = tuple(int(2 ** rng.integers(0, 4)) for _ in range(2))
        part = Part(int(rng.integers(0, 2)), tuple(int(rng.integers(0, 6)) * s for s in sizes), sizes)
        found = sorted(owner for _, _, owner in parts.shared(part))
        assert found == [n for n, p in enumerate(added) if p.overlaps(part)]
        parts.add(part, number)
        added.append(part)
