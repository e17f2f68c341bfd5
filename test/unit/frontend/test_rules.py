"""Types of results in functions whose parameters have no types."""

from itertools import product

import numpy as np

from allo_air.frontend.constants import element_of
from allo_air.frontend.rules import numpys

NARROW = [np.dtype(f"{kind}{size}") for kind in "iu" for size in (1, 2, 4)] + [np.dtype("f2"), np.dtype("f4")]


def test_types_are_numpys_but_that_floats_have_32_bits_at_most() -> None:
    for a, b in product(NARROW, repeat=2):
        wanted = np.result_type(a, b)
        wanted = np.dtype("f4") if wanted == np.float64 else wanted
        assert numpys(element_of(a), element_of(b)) == element_of(wanted), (a, b)
