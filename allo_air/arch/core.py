"""A core: issue slots, widths, latencies, registers, multipliers, and the contractions that become their instructions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil, prod

from allo_air.arch.timing import JUMP
from allo_air.arch.vector_forms import VectorForms

Shape = tuple[int, int, int]
"""M x K x N."""

BLOCK_LANES = 64
"""Values of bf16 that one instruction makes 8 blocks of 8, an operand of a multiplication of blocks."""

F32_PARTS = 3
"""bf16 numbers that add up to an f32: 8 bits of a mantissa of 24 in each."""
PART_BITS = 16
"""Bits of such a part."""
F32_SPLIT_CYCLES = 8 / 16
"""Cycles per number to split f32 into bf16 parts. 16 numbers take three roundings and two differences in the vector unit; in
unrolled code, loads, stores and conversions of other numbers run in parallel.
"""
F32_PART_PRODUCTS = F32_PARTS * (F32_PARTS + 1) // 2
"""Products of parts that matter to the product of two f32: those that are not below its last bit."""


I32_PARTS = 2
"""Halves of an i32, of 16 bits each."""
I32_PART_PRODUCTS = I32_PARTS * (I32_PARTS + 1) // 2
"""Products of halves that matter to the lowest 32 bits of a product."""
I32_SPLIT_CYCLES = 4 / 16
"""Cycles to split numbers into halves: 16 numbers take two shuffles in the move slot and two stores; the shift in between takes
two more cycles.
"""
I32_FINISH_CYCLES = 3 / 16
"""Cycles to add 2^16 times a sum to another sum: 16 numbers take two shuffles in the move slot, and an addition there."""
PARTS_OF = {"f32": ("bf16", F32_PARTS), "i32": ("i16", I32_PARTS)}
"""Types without instructions that cores multiply by parts, with the number of parts of a number."""


def multiplied(element: str) -> str:
    """The type that MAC instructions multiply for elements of type `element`: of f32 the parts that it is split into."""
    return "bf16" if element == "f32" else element


def _routine(operations: int, branches: int, calls: int) -> int:
    """Cycles of a routine of the run-time library: an operation takes one, a branch a jump, a call two with its return."""
    return operations + branches * JUMP + calls * 2 * JUMP


@dataclass(frozen=True)
class Contraction:
    """A `vector.contract` that mlir-aie turns into MAC instructions (docs/sources.md#core-kernels).

    The operands have type `element` before their extension to `total`. `signed` says for A and for B whether the instructions
    read it as signed, regardless of the extension (docs/sources.md#vector-kernels). With `blocks`, operands are rounded to
    blocks of 8 that share an exponent.
    """

    element: str
    total: str
    shape: Shape
    instructions: int = 1
    signed: tuple[bool, bool] = (True, True)
    blocks: bool = False

    @property
    def macs(self) -> int:
        """Multiply-accumulates of an instruction."""
        return prod(self.shape) // self.instructions


@dataclass(frozen=True, eq=False)
class Core:
    """A core's figures in cycles, bytes and instructions. The source is docs/sources.md#timing unless another is named."""

    arch: str
    load_bytes: int
    """Bytes of one vector load."""

    store_bytes: int
    """Bytes of the one vector store per cycle."""

    contractions: tuple[Contraction, ...] = ()

    forms: VectorForms = field(default_factory=VectorForms)
    """Which vectors the tool chain lowers."""

    mac_shapes: Mapping[tuple[str, str], Shape] = field(default_factory=dict)
    """Micro-tile of one multiply-accumulate instruction by operand types."""

    lanes: Mapping[str, int] = field(default_factory=dict)
    """Elements of one elementwise multiply or multiply-add by type."""

    peak_macs: Mapping[str, int] = field(default_factory=dict)
    """Multiply-accumulates per cycle that the multipliers do at best; types without an entry have no multipliers."""

    f32_lanes_cycles: float = 20.5
    """Cycles of 16 multiply-adds of f32 by elementwise instructions, as the simulator times the code. AIE2 computes each
    product from nine bf16 products.
    """

    loads: int = 2
    """Loads per cycle."""

    accumulator_bits: int = 8192
    """Accumulator registers: 8 of 1024 bits on AIE2 (AM020), 4 of 2048 bits on AIE2p (assumed: as many bits)."""

    unit_a_loads: int = 1
    """Loads into accumulators or scalar registers per cycle. Only one of the load units has them (llvm-aie: LDA, VLDA.UPS and
    VLDA.CONV); the other one has plain and unpacking vector loads.
    """

    stores: int = 1
    """Stores per cycle."""

    vector_bits: int = 512
    """Bits of one elementwise operation other than a multiplication (AM020's vector registers; assumed for all types)."""

    vector_load: int = 7
    """Latency of a vector load (VLD 7)."""

    scalar_load: int = 6
    """Latency of a scalar load (LD 6)."""

    scalar_multiply: int = 5
    """Latency of a product of scalars: the 12 cycles per element of mlir-aie's scalar vector_scalar_mul, less the load and
    the store.
    """

    store: int = 2
    """Latency of a store (VST 2)."""

    mac: int = 6
    """Latency of a multiply-accumulate from its factors (VMAC 6)."""

    accumulate: int = 1
    """Latency of a multiply-accumulate from its accumulator ("back-to-back accumulate legal")."""

    shuffle: int = 2
    """Latency of a shuffle."""

    alu: int = 1
    """Latency of other operations (assumed: one operation per cycle, single-cycle)."""

    jump: int = JUMP
    """A taken jump, call or return."""

    f32_products: int = 9
    """bf16 operations of one f32 multiplication (docs/sources.md#core-kernels: 3 to 9 by strategy; the exact one)."""

    i32_products: int = 4
    """Products of halves, each with a shuffle, for 16 lanes of i32; one more move rounds their sum to i32
    (docs/sources.md#vector-kernels for AIE2: 5 cycles for 16 in mlir-aie's pipelined vector_scalar_mul; assumed for AIE2p).
    """

    bf16_per_widening: int = 32
    """bf16 values that one instruction in the move slot widens to f32, as a step of the conversion to bfp16: one 512-bit
    register. An instruction of the vector unit then converts 64 of them to blocks (assumed: one per 8x8 operand).
    """

    powers_of_two: bool = False
    """Whether an instruction computes powers of 2 of bf16; other cores look up powers of e in tables."""

    divide: int = 32
    """A scalar division, done bit by bit in software (assumed)."""

    soft_sum: int = _routine(operations=48, branches=11, calls=3)
    """Cycles of a sum of two f32 scalars in compiled code: a routine of the run-time library
    (docs/sources.md#vector-kernels). The instructions are counted in its source, compiler-rt's fp_add_impl.inc, for normal
    numbers: it unpacks and compares the operands, shifts one, normalizes the sum and rounds it. Two of its calls get the
    rounding mode and report an inexact result.
    """

    soft_product: int = _routine(operations=55, branches=8, calls=3)
    """Cycles of a product of two f32 scalars, counted in the same way (fp_mul_impl.inc); 21 of the operations multiply two
    32-bit numbers to 64 bits.
    """

    soft_quotient: int = _routine(operations=190, branches=9, calls=3)
    """Cycles of a quotient of two f32 scalars on cores without an instruction for reciprocals, counted in the same way
    (fp_div_impl.inc): three Newton steps of two such products each, and one product for the quotient.
    """

    soft_conversion: int = _routine(operations=20, branches=4, calls=1)
    """Cycles of a conversion between an integer and an f32 scalar, counted in the same way (int_to_fp_impl.inc,
    fp_fixint_impl.inc).
    """

    multiply_high: int = 4
    """A scalar division by a constant that is not a power of two: a multiplication and shifts (assumed)."""

    @property
    def store_bits(self) -> int:
        """Bits stored per cycle."""
        return 8 * self.stores * self.store_bytes

    def blocks_of(self, lanes: int, shuffled: bool) -> tuple[int, int]:
        """The numbers of instructions, of the vector unit and of the move slot, that convert `lanes` bf16 values to blocks
        with shared exponents.

        A block lies along k. If `shuffled`, k is not the innermost dimension, as in B, and the values are shuffled first.
        """
        shuffles = ceil(16 * lanes / self.vector_bits) if shuffled else 0
        return ceil(lanes / BLOCK_LANES), ceil(lanes / self.bf16_per_widening) + shuffles

    @property
    def plain_bf16(self) -> list[Contraction]:
        """The products of bf16 that are not rounded to blocks."""
        return [c for c in self.contractions if (c.element, c.blocks) == ("bf16", False)]

    @property
    def f32_macs(self) -> float:
        """Multiply-accumulates of f32 per cycle, computed as products of bf16 parts."""
        return max(c.macs for c in self.plain_bf16) / F32_PART_PRODUCTS

    @property
    def mixes_signs(self) -> bool:
        """Whether multiplications of integers take A as unsigned and B as signed."""
        return any(c.signed == (False, True) for c in self.contractions)

    @property
    def has_blocks(self) -> bool:
        """Whether there are multiplications in block floating point."""
        return any(c.blocks for c in self.contractions)

    def contraction(self, element: str, shape: Shape, total: str | None = None) -> Contraction | None:
        """The contraction with these operands and this shape, and with accumulator type `total` if given; None if there is
        none.
        """
        contractions = (c for c in self.contractions if (c.element, c.shape) == (element, shape) and total in (None, c.total))
        return next(contractions, None)
