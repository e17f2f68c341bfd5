"""Layouts of a convolution's operands and result, in blocks of micro-tiles. Each function lists the dimensions from the
outermost on.
"""

from __future__ import annotations

from allo_air.access.layout import Layout
from allo_air.passes.map._blocks import Blocks
from allo_air.passes.map._convolution import EIGHT, Convolution


def of_image(conv: Convolution, b: Blocks) -> Layout:
    """Dimensions: batch, block (two), group if any, block of channels, row, column, pixel of a micro-tile, channel."""
    down, right = ([size * factor for size in _block_strides(b)[axis]] for axis, factor in conv.strides.items())
    spacing = b.y * conv.strides["h"] if b.along == "h" else b.x * conv.strides["w"]
    rows = {
        "n": [0, 1, 0, 0, 0, 0, 0, 0, 0],
        "h": [-conv.low["h"], 0, *down, 0, 1, 0, spacing * (b.along == "h"), 0],
        "w": [-conv.low["w"], 0, *right, 0, 0, 1, spacing * (b.along == "w"), 0],
        "c": [0, 0, 0, 0, b.k, 0, 0, 0, 1],
        "f": [0, 0, 0, 0, b.n, 0, 0, 0, 1],
    }
    if conv.in_eights:
        rows["f"] = rows["c"]
    if conv.is_grouped:
        rows = {axis: [*row[:4], EIGHT * (axis == "f"), *row[4:]] for axis, row in rows.items()}
        rows["g"] = [0, 0, 0, 0, 1, 0, 0, 0, 0, 0]
    return Layout.of([rows[axis] for axis in conv.axes[0]], conv.outside)


def of_weights(conv: Convolution, b: Blocks) -> Layout:
    """Dimensions: block of channels, block of the image's, micro-tile of channels, window, the image's channel, channel.

    Each group is a block of channels. Depthwise convolutions have no block of image channels. In groups of eight depthwise
    channels, the elements off the diagonal are outside of the host's array.
    """
    rows = {
        "g": [0, 1, 0, 0, 0, 0, 0, 0],
        "f": [0, _channels(conv, b), 0, b.n, 0, 0, 0, 1],
        "c": [0, 0, b.k, 0, 0, 0, 1, 0],
        "u": [0, 0, 0, 0, 1, 0, 0, 0],
        "v": [0, 0, 0, 0, 0, 1, 0, 0],
    }
    if conv.in_eights:
        beyond = EIGHT * b.counts[1]
        rows["f"] = [0, EIGHT, beyond * b.k, 0, 0, 0, beyond, 1 - beyond]
    if conv.is_depthwise:
        rows = {axis: [row[d] for d in (0, 1, 3, 4, 5, 7)] for axis, row in rows.items()}
    return Layout.of([rows[axis] for axis in conv.axes[1]])


def of_result(conv: Convolution, b: Blocks, axes: str) -> Layout:
    """Dimensions: batch, block (two), block of channels, micro-tile of these, row, column, pixel of a tile, channel.

    `axes` are the letters of the host's dimensions; for an operand with one element that is broadcast they differ from the
    result's.
    """
    rows = {
        "n": [0, 1, 0, 0, 0, 0, 0, 0, 0, 0],
        "g": [0, 0, 0, 0, 1, 0, 0, 0, 0, 0],
        "h": [0, 0, *_block_strides(b)["h"], 0, 0, 1, 0, b.y * (b.along == "h"), 0],
        "w": [0, 0, *_block_strides(b)["w"], 0, 0, 0, 1, b.x * (b.along == "w"), 0],
        "f": [0, 0, 0, 0, _channels(conv, b), b.n, 0, 0, 0, 1],
    }
    return Layout.of([rows.get(axis, [0] * 10) for axis in axes])


def of_channels(conv: Convolution, b: Blocks, axes: str) -> Layout:
    """The layout of an operand that varies by channel only. Dimensions: block of channels, micro-tile of these, pixel,
    channel.
    """
    rows = {"g": [0, 1, 0, 0, 0], "f": [0, _channels(conv, b), b.n, 0, 1]}
    return Layout.of([rows.get(axis, [0] * 5) for axis in axes])


def side_by_side(conv: Convolution, b: Blocks) -> dict[str, list[int]]:
    """The dimensions of a packed result that form one host dimension, by its letter, in order."""
    sides = {"n": [0], "g": [], "f": [3, 4, 8], "h": [1, 2, 5], "w": [6]}
    if b.per_row > 1:
        sides |= {"h": [1, 5], "w": [2, 6]}
    sides[b.along].insert(-1, 7)
    return sides | {"g": [3], "f": [4, 8]} if "g" in conv.axes[2] else sides


def _channels(conv: Convolution, b: Blocks) -> int:
    """The number of channels in a block of the host's dimension; 0 if a block is a group."""
    return 0 if "g" in conv.axes[2] else b.f * b.n


def _block_strides(b: Blocks) -> dict[str, list[int]]:
    """The distance, in rows and columns of result pixels, from one block to the next in each of the two block dimensions."""
    if b.per_row > 1:
        return {"h": [b.rows, 0], "w": [0, b.columns]}
    return {"h": [b.rows * b.down, b.rows], "w": [0, 0]}
