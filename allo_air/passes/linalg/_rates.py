"""The rates that the planner uses: cycles of the cores' code, of the locks around it, and of external memory."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.arch import Timing, core_of
from allo_air.arch.core import (
    F32_PART_PRODUCTS,
    F32_SPLIT_CYCLES,
    I32_FINISH_CYCLES,
    I32_PART_PRODUCTS,
    I32_SPLIT_CYCLES,
    PARTS_OF,
)


@dataclass(frozen=True)
class Kernel:
    """The core's code for a micro-tile (m, n, k).

    It has the MACs per cycle at best, whether the code has vectors, the accumulators of a micro-tile of the result, the
    instructions of one contraction, and whether the factors are converted to blocks with shared exponents. With `parts` above
    1 the core splits each operand into that many bf16 parts before the multiplication, which takes `split` cycles per number;
    separate accumulators of the products are added in `finish` cycles per element of the result, in each step along k. Scalar
    code takes `overhead` more cycles per element of the result, in each step along k.
    """

    micro: tuple[int, int, int]
    macs: float
    vector: bool = True
    accumulators: int = 1
    instructions: int = 1
    blocks: bool = False
    parts: int = 1
    split: float = 0
    finish: float = 0
    overhead: int = 0


SCALAR_KERNEL = Kernel((4, 4, 4), 4 / 14, vector=False, overhead=16)
"""The code for types without MAC instructions: scalar loops, whose innermost loop runs over the 4 elements of a micro-tile
along k. An element takes two cycles, since one load unit loads scalars, plus a jump of 6. Each step along k also loads and
stores a sum: 16 cycles before its first and after its last product, as the simulator times the code.
"""

LANES = (1, 16, 4)
"""Micro-tile of f32 by elementwise instructions on 16 columns of the result; for few rows."""

LOCK_CYCLES = 18
"""Cycles of a step along k besides its multiplications: two acquires and two releases, an instruction of 3 cycles each, and a
jump of 6 (docs/sources.md#timing).
"""

WIDEN_CYCLES = 3
"""Cycles of an element that is copied singly into a row of a micro-tile. The simulator's times for the cores' code are 2.5 to
5; no formula here covers the partly overlapping jumps of loops with 4 or 8 iterations.
"""


PANEL_PARTS = 8
"""Largest number of parts in which a panel arrives in L2 (`air-split-l2-pieces`)."""

SHIM_SLOWER = 1 + Timing.ddr_refresh / Timing.ddr_refresh_interval
"""Cycles for a word that a shim channel reads, where a stream takes one."""


def kernels(arch: str, element: str, bfp16: bool = False) -> tuple[Kernel, ...]:
    """The kernels for operands of type `element`, with different micro-tiles; with `bfp16`, bf16 in blocks."""
    if element not in PARTS_OF:
        return (_kernel(arch, element, bfp16),)
    core, (part, parts) = core_of(arch), PARTS_OF[element]
    if element == "i32":
        [c] = [c for c in core.contractions if (c.element, c.total) == (part, element)]
        m, k, n = c.shape
        macs, instructions = c.macs / I32_PART_PRODUCTS, I32_PART_PRODUCTS * c.instructions
        split, finish = I32_SPLIT_CYCLES, I32_FINISH_CYCLES
        return Kernel((m, n, k), macs, True, 2, instructions, parts=parts, split=split, finish=finish), SCALAR_KERNEL
    results = [
        Kernel(
            (m, n, k),
            c.macs / F32_PART_PRODUCTS,
            instructions=F32_PART_PRODUCTS * c.instructions,
            parts=parts,
            split=F32_SPLIT_CYCLES,
        )
        for c in core.plain_bf16
        for m, k, n in [c.shape]
    ]
    return *results, Kernel(LANES, 16 / core.f32_lanes_cycles, vector=False)


def parts_of(element: str, micro: tuple[int, int, int]) -> int:
    """The number of parts that the core splits an operand of type `element` into for micro-tiles `micro`."""
    return PARTS_OF[element][1] if element in PARTS_OF and micro not in (LANES, SCALAR_KERNEL.micro) else 1


def _kernel(arch: str, element: str, bfp16: bool) -> Kernel:
    blocks = bfp16 and element == "bf16"
    contraction = next((c for c in core_of(arch).contractions if (c.element, c.blocks) == (element, blocks)), None)
    if contraction is None:
        return SCALAR_KERNEL
    m, k, n = contraction.shape
    if contraction.signed == (False, False):  # legalize-contractions: three for one, and the sign bits of both factors
        return Kernel((m, n, k), contraction.macs / 3, accumulators=2)
    return Kernel((m, n, k), contraction.macs, instructions=contraction.instructions, blocks=contraction.blocks)


def peak_macs(arch: str, element: str, bfp16: bool = False) -> float:
    """MACs of a core per cycle at best: those of its multipliers, or of the kernel for types without any."""
    kind = "bfp16" if bfp16 and element == "bf16" else element
    return core_of(arch).peak_macs.get(kind) or kernels(arch, element, bfp16)[0].macs
