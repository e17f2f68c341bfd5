"""Rewrites padding, pooling, regions of images and selections of ONNX that torch-mlir lacks or gets wrong."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.importers.onnx_about import ModelInfo, attributes_of
from allo_air.importers.onnx_nodes import Nodes

if TYPE_CHECKING:
    from onnx import NodeProto


def _padded(model_info: ModelInfo, node: NodeProto) -> list[Any] | None:
    """A `Pad` that wraps around, crops, or names its axes: as slices, a concatenation, or a pad of all dimensions.

    torch-mlir's passes do not end on the first, and crop wrongly.
    """
    x, *rest = node.input
    amounts_name, value, axes_name = [*rest, "", "", ""][:3]
    sizes, amounts = model_info.sizes(x), model_info.constant(amounts_name) if amounts_name else None
    axes = model_info.constant(axes_name) if axes_name else None
    if sizes is None or amounts is None or (axes_name and axes is None):
        return None
    mode = attributes_of(node).get("mode") or "constant"
    if min(amounts, default=0) >= 0 and mode != "wrap" and axes is None:
        return None
    dims = range(len(sizes)) if axes is None else [a % len(sizes) for a in axes]
    half = len(amounts) // 2
    before, after = dict(zip(dims, amounts[:half], strict=True)), dict(zip(dims, amounts[half:], strict=True))
    nodes = Nodes(model_info.helper, node)
    steps = list[tuple[int, int, int]]()
    for dim in sorted(before):
        size = sizes[dim] + min(before[dim], 0) + min(after[dim], 0)
        if size < sizes[dim]:
            steps.append((dim, max(-before[dim], 0), max(-before[dim], 0) + size))
    for dim, start, end in steps:
        x = _slice(nodes, x, dim, start, end, f"{dim}/cropped")
    begins, ends = ([max(part.get(d, 0), 0) for d in range(len(sizes))] for part in (before, after))
    if mode != "wrap":
        amounts_name = nodes.constant(np.asarray([*begins, *ends], np.int64), "amounts")
        nodes.add("Pad", [x, amounts_name, *([value] if value else [])], mode=mode)
        return nodes
    for dim, (begin, end) in enumerate(zip(begins, ends, strict=True)):
        count = sizes[dim] + min(before.get(dim, 0), 0) + min(after.get(dim, 0), 0)
        runs = _runs([(place - begin) % count for place in range(begin + count + end)]) if begin or end else ()
        parts = [_slice(nodes, x, dim, start, stop, f"{dim}/{n}") for n, (start, stop) in enumerate(runs)]
        x = nodes.add("Concat", parts, f"{dim}/wrapped", axis=dim) if parts else x
    nodes.add("Identity", [x])
    return nodes


def _slice(nodes: Nodes, x: str, dim: int, start: int, end: int, called: str) -> str:
    bounds = [nodes.constant(np.asarray([n]), f"{called}/{m}") for m, n in enumerate((start, end, dim))]
    return nodes.add("Slice", [x, *bounds], called)


def _runs(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Start and end of each run of successive numbers."""
    start = 0
    for n in range(1, len(places) + 1):
        if n == len(places) or places[n] != places[n - 1] + 1:
            yield places[start], places[n - 1] + 1
            start = n


def _averaged(model_info: ModelInfo, node: NodeProto) -> list[Any] | None:
    """An `AveragePool` whose last windows may stick out of the image: of a padded image, times the share of its elements.

    torch-mlir divides all windows by the same number.
    """
    sizes, results, kind = (
        model_info.sizes(node.input[0]),
        model_info.sizes(node.output[0]),
        model_info.kinds.get(node.input[0]),
    )
    options = attributes_of(node)
    if not options.pop("ceil_mode", 0) or sizes is None or results is None or kind not in _FLOATS:
        return None
    if options.pop("auto_pad", "NOTSET") != "NOTSET":
        return None
    window = options["kernel_shape"]
    rank = len(window)
    pads, strides, dilations = (
        options.get(n, d) for n, d in (("pads", [0] * 2 * rank), ("strides", [1] * rank), ("dilations", [1] * rank))
    )
    counts_padding = options.pop("count_include_pad", 0)
    begins, ends, shares = pads[:rank], list[int](), np.ones([1] * (rank + 2))
    for dim in range(rank):
        size, end, most = sizes[dim + 2], pads[rank + dim], results[dim + 2]
        taps = np.arange(most)[:, None] * strides[dim] + np.arange(window[dim]) * dilations[dim] - begins[dim]
        least, limit = (-begins[dim], size + end) if counts_padding else (0, size)
        count = ((taps >= least) & (taps < limit)).sum(1)
        shares = shares * (window[dim] / np.maximum(count, 1)).reshape([-1 if d == dim + 2 else 1 for d in range(rank + 2)])
        ends.append(max(end, int(taps.max()) + 1 - size))
    nodes, element = Nodes(model_info.helper, node), model_info.helper.tensor_dtype_to_np_dtype(kind)
    amounts = nodes.constant(np.asarray([0, 0, *begins, 0, 0, *ends], np.int64), "amounts")
    value = nodes.add("Pad", [node.input[0], amounts], "padded")
    options = {name: options[name] for name in ("kernel_shape", "strides", "dilations") if name in options}
    value = nodes.add("AveragePool", [value], "mean", **options)
    nodes.add("Mul", [value, nodes.constant(shares.astype(element), "shares")])
    return nodes


