"""How many buffer descriptors (BDs) a DMA channel needs to repeat its transfers, and whether a memtile has as many.

A channel runs a ring: a chain of BDs whose last one leads to the first. With two buffers (ping-pong) and an even number of
transfers, a ring of two BDs serves any number of them. With an odd number of transfers, the ring would start the next tile with
the wrong buffer, so each transfer has a BD.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from allo_air.device import Device


def ring_descriptors(transfers: int, following: int = 0) -> int:
    """BDs of a channel that moves `transfers` pieces alternately to two buffers, and then `following` other transfers.

    8 pieces take 2 BDs, 7 pieces take 7, and 8 pieces followed by a bias take 9: only a ring without other transfers repeats.
    """
    if following:
        return transfers + following
    return min(transfers, 2) if transfers % 2 == 0 or transfers == 1 else transfers


def operand_descriptors(device: Device) -> int:
    """BDs of a memtile for the S2MM channels of operands A and B together; as many for their MM2S channels.

    A channel of even number uses one half of a memtile's BDs, a channel of odd number the other. The channels of the result
    take one BD each from the same half.
    """
    return device.tiles["mem"].bds // 2 - device.tiles["mem"].channels[0]


@lru_cache(maxsize=256)
def fits_memtile(inputs: tuple[int, ...], out: tuple[int, ...], channels: tuple[int, int], half: int) -> bool:
    """Whether rings with these numbers of BDs fit on the channels of a memtile.

    `inputs` are the rings of S2MM channels and `out` those of MM2S channels; `channels` are the memtile's numbers of both.
    Channels of even number share `half` BDs, and channels of odd number share as many.
    """
    if len(inputs) > channels[0] or len(out) > channels[1]:
        return False
    total = sum(inputs) + sum(out)
    return any(
        total - half <= even_in + even_out <= half
        for even_in in _sums_on_even_channels(inputs, channels[0])
        for even_out in _sums_on_even_channels(out, channels[1])
    )


def _sums_on_even_channels(rings: tuple[int, ...], channels: int) -> set[int]:
    """All sums of BDs on channels of even number, if `rings` are distributed over this many channels."""
    most = -(-channels // 2)
    fewest = max(0, len(rings) - channels // 2)
    return {sum(some) for count in range(fewest, min(most, len(rings)) + 1) for some in combinations(rings, count)}
