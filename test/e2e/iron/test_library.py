"""Kernels and algorithms of IRON's library, on the simulator against numpy."""

from argparse import ArgumentParser

import ml_dtypes
import numpy as np
import pytest

import allo_air.aie.iron as iron
from allo_air.aie.helpers.dialects.func import func
from allo_air.aie.iron import (
    CompileTime,
    In,
    InOut,
    ObjectFifo,
    Out,
    Program,
    Runtime,
    TaskGroup,
    Worker,
    WorkerRuntimeBarrier,
    algorithms,
    kernels,
)
from allo_air.aie.iron.controlflow import range_
from allo_air.aie.iron.device import NPU1, NPU2
from allo_air.aie.utils.benchmark import run_iters
from allo_air.aie.utils.hostruntime.argparse import add_compile_args
from allo_air.aie.utils.hostruntime.cli import run_design_cli
from allo_air.aie.utils.verify import assert_close_with_benchmark, assert_pass

RNG = np.random.default_rng(6)
BF16 = ml_dtypes.bfloat16


@pytest.fixture(params=[NPU1, NPU2], ids=["npu1", "npu2"], autouse=True)
def device(request):
    iron.set_current_device(request.param())
    yield request.param()
    iron.set_current_device(None)


def array(shape, dtype=np.int32):
    return np.ndarray[tuple(shape), np.dtype[dtype]]


@iron.jit
def mapped(x: In, y: Out, *, function: CompileTime[object], dtype: CompileTime[object], parallel: CompileTime[bool] = False):
    make = algorithms.transform_parallel if parallel else algorithms.transform
    return make(function, array([1024], dtype), tile_size=64)


@pytest.mark.parametrize("parallel", [False, True])
def test_transform(parallel):
    x = iron.arange(1024, dtype=np.int32)
    y = iron.zeros_like(x)
    mapped(x, y, function=lambda a: a * a + 1, dtype=np.int32, parallel=parallel)
    assert_pass(y.numpy(), x.numpy() ** 2 + 1)


def test_an_array_among_the_parameters_is_a_tensor_of_the_call():
    tile, factor = array([64], np.int16), array([1])
    source = 'extern "C" void by(short *a, short *b, int *f, int n) { for (int i = 0; i < n; i++) b[i] = a[i] * *f; }'
    by = iron.ExternalFunction("by", source_string=source, arg_types=[tile, tile, factor, np.int32])

    @iron.jit
    def multiplied(x: In, y: Out, factors: In):
        return algorithms.transform(by, array([256], np.int16), factor, tile_size=64)

    x = iron.arange(256, dtype=np.int16)
    y = iron.zeros_like(x)
    multiplied(x, y, iron.tensor([-3], dtype=np.int32))
    assert_pass(y.numpy(), -3 * x.numpy())


def test_transform_binary_and_for_each():
    @iron.jit
    def added(a: In, b: In, c: Out):
        return algorithms.transform_binary(lambda p, q: p + q, array([256], np.float32))

    @iron.jit
    def negated(x: InOut):
        return algorithms.for_each(lambda p: -p, array([256]))

    a, b = (iron.tensor(RNG.standard_normal(256).astype(np.float32)) for _ in range(2))
    c = iron.zeros_like(a)
    added(a, b, c)
    assert_pass(c.numpy(), a.numpy() + b.numpy())
    x = iron.arange(256, dtype=np.int32)
    negated(x)
    assert_pass(x.numpy(), -np.arange(256))


@pytest.mark.parametrize("name", ["relu", "gelu", "silu", "bf16_exp"])
def test_elementwise_kernels(name):
    kernel = getattr(kernels, name)(tile_size=256)

    @iron.jit
    def applied(x: In, y: Out):
        return algorithms.transform_parallel(kernel, array([4096], BF16), tile_size=256, pass_size_to_kernel=False)

    x = iron.tensor(RNG.standard_normal(4096).astype(BF16))
    y = iron.zeros_like(x)
    applied(x, y)
    assert_pass(y.numpy(), getattr(kernels, f"{name}_ref")(x.numpy()), rtol=2**-7)


