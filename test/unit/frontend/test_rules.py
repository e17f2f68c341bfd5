"""Types of results in functions whose parameters have no types."""

import runpy
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import allo_air as allo
from allo_air.frontend.constants import element_of
from allo_air.frontend.rules import numpy_rule
from allo_air.frontend.types import TensorType

NARROW = [np.dtype(f"{kind}{size}") for kind in "iu" for size in (1, 2, 4)] + [np.dtype("f2"), np.dtype("f4")]


def test_types_are_numpys_but_that_floats_have_32_bits_at_most() -> None:
    for a, b in product(NARROW, repeat=2):
        wanted = np.result_type(a, b)
        wanted = np.dtype("f4") if wanted == np.float64 else wanted
        assert numpy_rule(element_of(a), element_of(b)) == element_of(wanted), (a, b)


@pytest.mark.parametrize(("first", "second"), [("int8", "uint8"), ("uint32", "int32")])
def test_bits_and_whole_quotients_have_numpys_types(first: str, second: str) -> None:
    @allo.jit
    def f(a, b):  # type: ignore[no-untyped-def]
        return a & b, a << (b & 7), a // b

    a, b = np.arange(-60, 4, dtype=np.int8).astype(first), np.arange(1, 65, dtype=np.int8).astype(second)
    run = f.schedule([TensorType(element_of(x.dtype), x.shape) for x in (a, b)]).build()
    for found, wanted in zip(run(a, b), (a & b, a << (b & 7), a // b), strict=True):
        np.testing.assert_array_equal(found, wanted, strict=True)


@pytest.mark.parametrize("operation", ["a + b", "a < b", "a & b", "allo.matmul(a, b)"])
def test_integers_of_which_none_of_64_bits_holds_both_are_refused(operation: str, tmp_path: Path) -> None:
    file = tmp_path / "kernel.py"
    file.write_text(f"import allo_air as allo\n\n\n@allo.jit\ndef f(a, b):\n    return {operation}\n")
    f = runpy.run_path(str(file))["f"]
    with pytest.raises(allo.AlloAirError, match=r"kernel.py:6:.*int64 with uint64: no integer of 64 bits holds both"):
        f(np.ones((8, 8), np.int64), np.ones((8, 8), np.uint64))
