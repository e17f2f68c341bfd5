"""Loads and stores of the buffers of cores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.aie.iron.values import Scalar


def load(memref: Any, indices: Sequence[Any] = (), **_: Any) -> Scalar:
    """`memref[indices]`."""
    return memref[tuple(indices)]


def store(value: Any, memref: Any, indices: Sequence[Any] = (), **_: Any) -> None:
    """`memref[indices] = value`."""
    memref[tuple(indices)] = value
