"""Modules as text without the data of their resources, which are kept as attributes: no hexadecimal digits are needed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from allo_air.core.elements import is_resource, resource_of
from allo_air.core.printing import printed
from allo_air.core.walking import walk_named
from allo_air.dialects.memrefs import total_bits
from allo_air.dtypes import is_known, numpy_dtype
from allo_air.mlir import AnyOp, ir

_HANDLE = re.compile(r'dense_resource<("(?:[^"\\]|\\.)*"|[^>\s]+)>')
_MARK = "_elsewhere"
"""The end of the names of resources in such a text. MLIR makes names unique, and `attach` gives the data the name itself."""


def detached(module: AnyOp) -> tuple[str, dict[str, ir.Attribute]]:
    """The text of `module` without the data of its constants, and the attributes with the data, by their names in the text.

    `attach` puts them back into a module that was read from the text, in any context.
    """
    attributes = dict[str, ir.Attribute]()
    for op in walk_named(module.operation, "arith.constant"):
        value = op.attributes["value"]
        if is_resource(value):
            attributes[_marked(_name(value))] = value
    text = printed(module, elide_resources=0)
    text = _HANDLE.sub(lambda m: f"dense_resource<{name}>" if (name := _marked(m[1])) in attributes else m[0], text)
    return text, attributes


def attach(module: AnyOp, data: Mapping[str, ir.Attribute]) -> None:
    """Gives the constants of `module`, which was read from the text of `detached`, their data."""
    import numpy as np

    elements = dict[str, Any]()
    for op in walk_named(module.operation, "arith.constant") if data else ():
        value = op.attributes["value"]
        name = _name(value) if is_resource(value) else ""
        if name not in data:
            continue
        if name not in elements:
            kind = value.type
            array: Any = np.frombuffer(resource_of(data[name]), _stored(str(kind.element_type)))
            array = array if array.flags.aligned else array.copy()
            elements[name] = ir.DenseResourceElementsAttr.get_from_buffer(array, _plain(name), kind)
        op.attributes["value"] = elements[name]


@contextmanager
def without_data(module: ir.Operation, limit: int) -> Iterator[None]:
    """Within the context, constants and globals of `module` have names instead of data, if that is more than `limit` bytes."""
    holders = [(op, name, value) for op, name in _holders(module) if is_resource(value := op.attributes[name])]
    if sum(total_bits(value.type) or 0 for *_, value in holders) <= 8 * limit:
        yield
        return
    names = dict[ir.Attribute, ir.Attribute]()
    for op, name, value in holders:
        if value not in names:
            names[value] = ir.Attribute.parse(_HANDLE.sub(lambda m: f"dense_resource<{_marked(m[1])}>", str(value), count=1))
        op.attributes[name] = names[value]
    try:
        yield
    finally:
        for op, name, value in holders:
            op.attributes[name] = value


def _holders(module: ir.Operation) -> list[tuple[ir.Operation, str]]:
    """The operations with the elements of constants, and the names of their attributes."""
    result = [(op, "value") for op in walk_named(module, "arith.constant")]
    return result + [(op, "initial_value") for op in walk_named(module, "memref.global") if "initial_value" in op.attributes]


def _stored(element: str) -> Any:
    """The numpy type in which elements are aligned; bytes where numpy has none."""
    return numpy_dtype(element if is_known(element) else "i8")


def _name(value: ir.Attribute) -> str:
    """The name of a resource as it is printed, with quotes if it has them."""
    match = _HANDLE.match(str(value))
    assert match is not None
    return match[1]


def _marked(name: str) -> str:
    return f'{name[:-1]}{_MARK}"' if name.endswith('"') else f"{name}{_MARK}"


def _plain(name: str) -> str:
    return name.strip('"').removesuffix(_MARK)
