"""Rewrites convolutions of ONNX that torch-mlir does not lower: volumes in groups, transposed ones with unequal padding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from allo_air.importers.onnx_about import attributes_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from onnx import NodeProto

    from allo_air.importers.onnx_nodes import Nodes


def in_images(
    nodes: Nodes, node: NodeProto, sizes: Sequence[int], results: Sequence[int] | None, filters: np.ndarray
) -> Nodes | None:
    """The sum of 2-D convolutions, one for each slice of the filter in depth.

    `sizes` and `results` are the shapes of the volumes before and after. None for one group, for padding by `auto_pad`, and for
    an unknown result.
    """
    attributes = attributes_of(node)
    groups = attributes.get("group", 1)
    if not results or groups == 1 or attributes.get("auto_pad", "NOTSET") not in ("NOTSET", "VALID"):
        return None
    (stride, *strides), (step, *dilations) = (attributes.get(n, [1] * 3) for n in ("strides", "dilations"))
    pads, bias = attributes.get("pads", [0] * 6), list(node.input[2:])
    count, depth, *image = results[0], results[2], *results[3:]
    deep = [0, 0, pads[0], 0, 0, 0, 0, pads[3], 0, 0]
    volume = nodes.add("Pad", [node.input[0], nodes.constant(deep, "pads")], "padded")
    axis, by = nodes.constant([2], "axis"), nodes.constant([stride], "by")
    options = {"strides": strides, "dilations": dilations, "pads": [*pads[1:3], *pads[4:]], "group": groups}
    total = ""
    for n in range(filters.shape[2]):
        start = n * step
        ends = (nodes.constant([e], f"{n}/{e}") for e in (start, start + (depth - 1) * stride + 1))
        part = nodes.add("Slice", [volume, *ends, axis, by], f"{n}/slice")
        part = nodes.add("Transpose", [part], f"{n}/images", perm=[0, 2, 1, 3, 4])
        part = nodes.reshaped(part, [count * depth, sizes[1], *sizes[3:]], f"{n}/batch")
        inputs = [part, nodes.constant(filters[:, :, n], f"{n}/filter"), *(bias if n == 0 else [])]
        part = nodes.add("Conv", inputs, f"{n}/y", **options)
        total = nodes.add("Add", [total, part], f"{n}/sum") if total else part
    volume = nodes.reshaped(total, [count, depth, results[1], *image], "volumes")
    nodes.add("Transpose", [volume], perm=[0, 2, 1, 3, 4])
    return nodes


def transposed(
    nodes: Nodes, inputs: Sequence[str], sizes: Sequence[int], begins: Sequence[int], ends: Sequence[int], **attributes: object
) -> Nodes:
    """A transposed convolution whose result has `sizes` before `begins` and `ends` are cut off.

    torch-mlir only supports equal padding on both sides; a slice cuts off the rest.
    """
    equal = list(map(min, begins, ends))
    whole = "" if begins == ends else "whole"
    value = nodes.add("ConvTranspose", inputs, whole, pads=[*equal, *equal], **attributes)
    if whole:
        starts = [b - e for b, e in zip(begins, equal, strict=True)]
        counts = [s - b - e for s, b, e in zip(sizes, begins, ends, strict=True)]
        bounds = [starts, [s + c for s, c in zip(starts, counts, strict=True)], [d + 2 for d in range(len(sizes))]]
        nodes.add("Slice", [value, *(nodes.constant(n, f"slice/{number}") for number, n in enumerate(bounds))])
    return nodes
