"""The core tile that a whole-array GEMM does best with, by the bounds that its kernel and external memory set."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

from allo_air.arch import ARCHITECTURES

from .array_gemm import BITS, ArrayGemm

L1 = 63 * 1024
"""Bytes for tiles: 64 KiB less the stack."""

Tile = tuple[int, int, int]


def best_design(device: str, types: tuple[str, str], side: int, step: int, cycles: Callable[[Tile], int]) -> ArrayGemm:
    """The design of about `side`^3 with the least of the larger of compute and memory time; `cycles` for a core's tile.

    Memory's time is that of the runs of A and B along K and of C along N.

    Tiles are multiples of `step` along M and N and of 8 along K; A and B are double-buffered and C is not (arXiv 2512.13282).
    """
    arch, columns, mhz = ("AIE2", 4, 1000) if device == "npu1" else ("AIE2p", 8, 1800)
    each, out = (BITS[t] // 8 for t in types)
    memory, per_cycle = ARCHITECTURES[arch].memory, ARCHITECTURES[arch].timing(mhz).ddr_bytes_per_cycle
    found: list[tuple[float, ArrayGemm]] = []
    for m in range(step, 161, step):
        for n in range(step, 161, step):
            k = (L1 - m * n * out) // (2 * each * (m + n)) // 8 * 8
            if k < 32:
                continue
            sizes = (_near(side, 4 * m), _near(side, 2 * k), _near(side, columns * n))
            rows, _, cols = sizes
            design = ArrayGemm(device, types, sizes, (m, k, n), cycles((m, k, n)))
            operands = each * design.macs * (1 / (4 * m) + 1 / (columns * n))
            moved = operands * memory.share(each * design.along) + out * rows * cols * memory.share(out * n)
            work = design.macs / (m * k * n) / (4 * columns) * design.cycles
            found.append((max(work, moved / per_cycle) / design.macs, design))
    return min(found, key=lambda f: f[0])[1]


def _near(side: int, step: int) -> int:
    return max(1, round(side / step)) * step if step <= side else ceil(side / step) * step
