"""Arrays of blocks of floats: memory is bytes, offsets, sizes and strides count blocks."""

import numpy as np
import pytest

import allo_air.aie.iron as iron
from allo_air.aie.helpers.taplib import TensorAccessPattern
from allo_air.aie.iron import CompileTime, ExternalFunction, In, ObjectFifo, Out, Program, Runtime, Worker
from allo_air.aie.iron.device import NPU2
from allo_air.aie.iron.dtype import v8bfp16ebs8, v16bfp16ebs16
from allo_air.errors import AlloAirError

SOURCE = """#include <stdint.h>
extern "C" void inverted(uint8_t *in, uint8_t *out, int32_t blocks) {
  for (int32_t i = 0; i < blocks * BLOCK; i++)
    out[i] = 255 - in[i];
}
"""
ROWS, COLUMNS = 8, 16


@pytest.fixture(autouse=True)
def device():
    iron.set_current_device(NPU2())
    yield
    iron.set_current_device(None)


@iron.jit
def moved(x: In, y: Out, *, kind: CompileTime[object]):
    """Tiles of 4 x 4 blocks, in two halves to two cores, with rows of a tile apart."""
    whole = np.ndarray[(ROWS * COLUMNS,), np.dtype[kind]]
    tile, half = np.ndarray[(16,), np.dtype[kind]], np.ndarray[(8,), np.dtype[kind]]
    function = ExternalFunction(
        "inverted", source_string=SOURCE, arg_types=[half, half, np.int32], compile_flags=[f"-DBLOCK={kind.size}"]
    )
    source, sink = ObjectFifo(tile, name="in"), ObjectFifo(tile, name="out")
    ins = source.cons().split([0, 8], dims_to_stream=[[(2, 4), (4, 1)], None])
    outs = sink.prod().join([0, 8], obj_types=[half, half])

    def core(a, b, function):
        function(a.acquire(1), b.acquire(1), 8)
        a.release(1)
        b.release(1)

    tap = TensorAccessPattern((ROWS, COLUMNS), 0, [ROWS // 4, COLUMNS // 4, 4, 4], [4 * COLUMNS, 4, COLUMNS, 1])

    def sequence(x, y, source, sink):
        source.fill(x, tap=tap)
        sink.drain(y, wait=True)

    rt = Runtime(sequence, [whole, whole, source.prod(), sink.cons()])
    workers = [Worker(core, [a.cons(), b.prod(), function]) for a, b in zip(ins, outs, strict=True)]
    return Program(iron.get_current_device(), rt, workers).resolve_program()


def test_tiles_of_blocks():
    x = np.random.default_rng(0).integers(0, 256, ROWS * COLUMNS * 9).astype(np.uint8)
    y = iron.zeros(ROWS * COLUMNS, dtype=v8bfp16ebs8)
    moved(iron.tensor(x), y, kind=v8bfp16ebs8)
    tiles = x.reshape(ROWS // 4, 4, COLUMNS // 4, 4, 9).swapaxes(1, 2)
    np.testing.assert_array_equal(y.numpy(), 255 - tiles.ravel())


def test_types_of_memory():
    text = str(moved.as_mlir(kind=v8bfp16ebs8))
    assert "!aie.objectfifo<memref<144xui8>>" in text and "@inverted(memref<72xui8>, memref<72xui8>, i32)" in text
    assert "sizes = [2, 4, 4, 36] strides = [576, 36, 144, 1]" in text and "([] [0, 72])" in text
    assert iron.zeros(4, 2, dtype=v16bfp16ebs16).shape == (4, 34)


def test_blocks_that_do_not_lie_side_by_side_are_refused():
    tap = TensorAccessPattern((8, 8), 0, [1, 1, 8, 8], [0, 0, 1, 8])
    queue, kind = ObjectFifo(np.ndarray[(64,), np.dtype[v8bfp16ebs8]], name="f"), np.ndarray[(64,), np.dtype[v8bfp16ebs8]]
    out = queue.cons().forward()

    def sequence(x, source, sink):
        source.fill(x, tap=tap)
        sink.drain(x, wait=True)

    with pytest.raises(AlloAirError, match="blocks of 9 bytes move only side by side: the innermost stride is 8, expected 1"):
        Program(NPU2(), Runtime(sequence, [kind, queue.prod(), out.cons()])).resolve_program()
