"""IRON's programs: the module that they make, and what it computes on the simulator."""

import numpy as np
import pytest

import allo_air
import allo_air.aie.iron as iron
from allo_air.aie.helpers.dialects.scf import else_, if_
from allo_air.aie.helpers.taplib import TensorAccessPattern, TensorTiler2D
from allo_air.aie.helpers.util import np_ndarray_type_get_shape
from allo_air.aie.iron import (
    Buffer,
    CompileTime,
    ExternalFunction,
    In,
    ObjectFifo,
    Out,
    Program,
    Runtime,
    TaskGroup,
    Worker,
)  # fmt: skip
from allo_air.aie.iron.controlflow import range_
from allo_air.aie.iron.device import NPU1, NPU2, NPU2Col1, Tile
from allo_air.aie.iron.placers import SequentialPlacer
from allo_air.aie.utils.benchmark import print_benchmark, run_iters
from allo_air.aie.utils.verify import assert_pass
from allo_air.core.walking import walk_named
from allo_air.errors import AlloAirError

RNG = np.random.default_rng(4)


@pytest.fixture(params=[NPU1, NPU2], ids=["npu1", "npu2"], autouse=True)
def device(request):
    iron.set_current_device(request.param())
    yield request.param()
    iron.set_current_device(None)


def array(shape, dtype=np.int32):
    return np.ndarray[tuple(shape), np.dtype[dtype]]


def passed_on(src, dst):
    """A sequence that fills `src` with its first array and drains `dst` into its second."""

    def sequence(a, b, src, dst):
        src.fill(a)
        dst.drain(b, wait=True)

    return sequence, src, dst


def program(whole, src, dst, workers=()):
    sequence, *ends = passed_on(src, dst)
    return Program(iron.get_current_device(), Runtime(sequence, [whole, whole, *ends]), workers=workers).resolve_program()


