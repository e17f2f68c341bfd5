"""Types by short names: `T.i32()`, `T.memref(64, 64, T.bf16())`, `T.vector(16, T.f32())`."""

from __future__ import annotations

from typing import Any

from allo_air.mlir import ir

FunctionType, MemRefType, RankedTensorType, VectorType = ir.FunctionType, ir.MemRefType, ir.RankedTensorType, ir.VectorType
IndexType, IntegerType, BF16Type, F16Type, F32Type = ir.IndexType, ir.IntegerType, ir.BF16Type, ir.F16Type, ir.F32Type


def index() -> Any:
    """`index`."""
    return ir.IndexType.get()


def bool() -> Any:
    """`i1`."""
    return ir.IntegerType.get_signless(1)


def _integer(width: int, kind: str) -> Any:
    result = {"i": ir.IntegerType.get_signless, "si": ir.IntegerType.get_signed, "ui": ir.IntegerType.get_unsigned}[kind]

    def get() -> Any:
        return result(width)

    get.__doc__ = f"`{kind}{width}`."
    return get


i1, i4, i8, i16, i32, i64 = (_integer(n, "i") for n in (1, 4, 8, 16, 32, 64))
si8, si16, si32, si64 = (_integer(n, "si") for n in (8, 16, 32, 64))
ui8, ui16, ui32, ui64 = (_integer(n, "ui") for n in (8, 16, 32, 64))


def f16() -> Any:
    """`f16`."""
    return ir.F16Type.get()


def bf16() -> Any:
    """`bf16`."""
    return ir.BF16Type.get()


def f32() -> Any:
    """`f32`."""
    return ir.F32Type.get()


def f64() -> Any:
    """`f64`."""
    return ir.F64Type.get()


def _shaped(shape: tuple[Any, ...], element: object) -> tuple[list[int], Any]:
    """Sizes and element type, which may be the last of the sizes."""
    *sizes, last = shape
    if element is None:
        element = last
    else:
        sizes = [*sizes, last]
    if len(sizes) == 1 and isinstance(sizes[0], list | tuple):
        sizes = list(sizes[0])
    return [ir.ShapedType.get_dynamic_size() if n is None else n for n in sizes], element() if callable(element) else element


def memref(*shape: object, element_type: object = None, memory_space: Any = None, layout: ir.Attribute | None = None) -> Any:
    """`memref<shape x element>`; `memory_space` is a number or an attribute."""
    sizes, element = _shaped(shape, element_type)
    if isinstance(memory_space, int):
        memory_space = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), int(memory_space))
    return ir.MemRefType.get(sizes, element, layout, memory_space)


def tensor(*shape: object, element_type: object = None, encoding: ir.Attribute | None = None) -> Any:
    """`tensor<shape x element>`."""
    sizes, element = _shaped(shape, element_type)
    return ir.RankedTensorType.get(sizes, element, encoding)


def vector(*shape: object, element_type: object = None) -> Any:
    """`vector<shape x element>`."""
    sizes, element = _shaped(shape, element_type)
    return ir.VectorType.get(sizes, element)


def function(inputs: Any, results: Any) -> Any:
    """`(inputs) -> (results)`."""
    return ir.FunctionType.get(inputs, results)
