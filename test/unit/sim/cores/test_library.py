"""Built-in kernels heed the number of elements that they are called for, and refuse operands that do not fit."""

import numpy as np
import pytest

from allo_air.core_model.machine import machine_of
from allo_air.errors import AlloAirError
from allo_air.sim.cores.kernel import Argument, Signature
from allo_air.sim.cores.library import find


def kernel(name: str, *elements: str, numbers: int = 0):
    memrefs = [Argument("memref", element, (8,), (1,)) for element in elements]
    found = find(Signature(name, (*memrefs, *[Argument("scalar", "i32")] * numbers), ()), machine_of("AIE2"))
    assert found is not None, name
    return found


def test_the_number_of_elements() -> None:
    a, out = np.arange(8, dtype=np.int16), np.full(8, -1, np.int16)
    kernel("passThroughLine_i16", "i16", "i16", numbers=1).function(a, out, 3)
    assert out.tolist() == [0, 1, 2, -1, -1, -1, -1, -1]
    kernel("passThroughTile", "i16", "i16", numbers=2).function(a, out, 2, 3)
    assert out.tolist() == [0, 1, 2, 3, 4, 5, -1, -1]
    kernel("reduce_max_vector", "i16", "i16", numbers=1).function(a, out, 7)
    assert out[0] == 6
    with pytest.raises(AlloAirError, match=r"kernel passThroughLine: called for 9 elements, and the smallest .* has 8"):
        kernel("passThroughLine", "i16", "i16", numbers=1).function(a, out, 9)


def test_rows_and_vectors() -> None:
    a, row, out = np.arange(8, dtype=np.float32), np.array([10, 20], np.float32), np.zeros(8, np.float32)
    bias = kernel("row_wise_bias_add_f32_f32", "f32", "f32", "f32").function
    bias(a, row, out)
    assert out.tolist() == [10, 21, 12, 23, 14, 25, 16, 27]
    with pytest.raises(AlloAirError, match="8 elements are not rows of 3"):
        bias(a, np.zeros(3, np.float32), out)
    total = np.array([100, 200], np.int32)
    matvec = kernel("matvec_scalar_i16_i32", "i16", "i16", "i32").function
    matvec(np.arange(8, dtype=np.int16), np.ones(4, np.int16), total)
    assert total.tolist() == [106, 222]
    with pytest.raises(AlloAirError, match="8 elements are not a matrix of 2 x 3"):
        matvec(np.arange(8, dtype=np.int16), np.ones(3, np.int16), total)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("eltwise_sub_i32", [-3, 7]), ("compute_max", [1, 5]), ("vector_min_i32", [-2, -2]), ("bitwiseANDLine", [0, 4])],
)
def test_two_operands(name: str, wanted: list[int]) -> None:
    a, b, out = np.array([-2, 5], np.int32), np.array([1, -2], np.int32), np.zeros(2, np.int32)
    kernel(name, "i32", "i32", "i32").function(a, b, out)
    assert out.tolist() == wanted
