"""Pads rows that are not whole 32-bit words, or whose length has few divisors for tiles, along dimensions that are not
reduced.
"""

from __future__ import annotations

from math import lcm

from allo_air.core.names import function_type_of
from allo_air.passes._analysis.row_parts import rounded_up
from allo_air.passes._ir.kernel_calls import pad
from allo_air.passes.map._dimensions import Dimensions
from allo_air.passes.map._kernel import Kernel, kernel_of
from allo_air.passes.map._reshape_iteration_space import Group, reshape_iteration_space
from allo_air.passes.map._space import bits_of


def unaligned_rows(kernel: Kernel, dimensions: Dimensions) -> dict[int, int]:
    """The dimensions along which rows of arguments or results are not whole words, each with a padded length.

    Dimensions that are reduced or must not change are left out.
    """
    units: dict[int, int] = {}
    values = [v for v in (*kernel.block.arguments, *kernel.returned) if v in dimensions.values and v.type.shape]
    for value in values:
        last = dimensions.of(value)[-1]
        units[last] = lcm(units.get(last, 1), max(1, 32 // bits_of(value)))
    results = {d: _padded_length(dimensions.all[d].extent, unit) for d, unit in units.items()}
    fixed = dimensions.repeated | {n for n, d in enumerate(dimensions.all) if d.rigid or d.reduced}
    return {d: extent for d, extent in results.items() if extent != dimensions.all[d].extent and d not in fixed}


def _padded_length(extent: int, unit: int) -> int:
    """The length in whole units, at most an eighth longer, that has the most divisors for tiles."""
    rounded = unit
    while extent % unit and -(-extent // (2 * rounded)) * 2 * rounded * 8 <= extent * 9:
        rounded *= 2
    return -(-extent // rounded) * rounded


def uneven(kernel: Kernel, dimensions: Dimensions) -> dict[int, int]:
    """The dimensions whose extent has few divisors, each with a length of more divisors, at most an eighth longer.

    Dimensions that are reduced or must not change are left out.
    """
    fixed = dimensions.repeated | {n for n, d in enumerate(dimensions.all) if d.rigid or d.reduced}
    results = {n: rounded_up(d.extent) for n, d in enumerate(dimensions.all) if n not in fixed}
    return {n: extent for n, extent in results.items() if extent != dimensions.all[n].extent}


def pad_rows(kernel: Kernel, dimensions: Dimensions, extents: dict[int, int]) -> Kernel:
    """The kernel with dimensions of the given lengths; calls pass longer tensors and slice the results.

    Before:

        func.func private @k(%a: tensor<101x33xbf16>) -> tensor<33x101xbf16> attributes {allo.kernel}

    After:

        func.func private @k(%a: tensor<102x34xbf16>) -> tensor<34x102xbf16> attributes {allo.kernel}
    """
    before = function_type_of(kernel.function)
    reshape_iteration_space(kernel, dimensions, [Group((d,), (extent,)) for d, extent in extents.items()])
    pad(kernel.function, before)
    return kernel_of(kernel.function)
