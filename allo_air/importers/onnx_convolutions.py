"""Rewrites convolutions of ONNX that torch-mlir does not lower, those of volumes in groups, as `convolutions` does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from numpy.typing import ArrayLike
    from onnx import NodeProto


def in_images(
    helper: ModuleType, node: NodeProto, kind: int, sizes: Sequence[int] | None, results: Sequence[int] | None, weight: object
) -> list[Any] | None:
    """The nodes of a sum of 2-D convolutions, one for each slice of the filter in depth.

    `kind` is the element type, `sizes` and `results` are the shapes of the volumes before and after, `weight` is the filter.
    None for one group, for padding by `auto_pad`, and for unknown shapes and filters.
    """
    attributes = {a.name: a.s.decode() or a.i or list(a.ints) for a in node.attribute}
    groups = attributes.get("group", 1)
    padded = attributes.get("auto_pad", "NOTSET") not in ("NOTSET", "VALID")
    if not sizes or not results or groups == 1 or padded or weight is None:
        return None
    import numpy as np

    filters = np.asarray(weight, helper.tensor_dtype_to_np_dtype(kind))
    (stride, *strides), (step, *dilations) = (attributes.get(n, [1] * 3) for n in ("strides", "dilations"))
    pads = attributes.get("pads", [0] * 6)
    name, bias = node.output[0], list(node.input[2:])
    count, depth, *image = results[0], results[2], *results[3:]
    nodes = list[Any]()

    def constant(called: str, values: ArrayLike) -> str:
        values = np.asarray(values)
        data = helper.make_tensor(called, helper.np_dtype_to_tensor_dtype(values.dtype), values.shape, values.ravel())
        nodes.append(helper.make_node("Constant", [], [f"{name}/{called}"], value=data))
        return f"{name}/{called}"

    def made(op: str, inputs: Sequence[str], called: str, **options: object) -> str:
        nodes.append(helper.make_node(op, inputs, [f"{name}/{called}"], node.name, **options))
        return f"{name}/{called}"

    deep = [0, 0, pads[0], 0, 0, 0, 0, pads[3], 0, 0]
    volume = made("Pad", [node.input[0], constant("pads", deep)], "padded")
    axis, by = constant("axis", [2]), constant("by", [stride])
    shape = constant("shape", [count * depth, sizes[1], *sizes[3:]])
    parts = []
    for n in range(filters.shape[2]):
        start = n * step
        ends = [constant(f"{n}/start", [start]), constant(f"{n}/end", [start + (depth - 1) * stride + 1])]
        part = made("Slice", [volume, *ends, axis, by], f"{n}/slice")
        part = made("Transpose", [part], f"{n}/images", perm=[0, 2, 1, 3, 4])
        part = made("Reshape", [part, shape], f"{n}/batch")
        inputs = [part, constant(f"{n}/filter", filters[:, :, n]), *(bias if n == 0 else [])]
        options = {"strides": strides, "dilations": dilations, "pads": [*pads[1:3], *pads[4:]], "group": groups}
        parts.append(made("Conv", inputs, f"{n}/y", **options))
    total = parts[0]
    for n, part in enumerate(parts[1:], 1):
        total = made("Add", [total, part], f"{n}/sum")
    volume = made("Reshape", [total, constant("sizes", [count, depth, results[1], *image])], "volumes")
    nodes.append(helper.make_node("Transpose", [volume], [name], node.name, perm=[0, 2, 1, 3, 4]))
    return nodes
