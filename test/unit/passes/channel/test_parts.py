"""Boxes of cores, and the pressure on shim tiles."""

import pytest

from allo_air.passes.channel._boxes import Box, boxes, grid
from allo_air.passes.channel._shim import ShimStream, pressure


def test_boxes_hold_each_point_once() -> None:
    points = [p for p in grid((4, 4)).points() if p != (1, 1)]
    found = boxes(points)
    assert sorted(p for box in found for p in box.points()) == points
    assert len(found) == 4


def test_a_full_grid_is_one_box() -> None:
    assert boxes(grid((2, 3, 4)).points()) == [Box((0, 0, 0), (2, 3, 4))]
    assert boxes([]) == []


def stream(points: Box, *, broadcast: bool) -> ShimStream:
    return ShimStream("c", None, True, tuple(points.points()), points if broadcast else None)


@pytest.mark.parametrize(
    ("streams", "wanted"),
    [
        ([], 0),
        ([stream(grid((4, 1)), broadcast=False)] * 2, 2),
        ([stream(grid((2, 4)), broadcast=False)], 4),
        ([stream(grid((4, 4)), broadcast=True)] * 5, 2),
        ([stream(Box((n, 0), (n + 1, 4)), broadcast=True) for n in range(4)], 1),
        ([stream(Box((0, n), (4, n + 1)), broadcast=True) for n in range(4)], 1),
        ([stream(grid((4, 1)), broadcast=False), stream(grid((2, 1)), broadcast=True)], 2),
    ],
)
def test_pressure_is_that_of_the_fullest_column(streams: list[ShimStream], wanted: int) -> None:
    assert pressure(streams) == wanted
