"""Types of results in functions whose parameters have no types."""

from itertools import product

import numpy as np
import pytest

import allo_air as allo
from allo_air.frontend.constants import element_of
from allo_air.frontend.rules import numpys
from allo_air.frontend.types import TensorType

NARROW = [np.dtype(f"{kind}{size}") for kind in "iu" for size in (1, 2, 4)] + [np.dtype("f2"), np.dtype("f4")]


def test_types_are_numpys_but_that_floats_have_32_bits_at_most() -> None:
    for a, b in product(NARROW, repeat=2):
        wanted = np.result_type(a, b)
        wanted = np.dtype("f4") if wanted == np.float64 else wanted
        assert numpys(element_of(a), element_of(b)) == element_of(wanted), (a, b)


@pytest.mark.parametrize(("first", "second"), [("int8", "uint8"), ("uint32", "int32")])
def test_bits_and_whole_quotients_have_numpys_types(first: str, second: str) -> None:
    @allo.jit
    def f(a, b):  # type: ignore[no-untyped-def]
        return a & b, a << (b & 7), a // b

    a, b = np.arange(-60, 4, dtype=np.int8).astype(first), np.arange(1, 65, dtype=np.int8).astype(second)
    run = f.schedule([TensorType(element_of(x.dtype), x.shape) for x in (a, b)]).build()
    for found, wanted in zip(run(a, b), (a & b, a << (b & 7), a // b), strict=True):
        np.testing.assert_array_equal(found, wanted, strict=True)
