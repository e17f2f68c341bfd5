"""What `df.build` takes beside the region: targets, traces, pictures, profiles; and types and values that kernels may have."""

import json

import ml_dtypes
import numpy as np
import pytest

import allo_air as allo
import allo_air.dataflow as df
from allo_air.ir.types import Stream, bfloat16, float32, int4, int8, int16, int32, uint4
from allo_air.memory import Layout

S, R = Layout.Shard, Layout.Replicate
BF16 = ml_dtypes.bfloat16
RNG = np.random.default_rng(13)


@df.region()
def doubled(A: int32[16], B: int32[16]):
    pipe: Stream[int32, 4]

    @df.kernel(mapping=[1], args=[A])
    def producer(a: int32[16]):
        for i in range(16):
            pipe.put(a[i])

    @df.kernel(mapping=[1], args=[B])
    def consumer(b: int32[16]):
        for i in range(16):
            b[i] = pipe.get() * 2


def test_regions_run_on_the_cpu(capsys):
    run = df.build(doubled, target="llvm", profile=True, warmup=1, num_iters=2)
    a, b = np.arange(16, dtype=np.int32), np.zeros(16, np.int32)
    assert run(a, b).average_us > 0
    assert "CPU execution time" in capsys.readouterr().out
    np.testing.assert_array_equal(b, 2 * a)


def test_named_cores_are_traced_and_graphs_drawn(tmp_path):
    run = df.build(
        doubled, project=tmp_path, trace=[("consumer", (0,))], trace_size=65536, debug=True, profile=True,
        mapping_primitives=[("chain", ["producer_0", "consumer_0"])],
    )  # fmt: skip
    a, b = np.arange(16, dtype=np.int32), np.zeros(16, np.int32)
    assert run(a, b) == run.last_profile
    np.testing.assert_array_equal(b, 2 * a)
    labels = {e["args"]["labels"] for e in json.loads((tmp_path / "trace.json").read_text()) if e["name"] == "process_labels"}
    assert labels and all(label.startswith("consumer (0,): ") for label in labels)
    for name in ("virtual_graph", "after_mapping"):
        assert (tmp_path / f"{name}.svg").read_text().count("<svg") == 1
        assert (tmp_path / f"{name}.pdf").read_bytes().startswith(b"%PDF")
    assert '"producer_0" -> "consumer_0"' in (tmp_path / "virtual_graph.dot").read_text()
    assert '"producer_0-consumer_0"' in (tmp_path / "after_mapping.dot").read_text()
    assert (tmp_path / "program" / "insts.txt").exists()


@pytest.mark.parametrize("element, low, high", [(int4, -8, 8), (uint4, 0, 16)])
def test_low_bits(element, low, high):
    M, N, K = 8, 8, 16
    host = np.int8 if low else np.uint8

    @df.region()
    def top(A: element[M, K], B: element[K, N], C: int8[M, N], D: element[M, K]):
        pipe: Stream[element[M // 2, K], 2][2]

        @df.kernel(mapping=[2], args=[A, B, C])
        def gemm(a: element[M, K] @ [S(0), R], b: element[K, N], c: int8[M, N] @ [S(0), R]):
            c[:, :] = allo.matmul(a, b)
            pipe[df.get_pid()].put(allo.add(a, 3))

        @df.kernel(mapping=[2], args=[D])
        def wrapped(d: element[M, K] @ [S(0), R]):
            d[:, :] = pipe[df.get_pid()].get()

    a, b = (RNG.integers(low, high, shape).astype(host) for shape in ((M, K), (K, N)))
    c, d = np.zeros((M, N), np.int8), np.zeros((M, K), host)
    df.build(top, target="aie")(a, b, c, d)
    np.testing.assert_array_equal(c, (a.astype(np.int64) @ b.astype(np.int64)).astype(np.int8))
    np.testing.assert_array_equal(d, (a.astype(np.int64) + 3 - low) % 16 + low)


def test_constants_scalars_and_streams_of_loops():
    M, P = 16, 4
    table = np.arange(M, dtype=np.int32) ** 2

    @df.region()
    def top(A: int32[M], n: int32, B: int32[M]):
        pipe: Stream[int32[M // P], 2][P]

        @df.kernel(mapping=[P], args=[A, n])
        def parts(a: int32[M] @ [S(0)], by: int32):
            pipe[df.get_pid()].put(allo.mul(a, by))

        @df.kernel(mapping=[1], args=[B])
        def whole(b: int32[M]):
            known: int32[M] = table
            for i in range(P):
                b[i * (M // P) : (i + 1) * (M // P)] = pipe[i].get()
            b[:] = allo.add(b, known)

    a, b = RNG.integers(-9, 9, M).astype(np.int32), np.zeros(M, np.int32)
    df.build(top, target="aie")(a, 5, b)
    np.testing.assert_array_equal(b, 5 * a + table)


@pytest.mark.parametrize(
    "element, total, host, device",
    [(int8, int32, np.int8, "npu1"), (int16, int16, np.int16, "npu2"), (bfloat16, float32, BF16, "npu2")],
)
def test_products_are_mac_instructions(element, total, host, device):
    M, N, K = 32, 16, 48

    @df.region()
    def top(A: element[M, K], B: element[K, N], C: total[M, N]):
        @df.kernel(mapping=[2, 1], args=[A, B, C])
        def gemm(a: element[M, K] @ [S(0), R], b: element[K, N] @ [R, S(1)], c: total[M, N] @ [S(0), S(1)]):
            c[:, :] = allo.add(allo.matmul(a, b), c)

    run = df.build(top, target="sim", device_type=device)
    a, b, c = (RNG.integers(-99, 99, shape).astype(host) for shape in ((M, K), (K, N), (M, N)))
    c = c.astype(np.float32 if host is BF16 else np.int16 if total is int16 else np.int32)
    wanted = a.astype(np.int64) @ b.astype(np.int64) + c.astype(np.int64)
    run(a, b, c)
    np.testing.assert_array_equal(c, wanted.astype(c.dtype))
    packed = ", ".join(['"parallel"', '"parallel"', '"reduction"'] * 2)
    assert f"iterator_types = [{packed}]" in run.module
    assert "linalg.generic" not in run.program.text()
