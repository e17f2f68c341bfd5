"""Splitting walks into shim descriptors: the same elements in the same order, every field within its bits."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from allo_air.passes.runtime._shim_limits import Descriptor, descriptors, limits_of, problem
from allo_air.target.npu_shim import Transfer
from helpers import addresses

SIZES = (1, 2, 3, 5, 64, 65, 70, 257, 1023, 1024, 1031, 2048, 2062)


def walk(offset: int, dims: Sequence[tuple[int, int]]) -> list[int]:
    return list(addresses(offset, *zip(*dims, strict=True)))


def walked(found: list[Descriptor]) -> list[int]:
    return [e for d in found for e in walk(d.offset, ((d.times, 0), (d.rounds, d.stride), *(d.dims or ((d.length, 1),))))]


def transfer(made: Descriptor, bits: int) -> Transfer:
    dims = list(reversed(made.dims or ((made.length, 1),)))
    dims += [(1, 0)] * (3 - len(dims))
    dims.append((made.rounds, made.stride))
    return Transfer(tuple(n for n, _ in dims), tuple(s for _, s in dims), made.offset * bits // 8, bits)


def random_dims(chooser: random.Random, unit: int) -> tuple[tuple[int, int], ...]:
    while True:
        dims = [
            (chooser.choice(SIZES), unit * chooser.choice([-16, 0, 1, 8, 1 << 10, 1 << 21]))
            for _ in range(chooser.randint(0, 4))
        ]
        innermost = unit * chooser.choice(SIZES)
        volume = innermost
        for size, _ in dims:
            volume *= size
        if volume <= 60_000:
            return (*dims, (innermost, 1))


@pytest.mark.parametrize("bits", [32, 16, 8])
@pytest.mark.parametrize("seed", range(25))
def test_same_walk_within_the_fields(seed: int, bits: int) -> None:
    chooser = random.Random(seed)
    dims = random_dims(chooser, limits_of(bits).unit)
    start = 1 << 24
    assert problem(start, dims, bits) is None
    found = descriptors(start, dims, bits)
    assert walked(found) == walk(start, dims)
    for made in found:
        lax = {p for p in transfer(made, bits).problems() if "repeat" not in p}
        if made.rounds > 1 and not made.stride:
            lax = {p for p in lax if "iterates" not in p}  # a repeat is counted by the queue, up to 256
        assert made.runs <= 256
        assert not lax
    assert walked(once := descriptors(start, dims, bits, 64, iterates_again=False)) == walked(found)
    assert all(made.times == 1 and made.rounds <= 64 for made in once)


@pytest.mark.parametrize(
    ("dims", "count"),
    [
        (((64, 4096), (2, 1536), (2, 512), (4, 1)), 1),
        (((65, 4096), (2, 1536), (2, 512), (4, 1)), 2),
        (((256, 0), (4, 1)), 1),
        (((257, 0), (4, 1)), 2),
        (((4, 512), (2, 0), (4, 1)), 4),
        (((16, 0), (16, 4096), (2, 1536), (2, 512), (4, 1)), 1),
        (((19, 0), (16, 4096), (2, 1536), (2, 512), (4, 1)), 2),
        (((3, 1 << 21), (2, 0), (5, 4096), (2, 1536), (2, 512), (4, 1)), 3),
        (((3, 0), (65, 4096), (2, 1536), (2, 512), (4, 1)), 6),
        (((1 << 20, 1),), 1),
        (((2000, 4096),), 1),  # 8 times 250: a factor as long as the wrap would make steps that are too long
        (((2, 1 << 20), (4, 1)), 1),
        (((2, (1 << 20) + 1), (4, 1)), 2),
    ],
)
def test_how_many(dims: tuple[tuple[int, int], ...], count: int) -> None:
    found = descriptors(0, dims, 32)
    assert len(found) == count
    assert not [p for made in found for p in transfer(made, 32).problems() if "iterates" not in p]


@pytest.mark.parametrize(
    ("offset", "dims", "bits", "message"),
    [
        (0, ((8, 1),), 64, "at most 32"),
        (1, ((8, 1),), 16, "offset 1"),
        (0, ((2, 3), (2, 1)), 16, "stride 3"),
        (0, ((8, 2),), 16, "runs of 1"),
    ],
)
def test_problems(offset: int, dims: tuple[tuple[int, int], ...], bits: int, message: str) -> None:
    assert message in (problem(offset, dims, bits) or "")
