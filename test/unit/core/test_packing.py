"""Bins for items of several sizes."""

import pytest

from allo_air.core.packing import pack


@pytest.mark.parametrize(
    ("items", "bins"),
    [
        ([], []),
        ([(1, 6), (1, 6)], [(6, 6), (6, 6)]),
        ([(1, 3)] * 4 + [(1, 2)] * 2 + [(3, 1)] * 3, [(6, 6)] * 4),  # the first bins must not be filled with one kind
        ([(5, 1), (1, 5)] * 3, [(6, 6)] * 3),
    ],
)
def test_every_item_has_a_bin_with_room(items, bins):
    found = pack(items, bins)
    assert found is not None
    for number, room in enumerate(bins):
        held = [item for item, at in zip(items, found, strict=True) if at == number]
        assert all(sum(sizes) <= most for sizes, most in zip(zip(*held, strict=True), room, strict=False))


@pytest.mark.parametrize(("items", "bins"), [([(1, 7)], [(6, 6)] * 4), ([(1, 4)] * 3, [(6, 6)] * 2), ([(1,)], [])])
def test_where_there_is_no_way(items, bins):
    assert pack(items, bins) is None


def test_the_search_gives_up():
    assert pack([(n,) for n in range(100, 130)], [(345,)] * 10, tries=100) is None
