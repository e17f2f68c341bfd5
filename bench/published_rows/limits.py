"""Workloads beside the bound that the architecture sets them (docs/sources.md#timing).

None of these figures is a measurement. The model must stay below the bound, and come near it where nothing else is in the way.
Loops run 96 turns with their operands in banks of their own, and include their prologue.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from allo_air import simulate
from allo_air.arch import ARCHITECTURES

from .copies import copy
from .on_core import TURNS, cycles, loop, per_turn
from .ports import cycles_each
from .row import Row

_IN = "{in_bounds = [true]}"


def elementwise(types: str, lanes: int, op: str, operands: int) -> tuple[str, tuple[str, ...]]:
    """A loop over `operands` vectors that `op` (of %x0, %x1, to %r) makes one of, and its buffers."""
    kind, memref = f"vector<{lanes}x{types}>", f"memref<{TURNS * lanes}x{types}>"
    reads = "\n".join(f"%x{n} = vector.transfer_read %b{n}[%j], %z {_IN} : {memref}, {kind}" for n in range(operands))
    body = (
        f"%w = arith.constant {lanes} : index\n%j = arith.muli %i, %w : index\n{reads}\n{op.format(kind=kind)}\n"
        f"vector.transfer_write %r, %o[%j] {_IN} : {kind}, {memref}"
    )
    buffers = (*(f"b{n} : {memref}" for n in range(operands)), f"o : {memref}")
    return f"%z = ub.poison : {types}\n" + loop(TURNS, body), buffers


def elements_per_cycle(device: str, types: str, lanes: int, op: str, operands: int) -> float:
    """Of a loop of TURNS vectors, with its start and end."""
    body, buffers = elementwise(types, lanes, op, operands)
    return TURNS * lanes / cycles(body, buffers, device)


def reduction(device: str, types: str, lanes: int) -> float:
    """Elements per cycle of a sum of a vector: one stream of loads and one addition."""
    kind, memref = f"vector<{lanes}x{types}>", f"memref<{TURNS * lanes}x{types}>"

    def make(trips: int) -> str:
        body = (
            f"%w = arith.constant {lanes} : index\n%j = arith.muli %i, %w : index\n"
            f"%v = vector.transfer_read %b[%j], %z {_IN} : {memref}, {kind}\n%s = arith.addi %x, %v : {kind}"
        )
        start = f"%z = ub.poison : {types}\n%zero = arith.constant dense<0> : {kind}\n"
        end = f"%sum = vector.reduction <add>, %last#0 : {kind} into {types}\nmemref.store %sum, %o[%c0] : memref<1x{types}>"
        return start + loop(trips, body, [("x", "%zero", kind)], ["%s"]) + "\n" + end

    return lanes / per_turn(make, (f"b : {memref}", f"o : memref<1x{types}>"), device)


def scalar_elements(types: str, op: str) -> float:
    """Elements per cycle of a loop over scalars."""
    memref = f"memref<{TURNS}x{types}>"
    reads = "\n".join(f"%x{n} = memref.load %b{n}[%i] : {memref}" for n in range(2))
    text = loop(TURNS, f"{reads}\n{op}\nmemref.store %r, %o[%i] : {memref}")
    return TURNS / cycles(text, (f"b0 : {memref}", f"b1 : {memref}", f"o : {memref}"))


def copied(device: str, columns: int, channels: int, *, words: int = 65536, run: int | None = None) -> float:
    """GB/s one way of a copy through memtiles at the clock of the measurements, the tail of the last wait apart."""
    arch, mhz = ("AIE2", 1000) if device == "npu1" else ("AIE2p", 1800)
    a = np.arange(words * columns * channels, dtype=np.int32)
    b = np.zeros_like(a)
    timing = ARCHITECTURES[arch].timing(mhz)
    report = simulate(copy(device, columns, channels, words, run), a, b, timing=timing, code="scheduled")
    assert run or (a == b).all()
    return a.nbytes / (report.cycles - timing.token_tail) * mhz / 1000


_NPU1, _NPU2 = (ARCHITECTURES[name].memory for name in ("AIE2", "AIE2p"))
_SHORT = _NPU1.peak / (_NPU1.share(4) + _NPU1.share(4096))
"""Words are read one by one and written in contiguous transfers."""

ADD, MUL, MAX, ADDF, MULF, MAXF = (
    "%r = arith." + op + " %x0, %x1 : {kind}" for op in ("addi", "muli", "maxsi", "addf", "mulf", "maximumf")
)
COPY = "%r = arith.xori %x0, %x0 : {kind}"
LOOPS = (
    # device, element type, lanes, operation, operands, elements per cycle, what bounds it
    ("npu1", "i8", 32, "add", ADD, 2, 32, "two loads, one store of 32 bytes"),
    ("npu1", "i16", 16, "add", ADD, 2, 16, "two loads, one store of 32 bytes"),
    ("npu1", "i32", 8, "add", ADD, 2, 8, "two loads, one store of 32 bytes"),
    ("npu1", "i8", 64, "maximum", MAX, 2, 32, "two loads, one store of 32 bytes"),
    ("npu1", "i32", 16, "maximum", MAX, 2, 8, "two loads, one store of 32 bytes"),
    ("npu1", "bf16", 16, "maximum", MAXF, 2, 16, "two loads, one store of 32 bytes"),
    ("npu1", "i16", 32, "product", MUL, 2, 16, "two loads, one store of 32 bytes"),
    ("npu1", "i32", 16, "product", MUL, 2, 16 / 5, "4 shuffles and a conversion"),
    ("npu1", "bf16", 16, "product", MULF, 2, 16, "16 lanes"),
    ("npu1", "bf16", 16, "sum", ADDF, 2, 16, "16 lanes"),
    ("npu1", "f32", 16, "product, 9 products of bf16 each", MULF, 2, 16 / 9, "16 lanes"),
    ("npu1", "i16", 32, "copy", COPY, 1, 16, "one store of 32 bytes"),
    ("npu2", "i8", 64, "add", ADD, 2, 64, "two loads, one store of 64 bytes"),
    ("npu2", "i32", 16, "add", ADD, 2, 16, "two loads, one store of 64 bytes"),
    ("npu2", "bf16", 32, "product", MULF, 2, 32, "two loads, one store of 64 bytes"),
    ("npu2", "bf16", 32, "maximum", MAXF, 2, 32, "two loads, one store of 64 bytes"),
)
_ARCH = "timing.md, architecture rates"
ROWS = (
    *(Row("limits", f"{d} {t} {name} of {lanes} lanes, L1 to L1 ({why})", float(bound), "elements/cycle", "limit", _ARCH,
          partial(elements_per_cycle, f"{d}_1col", t, lanes, op, count)) for d, t, lanes, name, op, count, bound, why in LOOPS),
    Row("limits", "npu1 i32 sum of a vector (its bank gives 32 bytes)", 8, "elements/cycle", "limit", _ARCH,
        partial(reduction, "npu1_1col", "i32", 16)),
    Row("limits", "npu1 i8 sum of a vector (its bank gives 32 bytes)", 32, "elements/cycle", "limit", _ARCH,
        partial(reduction, "npu1_1col", "i8", 64)),
    Row("limits", "npu1 i32 scalar sum (two loads by one unit)", 0.5, "elements/cycle", "limit", _ARCH,
        partial(scalar_elements, "i32", "%r = arith.addi %x0, %x1 : i32")),
    Row("limits", "npu1 i8 scalar product (two loads by one unit)", 0.5, "elements/cycle", "limit", _ARCH,
        partial(scalar_elements, "i8", "%r = arith.muli %x0, %x1 : i8")),
    Row("limits", "npu1 core to core by the cascade (512 bits a cycle)", 1, "per cycle", "limit", "simulator-semantics.md 23",
        lambda: 1 / cycles_each("cascade")),
    Row("limits", "npu1 core to core by a stream (32 bits a cycle)", 1, "words/cycle", "limit", _ARCH,
        lambda: 1 / cycles_each("stream")),
    Row("limits", "npu1 copy by one channel (32 bits a cycle)", 4, "GB/s", "limit", _ARCH, partial(copied, "npu1", 1, 1)),
    Row("limits", "npu1 copy by two channels of a column, each way (32 bits a cycle)", 8, "GB/s", "limit", _ARCH,
        partial(copied, "npu1", 1, 2)),
    Row("limits", "npu1 copy by four columns, each way (half of what memory sustains)", _NPU1.sustained / 2, "GB/s", "limit",
        _ARCH, partial(copied, "npu1", 4, 2)),
    Row("limits", "npu1 the same, read in runs of 4 bytes", _SHORT, "GB/s", "limit", _ARCH,
        partial(copied, "npu1", 4, 2, words=8192, run=1)),
    Row("limits", "npu2 copy by one channel", 10.67, "GB/s", "limit", _ARCH,
        partial(copied, "npu2", 1, 1, words=131072)),
    Row("limits", "npu2 copy by eight columns, each way (half of what memory sustains)", _NPU2.sustained / 2, "GB/s", "limit",
        _ARCH, partial(copied, "npu2", 8, 2, words=131072)),
)  # fmt: skip
