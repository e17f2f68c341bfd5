"""Shapes and layouts of the host's arrays that a pass padded or packed, stored on functions and devices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from allo_air.access.layout import Layout
from allo_air.core.names import sym_name_of
from allo_air.dialects.host_buffers import HOST_BUFFERS

if TYPE_CHECKING:
    from allo_air.mlir import ir

HOST_SHAPES = "allo_air.host_shapes"
"""Attribute of a function whose arrays were padded: the shapes that the caller has, arguments first, then results. Devices
store it by the names of their runtime sequences, which print no attributes."""


HOST_LAYOUTS = "allo_air.host_layouts"
"""Attribute in addition to HOST_SHAPES if arrays were packed; for each array the fields of access.layout.Layout, or nothing:
{outside = 0, rows = [array<i64: ...>, ...]}."""


def host_shapes(op: ir.Operation) -> list[tuple[int, ...]]:
    """The caller's shapes of a function or runtime sequence (stored on it, or by its name on the device); empty if not
    padded."""
    return [tuple(shape) for shape in _saved_entry(op, HOST_SHAPES)]


def host_layouts(op: ir.Operation) -> list[Layout | None]:
    """The device's layouts of the caller's arrays, None for those that are not packed; empty if none is packed."""
    layouts: list[Layout | None] = []
    for entry in _saved_entry(op, HOST_LAYOUTS):
        fields = {named.name: named.attr for named in entry}
        layouts.append(Layout.of(fields["rows"], fields["outside"].value) if fields else None)
    return layouts


def set_host_layouts(function: ir.Operation, layouts: Sequence[Layout | None], elements: Sequence[ir.Type]) -> None:
    """Writes the layouts of the caller's arrays on `function`; `elements` are the types of their elements."""
    from allo_air.mlir import ir

    entries = []
    for layout, element in zip(layouts, elements, strict=True):
        fields: dict[str, ir.Attribute] = {}
        if layout is not None:
            is_float = isinstance(element, ir.FloatType)
            outside = (
                ir.FloatAttr.get(element, layout.outside) if is_float else ir.IntegerAttr.get(element, int(layout.outside))
            )
            rows = ir.ArrayAttr.get([ir.DenseI64ArrayAttr.get(list(row)) for row in layout.rows])
            fields = {"outside": outside, "rows": rows}
        entries.append(ir.DictAttr.get(fields))
    function.attributes[HOST_LAYOUTS] = ir.ArrayAttr.get(entries)


def _saved_entry(op: ir.Operation, attribute: str) -> Any:
    """The attribute of a function, or of a runtime sequence (stored in its device); None if there is none."""
    if attribute in op.attributes:
        return op.attributes[attribute]
    holder = op
    while holder.name != "aie.device" and holder.parent is not None:
        holder = holder.parent.operation
    name = sym_name_of(op) if "sym_name" in op.attributes else ""
    if holder.name != "aie.device" or attribute not in holder.attributes or name not in holder.attributes[attribute]:
        return ()
    return holder.attributes[attribute][name]


def keep_host_shapes(function: ir.Operation, device: ir.Operation, name: str) -> None:
    """Stores the shapes, layouts and buffers of `function`, if it has any, on `device` for its runtime sequence `name`."""
    from allo_air.mlir import ir

    for attribute in (HOST_SHAPES, HOST_LAYOUTS, HOST_BUFFERS):
        if attribute in function.attributes:
            entries = device.attributes.get(attribute, ())
            device.attributes[attribute] = ir.DictAttr.get(
                {entry.name: entry.attr for entry in entries} | {name: function.attributes[attribute]}
            )
