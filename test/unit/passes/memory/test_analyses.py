"""Boxes of access lists, their moves to other buffers, and cuts of streams, against the addresses that they visit."""

from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from allo_air import asm
from allo_air.access.box import Walk
from allo_air.access.cut import Cut, Run, walk_of_piece
from allo_air.access.dims import row_major
from allo_air.access.linear import Linear
from allo_air.core.walking import walk_named
from allo_air.passes._analysis.box import walk_of
from allo_air.passes._analysis.indices import IndexValues
from bounds import bounded
from helpers import addresses


def visited(offsets: list[int], sizes: list[int], strides: list[int]) -> np.ndarray:
    return addresses(int(np.dot(offsets, strides)), sizes, strides)


def of_walk(walk: Walk) -> np.ndarray:
    lists = walk.lists()
    return visited(*([p.constant for p in part] for part in (lists.offsets, lists.sizes, lists.strides)))


def parsed(shape: tuple[int, ...], lists: list[list[int]]) -> Walk | None:
    numbers = sorted({n for part in lists for n in part})
    kind = f"memref<{'x'.join(map(str, shape))}xf32, 1>"
    text = "\n".join(f"%c{n} = arith.constant {n} : index" for n in numbers)
    shown = " ".join(f"[{', '.join(f'%c{n}' for n in part)}]" for part in lists)
    module = asm.read(
        f"air.channel @c []\nfunc.func @f(%m: {kind}) {{\n{text}\nair.channel.put @c[] (%m{shown}) : ({kind})\nreturn\n}}"
    )
    [put] = walk_named(module, "air.channel.put")
    view = put.opview
    return walk_of(view.src, view.src_offsets, view.src_sizes, view.src_strides, IndexValues())


@st.composite
def accesses(draw: st.DrawFn) -> tuple[tuple[int, ...], list[list[int]]]:
    """A buffer's shape, and lists that visit a part of it: each dimension in one or two steps, in any order."""
    shape = tuple(draw(st.lists(st.integers(1, 8), min_size=1, max_size=3)))
    runs = []
    for extent, stride in zip(shape, row_major(shape), strict=True):
        inner = draw(st.integers(1, extent))
        step = draw(st.integers(1, max(1, (extent - 1) // max(1, inner - 1))))
        room = extent - 1 - (inner - 1) * step
        runs.append((draw(st.integers(0, room // step)), inner, step * stride))
        room -= runs[-1][0] * step
        if draw(st.booleans()) and room:
            outer_step = draw(st.integers(1, room))
            runs.append((0, room // outer_step + 1, outer_step * stride))
    runs = draw(st.permutations(runs))
    return shape, [list(part) for part in zip(*runs, strict=True)]


@pytest.mark.usefixtures("context")
@bounded(20)
@given(given_=accesses(), data=st.data())
def test_walks_move_to_other_buffers(given_: tuple[tuple[int, ...], list[list[int]]], data: st.DataObject) -> None:
    shape, lists = given_
    walk = parsed(shape, lists)
    if walk is None:
        return  # a stride that fits no dimension alone
    wanted = visited(*lists)
    np.testing.assert_array_equal(of_walk(walk), wanted)
    at = np.unravel_index(wanted, shape)
    assert [low.constant for low in walk.low] == [int(a.min()) for a in at]
    assert walk.size == [int(a.max() - a.min()) + 1 for a in at]
    moved = walk.moved(walk.size, walk.low)
    if moved is not None:
        index = np.unravel_index(of_walk(moved), walk.size)
        for axis, (ours, theirs) in enumerate(zip(index, at, strict=True)):
            np.testing.assert_array_equal(ours + walk.low[axis].constant, theirs)


@bounded(66)
@given(data=st.data())
def test_pieces_deal_a_stream_out(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.sampled_from([1, 2, 3, 4, 6, 8]), min_size=1, max_size=4))
    runs = [Run(Linear(data.draw(st.integers(0, 5))), n, data.draw(st.integers(0, 50))) for n in sizes]
    cut = Cut(*(data.draw(st.sampled_from([1, 2, 3, 4, 8])) for _ in range(3)))
    stream = visited([r.offset.constant for r in runs], [r.size for r in runs], [r.stride for r in runs])
    if prod(sizes) % (cut.inner * cut.group * cut.count):
        assert walk_of_piece(runs, cut, 0) is None
        return
    dealt = stream.reshape(-1, cut.count, cut.group * cut.inner)
    for number in range(cut.count):
        found = walk_of_piece(runs, cut, number)
        if found is None:
            return
        ours = visited([r.offset.constant for r in found], [r.size for r in found], [r.stride for r in found])
        np.testing.assert_array_equal(ours, dealt[:, number].reshape(-1))


def test_a_piece_keeps_the_shape_of_the_list() -> None:
    cut = Cut(inner=256, group=64, count=4)
    found = walk_of_piece([Run(Linear(3), 256, 1024), Run(Linear(5), 256, 1)], cut, 2)
    assert found == [Run(Linear(3 + 128), 64, 1024), Run(Linear(5), 256, 1)]


def test_a_run_that_does_not_divide_is_no_piece() -> None:
    assert walk_of_piece([Run(Linear(0), 3, 8), Run(Linear(0), 2, 1)], Cut(inner=1, group=3, count=2), 0) is None
