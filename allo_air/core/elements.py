"""Constants of many elements as numpy arrays and back: `dense<...>`, and `dense_resource<...>`, whose data ends the text."""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakValueDictionary

from allo_air.core.resources import first_blob
from allo_air.dtypes import numpy_dtype
from allo_air.errors import AlloAirError
from allo_air.mlir import ir

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike

MANY = 1024
"""Number of elements from which on an array becomes a resource: MLIR hashes and compares all elements of a dense attribute.
"""

_arrays: WeakKeyDictionary[Any, WeakValueDictionary[str, np.ndarray]] = WeakKeyDictionary()
"""By context, the arrays whose memory resources share, by the resource's name. MLIR holds them as long as the context exists.
"""

HANDLE = re.compile(r'dense_resource<("(?:[^"\\]|\\.)*"|[^>\s]+)>')
"""A resource as it is printed, with its name."""
_NARROW = ("i2", "i4", "si4", "ui4")
_NUMBER = re.compile(r"0x[0-9A-Fa-f]+|[-+.\w]+")


def is_elements(attribute: ir.Attribute) -> bool:
    """Whether `attribute` holds the elements of a tensor, in the text or as a resource."""
    return isinstance(attribute, ir.DenseElementsAttr) or is_resource(attribute)


def is_resource(attribute: ir.Attribute) -> bool:
    """Whether `attribute` is a `dense_resource<...>`, for which the bindings have no type of their own."""
    return isinstance(attribute, ir.DenseResourceElementsAttr) or str(attribute).startswith("dense_resource<")


def array_of(attribute: ir.Attribute) -> Any:
    """The elements as a read-only numpy array of the attribute's shape; integers of less than a byte as i8.

    Raises AlloAirError for elements for which numpy has no type, and for a resource without data.
    """
    import numpy as np

    kind = attribute.type
    element = str(kind.element_type)
    dtype = numpy_dtype("i8" if element in _NARROW else element)
    if isinstance(attribute, ir.DenseElementsAttr):
        if 0 in kind.shape:
            return np.zeros(kind.shape, dtype)
        if attribute.is_splat:
            value = _splat(attribute, element, dtype)
            return np.broadcast_to(value, kind.shape)
        flat = _dense(attribute, element, dtype)
    else:
        flat = np.frombuffer(resource_of(attribute), dtype)
    if flat.size == 1 and not isinstance(attribute, ir.DenseElementsAttr):
        return np.broadcast_to(flat.reshape(()), kind.shape)
    return flat.reshape(kind.shape)


def elements_attr(array: ArrayLike, kind: Any, name: str = "constant") -> Any:
    """`array` as the elements of tensor type `kind`: a splat, `dense`, or from `MANY` elements on a resource called `name`."""
    import numpy as np

    element = str(kind.element_type)
    dtype = numpy_dtype("i8" if element in _NARROW else element)
    array = np.ascontiguousarray(np.asarray(array).astype(dtype, copy=False)).reshape(kind.shape)
    bits = array.view(np.dtype(f"u{dtype.itemsize}"))
    value: Any = bits if dtype.kind == "V" or "float8" in dtype.name else array
    if element in _NARROW:
        value = bits & ((1 << int(element.lstrip("sui"))) - 1)
    if array.size and bits.flat[0] == bits.flat[-1] and (bits == bits.flat[0]).all():
        value = np.full(kind.shape, value.flat[0], value.dtype)
        return ir.DenseElementsAttr.get(value, type=kind)
    if array.size < MANY or dtype.kind == "b" or element in _NARROW:
        return ir.DenseElementsAttr.get(value, type=kind)
    return resource(value, name, kind)


def resource(array: np.ndarray, name: str, kind: ir.Type) -> Any:
    """The contiguous `array` as a resource for tensor type `kind`, in the active context.

    The resource and all arrays that `array_of` makes of it share the memory of `array`, which must not change afterwards. If
    `name` is in use, MLIR appends a number.
    """
    memory: Any = array
    attribute = ir.DenseResourceElementsAttr.get_from_buffer(memory, name, kind)
    _arrays.setdefault(attribute.context, WeakValueDictionary())[handle_of(attribute)] = array
    return attribute


def handle_of(attribute: ir.Attribute) -> str:
    """The name of a resource in its context, as it is printed: with quotes if it has them."""
    match = HANDLE.match(str(attribute))
    assert match is not None
    return match[1]


def _splat(attribute: ir.DenseElementsAttr, element: str, dtype: np.dtype) -> Any:
    import numpy as np

    value = attribute.get_splat_value()
    if element in ("bf16", "f16", "f32", "f64"):
        return np.array(value.value, np.float64).astype(dtype)
    return _dense(attribute, element, dtype)[:1].reshape(())


def _dense(attribute: ir.Attribute, element: str, dtype: np.dtype) -> Any:
    """The elements in row-major order; if the bindings do not support their type, they are read from the attribute's text."""
    import numpy as np

    try:
        return np.array(attribute, dtype=dtype).reshape(-1)
    except TypeError:
        pass
    text = str(attribute).removeprefix("dense<").rpartition("> : ")[0]
    if text.startswith('"0x'):
        return np.frombuffer(bytes.fromhex(text.strip('"')[2:]), dtype)
    numbers = _NUMBER.findall(text)
    bits = np.dtype(f"u{dtype.itemsize}")
    read = [np.array(int(n, 16), bits).view(dtype) if n.startswith("0x") else np.array(float(n)).astype(dtype) for n in numbers]
    return np.array(read, dtype)


def resource_of(attribute: ir.Attribute) -> memoryview:
    """The data of a resource: the memory of the array that it was made from, or a copy. The bindings give data only in a module
    that uses it.
    """
    arrays = _arrays.get(attribute.context)
    array: Any = None if arrays is None else arrays.get(handle_of(attribute))
    if array is not None:
        return memoryview(array.reshape(-1).view("u1")).toreadonly()
    with attribute.context, ir.Location.unknown():
        holder = ir.Module.create()
        holder.operation.attributes["allo.elements"] = attribute
        into = BytesIO()
        holder.operation.write_bytecode(into)
    result = first_blob(into.getvalue())
    if result is None:
        raise AlloAirError(f"{attribute} has no data: the module's text ends without it; print it with its resources")
    return result
