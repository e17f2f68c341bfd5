"""What IRON's layer refuses, with IRON's classes and the program's line."""

import numpy as np
import pytest

import allo_air.aie.iron as iron
from allo_air.aie.building.errors import IronRuntimeError
from allo_air.aie.helpers.dialects.scf import else_, if_
from allo_air.aie.helpers.taplib import TensorAccessPattern, TensorAccessSequence, TensorTiler2D
from allo_air.aie.iron import Buffer, ExternalFunction, Kernel, ObjectFifo, Program, Runtime, TaskGroup, Worker
from allo_air.aie.iron.controlflow import range_
from allo_air.aie.iron.device import NPU1, NPU2, NPU2Col1, Tile, from_name
from allo_air.aie.utils.verify import assert_pass, bfloat16_safe_allclose, count_mismatches, nearly_equal
from allo_air.dtypes import element_of
from allo_air.errors import AlloAirError

PART = np.ndarray[(64,), np.dtype[np.int32]]
WHOLE = np.ndarray[(256,), np.dtype[np.int32]]


def resolved(core=None, sequence=None, args=(), core_args=(), strict=True):
    """A design of one queue into a core and one out of it."""
    of_in, of_out = ObjectFifo(PART, name="in"), ObjectFifo(PART, name="out")

    def whole(a, b, src, dst, *rest):
        src.fill(a)
        dst.drain(b, wait=True)

    rt = Runtime(sequence or whole, [WHOLE, WHOLE, of_in.prod(), of_out.cons(), *args], strict_task_groups=strict)
    worker = Worker(core or (lambda a, b, *rest: None), [of_in.cons(), of_out.prod(), *core_args])
    return Program(NPU1(), rt, workers=[worker]).resolve_program()


@iron.jit
def copied(x: iron.In):
    raise AssertionError("the arguments are checked first")


def in_core(body):
    """`body(a, b)` with an object of each queue."""

    def core(of_a, of_b):
        a, b = of_a.acquire(1), of_b.acquire(1)
        body(a, b)
        of_a.release(1)
        of_b.release(1)

    return lambda: resolved(core)


def left_early(a, b):
    for i in range_(64):
        b[i] = 0
        if a is not None:
            return


def apart(a, b):
    with if_(a[0] > 0) as branch:
        b[0] = 1
    b[1] = 1
    with else_(branch):
        b[0] = 2


def open_group(a, b, src, dst):
    TaskGroup()
    src.fill(a)


def in_a_loop(a, b, src, dst):
    for _ in range_(2):
        src.fill(a)


def mixed_groups(a, b, src, dst):
    group = TaskGroup()
    src.fill(a, group=group)
    dst.drain(b, wait=True)
    group.finish()


with pytest.raises(AlloAirError) as _no_complex:
    element_of(np.complex64)
