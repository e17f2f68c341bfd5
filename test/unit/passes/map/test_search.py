"""Which sizes of tiles are tried."""

from allo_air.passes.map._search import _divisors


def test_divisors_of_sizes_beyond_any_memory_are_those_of_tiles() -> None:
    for size in (1, 36, 65536 * 3, 16_000_000_000_000):
        assert _divisors(size) == [d for d in range(1, 65537) if size % d == 0]
