"""The missing side of channels of which a program has only one side."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from allo_air.interp.values import small_range

_MIX = 0x9E3779B97F4A7C15
"""2**64 divided by the golden ratio, odd: multiples of it are spread evenly (Knuth, TAOCP 3, 6.4)."""


def stream(name: str, first: int, count: int, dtype: np.dtype) -> Any:
    """Elements `first` to `first + count - 1` of the data of channel `name`; the division into chunks does not matter."""
    key = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little")
    with np.errstate(over="ignore"):
        mixed = (np.arange(first, first + count, dtype=np.uint64) + np.uint64(key)) * np.uint64(_MIX)
        mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(_MIX)
    if dtype.kind == "b":
        return (mixed >> np.uint64(63)).astype(dtype)
    low, most = small_range(dtype)
    return ((mixed >> np.uint64(33)) % np.uint64(most - low + 1)).astype(np.int64).astype(dtype) + dtype.type(low)


class Environment:
    """Sends to and receives from the channels in `names`; `received` holds the elements of each, by the channel's name."""

    def __init__(self, names: frozenset[str]) -> None:
        self.names = names
        self._parts: dict[str, list[Any]] = {}

    def receive(self, name: str, data: np.ndarray) -> None:
        """Takes the elements of one put."""
        self._parts.setdefault(name, []).append(data.reshape(-1).copy())

    @property
    def received(self) -> dict[str, Any]:
        return {name: np.concatenate(parts) for name, parts in sorted(self._parts.items())}
