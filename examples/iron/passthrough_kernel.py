"""A copy by a core, whose function is in C++ beside the design. Runs as `allo-env python passthrough_kernel.py`."""

import aie.iron as iron
import numpy as np
from aie.iron import CompileTime, ExternalFunction, In, ObjectFifo, Out, Program, Runtime, Worker
from aie.utils.benchmark import print_benchmark, run_iters
from aie.utils.config import cxx_header_path
from aie.utils.verify import assert_pass

SOURCE = """
#include <aie_api/aie.hpp>
extern "C" void copy_line(uint8_t *in, uint8_t *out, int32_t n) {
  event0();
  for (int i = 0; i < n; i += 64)
    aie::store_v(out + i, aie::load_v<64>(in + i));
  event1();
}
"""


@iron.jit
def passthrough(x: In, y: Out, *, n: CompileTime[int], line: CompileTime[int] = 1024):
    whole, part = (np.ndarray[(size,), np.dtype[np.uint8]] for size in (n, line))
    copy = ExternalFunction(
        "copy_line", source_string=SOURCE, arg_types=[part, part, np.int32], include_dirs=[cxx_header_path()]
    )
    fin, fout = ObjectFifo(part, name="in"), ObjectFifo(part, name="out")

    def core(fin, fout, copy):
        copy(fin.acquire(1), fout.acquire(1), line)
        fin.release(1)
        fout.release(1)

    def sequence(x, y, source, sink):
        source.fill(x)
        sink.drain(y, wait=True)

    rt = Runtime(sequence, [whole, whole, fin.prod(), fout.cons()])
    worker = Worker(core, [fin.cons(), fout.prod(), copy])
    return Program(iron.get_current_device(), rt, workers=[worker]).resolve_program()


x = iron.randint(0, 256, (16384,), dtype=np.uint8, device="npu")
y = iron.zeros_like(x)
print_benchmark(run_iters(passthrough, x, y, n=16384))
assert_pass(y.numpy(), x.numpy())