@pytest.mark.parametrize("name", ["add", "mul"])
def test_binary_kernels(name):
    kernel = getattr(kernels, name)(tile_size=128)

    @iron.jit
    def applied(a: In, b: In, c: Out):
        return algorithms.transform_parallel_binary(kernel, array([1024], BF16), tile_size=128, pass_size_to_kernel=False)

    a, b = (iron.tensor(RNG.standard_normal(1024).astype(BF16)) for _ in range(2))
    c = iron.zeros_like(a)
    applied(a, b, c)
    assert_pass(c.numpy(), a.numpy() + b.numpy() if name == "add" else a.numpy() * b.numpy())


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.int32])
def test_passthrough(dtype):
    kernel = kernels.passthrough(256, dtype)

    @iron.jit
    def passed(x: In, y: Out):
        return algorithms.transform(kernel, array([1024], dtype), tile_size=256)

    x = iron.tensor(RNG.integers(0, 200, 1024).astype(dtype))
    y = iron.zeros_like(x)
    passed(x, y)
    assert_pass(y.numpy(), x.numpy())


@pytest.mark.parametrize("name", ["add", "min", "max"])
def test_reductions(name):
    kernel = getattr(kernels, f"reduce_{name}")(512)

    @iron.jit
    def reduced(x: In, y: Out):
        return algorithms.reduce(kernel, array([512]), array([1]))

    x = iron.tensor(RNG.integers(-1000, 1000, 512).astype(np.int32))
    y = iron.zeros(1, dtype=np.int32)
    reduced(x, y)
    assert_pass(y.numpy(), [getattr(np, "sum" if name == "add" else name)(x.numpy())])


def test_scale_takes_its_factor_by_a_queue_of_its_own():
    kernel = kernels.scale(256, np.int16)

    @iron.jit
    def scaled(x: In, f: In, y: Out):
        part = array([256], np.int16)
        of_x, of_f, of_y = ObjectFifo(part, name="x"), ObjectFifo(array([1]), name="f"), ObjectFifo(part, name="y")

        def core(x, f, y, kernel):
            factor = f.acquire(1)
            for _ in range_(4):
                a, b = x.acquire(1), y.acquire(1)
                kernel(a, b, factor, 256)
                x.release(1)
                y.release(1)
            f.release(1)

        def sequence(x, f, y, fill, factor, drain):
            group = TaskGroup()
            factor.fill(f, group=group)
            fill.fill(x, group=group)
            drain.drain(y, wait=True, group=group)
            group.finish()

        whole = array([1024], np.int16)
        rt = Runtime(sequence, [whole, array([1]), whole, of_x.prod(), of_f.prod(), of_y.cons()])
        worker = Worker(core, [of_x.cons(), of_f.cons(), of_y.prod(), kernel])
        return Program(iron.get_current_device(), rt, workers=[worker]).resolve_program()

    x, f = iron.tensor(RNG.integers(-99, 99, 1024).astype(np.int16)), iron.tensor(np.array([3], np.int32))
    y = iron.zeros_like(x)
    scaled(x, f, y)
    assert_pass(y.numpy(), x.numpy() * 3)


