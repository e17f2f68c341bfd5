"""Models a function without a body as an arbitrary but fixed function of its arguments: equal calls have equal effects."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from allo_air.interp.values import dtype_of, is_float, small_range
from allo_air.mlir import ir

_DIGITS = 4
"""Decimals of a float that count, so that sums in another order give the same."""


class Uninterpreted:
    """An arbitrary but fixed function `name` with results of `types`: results depend on the name and on all arguments.

    The last memref argument is the destination, as in linalg and in kernels of AIR programs. So are memrefs that are passed
    unwritten, whose contents then do not matter. `destinations` has the positions of the latter, which `learn` collects in the
    runs before the first pass, until `fixed` is set.
    """

    def __init__(self, name: str, types: Sequence[ir.Type]) -> None:
        self.name = name
        self.results = [(_shape(t), dtype_of(t.element_type if isinstance(t, ir.ShapedType) else t)) for t in types]
        self.destinations, self.fixed = set[int](), False

    @property
    def is_known(self) -> bool:
        """Whether values of the results' types can be made."""
        return all(shape is not None and dtype is not None for shape, dtype in self.results)

    def learn(self, position: int) -> None:
        """Records that argument `position` was passed unwritten."""
        if not self.fixed:
            self.destinations.add(position)

    def __call__(self, *arguments: int | np.ndarray) -> Any:
        """Changes the destinations among `arguments` in place; returns the one number that the function returns, if any."""
        result = self.apply(arguments)
        return result[0] if result else None

    def apply(self, arguments: Any) -> list[Any]:
        """Changes the destinations among `arguments` in place; returns the results as arrays, or numbers."""
        memrefs = [n for n, a in enumerate(arguments) if isinstance(a, np.ndarray)]
        state = hashlib.sha256(self.name.encode())
        for n, value in enumerate(arguments):
            if n not in self.destinations:
                state.update(_hashable(value))
        digest = state.digest()
        for n in memrefs:
            if n in self.destinations or n == memrefs[-1]:
                arguments[n][...] = _random_array(digest + b"m%d" % n, arguments[n].shape, arguments[n].dtype)
        results = [_random_array(digest + b"r%d" % n, *kind) for n, kind in enumerate(self.results)]
        return [(int(a) if a.dtype.kind in "iub" else a[()]) if a.ndim == 0 else a for a in results]


def _shape(type_: ir.Type) -> Any:
    """The shape of a result that is a number or a vector; None for memrefs and tensors."""
    if isinstance(type_, ir.VectorType):
        return tuple(type_.shape)
    return None if isinstance(type_, ir.ShapedType) else ()


def _random_array(seed: bytes, shape: Sequence[int], dtype: np.dtype) -> Any:
    """Small numbers that `seed` determines."""
    rng = np.random.default_rng(int.from_bytes(hashlib.sha256(seed).digest()[:8], "little"))
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(dtype)
    low, most = small_range(dtype)
    return np.asarray(rng.integers(low, most + 1, shape)).astype(dtype)


def _hashable(value: ir.Value) -> bytes:
    array = np.asarray(value)
    whole = np.round(array.astype(np.float64), _DIGITS) + 0.0 if is_float(array.dtype) else array.astype(np.int64)
    return str(array.shape).encode() + np.ascontiguousarray(whole).tobytes()
