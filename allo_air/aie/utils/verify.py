"""Checks that IRON programs use."""

from __future__ import annotations

import sys
from typing import Any

from allo_air.aie.utils.benchmark import print_benchmark


def nearly_equal(a: float, b: float, rtol: float = 0.128, atol: float = 0.0) -> bool:
    """Whether |a - b| < max(atol, rtol (|a| + |b|)), or both are equal."""
    return a == b or abs(a - b) < max(atol, rtol * (abs(a) + abs(b)))


def count_mismatches(actual: object, expected: object, rtol: float | None = None, atol: float | None = None) -> int:
    """The number of elements that differ, exactly if no tolerance is given."""
    import numpy as np

    a, b = np.asarray(actual), np.asarray(expected)
    if a.shape != b.shape:
        return int(max(a.size, b.size))
    if rtol is None and atol is None:
        return int(np.count_nonzero(a != b))
    close = np.isclose(a.astype(np.float64), b.astype(np.float64), rtol=rtol or 0.0, atol=atol or 0.0, equal_nan=True)
    return int(np.count_nonzero(~close))


def bfloat16_safe_allclose(dtype: object, arr1: object, arr2: object) -> bool:
    """`numpy.allclose`, also of arrays of bf16."""
    import numpy as np

    wide = np.float32 if np.dtype(dtype).name == "bfloat16" else np.dtype(dtype)  # type: ignore[call-overload]
    return bool(np.allclose(np.asarray(arr1).astype(wide), np.asarray(arr2).astype(wide)))


def assert_close_with_benchmark(
    actual: object, expected: object, bench: Any = None, ops: float | None = None, rtol: float = 0.05, atol: float = 0.5
) -> None:
    """`assert_pass`, of floats within tolerances, of integers exactly; then prints the time, as predicted."""
    import numpy as np

    exact = np.issubdtype(np.asarray(expected).dtype, np.integer)
    assert_pass(actual, expected, None if exact else rtol, None if exact else atol)
    if bench is not None:
        print_benchmark(bench, ops)


def assert_pass(
    actual: object, expected: object, rtol: float | None = None, atol: float | None = None, fail_msg: str = ""
) -> None:
    """Prints `PASS!`; else says how many elements differ, prints `FAIL!` and ends the program."""
    wrong = count_mismatches(actual, expected, rtol, atol)
    if wrong:
        print(f"{fail_msg or 'mismatch'}: {wrong} elements differ", file=sys.stderr)
        print("FAIL!")
        raise SystemExit(1)
    print("PASS!")
