"""Rewrites Fourier transforms and `Col2Im` of ONNX, which torch-mlir does not lower, as products and convolutions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from allo_air.importers.onnx_convolutions import transposed
from allo_air.importers.onnx_nodes import Nodes

if TYPE_CHECKING:
    from collections.abc import Sequence


Options: TypeAlias = "dict[str, Any]"
"""The attributes of a node, by name."""


def transform(
    nodes: Nodes, x: str, sizes: Sequence[int], axis: int, count: int, *, inverse: bool, half: bool, kind: np.dtype
) -> Nodes:
    """The discrete Fourier transform of `count` elements along `axis` of `x`, whose last dimension has one or two parts.

    With `half`, the first half of the spectrum is the result, or the input if it is `inverse`.
    """
    rank, parts, size = len(sizes), sizes[-1], sizes[axis]
    from_half, to_half = half and inverse, half and not inverse
    columns = count // 2 + 1 if to_half else count
    rows = min(size, count // 2 + 1 if from_half else count)
    sign = 1 if inverse else -1
    turns = 2 * math.pi / count * (np.arange(rows)[:, None] * np.arange(columns) % count)
    real, imag = np.cos(turns), sign * np.sin(turns)
    if inverse:
        real, imag = real / count, imag / count
    if from_half:
        weights = np.where((np.arange(rows) == 0) | (2 * np.arange(rows) == count), 1.0, 2.0)[:, None]
        real, imag = real * weights, imag * weights
    matrix = np.zeros((size, parts, columns, 2))
    matrix[:rows, 0, :, 0], matrix[:rows, 0, :, 1] = real, imag
    if parts == 2:
        matrix[:rows, 1, :, 0], matrix[:rows, 1, :, 1] = -imag, real
    if from_half:
        matrix = matrix[..., :1]
    order = [d for d in range(rank) if d not in (axis, rank - 1)] + [axis, rank - 1]
    outer = [sizes[d] for d in order[:-2]]
    value = nodes.add("Transpose", [x], "turned", perm=order)
    value = nodes.reshaped(value, [*outer, size * parts], "row")
    table = nodes.constant(matrix.reshape(size * parts, -1).astype(kind), "waves")
    value = nodes.add("MatMul", [value, table], "product")
    value = nodes.reshaped(value, [*outer, columns, matrix.shape[-1]], "spectrum")
    nodes.add("Transpose", [value], perm=np.argsort(order).tolist())
    return nodes


def spectrogram(
    nodes: Nodes, x: str, sizes: Sequence[int], step: int, window: np.ndarray, *, half: bool, kind: np.dtype
) -> Nodes:
    """The short-time Fourier transform of a batch of real signals: a convolution with windowed waves."""
    count = len(window)
    columns = count // 2 + 1 if half else count
    turns = 2 * math.pi / count * (np.arange(columns)[:, None] * np.arange(count) % count)
    filters = np.stack([np.cos(turns), -np.sin(turns)], 1) * window
    frames = (sizes[1] - count) // step + 1
    value = nodes.reshaped(x, [sizes[0], 1, sizes[1]], "row")
    table = nodes.constant(filters.reshape(2 * columns, 1, count).astype(kind), "waves")
    value = nodes.add("Conv", [value, table], "product", strides=[step])
    value = nodes.reshaped(value, [sizes[0], columns, 2, frames], "spectrum")
    nodes.add("Transpose", [value], perm=[0, 3, 1, 2])
    return nodes


def folded(
    nodes: Nodes, x: str, sizes: Sequence[int], image: Sequence[int], block: Sequence[int], options: Options, kind: np.dtype
) -> Nodes | None:
    """`Col2Im` of images: a transposed convolution that places each element of a block, a group for each channel.

    None if the blocks are not those of the image.
    """
    strides, dilations = options.get("strides", [1, 1]), options.get("dilations", [1, 1])
    pads, places = options.get("pads", [0] * 4), math.prod(block)
    padded = [size + pads[d] + pads[d + 2] for d, size in enumerate(image)]
    ends = [p - dilations[d] * (block[d] - 1) - 1 for d, p in enumerate(padded)]
    counts = [e // s + 1 for e, s in zip(ends, strides, strict=True)]
    if sizes[1] % places or sizes[2] != math.prod(counts):
        return None
    rest = [e % s for e, s in zip(ends, strides, strict=True)]
    channels = sizes[1] // places
    table = np.tile(np.eye(places).reshape(places, 1, *block), (channels, 1, 1, 1)).astype(kind)
    value = nodes.reshaped(x, [sizes[0], sizes[1], *counts], "blocks")
    attributes = {"strides": strides, "dilations": dilations, "output_padding": rest, "group": channels}
    return transposed(nodes, [value, nodes.constant(table, "places")], padded, pads[:2], pads[2:], **attributes)


def sampled(
    nodes: Nodes, x: str, grid: str, sizes: Sequence[int], places: Sequence[int], options: Options, kind: np.dtype
) -> Nodes:
    """`GridSample` of images: elements at computed places, weighted by their distance; `options` are the attributes.

    Places outside of the image have weight 0, or are moved to its border. Indices never leave the image.
    """
    count, channels, height, width = sizes
    spots = places[1] * places[2]

    def number(value: float) -> str:
        return nodes.constant(kind.type(value), f"{len(nodes)}/number")

    def node(op: str, *inputs: str, **attributes: object) -> str:
        return nodes.add(op, inputs, f"{len(nodes)}/{op}", **attributes)

    def clipped(value: str, size: int) -> str:
        return node("Min", node("Max", value, number(0)), number(size - 1))

    def position(part: int, size: int) -> str:
        """The row or column of each place, in elements: at most one outside of the image, also for infinities and NaN."""
        value = node("Gather", grid, nodes.constant(np.asarray(part), f"{part}/part"), axis=3)
        value = nodes.reshaped(value, [count, 1, spots], f"{part}/places")
        factor, start = ((size - 1) / 2, (size - 1) / 2) if options.get("align_corners") else (size / 2, (size - 1) / 2)
        value = node("Add", node("Mul", value, number(factor)), number(start))
        first, last = (0, size - 1) if options.get("padding_mode") == "border" else (-1, size)
        value = node("Where", node("GreaterOrEqual", value, number(first)), value, number(first))
        return node("Min", value, number(last))

    def neighbours(part: int, size: int) -> list[tuple[str, str]]:
        """The elements next to each place along one dimension, and their weights."""
        place = position(part, size)
        if options.get("mode") == "nearest":
            pairs = [(node("Round", place), number(1))]
        else:
            low = node("Floor", place)
            high, share = node("Add", low, number(1)), node("Sub", place, low)
            pairs = [(low, node("Sub", number(1), share)), (high, share)]
        results = []
        for index, weight in pairs:
            inside = clipped(index, size)
            is_inside = node("Cast", node("Equal", index, inside), to=nodes.kind_of(kind))
            results.append((inside, node("Mul", weight, is_inside)))
        return results

    pixels, total = nodes.reshaped(x, [count, channels, height * width], "pixels"), ""
    shape = nodes.constant(np.asarray([count, channels, spots]), "spots")
    columns = neighbours(0, width)
    for row, row_weight in neighbours(1, height):
        for column, weight in columns:
            index = node("Cast", node("Add", node("Mul", row, number(width)), column), to=_INT64)
            element = node("GatherElements", pixels, node("Expand", index, shape), axis=2)
            element = node("Mul", element, node("Mul", weight, row_weight))
            total = node("Add", total, element) if total else element
    nodes.add("Reshape", [total, nodes.constant(np.asarray([count, channels, *places[1:3]]), "image")])
    return nodes


_INT64 = 7
"""The type of indices."""
