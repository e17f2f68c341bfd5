"""Core code that Peano compiles from MLIR: elementwise kernels of mlir-air's registry on npu2, and a scalar loop of mlir-aie.

The time of an elementwise kernel is that of its cores, or of external memory where that is longer, and the host's part of a
launch; data come and go meanwhile.
"""

from __future__ import annotations

from functools import cache, partial

from allo_air import asm
from allo_air.arch import ARCHITECTURES
from allo_air.arch.timing import LAUNCH_MICROSECONDS
from allo_air.core.walking import walk_named
from allo_air.mlir import new_context
from allo_air.sim.cores.machine import machine_of
from allo_air.sim.cores.prepare import prepare
from allo_air.sim.cores.schedule import nest

from .row import Row

MHZ, TILE = 1800, 1024
_VECTOR, _BUFFER = "vector<16xbf16>", f"memref<{TILE}xbf16>"


def _op(result: str, name: str, *operands: str) -> str:
    return f"%{result} = {name} {', '.join('%' + o for o in operands)} : {_VECTOR}\n"


def _loop(inputs: str, body: str) -> str:
    reads = "".join(
        f"%{x} = vector.transfer_read %m{x}[%i], %z {{in_bounds = [true]}} : {_BUFFER}, {_VECTOR}\n" for x in inputs
    )
    write = f"vector.transfer_write %r, %o[%i] {{in_bounds = [true]}} : {_VECTOR}, {_BUFFER}"
    return f"scf.for %i = %c0 to %n step %c16 {{\n{reads}{body}{write}\n}}\n"


_ADD = _loop("xy", _op("r", "arith.addf", "x", "y"))
_GELU = _loop(
    "x",
    _op("x2", "arith.mulf", "x", "x") + _op("x3", "arith.mulf", "x2", "x") + _op("c", "arith.mulf", "x3", "k1")
    + _op("in", "arith.addf", "x", "c") + _op("s", "arith.mulf", "in", "k2") + _op("t", "math.tanh", "s")
    + _op("p", "arith.addf", "t", "k3") + _op("h", "arith.mulf", "x", "k0") + _op("r", "arith.mulf", "h", "p"),
)  # fmt: skip
"""0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), as in mlir-air."""

_RMS = f"""%sum = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %k3) -> ({_VECTOR}) {{
  %x = vector.transfer_read %mx[%i], %z {{in_bounds = [true]}} : {_BUFFER}, {_VECTOR}
  %q = arith.mulf %x, %x : {_VECTOR}
  vector.transfer_write %q, %my[%c0] {{in_bounds = [true]}} : {_VECTOR}, {_BUFFER}
  %w = vector.transfer_read %my[%c0], %z {{in_bounds = [true]}} : {_BUFFER}, {_VECTOR}
  %s = arith.addf %acc, %w : {_VECTOR}
  scf.yield %s : {_VECTOR}
}}
""" + _loop("x", _op("r", "arith.mulf", "x", "sum"))
"""Squares are stored and loaded again, as mlir-air does, and summed in bf16; then each is multiplied."""


@cache
def cycles(loops: str) -> float:
    """Of a core for an element."""
    numbers = (0.5, 0.044715, 0.797885, 1.0)
    constants = "\n".join(f"%k{n} = arith.constant dense<{v}> : {_VECTOR}" for n, v in enumerate(numbers))
    text = f"""func.func @core(%mx: {_BUFFER}, %my: {_BUFFER}, %o: {_BUFFER}) {{
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %n = arith.constant {TILE} : index
      %z = ub.poison : bf16
      {constants}
      {loops}
      return
    }}"""
    with new_context():
        module = asm.read(text)
        prepare(module)
        found = [nest(loop, machine_of("AIE2p", compiled=True)) for loop in walk_named(module, "scf.for")]
        return sum(cost.cycles for cost in found if cost is not None) / TILE


def microseconds(loops: str, elements: int, cores: int, arrays: int) -> float:
    """Of a kernel of bf16 that moves `arrays` arrays of so many elements."""
    work = elements * cycles(loops) / cores / MHZ
    moved = 2 * arrays * elements / ARCHITECTURES["AIE2p"].memory_gigabytes / 1000
    return max(work, moved) + LAUNCH_MICROSECONDS


_KR = "mlir-air kernel_registry"
KERNELS = (
    ("bf16 add of 4 M", _ADD, 4194304, 3, ((1, 2759), (2, 1327), (4, 706), (8, 437))),
    ("RMS norm of 2048 x 2048", _RMS, 2048 * 2048, 2, ((1, 6801), (2, 3426), (4, 1788), (8, 911))),
    ("gelu of 3 M", _GELU, 3145728, 2, ((1, 7181), (2, 3794), (4, 1834), (8, 947), (16, 522))),
)
ROWS = tuple(
    Row("elementwise", f"npu2 {name}, compiled, {cores} cores", us, "us", "informed", _KR,
        partial(microseconds, loops, elements, cores, arrays))
    for name, loops, elements, arrays, known in KERNELS
    for cores, us in known
)  # fmt: skip
