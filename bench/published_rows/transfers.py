"""Runtime-sequence operations as text, and the middle of a list of times."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def transfer(value: str, kind: str, words: int, symbol: str, bd: int, *, offset: int = 0, token: bool = False) -> str:
    """A contiguous transfer of `words` elements from element `offset` of a host buffer of type `kind`."""
    flag = ", issue_token = true" if token else ""
    return (
        f"aiex.npu.dma_memcpy_nd({value}[0, 0, 0, {offset}][1, 1, 1, {words}][0, 0, 0, 1]) "
        f"{{id = {bd} : i64, metadata = @{symbol}{flag}}} : {kind}"
    )


def wait(symbol: str) -> str:
    """A wait for the token of `symbol`'s task."""
    return f"aiex.npu.dma_wait {{symbol = @{symbol}}}"


def middle(values: Sequence[int]) -> float:
    """The median, the lower one of two."""
    return float(sorted(values)[(len(values) - 1) // 2])


def periods(cycles: Sequence[int]) -> list[int]:
    """Times between neighbours."""
    return [b - a for a, b in pairwise(cycles)]
