"""Regions whose cores run at the same time on the host, as C++ with streams: what the array's DMAs cannot carry, too."""

from pathlib import Path

import numpy as np
import pytest

import allo_air as allo
import allo_air.dataflow as df
from allo_air.errors import AlloAirError
from allo_air.ir.types import Stateful, Stream, Struct, UInt, int1, int8, int16, int32, int64, uint1
from allo_air.memory import Layout

S, R = Layout.Shard, Layout.Replicate


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Projects are written to the folder that the process is in."""
    monkeypatch.chdir(tmp_path)


def ints(*shape, dtype=np.int32):
    return np.random.default_rng(0).integers(-9, 9, shape).astype(dtype)


@df.region()
def systolic(A: int16[6, 5], B: int16[5, 4], C: int32[6, 4]):
    right: Stream[int16, 4][3, 2]
    down: Stream[int16, 4][3, 2]

    @df.kernel(mapping=[3, 2], args=[A, B, C])
    def element(a: int16[6, 5], b: int16[5, 4], c: int32[6, 4]):
        i, j = df.get_pid()
        for m, n in allo.grid(2, 2):
            total: int32 = 0
            for k in range(5):
                x: int16 = 0
                y: int16 = 0
                with allo.meta_if(j == 0):
                    x = a[m * 3 + i, k]
                with allo.meta_else():
                    x = right[i, j].get()
                with allo.meta_if(i == 0):
                    y = b[k, n * 2 + j]
                with allo.meta_else():
                    y = down[i, j].get()
                total += x * y
                with allo.meta_if(j < 1):
                    right[i, j + 1].put(x)
                with allo.meta_if(i < 2):
                    down[i + 1, j].put(y)
            c[m * 3 + i, n * 2 + j] = total


def test_a_systolic_array_in_tiles():
    a, b, c = ints(6, 5, dtype=np.int16), ints(5, 4, dtype=np.int16), np.zeros((6, 4), np.int32)
    run = df.build(systolic, target="simulator")
    run(a, b, c)
    np.testing.assert_array_equal(c, a.astype(np.int32) @ b)
    code = str(df.build(systolic, target="vitis_hls"))
    assert 'hls::stream< int16_t > systolic_right_0_1("systolic_right_0_1");' in code
    assert "#pragma HLS stream variable=systolic_right_0_1 depth=4" in code
    body = code[code.index("void systolic(") :]
    assert "#pragma HLS dataflow" in body and body.count("element_") == 6 and "at_once" not in body


def test_answers_and_wide_and_data_dependent_streams():
    @df.region()
    def top(A: int32[8], B: int64[8], n: int32[1]):
        ask: Stream[int64, 2]
        answer: Stream[int64, 2]
        found: Stream[UInt(96), 16]
        many: Stream[int32, 2]

        @df.kernel(mapping=[1], args=[A, B])
        def client(a: int32[8], b: int64[8]):
            count: int32 = 0
            for i in range(8):
                ask.put(a[i])
                b[i] = answer.get()
                if b[i] > 0:
                    found.put(b[i])
                    count += 1
            many.put(count)

        @df.kernel(mapping=[1])
        def server():
            for _ in range(8):
                x: int64 = ask.get()
                answer.put(x * 10000000000)

        @df.kernel(mapping=[1], args=[n])
        def counter(n: int32[1]):
            count: int32 = many.get()
            for _ in range(count):
                while found.empty():
                    n[0] = 0
                x: UInt(96) = found.get()
            n[0] = count

    a, b, n = ints(8), np.zeros(8, np.int64), np.zeros(1, np.int32)
    df.build(top, target="simulator")(a, b, n)
    np.testing.assert_array_equal(b, a.astype(np.int64) * 10000000000)
    assert n[0] == (a > 0).sum()


def test_parts_blocks_and_state():
    @df.region()
    def top(A: int8[4, 12], B: int8[4, 12]):
        ring: Stream[int8[2, 6], 2][2, 2]

        @df.kernel(mapping=[2, 2], args=[A, B])
        def core(a: int8[4, 12] @ [S(0), S(1)], b: int8[4, 12] @ [S(0), S(1)]):
            i, j = df.get_pid()
            calls: int8 @ Stateful = 0
            calls += 1
            ring[i, j].put(a)
            b[:, :] = ring[1 - i, 1 - j].get()
            b[0, 0] = calls

    run = df.build(top, target="simulator")
    a, b = ints(4, 12, dtype=np.int8), np.zeros((4, 12), np.int8)
    for turn in (1, 2):
        run(a, b)
        wanted = np.roll(a, (2, 6), (0, 1))
        wanted[::2, ::6] = turn
        np.testing.assert_array_equal(b, wanted)


def test_regions_in_regions():
    @df.region()
    def inner(X: int32[6], Y: int32[6]):
        pipe: Stream[int32, 2]

        @df.kernel(mapping=[1], args=[X])
        def send(x: int32[6]):
            for i in range(6):
                pipe.put(x[i] * 2)

        @df.kernel(mapping=[1], args=[Y])
        def take(y: int32[6]):
            for i in range(6):
                y[i] = pipe.get() + 1

    @df.region()
    def outer(A: int32[6], B: int32[6]):
        @df.kernel(mapping=[1], args=[A, B])
        def twice(a: int32[6], b: int32[6]):
            middle: int32[6] = 0
            inner(a, middle)
            inner(middle, b)

    a, b = ints(6), np.zeros(6, np.int32)
    df.build(outer, target="simulator")(a, b)
    np.testing.assert_array_equal(b, 4 * a + 3)


def test_a_core_that_waits_for_ever_is_told():
    @df.region()
    def top(A: int32[4]):
        pipe: Stream[int32, 2]

        @df.kernel(mapping=[1], args=[A])
        def send(a: int32[4]):
            pipe.put(a[0])

        @df.kernel(mapping=[1], args=[A])
        def take(a: int32[4]):
            for i in range(4):
                a[i] = pipe.get()

    with pytest.raises(AlloAirError, match="stream 'top_pipe' is read and empty, and nothing runs that writes to it"):
        df.build(top, target="simulator")(ints(4))


def test_prints(capfd):
    def told(A: int32[3], x: int8):
        print("A", A, x)
        print("%d of %d\n", x, 3)

    from ctypes import CDLL

    allo.customize(told).build(target="vhls")(np.arange(3, dtype=np.int32), 2)
    CDLL(None).fflush(None)
    assert capfd.readouterr().out == "A 0 1 2  2\n2 of 3\n"


def test_one_array_to_read_and_to_write():
    @df.region()
    def top(A: int32[8], B: int32[8], C: int32[8]):
        @df.kernel(mapping=[2], args=[A, B, C])
        def core(a: int32[8] @ [S(0)], b: int32[8] @ [S(0)], c: int32[8] @ [S(0)]):
            c[:] = allo.add(a, b)

    a, c = np.arange(8, dtype=np.int32), np.ones(8, np.int32)
    df.build(top, target="vitis_hls", mode=None)(c, a, c)
    np.testing.assert_array_equal(c, a + 1)
    wide = np.ones(8, np.int64)
    df.build(top, target="simulator")(wide, a, wide)
    np.testing.assert_array_equal(wide, a + 1)


def test_steps_of_a_regions_cores():
    s = df.customize(systolic)
    assert list(s.get_loops("element_0_0").S_k_0.keys()) == ["k"]
    s.pipeline("element_0_0:k")
    s.partition("systolic:A", dim=2)
    run = s.build(target="vitis_hls", mode=None)
    code = str(run)
    assert code.count("#pragma HLS pipeline II=1") == 1
    assert code.count("#pragma HLS array_partition variable=v0 complete dim=2") == 7
    a, b, c = ints(6, 5, dtype=np.int16), ints(5, 4, dtype=np.int16), np.zeros((6, 4), np.int32)
    run(a, b, c)
    np.testing.assert_array_equal(c, a.astype(np.int32) @ b)
    with pytest.raises(AlloAirError, match=r"has steps of schedules \(pipeline\(element_0_0:k, 1\)\)"):
        s.build(target="aie")


def test_puts_and_gets_that_may_fail():
    @df.region()
    def top(A: int32[8], B: int32[8]):
        pipe: Stream[int32, 2]

        @df.kernel(mapping=[1], args=[A])
        def source(a: int32[8]):
            sent: int32 = 0
            while sent < 8:
                ok: int1 = pipe.try_put(a[sent])
                if ok:
                    sent += 1

        @df.kernel(mapping=[1], args=[B])
        def sink(b: int32[8]):
            got: int32 = 0
            while got < 8:
                x, ok = pipe.try_get()
                if ok:
                    b[got] = x
                    got += 1

    a, b = ints(8), np.zeros(8, np.int32)
    df.build(top, target="simulator")(a, b)
    np.testing.assert_array_equal(b, a)
    with pytest.raises(AlloAirError, match="'try_put' needs the state of a stream"):
        df.build(top, target="aie")


def test_streams_of_structs():
    word = Struct({"value": int32, "last": uint1})

    @df.region()
    def top(A: int32[6], B: int32[6]):
        pipe: Stream[word, 2][1]

        @df.kernel(mapping=[1], args=[A])
        def source(a: int32[6]):
            for i in range(6):
                x: word = {"value": a[i], "last": i == 5}
                pipe[0].put(x)

        @df.kernel(mapping=[1], args=[B])
        def sink(b: int32[6]):
            for i in range(6):
                x: word = pipe[0].get()
                b[i] = x["value"] + x["last"]

    a, b = ints(6), np.zeros(6, np.int32)
    df.build(top, target="simulator")(a, b)
    np.testing.assert_array_equal(b, a + np.array([0, 0, 0, 0, 0, 1]))


def test_literals_are_of_32_bits():
    @df.region()
    def top(A: int8[8], B: int16[8]):
        @df.kernel(mapping=[1], args=[A, B])
        def core(a: int8[8], b: int16[8]):
            for i in range(8):
                b[i] = a[i] * 100 - 7

    a, b = ints(8, dtype=np.int8), np.zeros(8, np.int16)
    df.build(top, target="llvm")(a, b)
    np.testing.assert_array_equal(b, a.astype(np.int16) * 100 - 7)


def test_streams_with_fifos_of_one_name_are_refused():
    @df.region()
    def top(A: int32[4]):
        pipe: Stream[Struct({"x": int32, "y": int8}), 2]  # noqa: F842
        pipe_x: Stream[int32, 2]

        @df.kernel(mapping=[1], args=[A])
        def core(a: int32[4]):
            pipe_x.put(a[0])

    with pytest.raises(AlloAirError, match=r"test_processes.py:\d+:9: streams 'pipe' and 'pipe_x' both have a FIFO 'pipe_x'"):
        df.build(top, target="simulator")

    @df.region()
    def other(A: int32[4]):
        pipe: Stream[int32, 2][2]  # noqa: F842
        pipe_1: Stream[int32, 2]

        @df.kernel(mapping=[1], args=[A])
        def core(a: int32[4]):
            pipe_1.put(a[0])

    with pytest.raises(AlloAirError, match="streams 'pipe' and 'pipe_1' both have a FIFO 'pipe_1'"):
        df.build(other, target="aie")


def test_a_value_of_two_parts_is_described():
    @df.region()
    def top(A: int32[4]):
        pipe: Stream[int32, 2]

        @df.kernel(mapping=[1], args=[A])
        def core(a: int32[4]):
            x = pipe.try_get()
            a[0] = x

    with pytest.raises(AlloAirError, match=r"found 2 values: a number int32, a number uint1$"):
        df.build(top, target="simulator")


def test_kernels_with_instances_of_one_name_are_refused():
    @df.region()
    def top(A: int32[4], B: int32[4]):
        @df.kernel(mapping=[2, 1], args=[A])
        def core(a: int32[4] @ [S(0)]):
            a[0] = 1

        @df.kernel(mapping=[1], args=[B])
        def core_0(b: int32[4]):
            b[0] = 2

    with pytest.raises(AlloAirError, match="kernels 'core' and 'core_0' both have an instance 'core_0_0'"):
        df.build(top, target="llvm")


def test_no_function_calls_a_region():
    @df.region()
    def inner(A: int32[8]):
        @df.kernel(mapping=[1], args=[A])
        def core(a: int32[8]):
            a[:] = allo.add(a, 1)

    def top(A: int32[8]):
        inner(A)

    with pytest.raises(AlloAirError, match="'inner' is a region, which no function can call; build it"):
        allo.customize(top)