def blocked(matrix, rows, columns):
    """Blocks of rows x columns, one after another."""
    r, c = matrix.shape
    return matrix.reshape(r // rows, rows, c // columns, columns).swapaxes(1, 2).reshape(-1)


@pytest.mark.parametrize("dtype", [np.int8, np.int16, BF16])
def test_mm(dtype):
    m, k, n = 16, 32, 24
    mm = kernels.mm(m, k, n, dtype)
    out = np.float32 if dtype is BF16 else np.int32
    r, s, t = mm.mac_dims

    @iron.jit
    def multiplied(a: In, b: In, c: Out):
        types = [array([m * k], dtype), array([k * n], dtype), array([m * n], out)]
        of_a, of_b, of_c = (ObjectFifo(kind, name=name) for kind, name in zip(types, "ABC", strict=True))

        def core(a, b, c, mm, zero):
            x, y, z = a.acquire(1), b.acquire(1), c.acquire(1)
            zero(z)
            mm(x, y, z)
            for of in (a, b, c):
                of.release(1)

        def sequence(a, b, c, *ends):
            ends[0].fill(a)
            ends[1].fill(b)
            ends[2].drain(c, wait=True)

        rt = Runtime(sequence, [*types, of_a.prod(), of_b.prod(), of_c.cons()])
        worker = Worker(core, [of_a.cons(), of_b.cons(), of_c.prod(), mm, mm.zero])
        return Program(iron.get_current_device(), rt, workers=[worker]).resolve_program()

    a, b = RNG.integers(-9, 9, (m, k)).astype(dtype), RNG.integers(-9, 9, (k, n)).astype(dtype)
    c = iron.zeros(m * n, dtype=out)
    multiplied(iron.tensor(blocked(a, r, s)), iron.tensor(blocked(b, s, t)), c)
    assert_pass(c.numpy(), blocked(a.astype(out) @ b.astype(out), r, t))


def test_a_barrier_holds_a_worker_until_the_sequence_has_written():
    @iron.jit
    def held(x: In, y: Out):
        of_in, of_out = ObjectFifo(array([32]), name="in"), ObjectFifo(array([32]), name="out")
        rtp = iron.Buffer(array([4]), name="rtp", use_write_rtp=True)
        barrier = WorkerRuntimeBarrier()

        def core(a, b, rtp, barrier):
            barrier.wait_for_value(1)
            x, y = a.acquire(1), b.acquire(1)
            for i in range_(32):
                y[i] = x[i] + rtp[0]
            a.release(1)
            b.release(1)

        def sequence(a, b, src, dst, rtp, barrier):
            rtp[0] = 5
            barrier.set(1)
            src.fill(a)
            dst.drain(b, wait=True)

        whole = array([32])
        rt = Runtime(sequence, [whole, whole, of_in.prod(), of_out.cons(), rtp, barrier])
        worker = Worker(core, [of_in.cons(), of_out.prod(), rtp, barrier])
        return Program(iron.get_current_device(), rt, workers=[worker]).resolve_program()

    x = iron.arange(32, dtype=np.int32)
    y = iron.zeros_like(x)
    held(x, y)
    assert_pass(y.numpy(), x.numpy() + 5)


def test_the_command_line(capsys):
    parser = add_compile_args(ArgumentParser())
    parameters = {"function": lambda a: a + 1, "dtype": np.int32}
    assert run_design_cli(mapped, parser.parse_args(["--dev", "npu2", "--emit-mlir"]), compile_kwargs=parameters) is None
    assert "aie.device(npu2)" in capsys.readouterr().out
    assert run_design_cli(mapped, parser.parse_args([]), compile_kwargs=parameters, run_and_verify=lambda: 5) == 5
    with pytest.raises(ValueError, match="--xclbin-path goes with --insts-path"):
        run_design_cli(mapped, parser.parse_args(["--xclbin-path", "a.xclbin"]), compile_kwargs=parameters)


PART = array([64])


@func
def shifted(a: PART, b: PART, n: np.int32):
    for i in range_(n):
        b[i] = a[i] + n


def test_a_function_of_the_device():
    @iron.jit
    def called(x: In, y: Out):
        of_in, of_out = ObjectFifo(PART, name="in"), ObjectFifo(PART, name="out")

        def core(a, b, shifted):
            x, y = a.acquire(1), b.acquire(1)
            shifted(x, y, 64)
            a.release(1)
            b.release(1)

        def sequence(a, b, src, dst):
            src.fill(a)
            dst.drain(b, wait=True)

        rt = Runtime(sequence, [array([256]), array([256]), of_in.prod(), of_out.cons()])
        return Program(iron.get_current_device(), rt, [Worker(core, [of_in.cons(), of_out.prod(), shifted])]).resolve_program()

    x = iron.arange(256, dtype=np.int32)
    y = iron.zeros_like(x)
    called(x, y)
    assert_close_with_benchmark(y.numpy(), x.numpy() + 64, run_iters(called, x, y))
