"""Loops of one core: the programming guide's vector_scalar_mul and matmul (npu1)."""

from __future__ import annotations

from functools import cache, partial

import core_kernels

from allo_air import asm
from allo_air.core.walking import walk_named
from allo_air.core_model.machine import machine_of
from allo_air.core_model.schedule import nest_cycles
from allo_air.mlir import new_context
from allo_air.sim.cores.prepare import prepare

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


@cache
def cycles(arch: str, arguments: str, body: str, compiled: bool, trips: int = ELEMENTS) -> int:
    """Of the loop in `body`."""
    text = _HEAD.format(arguments=arguments, trips=trips) + body + "\nreturn\n}"
    with new_context():
        module = asm.read(text)
        prepare(module)
        [loop] = walk_named(module, "scf.for")
        cost = nest_cycles(loop, machine_of(arch, compiled=compiled))
        assert cost is not None
        return cost.cycles


def _of(element: str) -> str:
    return f"%a: memref<{ELEMENTS}x{element}>, %f: {element}, %c: memref<{ELEMENTS}x{element}>"


def _matmul() -> float:
    """Cycles of i16, tiles of 64 x 64 x 32: those that take the guide's ideal 2048 at 64 products a cycle."""
    return 64 * 64 * 32 / core_kernels.predicted(core_kernels.row_of("AIE2", ("i16", "i32"), (64, 64, 32)))[0]


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
)  # fmt: skip
