"""What a core does in a cycle: micro-tiles, MACs, streams; and what memory delivers.

Sources: docs/sources.md#core-kernels, docs/sources.md#timing.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from allo_air.device import Device
from allo_air.passes._analysis.blocking import Registers


@dataclass(frozen=True)
class Kernel:
    """Micro-tile (m, n, k) of the core's code, the MACs that it retires in a cycle at best, whether its code has vectors, the
    instructions of one contraction, and the accumulators that a micro-tile of the result takes."""

    micro: tuple[int, int, int]
    macs: float
    vector: bool = True
    instructions: int = 1
    accumulators: int = 1


KERNELS = {
    ("AIE2", "bf16"): Kernel((4, 4, 8), 128),
    ("AIE2", "i8"): Kernel((4, 8, 8), 256),
    ("AIE2", "i16"): Kernel((4, 8, 2), 64),
    ("AIE2p", "bf16"): Kernel((8, 4, 8), 32, instructions=8),
    ("AIE2p", "bfp16"): Kernel((8, 8, 8), 512),
    ("AIE2p", "i8"): Kernel((8, 8, 8), 512),
    ("AIE2p", "i16"): Kernel((8, 8, 2), 128 / 4, accumulators=2),
}
"""Kernels with MAC instructions (docs/sources.md#core-kernels); bfp16 is bf16 rounded to blocks of 8 that share an exponent.

AIE2p's i16 takes three contractions for one, and about as long as another for the sign bits (`unsigned-contractions`)."""

SCALAR_KERNEL = Kernel((4, 4, 4), 1, vector=False)
"""Other types: scalar loops, one multiplication a cycle at best."""

REGISTERS = {"AIE2": Registers(8192, 512, 256), "AIE2p": Registers(8192, 1024, 512)}
"""Accumulators, and loads and stores of 256 and 512 bits, two and one in a cycle (docs/sources.md#timing)."""

LOCK_CYCLES = 58
"""Cycles of a step over k beside its multiplications: two locks acquired and two released, an out-of-line call of about 13
cycles each (docs/sources.md#simulator-semantics), and a jump of 6 (docs/sources.md#timing)."""

LAUNCH_CYCLES = 4000
"""Until the first operands arrive: 4 of 8 channels programmed at about 400 cycles each (a blockwrite of 8 words 203, two single
writes 100 each; sources.md#simulator-semantics), and the first words of a cold shim channel (1330; sources.md#timing)."""

TAIL_CYCLES = 8000
"""From the last result to the host's notice (docs/sources.md#simulator-semantics)."""

SHIM_SLOWER = 1.05
"""Cycles for a word that a shim channel reads, where a stream takes one (docs/sources.md#simulator-semantics)."""

STREAM_BYTES = {"AIE2": 4, "AIE2p": 8}
"""Bytes that a stream carries in a cycle (docs/sources.md#timing)."""

MEMORY_GIGABYTES = {"AIE2": 15.0, "AIE2p": 50.0}
"""Bytes from and to external memory in a nanosecond, in GEMM patterns: about 15 GB/s and 50 GB/s (docs/sources.md#timing)."""

LINE_BYTES = 64
"""What external memory moves at least: the shortest burst of a shim's DMA (docs/sources.md#device)."""


def memory_bytes(device: Device) -> float:
    """Bytes from and to external memory in a cycle at the device's nominal clock."""
    return MEMORY_GIGABYTES[device.arch] * 1000 / device.nominal_mhz


def lines(run: float) -> float:
    """What external memory moves for runs of that many bytes, as a multiple of them."""
    return ceil(run / LINE_BYTES) * LINE_BYTES / run


def kernel(arch: str, element: str, bfp16: bool = False) -> Kernel:
    """The kernel for operands of type `element`."""
    return KERNELS.get((arch, "bfp16" if bfp16 else element), SCALAR_KERNEL)