NO_COMPLEX = str(_no_complex.value)
CASES = {
    "depth": (ValueError, lambda: ObjectFifo(PART, depth=0, name="f"), "ObjectFifo 'f': depth is 0, expected at least 1"),
    "type": (
        TypeError,
        lambda: ObjectFifo(5),
        "ObjectFifo takes an array type, such as np.ndarray[(64,), np.dtype[np.int32]], got 5",
    ),
    "too many": (ValueError, lambda: resolved(lambda a, b: a.acquire(3)), "ObjectFifo 'in': acquire(3) of 2 objects"),
    "acquire outside": (
        RuntimeError,
        lambda: ObjectFifo(PART).cons().acquire(1),
        "ObjectFifo.acquire is outside of a core's function",
    ),
    "fill outside": (
        RuntimeError,
        lambda: ObjectFifo(PART).prod().fill(None),
        "a transfer is outside of the runtime's sequence function",
    ),
    "fill a consumer": (
        RuntimeError,
        lambda: ObjectFifo(PART, name="f").cons().fill(None),
        "ObjectFifo 'f': fill takes the producer's handle, prod()",
    ),
    "offsets": (
        ValueError,
        lambda: ObjectFifo(PART).cons().split([0, 32], names=["a"]),
        "split: names has 1 entry for 2 offsets; give one for each",
    ),
    "a queue as an argument": (
        ValueError,
        lambda: Worker(None, [ObjectFifo(PART, name="f")]),
        "Worker: ObjectFifo 'f' is an argument; give a handle, its prod() or cons()",
    ),
    "no device": (
        ValueError,
        lambda: Program(None, Runtime()),
        "Program: there is no device; give one, or call iron.set_current_device",
    ),
    "complex objects": (
        TypeError,
        lambda: ObjectFifo(np.ndarray[(8,), np.dtype[np.complex64]]),
        f"ObjectFifo: elements of numpy.ndarray[(8,), numpy.dtype[numpy.complex64]] are not supported: {NO_COMPLEX}",
    ),
    "complex tensors": (
        TypeError,
        lambda: iron.zeros(8, dtype=np.complex64),
        f"a tensor's elements: {NO_COMPLEX}",
    ),
    "fractions": (
        ValueError,
        lambda: iron.tensor([1.5]),
        "a tensor without dtype= has elements of uint32, which does not hold all of [1.5]; give dtype=",
    ),
    "a list": (
        TypeError,
        lambda: copied([1, 2]),
        "copied: 'x' is a tensor, got list; make one by iron.tensor",
    ),
    "no producer": (
        ValueError,
        lambda: Program(
            NPU1(), Runtime(), workers=[Worker(lambda a: None, [ObjectFifo(PART, name="f").cons()])]
        ).resolve_program(),
        "ObjectFifo 'f' has no producer; give its prod() to a worker, or fill it in the sequence",
    ),
    "open group": (
        RuntimeError,
        lambda: resolved(sequence=open_group, strict=False),
        "the sequence leaves a TaskGroup open; call finish()",
    ),
    "mixed groups": (
        RuntimeError,
        lambda: resolved(sequence=mixed_groups),
        "the sequence has transfers in task groups and others in none; put all in groups, or none",
    ),
    "a tile elsewhere": (
        ValueError,
        lambda: Program(NPU1(), Runtime(lambda a: None, [PART]), workers=[Worker(None, [], tile=Tile(9, 9))]).resolve_program(),
        "Tile: npu1 has no tile (9, 9): it is 4 columns by 6 rows",
    ),
    "in a loop": (
        RuntimeError,
        lambda: resolved(sequence=in_a_loop),
        "this transfer is in a loop or branch of the sequence and would end after it; put it into a TaskGroup that the loop's "
        "body makes and finishes, or call await_() or free() of the Task in the body",
    ),
    "tap and sizes": (
        ValueError,
        lambda: resolved(sequence=lambda a, b, src, dst: src.fill(a, TensorAccessPattern((256,), 0, [256], [1]), sizes=[4])),
        "ObjectFifo 'in': a transfer takes a tap, or offset, sizes and strides, not both",
    ),
    "indices": (TypeError, in_core(lambda a, b: a[0, 0]), "2 indices for a buffer of shape [64]; give 1"),
    "a branch of Python": (
        TypeError,
        in_core(lambda a, b: 1 if a[0] > 0 else 2),
        "a value of a core decides no `if` of Python: use if_ and else_ of aie.helpers.dialects.scf",
    ),
    "a loop of Python": (
        TypeError,
        in_core(lambda a, b: range(a[0])),
        "a value of a core is not an integer of Python; range_ of aie.iron.controlflow takes it",
    ),
    "a fraction": (TypeError, in_core(lambda a, b: a[0] * 0.5), "0.5 where a value of i32 is expected: it is not an integer"),
    "left early": (
        RuntimeError,
        in_core(left_early),
        "a core's function leaves a loop of range_ early; break and return cannot leave it",
    ),
    "else apart": (RuntimeError, in_core(apart), "else_ does not follow its if_; write it directly after the if_"),
    "kernel outside": (
        RuntimeError,
        lambda: Kernel("f", "f.o", [PART])(None),
        "a call of Kernel 'f' is outside of a core's function",
    ),
    "arguments": (
        ValueError,
        in_core(lambda a, b: Kernel("f", "f.o", [PART])(a, b)),
        "Kernel 'f' is called with 2 arguments, and has 1",
    ),
    "another buffer": (
        TypeError,
        in_core(lambda a, b: Kernel("f", "f.o", [WHOLE])(a)),
        "Kernel 'f': a buffer memref<64xi32> for an argument of memref<256xi32>",
    ),
    "no source": (
        ValueError,
        lambda: ExternalFunction("f"),
        "ExternalFunction 'f' needs source_file or source_string, one of them",
    ),
    "buffer of nothing": (ValueError, lambda: Buffer(), "Buffer needs a type or an initial value"),
    "device": (ValueError, lambda: from_name("npu3"), "there is no device 'npu3'; there are npu, npu1 and npu2"),
    "columns": (ValueError, lambda: from_name("npu2", 9), "npu2 has no part of 9 columns; there are 1 to 8"),
    "tiler": (
        ValueError,
        lambda: TensorTiler2D.simple_tiler((64, 64), (48, 64)),
        "TensorTiler2D: tiles of 48 x 64 do not divide 64 x 64",
    ),
    "no such argument": (TypeError, lambda: ObjectFifo(PART, colour=1), "ObjectFifo has no argument 'colour'"),
}


@pytest.mark.parametrize("name", CASES)
def test_misuse(name):
    kind, function, message = CASES[name]
    with pytest.raises(kind) as raised:
        function()
    assert str(raised.value) == message
    assert isinstance(raised.value, AlloAirError)
    [diagnostic] = raised.value.diagnostics
    assert diagnostic.file == __file__ and diagnostic.line


def test_a_break_is_iron_s_own_error():
    with pytest.raises(IronRuntimeError):
        resolved(sequence=open_group, strict=False)


