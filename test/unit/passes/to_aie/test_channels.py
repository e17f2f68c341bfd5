"""The numbers of a tile's DMA channels."""

from allo_air.device import DEVICES
from allo_air.passes.to_aie._channels import Stream, number

MEM, CORE = DEVICES["npu2"].tile(0, 1), DEVICES["npu2"].tile(0, 2)


def streams(gets: list[int], puts: list[int]) -> dict[Stream, int]:
    found = [((("in", (i,)), False), n) for i, n in enumerate(gets)]
    return dict(found + [((("out", (i,)), True), n) for i, n in enumerate(puts)])


def halves(numbers: dict[Stream, int], bds: dict[Stream, int]) -> tuple[int, int]:
    even = sum(bds[s] for s, c in numbers.items() if c % 2 == 0)
    return even, sum(bds.values()) - even


def test_channels_are_numbered_in_order_where_that_fits() -> None:
    numbers = number(streams([8, 2, 1], [3, 4]), MEM)
    assert list(numbers.values()) == [0, 1, 2, 0, 1]


def test_streams_of_a_memtile_change_sides_where_a_half_would_overflow() -> None:
    bds = streams([1, 8, 1, 8, 1, 8], [8, 1, 8])
    numbers = number(bds, MEM)
    assert max(halves(numbers, bds)) <= 24 < max(halves(dict(zip(bds, [0, 1, 2, 3, 4, 5, 0, 1, 2], strict=True)), bds))
    for sends, count in ((False, 6), (True, 3)):
        mine = [c for s, c in numbers.items() if s[1] is sends]
        assert len(set(mine)) == count
        assert set(mine) <= set(range(6))


def test_what_fits_nowhere_and_cores_keep_the_order() -> None:
    assert list(number(streams([25, 24], []), MEM).values()) == [0, 1]
    assert list(number(streams([12, 2], [9]), CORE).values()) == [0, 1, 0]
