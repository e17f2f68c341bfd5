"""Rewrites convolutions, transforms and rearrangements of signals that torch-mlir's importer of ONNX lacks or gets wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.importers.onnx_about import ModelInfo, attributes_of
from allo_air.importers.onnx_convolutions import in_images, transposed
from allo_air.importers.onnx_nodes import Nodes
from allo_air.importers.onnx_transforms import folded, sampled, spectrogram, transform

if TYPE_CHECKING:
    from onnx import NodeProto


def _convolution(model_info: ModelInfo, node: NodeProto) -> list[Any] | None:
    """A convolution of volumes in groups as a sum of 2-D ones. Only if paddings are operands."""
    sizes, kind = model_info.sizes(node.input[0]), model_info.kinds.get(node.input[0])
    if sizes is None or len(sizes) != _VOLUME or kind not in _FLOATS or model_info.opset < _PADDING_AS_INPUT:
        return None
    filters = model_info.constant(node.input[1])
    if filters is None:
        return None
    weights = np.asarray(filters, model_info.helper.tensor_dtype_to_np_dtype(kind))
    return in_images(Nodes(model_info.helper, node), node, sizes, model_info.sizes(node.output[0]), weights)


def _depth_to_space(model_info: ModelInfo, node: NodeProto) -> list[Any] | None:
    """The blocks of `DepthToSpace` in mode CRD by reshapes. torch-mlir takes channels in the order of mode DCR."""
    attributes = attributes_of(node)
    sizes = model_info.sizes(node.input[0])
    if attributes.get("mode") != "CRD" or sizes is None or len(sizes) != _IMAGE:
        return None
    count, depth, height, width = sizes
    by = attributes["blocksize"]
    channels = depth // by**2
    nodes = Nodes(model_info.helper, node)
    value = nodes.reshaped(node.input[0], [count, channels, by, by, height, width], "split")
    value = nodes.add("Transpose", [value], "turned", perm=[0, 1, 4, 2, 5, 3])
    nodes.reshaped(value, [count, channels, height * by, width * by])
    return nodes


def _transform(model_info: ModelInfo, node: NodeProto) -> list[Any] | None:
    """A Fourier transform of a known length as a product with a matrix."""
    x, *rest = node.input
    sizes, kind, attributes = model_info.sizes(x), model_info.kinds.get(x), attributes_of(node)
    length, axis = (_number(model_info, n) for n in [*rest, "", ""][:2])
    if sizes is None or kind not in _FLOATS or any(n and _number(model_info, n) is None for n in rest):
        return None
    has_axis = model_info.opset >= _AXIS_OF_DFT_AS_INPUT
    axis = (-2 if axis is None else axis) if has_axis else attributes.get("axis", 1)
    axis, inverse, half = axis % len(sizes), bool(attributes.get("inverse", 0)), bool(attributes.get("onesided", 0))
    count = (2 * (sizes[axis] - 1) if inverse and half else sizes[axis]) if length is None else length
    if axis == len(sizes) - 1 or count < 1:
        return None
    element = model_info.helper.tensor_dtype_to_np_dtype(kind)
    nodes = Nodes(model_info.helper, node)
    return transform(nodes, x, sizes, axis, count, inverse=inverse, half=half, kind=element)


def _spectrogram(model_info: ModelInfo, node: NodeProto) -> list[Any] | None:
    """A short-time Fourier transform of real signals, with a known window, as a convolution."""
    x, *rest = node.input
    sizes, kind = model_info.sizes(x), model_info.kinds.get(x)
    step_name, window_name, length_name = [*rest, "", ""][:3]
    step, length = _number(model_info, step_name), _number(model_info, length_name)
    window = model_info.constant(window_name) if window_name else [1.0] * (length or 0)
    if sizes is None or sizes[-1] != 1 or len(sizes) != 3 or kind not in _FLOATS or not step or not window:
        return None
    if (length_name and length != len(window)) or len(window) > sizes[1]:
        return None
    element = model_info.helper.tensor_dtype_to_np_dtype(kind)
    half = bool(attributes_of(node).get("onesided", 1))
    return spectrogram(Nodes(model_info.helper, node), x, sizes, step, np.asarray(window), half=half, kind=element)


def _number(model_info: ModelInfo, name: str) -> int | None:
    """The whole number in a constant of one element; None for other values, and if there is none."""
    value = np.asarray(model_info.constant(name)) if name else np.asarray(None)
    return int(value.item()) if value.size == 1 and value.dtype.kind == "i" else None


def _folded(model_info: ModelInfo, node: NodeProto) -> list[Any] | None:
    """`Col2Im` of images as a transposed convolution."""
    x, image, block = node.input
    sizes, kind = model_info.sizes(x), model_info.kinds.get(x)
    image, block = model_info.constant(image), model_info.constant(block)
    if sizes is None or kind not in _FLOATS or image is None or block is None or len(image) != 2:
        return None
    element = model_info.helper.tensor_dtype_to_np_dtype(kind)
    return folded(Nodes(model_info.helper, node), x, sizes, image, block, attributes_of(node), element)


def _sampled(model_info: ModelInfo, node: NodeProto) -> list[Any] | None:
    """`GridSample` of images, of the nearest element or linear, as selections of elements."""
    (x, grid), options = node.input, attributes_of(node)
    sizes, places, kind = model_info.sizes(x), model_info.sizes(grid), model_info.kinds.get(x)
    is_other = options.get("mode") in ("bicubic", "cubic") or options.get("padding_mode") == "reflection"
    if sizes is None or places is None or len(sizes) != _IMAGE or kind not in _FLOATS or is_other:
        return None
    if model_info.kinds.get(grid) != kind:
        return None
    element = model_info.helper.tensor_dtype_to_np_dtype(kind)
    return sampled(Nodes(model_info.helper, node), x, grid, sizes, places, options, element)


def _transposed_convolution(model_info: ModelInfo, node: NodeProto) -> list[Any] | None:
    """A transposed convolution with equal padding on both sides, and a slice of it. torch-mlir supports no other padding."""
    sizes, filters, attributes = *map(model_info.sizes, node.input[:2]), attributes_of(node)
    mode = attributes.pop("auto_pad", "NOTSET")
    if sizes is None or filters is None:
        return None
    dims = range(len(sizes) - 2)
    shape, pads = attributes.pop("output_shape", None), attributes.pop("pads", [0] * 2 * len(dims))
    steps, dilations, more = (
        attributes.get(n, [default] * len(dims)) for n, default in (("strides", 1), ("dilations", 1), ("output_padding", 0))
    )
    places = [steps[d] * (sizes[d + 2] - 1) + more[d] + (filters[d + 2] - 1) * dilations[d] + 1 for d in dims]
    begins, ends = pads[: len(dims)], pads[len(dims) :]
    if mode in ("SAME_UPPER", "SAME_LOWER") or shape:
        totals = [places[d] - (shape[d] if shape else sizes[d + 2] * steps[d]) for d in dims]
        begins = [t // 2 if mode == "SAME_UPPER" else t - t // 2 for t in totals]
        ends = [t - b for t, b in zip(totals, begins, strict=True)]
    elif begins == ends:
        return None
    if min(*begins, *ends) < 0:
        return None
    return transposed(Nodes(model_info.helper, node), node.input, places, begins, ends, **attributes)


_AXIS_OF_DFT_AS_INPUT = 20
"""The opset from which on DFT has its axis as an input."""
_IMAGE = 4
"""The rank of a batch of images."""
_VOLUME = 5
"""The rank of a batch of volumes."""
_PADDING_AS_INPUT = 11
"""The opset from which on Pad has its padding as an input."""
_FLOATS = (1, 11)
"""The element types f32 and f64."""

RULES: dict[str, Callable[[ModelInfo, Any], list[Any] | None]] = {
    "Conv": _convolution,
    "DepthToSpace": _depth_to_space,
    "DFT": _transform,
    "STFT": _spectrogram,
    "Col2Im": _folded,
    "GridSample": _sampled,
    "ConvTranspose": _transposed_convolution,
}
