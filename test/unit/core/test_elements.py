"""Constants of many elements: to numpy and back."""

import numpy as np
import pytest

from allo_air.core.elements import array_of, elements_attr, is_elements
from allo_air.dtypes import numpy_dtype
from allo_air.errors import AlloAirError
from allo_air.mlir import ir, new_context

RESOURCE = """
func.func @f() -> tensor<2x3xbf16> {
  %c = arith.constant dense_resource<w> : tensor<2x3xbf16>
  return %c : tensor<2x3xbf16>
}
{-# dialect_resources: { builtin: { w: "0x02000000803F0040404080BF00C0FFFF" } } #-}
"""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("dense<[[1.0, 2.5, -0.0]]> : tensor<1x3xbf16>", [[1.0, 2.5, -0.0]]),
        ("dense<1.5> : tensor<2x3xbf16>", [[1.5] * 3] * 2),
        ("dense<[0x7F80, 1.0]> : tensor<2xbf16>", [np.inf, 1.0]),
        ("dense<[1, -2]> : tensor<2xi4>", [1, -2]),
        ("dense<-1> : tensor<2xi64>", [-1, -1]),
        ("dense<[true, false]> : tensor<2xi1>", [True, False]),
        ("dense<3> : tensor<i32>", 3),
        ("dense<> : tensor<0xf32>", []),
        ("dense<[1.0, 2.5]> : tensor<2xf8E4M3FN>", [1.0, 2.5]),
    ],
)
def test_dense_is_an_array_and_comes_back(text: str, wanted: list) -> None:
    with new_context(), ir.Location.unknown():
        attribute = ir.Attribute.parse(text)
        array = array_of(attribute)
        assert array.tolist() == wanted
        assert elements_attr(array, attribute.type) == attribute


def test_a_resource_shares_the_memory_of_its_array() -> None:
    """Reading copied all data twice: into bytecode, and out of it. Another context may have a resource of the same name."""
    with new_context(), ir.Location.unknown():
        array, kind = np.arange(4096, dtype=np.float32), ir.RankedTensorType.get([4096], ir.F32Type.get())
        first, second = elements_attr(array, kind, "w"), elements_attr(-array, kind, "w")
        assert np.shares_memory(array_of(first), array)
        assert not array_of(first).flags.writeable
        assert (array_of(second) == -array).all()
    with new_context(), ir.Location.unknown():
        other = elements_attr(array + 1, ir.RankedTensorType.get([4096], ir.F32Type.get()), "w")
        assert (array_of(other) == array + 1).all()


def test_a_resource_is_read_from_the_text() -> None:
    with new_context(), ir.Location.unknown():
        module = ir.Module.parse(RESOURCE)
        attribute = module.body.operations[0].regions[0].blocks[0].operations[0].attributes["value"]
        assert is_elements(attribute)
        assert array_of(attribute)[0].tolist() == [1.0, 2.0, 3.0]
        assert np.isnan(array_of(attribute).astype(np.float32)[1, 2])
        module = ir.Module.parse(RESOURCE.partition("{-#")[0])
        attribute = module.body.operations[0].regions[0].blocks[0].operations[0].attributes["value"]
        with pytest.raises(AlloAirError, match="has no data"):
            array_of(attribute)


@pytest.mark.parametrize("alignment", [1, 4, 64, 4096])
def test_a_resource_lies_where_its_alignment_has_it(alignment: int) -> None:
    array = np.arange(3001, dtype=np.int16)
    data = alignment.to_bytes(4, "little") + array.tobytes()
    with new_context(), ir.Location.unknown():
        text = f"""module attributes {{air.w = dense_resource<w> : tensor<3001xi16>}} {{}}
            {{-# dialect_resources: {{ builtin: {{ w: "0x{data.hex()}" }} }} #-}}"""
        ir.Context.current.allow_unregistered_dialects = True
        assert (array_of(ir.Module.parse(text).operation.attributes["air.w"]) == array).all()


@pytest.mark.parametrize("element", ["bf16", "f16", "f32", "i8", "i1", "i64", "f8E4M3FN"])
def test_many_elements_come_back(element: str) -> None:
    dtype = numpy_dtype(element)
    array = np.random.default_rng(0).integers(0, 2 if element == "i1" else 90, (50, 41)).astype(dtype)
    with new_context(), ir.Location.unknown():
        kind = ir.RankedTensorType.get(array.shape, ir.Type.parse(element))
        assert (array_of(elements_attr(array, kind)) == array).all()
        dense = (
            ir.Attribute.parse(str(ir.DenseElementsAttr.get(array.view(f"u{dtype.itemsize}"), type=kind)))
            if element == "bf16"
            else None
        )
        assert dense is None or (array_of(dense) == array).all()


def test_zeros_keep_their_signs() -> None:
    with new_context(), ir.Location.unknown():
        kind = ir.RankedTensorType.get([2], ir.F32Type.get())
        assert "-0.0" in str(elements_attr(np.array([0.0, -0.0], np.float32), kind))
