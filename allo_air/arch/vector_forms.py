"""The vector forms that mlir-aie's tool chain lowers correctly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, eq=False)
class VectorForms:
    """Results of running operations on vectors through mlir-aie's lowering (docs/sources.md#vector-kernels)."""

    differences: bool = True
    """There are differences of integers in vectors other than of 512 bits."""
    products: bool = False
    """Products of integers become instructions, which saturate."""
    f32_products: bool = False
    """A product of 16 f32 becomes instructions; else those of its parts do."""
    short_sums: bool = True
    """Sums of integers in vectors that do not fill a register have a rule in Peano."""
    wide_casts: bool = True
    """64 elements are extended, or converted between bf16 and f32, at once, and 32 of i16 to i64."""
    truncated: Mapping[tuple[str, str], tuple[int, ...]] = field(default_factory=dict)
    """Numbers of elements that one truncation can have, by the types before and after."""
    functions: bool = True
    """exp and tanh of bf16, and the reciprocal and the inverse square root of an f32, are instructions."""
    rsqrt_of_bf16: bool = False
    """The reciprocal square root of 16 bf16 becomes an instruction; else that of f32 does."""
    transposes: bool = False
    """A shuffle transposes a matrix that fills a register, also the second factor of a product of bf16."""