def _placed(model_info: ModelInfo, node: NodeProto) -> list[Any] | None:
    """The positions of maxima (`MaxPool`) in the whole input; torch-mlir counts them in each channel."""
    sizes = model_info.sizes(node.input[0])
    if sizes is None or not any(node.output[1:2]):
        return None
    nodes, [values, places] = Nodes(model_info.helper, node), node.output
    inner = f"{values}/places"
    nodes.append(type(node).FromString(node.SerializeToString()))
    nodes[0].output[1] = inner
    channels = np.arange(sizes[0] * sizes[1]).reshape(*sizes[:2], *[1] * (len(sizes) - 2)) * math.prod(sizes[2:])
    nodes.append(model_info.helper.make_node("Add", [inner, nodes.constant(channels, "channels")], [places], node.name))
    return nodes


def _regions(model_info: ModelInfo, node: NodeProto) -> list[Any] | None:
    """Means of interpolated samples in regions (`RoiAlign`) as products with matrices of weights, computed for each region.

    None if the number of samples depends on data, and for maxima.
    """
    x, boxes, batch = node.input
    sizes, shape, kind = model_info.sizes(x), model_info.sizes(boxes), model_info.kinds.get(x)
    options, scales = attributes_of(node), [a.f for a in node.attribute if a.name == "spatial_scale"]
    samples, mode = options.get("sampling_ratio", 0), options.get("mode") or "avg"
    if sizes is None or shape is None or kind not in _FLOATS or samples < 1 or mode != "avg" or model_info.opset < _REGIONS:
        return None
    default = "half_pixel" if model_info.opset >= _REGIONS_FROM_HALF else "output_half_pixel"
    from_half = (options.get("coordinate_transformation_mode") or default) == "half_pixel"
    nodes, element = Nodes(model_info.helper, node), model_info.helper.tensor_dtype_to_np_dtype(kind)

    def number(value: float | np.ndarray, called: str) -> str:
        return nodes.constant(np.asarray(value, element), called)

    scaled = nodes.add("Mul", [boxes, number(scales[0] if scales else 1.0, "scale")], "scaled")
    if from_half:
        scaled = nodes.add("Sub", [scaled, number(0.5, "half")], "moved")

    def weights(part: int, size: int, count: int, called: str) -> str:
        """The weights [regions, count, size] of the elements of one dimension."""
        low, high = (_slice(nodes, scaled, 1, n, n + 1, f"{called}/{n}") for n in (part, part + 2))
        length = nodes.add("Sub", [high, low], f"{called}/length")
        if not from_half:
            length = nodes.add("Max", [length, number(1, f"{called}/least")], f"{called}/longer")
        shares = (np.arange(count * samples) + 0.5) / (count * samples)
        offset = nodes.add("Mul", [length, number(shares[None], f"{called}/shares")], f"{called}/offset")
        place = nodes.add("Add", [low, offset], f"{called}/place")
        first = nodes.add("GreaterOrEqual", [place, number(-1, f"{called}/first")], f"{called}/behind")
        last = nodes.add("LessOrEqual", [place, number(size, f"{called}/last")], f"{called}/before")
        inside = nodes.add("And", [first, last], f"{called}/inside")
        place = nodes.add("Max", [place, number(0, f"{called}/zero")], f"{called}/from")
        place = nodes.add("Min", [place, number(size - 1, f"{called}/end")], f"{called}/to")
        place = nodes.reshaped(place, [shape[0], count * samples, 1], f"{called}/column")
        away = nodes.add(
            "Abs", [nodes.add("Sub", [place, number(np.arange(size), f"{called}/row")], f"{called}/away")], f"{called}/far"
        )
        near = nodes.add("Relu", [nodes.add("Sub", [number(1, f"{called}/one"), away], f"{called}/rest")], f"{called}/near")
        inside = nodes.reshaped(
            nodes.add("Cast", [inside], f"{called}/ones", to=kind), [shape[0], count * samples, 1], f"{called}/in"
        )
        near = nodes.add("Mul", [near, inside], f"{called}/weights")
        means = np.kron(np.eye(count), np.full((1, samples), 1 / samples))
        value = nodes.add("MatMul", [number(means, f"{called}/means"), near], f"{called}/mean")
        return nodes.reshaped(value, [shape[0], 1, count, size], f"{called}/matrix")

    rows = weights(1, sizes[2], options.get("output_height", 1), "rows")
    columns = weights(0, sizes[3], options.get("output_width", 1), "columns")
    columns = nodes.add("Transpose", [columns], "columns/turned", perm=[0, 1, 3, 2])
    images = x if sizes[0] == 1 else nodes.add("Gather", [x, batch], "images", axis=0)
    nodes.add("MatMul", [nodes.add("MatMul", [rows, images], "high"), columns])
    return nodes


