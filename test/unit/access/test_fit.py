"""Splitting keeps the order of the elements, and what it gives a descriptor the descriptor can walk."""

from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from allo_air.access.dims import Dims, addresses, merged
from allo_air.access.fields import misfits
from allo_air.access.fit import Limits, divisor, split
from allo_air.device import BDFormat
from bounds import bounded

SMALL = BDFormat(dimensions=3, wrap_bits=(3, 2), step_bits=5, length_bits=10, base_bits=10, iteration_wrap_bits=2)
"""Wraps of 7 words and 3 steps, steps of at most 32 words."""


@st.composite
def walks(draw: st.DrawFn) -> tuple[int, Dims]:
    bits = draw(st.sampled_from([8, 16, 32]))
    unit = 32 // bits
    sizes = draw(st.lists(st.sampled_from([1, 2, 3, 5, 6, 8, 11, 30]), max_size=3))
    strides = [unit * draw(st.sampled_from([-1, 0, 1, 4, 7, 30, 32, 33])) for _ in sizes]
    inner = (unit * draw(st.sampled_from([1, 2, 7, 8, 14, 22])), 1)
    dims = merged([*zip(sizes, strides, strict=True), *([inner] if bits < 32 or draw(st.booleans()) else [])])
    return bits, dims


@bounded(150)
@given(walks(), st.booleans())
def test_a_split_walk_is_the_same_walk(walk: tuple[int, Dims], is_ended: bool) -> None:
    bits, dims = walk
    limits = Limits(SMALL, bits, (7 * 32 // bits, 3, None if is_ended else 4), 1000)
    outer, inner = split(dims, limits)
    assert addresses([*outer, *inner]).tolist() == addresses(dims).tolist()
    assert limits.allow(inner)
    if len(inner) > 1:
        assert all(m.kind == "wrap" and m.dim == 2 for m in misfits(inner, bits, SMALL))
    if prod(n for n, _ in dims) > 1 and dims[-1][1] == 1:
        assert inner


def test_sizes_are_divided_from_the_innermost_on() -> None:
    limits = Limits.of_program(SMALL, 32)
    assert split(((6, 16), (14, 1)), limits) == ((), ((6, 16), (2, 7), (7, 1)))
    assert split(((6, 16), (4, 4), (2, 1)), limits) == (((6, 16),), ((2, 8), (2, 4), (2, 1)))
    assert split(((1000, 1),), limits) == ((), ((1000, 1),))
    assert split(((2, 33), (4, 1)), limits) == (((2, 33),), ((4, 1),))
    assert split(((28, 16),), limits) == ((), ((14, 32), (1, 32), (2, 16)))  # 64 would be not a step


@pytest.mark.parametrize(
    ("size", "most", "unit", "found"), [(12, 5, 1, 4), (12, 12, 1, 12), (12, 6, 4, 4), (13, 12, 1, 1), (6, 5, 4, 0)]
)
def test_largest_divisor(size: int, most: int, unit: int, found: int) -> None:
    assert divisor(size, most, unit) == found
