"""Modules as text without the data of their resources, which are kept as attributes: no hexadecimal digits are needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from allo_air.core.elements import HANDLE, handle_of, is_resource, resource, resource_of
from allo_air.core.printing import printed
from allo_air.core.walking import walk_named
from allo_air.dialects.host_buffers import HOST_BUFFERS
from allo_air.dialects.memrefs import total_bits
from allo_air.dtypes import is_known, numpy_dtype
from allo_air.mlir import AnyOp, ir

MARK = "_elsewhere"
"""The end of the names of resources in such a text. MLIR makes names unique, and `attach` gives the data the name itself."""


def detached(module: AnyOp) -> tuple[str, dict[str, ir.Attribute]]:
    """The text of `module` without the data of its constants, and the attributes with the data, by their names in the text.

    `attach` puts them back into a module that was read from the text, in any context.
    """
    attributes = dict[str, ir.Attribute]()
    for op in walk_named(module.operation, "arith.constant"):
        value = op.attributes["value"]
        if is_resource(value):
            attributes[_marked(handle_of(value))] = value
    text = printed(module, elide_resources=0)
    text = HANDLE.sub(lambda m: f"dense_resource<{name}>" if (name := _marked(m[1])) in attributes else m[0], text)
    return text, attributes


def attach(module: AnyOp, data: Mapping[str, ir.Attribute]) -> None:
    """Gives the constants of `module`, which was read from the text of `detached`, their data."""
    import numpy as np

    elements = dict[str, Any]()
    for op in walk_named(module.operation, "arith.constant") if data else ():
        value = op.attributes["value"]
        name = handle_of(value) if is_resource(value) else ""
        if name not in data:
            continue
        if name not in elements:
            kind = value.type
            array: Any = np.frombuffer(resource_of(data[name]), _stored(str(kind.element_type)))
            array = array if array.flags.aligned else array.copy()
            elements[name] = resource(array, _plain(name), kind)
        op.attributes["value"] = elements[name]


@contextmanager
def without_data(module: ir.Operation, limit: int) -> Iterator[None]:
    """Within the context, constants, globals and host buffers of `module` have names instead of data, if that is more than
    `limit` bytes.
    """
    holders = [(op, name, op.attributes[name]) for op, name in _holders(module)]
    data = dict.fromkeys(resource for *_, value in holders for resource in _resources(value))
    if sum(total_bits(resource.type) or 0 for resource in data) <= 8 * limit:
        yield
        return
    names = {r: ir.Attribute.parse(f"dense_resource<{_marked(handle_of(r))}> : {r.type}") for r in data}
    for op, name, value in holders:
        op.attributes[name] = _replaced(value, names)
    try:
        yield
    finally:
        for op, name, value in holders:
            op.attributes[name] = value


def _holders(module: ir.Operation) -> list[tuple[ir.Operation, str]]:
    """The operations with the elements of constants, and the names of their attributes."""
    result = [(op, "value") for op in walk_named(module, "arith.constant")]
    result += [(op, "initial_value") for op in walk_named(module, "memref.global") if "initial_value" in op.attributes]
    calling = walk_named(module, "aie.device", "func.func")
    return result + [(op, HOST_BUFFERS) for op in calling if HOST_BUFFERS in op.attributes]


def _resources(value: ir.Attribute) -> Iterator[ir.Attribute]:
    """The resources in `value`, which may be a dictionary or an array."""
    if isinstance(value, ir.DictAttr):
        parts: Iterable[ir.Attribute] = (value[n].attr for n in range(len(value)))
    elif isinstance(value, ir.ArrayAttr):
        parts = value
    else:
        yield from (value,) if is_resource(value) else ()
        return
    for part in parts:
        yield from _resources(part)


def _replaced(value: ir.Attribute, names: Mapping[ir.Attribute, ir.Attribute]) -> ir.Attribute:
    """`value` with other attributes for its resources."""
    if isinstance(value, ir.DictAttr):
        return ir.DictAttr.get({value[n].name: _replaced(value[n].attr, names) for n in range(len(value))})
    if isinstance(value, ir.ArrayAttr):
        return ir.ArrayAttr.get([_replaced(part, names) for part in value])
    return names.get(value, value)


def _stored(element: str) -> Any:
    """The numpy type in which elements are aligned; bytes where numpy has none."""
    return numpy_dtype(element if is_known(element) else "i8")


def _marked(name: str) -> str:
    return f'{name[:-1]}{MARK}"' if name.endswith('"') else f"{name}{MARK}"


def _plain(name: str) -> str:
    return name.strip('"').removesuffix(MARK)