def _compress(model_info: ModelInfo, node: NodeProto) -> list[Any] | None:
    """A `Compress` with a known condition, whose size is known therefore: the elements at its positions."""
    [x, condition], options = node.input, attributes_of(node)
    sizes, mask = model_info.sizes(x), model_info.constant(condition)
    if mask is None or sizes is None:
        return None
    nodes = Nodes(model_info.helper, node)
    places = nodes.constant(np.flatnonzero(mask), "places")
    if "axis" not in options:
        x = nodes.reshaped(x, [-1], "row")
    nodes.add("Gather", [x, places], axis=options.get("axis", 0))
    return nodes


def _normalized(model_info: ModelInfo, node: NodeProto) -> list[Any] | None:
    """`LRN` over an even number of channels, where torch-mlir's window is one channel off: a quotient by powers of means."""
    [x], floats = node.input, {a.name: a.f for a in node.attribute}
    shape, count = model_info.sizes(x), attributes_of(node)["size"]
    if count % 2 or not shape or model_info.kinds.get(x) not in _FLOATS or model_info.opset < _COUNTS_PADDING:
        return None
    nodes = Nodes(model_info.helper, node)
    element = model_info.helper.tensor_dtype_to_np_dtype(model_info.kinds[x])
    names = (("alpha", 1e-4), ("beta", 0.75), ("bias", 1.0))
    alpha, beta, bias = (nodes.constant(element.type(floats.get(name, least)), name) for name, least in names)
    columns = [shape[0], 1, shape[1], math.prod(shape[2:])]
    squares = nodes.reshaped(nodes.add("Mul", [x, x], "squares"), columns, "columns")
    before = (count - 1) // 2
    window = {"kernel_shape": [count, 1], "pads": [before, 0, count - 1 - before, 0], "count_include_pad": 1}
    means = nodes.reshaped(nodes.add("AveragePool", [squares], "windows", **window), shape, "means")
    total = nodes.add("Add", [nodes.add("Mul", [means, alpha], "scaled"), bias], "total")
    nodes.add("Div", [x, nodes.add("Pow", [total, beta], "divisor")])
    return nodes


_FLOATS = (1, 11)
"""The element types f32 and f64."""
_COUNTS_PADDING = 7
"""The opset from which on AveragePool can count its padding."""
_REGIONS = 13
"""The opset from which on the operators of `_regions` have their present form."""
_REGIONS_FROM_HALF = 16
"""The opset from which on pixels of RoiAlign have their center at one half by default."""

RULES: dict[str, Callable[[ModelInfo, Any], list[Any] | None]] = {
    "Pad": _padded,
    "AveragePool": _averaged,
    "MaxPool": _placed,
    "RoiAlign": _regions,
    "Compress": _compress,
    "LRN": _normalized,
}
