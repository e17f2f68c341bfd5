"""Walks against the addresses that numpy's own strides give."""

from itertools import pairwise
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from allo_air.access.dims import (
    Dims,
    addresses,
    aligned,
    is_contiguous,
    is_dense,
    merged,
    overlap,
    row_major,
    span,
    start_of,
    visited_elements,
    volume,
)
from allo_air.access.linear import Linear
from bounds import bounded

STRIDES = st.sampled_from([-12, -1, 0, 1, 2, 3, 4, 6, 8, 12, 24])
DIMS = st.lists(st.tuples(st.integers(1, 4), STRIDES), max_size=5).map(tuple)


def walked(dims: Dims, start: int = 0) -> list[int]:
    memory = np.arange(2000)
    sizes, strides = zip(*dims, strict=True) if dims else ((), ())
    view = np.lib.stride_tricks.as_strided(memory[start + 1000 :], sizes, [s * memory.itemsize for s in strides])
    return (view.ravel() - 1000).tolist()


@bounded(75)
@given(DIMS, st.integers(-9, 9))
def test_a_walk_visits_what_a_strided_array_holds(dims: Dims, start: int) -> None:
    wanted = walked(dims, start)
    assert addresses(dims, start).tolist() == wanted
    assert span(dims, start) == (min(wanted), max(wanted))
    assert volume(dims) == len(wanted)


@bounded(125)
@given(DIMS)
def test_merging_keeps_the_walk_and_is_shortest(dims: Dims) -> None:
    short = merged(dims)
    assert walked(short) == walked(dims)
    assert merged(short) == short
    assert all(n > 1 for n, _ in short)
    assert all(outer != n * s for (_, outer), (n, s) in pairwise(short))
    assert is_contiguous(dims) == all(b - a == 1 for a, b in pairwise(walked(dims)))


@bounded(125)
@given(DIMS)
def test_dense_means_each_element_between_once(dims: Dims) -> None:
    visited = walked(dims)
    assert is_dense(dims) == (sorted(visited) == list(range(min(visited), max(visited) + 1)))


def test_linear_numbers_merge_as_integers_do() -> None:
    n, four, one = Linear(0, (("n", 1),)), Linear(4), Linear(1)
    assert merged([(n, four), (four, one)]) == ((n.scaled(4), one),)
    assert merged([(Linear(3), n.scaled(4)), (one, Linear(7)), (four, n)]) == ((Linear(12), n),)
    assert merged([(n, n), (n, one)]) == ((n, n), (n, one))  # n * n is not linear


@pytest.mark.parametrize("shape", [(), (3,), (2, 3, 4), (5, 1, 2)])
def test_row_major_strides_are_numpys(shape: tuple[int, ...]) -> None:
    assert row_major(shape) == tuple(s // 8 for s in np.zeros(shape).strides)
    assert is_contiguous(list(zip(shape, row_major(shape), strict=True)))
    assert volume([(n, 0) for n in shape]) == prod(shape)


def test_offsets_that_are_left_out_belong_to_the_outermost_dimensions() -> None:
    assert aligned([7], 3) == [0, 0, 7]
    assert start_of([2, 7], [100, 10, 1]) == start_of(aligned([2, 7], 3), [100, 10, 1]) == 27


@bounded(75)
@given(DIMS, st.integers(0, 40), DIMS, st.integers(0, 40))
def test_walks_overlap_where_they_have_a_place_in_common(mine: Dims, start: int, others: Dims, other_start: int) -> None:
    common = set(visited_elements(mine, start)) & set(visited_elements(others, other_start))
    assert overlap(mine, start, others, other_start) == bool(common)
    assert visited_elements(mine, start) == addresses(mine, start).tolist()


def test_columns_of_one_buffer_overlap_only_where_they_do() -> None:
    def columns(first: int, count: int) -> tuple[Dims, int]:
        return ((20000, 20000), (count, 1)), first

    assert not overlap(*columns(0, 64), *columns(64, 64))
    assert overlap(*columns(0, 65), *columns(64, 64))
    assert not overlap(((5000, 3), (7000, 2)), 0, ((5000, 3),), -200000)
