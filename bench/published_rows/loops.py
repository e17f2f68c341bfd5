"""Loops of one core: the programming guide's vector_scalar_mul and matmul (npu1), and a product of matrix and vector (npu2)."""

from __future__ import annotations

from functools import cache, partial

import core_kernels

from allo_air import asm
from allo_air.arch import ARCHITECTURES
from allo_air.arch.timing import LAUNCH_MICROSECONDS
from allo_air.core.walking import walk_named
from allo_air.mlir import new_context
from allo_air.sim.cores.machine import machine_of
from allo_air.sim.cores.prepare import prepare
from allo_air.sim.cores.schedule import nest

from .row import Row

ELEMENTS = 1024
_HEAD = "func.func @core({arguments}) {{\n%c0 = arith.constant 0 : index\n%n = arith.constant {trips} : index\n"

SCALAR = """
%c1 = arith.constant 1 : index
scf.for %i = %c0 to %n step %c1 {
  %x = memref.load %a[%i] : memref<1024xi32>
  %y = arith.muli %x, %f : i32
  memref.store %y, %c[%i] : memref<1024xi32>
}"""


def _scaled(lanes: int, element: str, wide: str) -> str:
    """Elements times a scalar, `lanes` at a time, products `wide`."""
    narrow, vector, product = f"memref<{ELEMENTS}x{element}>", f"vector<{lanes}x{element}>", f"vector<{lanes}x{wide}>"
    widened, last = ("%v", "%p") if element == wide else ("%w", "%r")
    return f"""
%z = ub.poison : {element}
%step = arith.constant {lanes} : index
%fv = vector.broadcast %f : {element} to {vector}
{"" if element == wide else f"%fw = arith.extsi %fv : {vector} to {product}"}
scf.for %i = %c0 to %n step %step {{
  %v = vector.transfer_read %a[%i], %z {{in_bounds = [true]}} : {narrow}, {vector}
  {"" if element == wide else f"%w = arith.extsi %v : {vector} to {product}"}
  %p = arith.muli {widened}, {"%fv" if element == wide else "%fw"} : {product}
  {"" if element == wide else f"%r = arith.trunci %p : {product} to {vector}"}
  vector.transfer_write {last}, %c[%i] {{in_bounds = [true]}} : {vector}, {narrow}
}}"""


DOT = """
%step = arith.constant 16 : index
%z = ub.poison : bf16
%zero = arith.constant dense<0.0> : vector<16xbf16>
%sum = scf.for %i = %c0 to %n step %step iter_args(%acc = %zero) -> (vector<16xbf16>) {
  %x = vector.transfer_read %a[%i], %z {in_bounds = [true]} : memref<2048xbf16>, vector<16xbf16>
  %y = vector.transfer_read %f[%i], %z {in_bounds = [true]} : memref<2048xbf16>, vector<16xbf16>
  %p = arith.mulf %x, %y : vector<16xbf16>
  %next = arith.addf %p, %acc : vector<16xbf16>
  scf.yield %next : vector<16xbf16>
}
vector.transfer_write %sum, %c[%c0] {in_bounds = [true]} : vector<16xbf16>, memref<16xbf16>"""
"""Sums are bf16, as mlir-air's RMS norm has them."""


@cache
def cycles(arch: str, arguments: str, body: str, compiled: bool, trips: int = ELEMENTS) -> int:
    """Of the loop in `body`."""
    text = _HEAD.format(arguments=arguments, trips=trips) + body + "\nreturn\n}"
    with new_context():
        module = asm.read(text)
        prepare(module)
        [loop] = walk_named(module, "scf.for")
        cost = nest(loop, machine_of(arch, compiled=compiled))
        assert cost is not None
        return cost.cycles


def _of(element: str) -> str:
    return f"%a: memref<{ELEMENTS}x{element}>, %f: {element}, %c: memref<{ELEMENTS}x{element}>"


def _matmul() -> float:
    """Cycles of i16, tiles of 64 x 64 x 32: those that take the guide's ideal 2048 at 64 products a cycle."""
    return 64 * 64 * 32 / core_kernels.predicted(core_kernels.row_of("AIE2", ("i16", "i32"), (64, 64, 32)))[0]


def _gemv(rows: int, depth: int, cores: int) -> float:
    """Microseconds of compiled bf16 rows x depth at 1.8 GHz: that of the cores, or of the matrix on its way."""
    each = cycles("AIE2p", "%a: memref<2048xbf16>, %f: memref<2048xbf16>, %c: memref<16xbf16>", DOT, True, depth)
    moved = 2 * rows * depth / ARCHITECTURES["AIE2p"].memory_gigabytes / 1000
    return max(rows * each / cores / 1800, moved) + LAUNCH_MICROSECONDS


_G = "programming guide 4c (vector-kernels.md 7)"
ROWS = (
    Row("scalar code", "npu1 1024 x i32 times a scalar, a scalar loop", 12297, "cycles", "calibration", _G,
        partial(cycles, "AIE2", _of("i32"), SCALAR, True)),
    Row("vector loops", "npu1 the same in vectors of 16, pipelined", 339, "cycles", "informed", _G,
        partial(cycles, "AIE2", _of("i32"), _scaled(16, "i32", "i32"), False)),
    Row("vector loops", "npu1 the same in C++ without hints; here as compiled from MLIR", 1490, "cycles", "context", _G,
        partial(cycles, "AIE2", _of("i32"), _scaled(16, "i32", "i32"), True)),
    Row("vector loops", "npu1 1024 x i16 in vectors of 32 in C++ without hints; here as compiled", 309, "cycles", "context", _G,
        partial(cycles, "AIE2", _of("i16"), _scaled(32, "i16", "i32"), True)),
    Row("vector loops", "npu1 matmul i16 64x64x32, by hand", 2535, "cycles", "prediction", _G, _matmul),
    Row("elementwise", "npu2 GEMV bf16 8192x2048, compiled, 8 cores", 1067, "us", "informed", "mlir-air kernel_registry",
        partial(_gemv, 8192, 2048, 8)),
)  # fmt: skip