@iron.jit
def triple(x: In, y: Out, *, n: CompileTime[int], tile: CompileTime[int] = 64):
    whole, part = array([n]), array([tile])
    fin, fout = ObjectFifo(part, name="in"), ObjectFifo(part, name="out")

    def core(fin, fout):
        for _ in range_(n // tile):
            a, b = fin.acquire(1), fout.acquire(1)
            for i in range_(tile):
                b[i] = a[i] * 3
            fin.release(1)
            fout.release(1)

    def sequence(x, y, src, dst):
        group = TaskGroup()
        src.fill(x, group=group)
        dst.drain(y, wait=True, group=group)
        group.finish()

    rt = Runtime(sequence, [whole, whole, fin.prod(), fout.cons()])
    return Program(iron.get_current_device(), rt, workers=[Worker(core, [fin.cons(), fout.prod()])]).resolve_program()


def test_the_sheets_program(capsys):
    x = iron.arange(1024, dtype=np.int32, device="npu")
    y = iron.zeros_like(x)
    _, result = triple(x, y, n=1024)
    assert_pass(y.numpy(), 3 * x.numpy())
    assert result.npu_time > 0
    print_benchmark(run_iters(triple, x, y, n=1024, iters=10))
    shown = capsys.readouterr().out
    assert shown.startswith("PASS!\nNPU time     (avg/min/max us): ") and shown.endswith("(predicted)\n")


def test_its_module():
    iron.set_current_device(NPU2Col1())
    module = triple.as_mlir(n=1024)
    [device] = walk_named(module.operation, "aie.device")
    body = [o.operation.name for o in device.opview.block.operations]
    assert body == ["aie.logical_tile"] * 3 + ["aie.objectfifo"] * 2 + ["aie.core", "aie.runtime_sequence"]
    [sequence] = walk_named(module.operation, "aie.runtime_sequence")
    inside = [o.operation.name.removeprefix("aiex.dma_") for o in sequence.regions[0].blocks[0].operations]
    assert inside == ["configure_task_for", "start_task"] * 2 + ["await_task", "free_task", "free_task"]
    assert f'"{__file__}"' in str(next(iter(walk_named(module.operation, "arith.muli"))).location)


def test_consumers_of_two_channels_are_two():
    iron.set_current_device(NPU2Col1())
    source, sink = ObjectFifo(array([64]), name="in"), ObjectFifo(array([64]), name="out")

    def copy(of_in, of_out):
        of_out.acquire(1)[0] = of_in.acquire(1)[0]
        of_in.release(1), of_out.release(1)

    def sequence(a, b, c, first, left, right):
        first.fill(a), left.drain(b), right.drain(c, wait=True)

    ends = [source.prod(), sink.cons(channel=0), sink.cons(channel=1)]
    worker = Worker(copy, [source.cons(), sink.prod()])
    module = Program(iron.get_current_device(), Runtime(sequence, [array([64])] * 3 + ends), workers=[worker]).resolve_program()
    assert "cons_dma_channels = array<i32: 0, 1>" in str(module)


def test_forwarding_through_a_memtile_and_a_delegate():
    def copy(source, sink):
        a, b = source.acquire(1), sink.acquire(1)
        for i in range_(16):
            b[i] = a[i]
        source.release(1)
        sink.release(1)

    @iron.jit
    def forwarded(x: In, y: Out):
        of_in, of_out = ObjectFifo(array([16]), name="in"), ObjectFifo(array([16]), name="out")
        between = ObjectFifo(array([16]), name="between", delegate_tile=Tile(0, 3))
        first = Worker(copy, [of_in.cons().forward().cons(), between.prod()], tile=Tile(0, 2))
        second = Worker(copy, [between.cons(), of_out.prod()], tile=Tile(0, 3))
        return program(array([64]), of_in.prod(), of_out.cons(), [first, second])

    assert "aie.objectfifo.allocate @between" in str(forwarded.as_mlir())
    x = iron.arange(64, dtype=np.int32)
    y = iron.zeros_like(x)
    forwarded(x, y)
    assert_pass(y.numpy(), x.numpy())


def test_split_and_join():
    @iron.jit
    def spread(x: In, y: Out):
        parts = [0, 64, 128, 192]
        of_in, of_out = ObjectFifo(array([256]), name="in"), ObjectFifo(array([256]), name="out")
        ins, outs = of_in.cons().split(parts), of_out.prod().join(parts)
        assert [f.name for f in (*ins, *outs)] == [f"in_split{i}" for i in range(4)] + [f"out_join{i}" for i in range(4)]

        def core(a, b):
            x, y = a.acquire(1), b.acquire(1)
            for i in range_(64):
                y[i] = x[i] + 1
            a.release(1)
            b.release(1)

        workers = [Worker(core, [i.cons(), o.prod()]) for i, o in zip(ins, outs, strict=True)]
        return program(array([1024]), of_in.prod(), of_out.cons(), workers)

    x = iron.arange(1024, dtype=np.int32)
    y = iron.zeros_like(x)
    spread(x, y)
    assert_pass(y.numpy(), x.numpy() + 1)


def test_a_kernel_from_a_string():
    source = """
    #include <stdint.h>
    extern "C" void scale(int32_t *a, int32_t *b, int32_t f, int32_t n) { for (int i = 0; i < n; i++) b[i] = a[i] * f * SCALE; }
    """
    types = [array([64]), array([64]), np.int32, np.int32]
    scale = ExternalFunction("scale", source_string=source, arg_types=types, compile_flags=["-DSCALE=2"])
    assert (scale.tile_size(), scale.arg_dtype(1), scale.object_file_name) == (64, np.int32, "scale.o")

    @iron.jit
    def scaled(x: In, y: Out, *, scale: CompileTime[object], n: CompileTime[int] = 512):
        of_in, of_out = ObjectFifo(array([8, 8]), name="in"), ObjectFifo(array([64]), name="out")

        def core(a, b, scale):
            x, y = a.acquire(1), b.acquire(1)
            scale(x, y, 3, 64)
            a.release(1)
            b.release(1)

        return program(array([n]), of_in.prod(), of_out.cons(), [Worker(core, [of_in.cons(), of_out.prod(), scale])])

    x = iron.arange(512, dtype=np.int32)
    y = iron.zeros_like(x)
    scaled(x, y, scale=scale)
    assert_pass(y.numpy(), x.numpy() * 6)
    with pytest.raises(RuntimeError, match=r"^ExternalFunction 'scale': .*: there is no file 'nowhere.cc'"):
        scaled(x, y, scale=ExternalFunction("scale", source_file="nowhere.cc", arg_types=types))


def test_the_old_verbs():
    whole, part = array([256]), array([64])
    of_a, of_b, of_c = (ObjectFifo(part, name=n) for n in "abc")

    def core(a, b, c):
        x, y, z = a.acquire(1), b.acquire(1), c.acquire(1)
        for i in range_(64):
            z[i] = x[i] + y[i]
        for of in (a, b, c):
            of.release(1)

    worker = Worker(core, [of_a.cons(), of_b.cons(), of_c.prod()])
    rt = Runtime()
    with rt.sequence(whole, whole, whole) as (a, b, c):
        rt.start(worker)
        group = rt.task_group()
        rt.fill(of_a.prod(), a, task_group=group)
        rt.fill(of_b.prod(), b, task_group=group)
        for half in TensorTiler2D.simple_tiler((1, 256), (1, 128)):
            rt.drain(of_c.cons(), c, tap=half, task_group=group, wait=True)
        rt.finish_task_group(group)
    module = Program(iron.get_current_device(), rt).resolve_program(SequentialPlacer())
    x, z = np.arange(256, dtype=np.int32), np.zeros(256, np.int32)
    allo_air.compile(str(module))(x, x, z)
    np.testing.assert_array_equal(z, 2 * x)


MM = """
#include <stdint.h>
extern "C" void mm(int16_t *a, int16_t *b, int32_t *c) {
  for (int i = 0; i < 32; i++)
    for (int j = 0; j < 32; j++)
      for (int k = 0; k < 32; k++)
        c[32 * i + j] += a[32 * i + k] * b[32 * k + j];
}
"""


def test_a_matmul_on_one_core():
    M, N, K, m, n, k = 64, 64, 64, 32, 32, 32
    tiles = [array([m, k], np.int16), array([k, n], np.int16), array([m, n])]
    mm = ExternalFunction("mm", source_string=MM, arg_types=tiles)

    @iron.jit
    def matmul(a: In, b: In, c: Out):
        of_a, of_b, of_c = (ObjectFifo(t, name=name) for t, name in zip(tiles, "ABC", strict=True))

        def core(a, b, c, mm):
            for _ in range_(M * N // (m * n)):
                z = c.acquire(1)
                for i in range_(m):
                    for j in range_(n):
                        z[i, j] = 0
                for _ in range_(K // k):
                    x, y = a.acquire(1), b.acquire(1)
                    mm(x, y, z)
                    a.release(1)
                    b.release(1)
                c.release(1)

        rows = TensorTiler2D.group_tiler((M, K), (m, k), (1, K // k))
        [columns] = TensorTiler2D.group_tiler((K, N), (k, n), (K // k, N // n), tile_group_col_major=True)
        results = TensorTiler2D.simple_tiler((M, N), (m, n))

        def sequence(A, B, C, a, b, c):
            for i in range(M // m):
                group = TaskGroup()
                for _ in range(N // n):
                    a.fill(A, tap=rows[i], group=group)
                b.fill(B, tap=columns, group=group)
                for j in range(N // n):
                    c.drain(C, tap=results[i * (N // n) + j], wait=True, group=group)
                group.finish()

        types = [array([M, K], np.int16), array([K, N], np.int16), array([M, N])]
        rt = Runtime(sequence, [*types, of_a.prod(), of_b.prod(), of_c.cons()])
        worker = Worker(core, [of_a.cons(), of_b.cons(), of_c.prod(), mm])
        return Program(iron.get_current_device(), rt, workers=[worker]).resolve_program()

    a, b = (iron.tensor(RNG.integers(-50, 50, (64, 64)).astype(np.int16)) for _ in range(2))
    c = iron.zeros(64, 64, dtype=np.int32)
    matmul(a, b, c)
    assert_pass(c.numpy(), a.numpy().astype(np.int32) @ b.numpy())


def test_buffers_and_branches():
    @iron.jit
    def branched(x: In, y: Out):
        of_in, of_out = ObjectFifo(array([32]), name="in"), ObjectFifo(array([32]), name="out")
        table = Buffer(initial_value=np.arange(32, dtype=np.int32) * 10, name="table")

        def core(a, b, table):
            x, y = a.acquire(1), b.acquire(1)
            for i in range_(32):
                with if_(x[i] > 50) as branch:
                    y[i] = x[i] + table[i]
                with else_(branch):
                    y[i] = x[i] - 1
            a.release(1)
            b.release(1)

        return program(array([128]), of_in.prod(), of_out.cons(), [Worker(core, [of_in.cons(), of_out.prod(), table])])

    x = iron.arange(128, dtype=np.int32)
    y = iron.zeros_like(x)
    branched(x, y)
    v = x.numpy()
    assert_pass(y.numpy(), np.where(v > 50, v + np.tile(np.arange(32) * 10, 4), v - 1))


def test_parameters_that_the_sequence_writes():
    @iron.jit
    def shifted(x: In, y: Out):
        of_in, of_out = ObjectFifo(array([32]), name="in"), ObjectFifo(array([32]), name="out")
        rtp = Buffer(array([4]), name="rtp", use_write_rtp=True)

        def core(a, b, rtp):
            x, y = a.acquire(1), b.acquire(1)
            for i in range_(32):
                y[i] = x[i] + rtp[1]
            a.release(1)
            b.release(1)

        def sequence(a, b, src, dst, rtp):
            rtp[1] = 7
            src.fill(a)
            dst.drain(b, wait=True)

        whole = array([128])
        rt = Runtime(sequence, [whole, whole, of_in.prod(), of_out.cons(), rtp])
        worker = Worker(core, [of_in.cons(), of_out.prod(), rtp])
        return Program(iron.get_current_device(), rt, workers=[worker]).resolve_program()

    x = iron.arange(128, dtype=np.int32)
    y = iron.zeros_like(x)
    shifted(x, y)
    assert_pass(y.numpy(), x.numpy() + 7)


def test_a_copy_over_all_columns():
    columns = iron.get_current_device().cols
    n, each = 2048 * columns, 1024

    @iron.jit
    def copied(x: In, y: Out):
        whole = array([n])
        ins = [ObjectFifo(array([512]), name=f"in{c}") for c in range(2 * columns)]
        outs = [f.cons().forward(name=f"out{c}") for c, f in enumerate(ins)]

        def sequence(a, b, sources, sinks):
            group = TaskGroup()
            for c, (source, sink) in enumerate(zip(sources, sinks, strict=True)):
                tap = TensorAccessPattern((n,), c * each, [1, 1, 1, each], [0, 0, 0, 1])
                source.fill(a, tap=tap, group=group)
                sink.drain(b, tap=tap, wait=True, group=group)
            group.finish()

        rt = Runtime(sequence, [whole, whole, [f.prod() for f in ins], [f.cons() for f in outs]])
        return Program(iron.get_current_device(), rt).resolve_program()

    x = iron.arange(n, dtype=np.int32)
    y = iron.zeros_like(x)
    copied(x, y)
    assert_pass(y.numpy(), x.numpy())


def test_findings_are_told_at_the_programs_lines():
    """The core reads after its object."""

    @iron.jit
    def beyond(x: In, y: Out):
        of_in, of_out = ObjectFifo(array([64]), name="in"), ObjectFifo(array([64]), name="out")

        def core(a, b):
            x, y = a.acquire(1), b.acquire(1)
            for i in range_(64):
                y[i] = x[i + 1]
            a.release(1)
            b.release(1)

        return program(array([64]), of_in.prod(), of_out.cons(), [Worker(core, [of_in.cons(), of_out.prod()])])

    x = iron.arange(64, dtype=np.int32)
    with pytest.raises(AlloAirError, match="out-of-buffer") as raised:
        beyond(x, iron.zeros_like(x))
    found = raised.value.diagnostics[0]
    with open(__file__, encoding="utf-8") as source:
        assert found.file == __file__ and "y[i] = x[i + 1]" in source.read().splitlines()[found.line - 1]


def test_a_program_of_march():
    """Tensors without annotations, placements, tiles by their coordinates."""

    @iron.jit(is_placed=False)
    def doubled(input0, output):
        n = input0.numel()
        whole, part = np.ndarray[(n,), np.dtype[input0.dtype]], np.ndarray[(n // 4,), np.dtype[input0.dtype]]
        assert np_ndarray_type_get_shape(part) == (n // 4,)
        of_in, of_out = ObjectFifo(part, 2, "in"), ObjectFifo(part, 2, "out")
        of_mem = of_in.cons(1).forward(placement=Tile(0, 1))

        def core(a, b):
            x, y = a.acquire(1), b.acquire(1)
            for i in range_(n // 4):
                y[i] = x[i] * 2
            a.release(1)
            b.release(1)

        worker = Worker(core, [of_mem.cons(), of_out.prod()], placement=Tile(0, 2))
        rt = Runtime()
        with rt.sequence(whole, whole) as (a, b):
            rt.start(worker)
            rt.fill(of_in.prod(), a, placement=Tile(0, 0))
            rt.drain(of_out.cons(), b, wait=True)
        return Program(iron.get_current_device(), rt).resolve_program(SequentialPlacer())

    x = iron.arange(256, dtype=np.int32)
    y = iron.zeros_like(x)
    doubled(x, y)
    assert_pass(y.numpy(), 2 * x.numpy())


def test_a_sliding_window():
    """Each output line is the sum of two input lines, of which one stays."""
    lines, width = 8, 32

    @iron.jit
    def windowed(x: In, y: Out):
        line = array([width])
        of_in, of_out = ObjectFifo(line, depth=3, name="in"), ObjectFifo(line, name="out")

        def core(a, b):
            for _ in range_(lines - 1):
                first, second = a.acquire(2)
                out = b.acquire(1)
                for i in range_(width):
                    out[i] = first[i] + second[i]
                a.release(1)
                b.release(1)
            a.acquire(1)
            a.release(1)

        def sequence(a, b, src, dst):
            src.fill(a)
            dst.drain(b, wait=True)

        worker = Worker(core, [of_in.cons(3), of_out.prod()])
        rt = Runtime(sequence, [array([lines, width]), array([lines - 1, width]), of_in.prod(), of_out.cons()])
        return Program(iron.get_current_device(), rt, workers=[worker]).resolve_program()

    x = iron.tensor(RNG.integers(0, 99, (lines, width)).astype(np.int32))
    y = iron.zeros(lines - 1, width, dtype=np.int32)
    windowed(x, y)
    assert_pass(y.numpy(), x.numpy()[:-1] + x.numpy()[1:])
