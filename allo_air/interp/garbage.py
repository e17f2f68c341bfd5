"""Random contents of unwritten memory for one run; only values that do not depend on them are defined."""

from __future__ import annotations

from typing import Any

import numpy as np

from allo_air.interp.values import is_float

PATTERNS = 3
"""Drawings to compare: values above zero, below zero, and both, so that neither a maximum nor a product hides them."""

_LARGEST = 1 << 20
"""Magnitude of random fill, larger than any result of small inputs; narrower integers take all their values."""


class Garbage:
    """Draws the contents of unwritten memory by `pattern`, 0 to PATTERNS - 1."""

    def __init__(self, pattern: int) -> None:
        self.pattern, self._rng = pattern, np.random.default_rng(pattern)

    def array(self, shape: int | tuple[int, ...], dtype: Any) -> Any:
        """An array of garbage; never 0, and never the same sign for all patterns."""
        if dtype.kind == "b":
            return np.full(shape, self.pattern % 2, dtype)
        most = _LARGEST if is_float(dtype) else min(_LARGEST, np.iinfo(dtype).max)
        integers = self._rng.integers(1, most + 1, shape)
        signs = (1, -1, 1 - 2 * self._rng.integers(0, 2, shape))[self.pattern]
        return (integers * signs).astype(np.float64 if is_float(dtype) else np.int64).astype(dtype)
