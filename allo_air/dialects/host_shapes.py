"""The shapes of the host's arrays where a pass has padded them, as functions and devices keep them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from allo_air.mlir import ir

HOST_SHAPES = "allo_air.host_shapes"
"""Attribute of a function whose arrays were padded: the shapes that the caller has, arguments first, then results. Devices keep
it by the names of their runtime sequences, which print no attributes."""


def host_shapes(op: ir.Operation) -> list[tuple[int, ...]]:
    """The caller's shapes of a function or runtime sequence (kept on it, or by its name on the device); empty if not padded."""
    if HOST_SHAPES in op.attributes:
        return [tuple(shape) for shape in op.attributes[HOST_SHAPES]]
    holder = op
    while holder.name != "aie.device" and holder.parent is not None:
        holder = holder.parent.operation
    name = op.attributes["sym_name"].value if "sym_name" in op.attributes else ""
    if holder.name != "aie.device" or HOST_SHAPES not in holder.attributes or name not in holder.attributes[HOST_SHAPES]:
        return []
    return [tuple(shape) for shape in holder.attributes[HOST_SHAPES][name]]


def keep_host_shapes(function: ir.Operation, device: ir.Operation, name: str) -> None:
    """Keeps the shapes of `function`, where it has any, on `device` for its runtime sequence `name`."""
    from allo_air.mlir import ir

    if HOST_SHAPES not in function.attributes:
        return
    known = device.attributes.get(HOST_SHAPES, ())
    shapes = {entry.name: entry.attr for entry in known} | {name: function.attributes[HOST_SHAPES]}
    device.attributes[HOST_SHAPES] = ir.DictAttr.get(shapes)
