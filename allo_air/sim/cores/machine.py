"""The core's issue slots, widths, latencies and multiply-accumulate rates per architecture, each with its source.

Rows are those of docs/sources.md#timing and docs/sources.md#core-kernels. What no source gives is marked "assumed".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from allo_air.sim.cores.banks import Shares


def _unknown(op: Any) -> Shares:
    return ()


@dataclass(frozen=True)
class Machine:
    """Figures in cycles, bytes and instructions of one core."""

    arch: str
    load_bytes: int
    """Bytes of one vector load; two loads issue per cycle (timing.md: "Load/store: 2 x 256-bit loads ...", AIE2P 512-bit)."""

    store_bytes: int
    """Bytes of the one vector store per cycle (timing.md: "1 x 256-bit store"); AIE2P: assumed as wide as its loads."""

    mac_shapes: dict[tuple[str, str], tuple[int, int, int]] = field(default_factory=dict)
    """Micro-tile M x K x N of one multiply-accumulate instruction by operand types (core-kernels.md; rates: timing.md 4c)."""

    lanes: dict[str, int] = field(default_factory=dict)
    """Elements of one elementwise multiply or multiply-add by type (timing.md 4c, core-kernels.md)."""

    loads: int = 2
    """Loads per cycle (timing.md: "Load/store")."""

    accumulator_bits: int = 8192
    """Accumulator registers: 8 of 1024 bits on AIE2 (AM020), 4 of 2048 bits on AIE2P (assumed: as many bits)."""

    unit_a_loads: int = 1
    """Loads into accumulators or scalar registers per cycle: one of the load units has them (llvm-aie: LDA, VLDA.UPS and
    VLDA.CONV; the other one has plain vector loads and unpacking ones only)."""

    stores: int = 1
    """Stores per cycle (timing.md: "Load/store")."""

    vector_bits: int = 512
    """Bits of one elementwise operation other than a multiplication (AM020's vector registers; assumed for all types)."""

    vector_load: int = 7
    """Latency of a vector load (timing.md: VLD 7)."""

    scalar_load: int = 6
    """Latency of a scalar load (timing.md: LD 6)."""

    store: int = 2
    """Latency of a store (timing.md: VST 2)."""

    mac: int = 6
    """Latency of a multiply-accumulate from its factors (timing.md: VMAC 6)."""

    accumulate: int = 1
    """Latency of a multiply-accumulate from its accumulator (timing.md: "back-to-back accumulate legal")."""

    shuffle: int = 2
    """Latency of a shuffle (timing.md: shuffle 2)."""

    alu: int = 1
    """Latency of other operations (assumed: one operation per cycle, single-cycle)."""

    jump: int = 6
    """A taken jump, call or return (timing.md: "jump/ret 6 incl. 5 delay slots"), the slots taken to be empty."""

    f32_products: int = 9
    """bf16 operations of one f32 multiplication (core-kernels.md: "3 to 9 MACs a product, by strategy"; the exact one)."""

    bf16_per_widening: int = 32
    """bf16 values that one instruction in the move slot widens to f32 on the way to bfp16 (one 512-bit register of them); an
    instruction of the vector unit makes 64 of them blocks (assumed: one per 8x8 operand)."""

    divide: int = 32
    """A scalar division, done bit by bit in software (assumed)."""

    multiply_high: int = 4
    """A scalar division by a constant that is no power of two: a multiplication and shifts (assumed)."""

    banks_of: Callable[[Any], Shares] = field(default=_unknown, compare=False, repr=False)
    """Banks of the buffer that a load or store of the core's program accesses; none are known unless given."""


AIE2 = Machine(
    "AIE2", 32, 32,
    {
        ("i8", "i4"): (4, 16, 8), ("i8", "i8"): (4, 8, 8), ("i16", "i8"): (4, 4, 8), ("i16", "i16"): (4, 2, 8),
        ("i32", "i16"): (4, 2, 4), ("i32", "i32"): (4, 1, 4), ("bf16", "bf16"): (4, 8, 4),
    },
    {"i8": 32, "i16": 32, "i32": 16, "bf16": 16, "f32": 16},
)  # fmt: skip
# AIE2P: i8, i16 and bfp16 are timing.md's, bf16 x bf16 core-kernels.md's; the other products are assumed to be twice AIE2's, as
# those of equal types are. Lanes of bf16: timing.md ("64 multipliers elementwise"); others are assumed to fill its registers.
AIE2P = Machine(
    "AIE2p", 64, 64,
    {
        ("i8", "i8"): (8, 8, 8), ("i16", "i8"): (8, 4, 8), ("i16", "i16"): (8, 2, 8), ("i32", "i16"): (4, 2, 8),
        ("i32", "i32"): (4, 1, 8), ("bf16", "bf16"): (8, 1, 4), ("bfp16", "bfp16"): (8, 8, 8),
    },
    {"i8": 64, "i16": 32, "i32": 32, "bf16": 64, "f32": 32},
)  # fmt: skip


def machine_of(arch: str) -> Machine:
    """The figures of `arch`; AIE1, which nothing here describes, is taken as AIE2."""
    return AIE2P if arch == "AIE2p" else AIE2