def test_devices():
    assert (NPU1().cols, NPU2().cols, NPU2Col1().cols, NPU1().rows) == (4, 8, 1, 6)
    assert from_name("npu") == NPU1() and from_name("npu2", 1) == NPU2Col1() and from_name("npu2", 8) == NPU2()
    assert [NPU2().get_tile_type(0, row) for row in range(3)] == ["ShimNOCTile", "MemTile", "CoreTile"]


def test_tiles_that_are_pinned():
    of_in, of_out = ObjectFifo(PART, name="in"), ObjectFifo(PART, name="out")
    worker = Worker(lambda a, b: None, [of_in.cons(), of_out.prod()], tile=Tile(0, 3))
    rt = Runtime(lambda a, b, src, dst: None, [WHOLE, WHOLE, of_in.prod(tile=Tile(1, 0)), of_out.cons()])
    text = str(Program(NPU1(), rt, workers=[worker]).resolve_program())
    assert "aie.logical_tile<CoreTile>(0, 3)" in text and "aie.logical_tile<ShimNOCTile>(1, 0)" in text


def test_patterns():
    tap = TensorAccessPattern((4, 8), 2, [1, 1, 2, 3], [5, 5, 8, 1])
    assert (tap.strides, list(tap)) == ([0, 0, 8, 1], [2, 3, 4, 10, 11, 12])
    order, counts = tap.accesses()
    assert order[1, 2] == 3 and counts.sum() == 6 and order[0, 0] == -1
    rows = TensorAccessSequence((4, 8), 4, sizes=[8], strides=[1], offset_fn=lambda i, _: 8 * i)
    assert [t.offset for t in rows] == [0, 8, 16, 24]
    tiles = TensorTiler2D.simple_tiler((4, 8), (2, 4), tile_col_major=True, iter_col_major=True)
    assert [t.offset for t in tiles] == [0, 16, 4, 20]
    assert (tiles[0].sizes, tiles[0].strides) == ([1, 1, 4, 2], [0, 0, 1, 8])
    assert np.all(sum(t.accesses()[1] for t in tiles) == 1)
    apart = TensorTiler2D.step_tiler((8, 8), (2, 2), (2, 2), (2, 1))
    assert (apart[0].sizes, apart[0].strides) == ([2, 2, 2, 2], [32, 2, 8, 1])
    assert [t.offset for t in apart] == [0, 4, 16, 20] and np.all(sum(t.accesses()[1] for t in apart) == 1)
    again = TensorTiler2D.simple_tiler((4, 8), (2, 8), pattern_repeat=3)
    assert (again[1].offset, again[1].sizes, again[1].strides) == (16, [3, 1, 2, 8], [0, 8, 8, 1])


def test_loops_of_python_over_buffers_are_unrolled():
    def core(of_a, of_b):
        a, b = of_a.acquire(1), of_b.acquire(1)
        for index, x in enumerate(a):
            b[index] = x
        assert len(a) == 64

    text = str(resolved(core))
    assert text.count("memref.load") == text.count("memref.store") == 64


def test_initial_values_on_a_tile_that_their_producer_is_pinned_to():
    table = ObjectFifo(PART, depth=1, name="table", init_values=[np.arange(64, dtype=np.int32)])
    table.prod(tile=Tile(0, 1))
    text = str(resolved(lambda a, b, t: t.release(1), core_args=[table.cons()]))
    assert "%logical_mem = aie.logical_tile<MemTile>(0, 1)" in text and "@table(%logical_mem" in text


def test_tensors():
    assert iron.tensor([1, 2]).dtype == np.uint32 and iron.tensor([1.5], dtype=np.float32)[0] == 1.5
    x = iron.arange(8, dtype=np.int32)
    assert (x.shape, x.dtype, x.nbytes, x.numel()) == ((8,), np.int32, 32, 8)
    assert iron.arange(2, end=5).numpy().tolist() == [2, 3, 4]
    with pytest.raises(TypeError, match="arange has its end twice"):
        iron.arange(0, 5, end=7)
    part = x.subview(8, (2, 2))
    part[0, 0] = 50
    with x.mutate() as memory:
        memory[3] = 60
    assert x[3] == 60 and bfloat16_safe_allclose(np.int32, x.numpy(), x.overwrite())
    assert x[2] == 50 and iron.zeros_like(x).numpy().sum() == 0 and iron.full((2, 3), 7).numpy().sum() == 42
    with pytest.raises(ValueError, match="4 elements from byte 24 on are outside of 32 bytes"):
        x.subview(24, (4,))
    assert iron.str_to_dtype("i16") is np.int16 and iron.dtype_to_str(np.float32) == "f32" and iron.ceildiv(7, 2) == 4


def test_verification(capsys):
    assert nearly_equal(1.0, 1.1) and not nearly_equal(1.0, 2.0)
    assert count_mismatches([1, 2, 3], [1, 2, 4]) == 1
    with pytest.raises(SystemExit) as ended:
        assert_pass(np.array([1.0]), np.array([1.5]), rtol=0.1)
    assert ended.value.code == 1 and capsys.readouterr().out == "FAIL!\n"
