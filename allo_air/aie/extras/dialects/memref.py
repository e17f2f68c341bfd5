"""Functions of the dialect memref; loads and stores take Python's numbers as indices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from allo_air.aie.building.arguments import refuse
from allo_air.aie.building.arrays import mlir_type
from allo_air.aie.building.upstream import forwarded, names
from allo_air.aie.building.values import Scalar, value_of, wrapped
from allo_air.mlir import ir
from allo_air.mlir import memref as _memref


def load(memref: object, indices: Sequence[object] = (), **keywords: object) -> Scalar:
    """`memref[indices]`."""
    refuse(keywords, "memref.load", ignored=("loc", "ip"))
    return _buffer(memref)[tuple(indices)]


def store(value: object, memref: object, indices: Sequence[object] = (), **keywords: object) -> None:
    """`memref[indices] = value`."""
    refuse(keywords, "memref.store", ignored=("loc", "ip"))
    _buffer(memref)[tuple(indices)] = value


def _buffer(buffer: object) -> Any:
    return wrapped(value_of(buffer)) if isinstance(value_of(buffer), ir.Value) else buffer


def alloc(*sizes: object, element_type: object = None, memory_space: ir.Attribute | None = None, **keywords: object) -> Scalar:
    """A buffer: `alloc(memref_type)`, or sizes (separate or a sequence) followed by the element type."""
    return _allocated(_memref.alloc, [*sizes, *([] if element_type is None else [element_type])], memory_space, keywords)


def alloca(*sizes: object, element_type: object = None, memory_space: ir.Attribute | None = None, **keywords: object) -> Scalar:
    """Like `alloc`, on the stack."""
    return _allocated(_memref.alloca, [*sizes, *([] if element_type is None else [element_type])], memory_space, keywords)


def _allocated(
    build: Callable[..., ir.Value], parts: list[object], space: ir.Attribute | None, keywords: dict[str, object]
) -> Scalar:
    *sizes, element = parts
    if isinstance(element, ir.MemRefType):
        return wrapped(build(element, [], [], **keywords))
    refuse(keywords, "memref.alloc", ignored=("loc", "ip"))
    if len(sizes) == 1 and isinstance(sizes[0], list | tuple):
        sizes = list(sizes[0])
    dynamic = [value_of(s) for s in sizes if not isinstance(s, int)]
    shape = [s if isinstance(s, int) else ir.ShapedType.get_dynamic_size() for s in sizes]
    kind = ir.MemRefType.get(shape, mlir_type(element, "memref.alloc"), memory_space=space)
    return wrapped(build(kind, dynamic, []))


def global_(
    sym_name: str,
    type: object = None,
    *,
    initial_value: object = None,
    sym_visibility: str | None = None,
    constant: bool = False,
    **keywords: object,
) -> Any:
    """A named global of the device, such as the shim allocation of an objectFifo."""
    refuse(keywords, "memref.global_", ignored=("loc", "ip"))
    fields: dict[str, Any] = {} if sym_visibility is None else {"sym_visibility": sym_visibility}
    return _memref.GlobalOp(
        sym_name, mlir_type(type, "memref.global"), initial_value=initial_value, constant=constant or None, **fields
    )


__getattr__ = forwarded("memref")
__all__ = sorted(
    {"alloc", "alloca", "global_", "load", "store", *names("memref")} - {"dma_start", "dma_wait"}
)  # keep the names that aie defines
