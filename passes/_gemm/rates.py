"""What a core does in a cycle: micro-tiles, MACs, streams; and what memory delivers.

Sources: facts/core-kernels.md, facts/timing.md.
"""

from __future__ import annotations

from dataclasses import dataclass

STACK_BYTES = 1024
"""Stack of a core, beside which its buffers lie (mlir-aie's default)."""


@dataclass(frozen=True)
class Kernel:
    """Micro-tile (m, n, k) of the core's code, and the MACs that it retires in a cycle at best."""

    micro: tuple[int, int, int]
    macs: float


KERNELS = {
    ("AIE2", "bf16"): Kernel((4, 4, 8), 128),
    ("AIE2", "i8"): Kernel((4, 8, 8), 256),
    ("AIE2", "i16"): Kernel((4, 8, 2), 64),
    ("AIE2p", "bf16"): Kernel((8, 4, 8), 32),
    ("AIE2p", "bfp16"): Kernel((8, 8, 8), 512),
    ("AIE2p", "i8"): Kernel((8, 8, 8), 512),
    ("AIE2p", "i16"): Kernel((8, 8, 2), 128),
}
"""Kernels with MAC instructions (facts/core-kernels.md); bfp16 is bf16 rounded to blocks of 8 that share an exponent."""

SCALAR_KERNEL = Kernel((4, 4, 4), 1)
"""Other types: scalar loops, one multiplication a cycle at best."""

ACCUMULATOR_CYCLES = {"AIE2": 0.365, "AIE2p": 0.182}
"""Cycles for each 32-bit element of C that a step over k loads and stores: the rest that the AMD GEMM study's i8-i32 core
kernels, 48x280x48 at 192 and 384 MACs a cycle, need beyond m*k*n/P (facts/timing.md)."""

STREAM_BYTES = {"AIE2": 4, "AIE2p": 8}
"""Bytes that a stream carries in a cycle (facts/timing.md)."""

MEMORY_BYTES = {"AIE2": 15.0, "AIE2p": 50 / 1.8}
"""Bytes from external memory in a cycle: about 15 GB/s at 1.0 GHz and 50 GB/s at 1.8 GHz in GEMM patterns (facts/timing.md)."""


def kernel(arch: str, element: str, bfp16: bool = False) -> Kernel:
    """The kernel for operands of type `element`."""
    return KERNELS.get((arch, "bfp16" if bfp16 else element), SCALAR_KERNEL)
