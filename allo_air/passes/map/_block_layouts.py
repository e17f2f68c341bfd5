"""Layouts of a convolution's operands and result, in blocks of micro-tiles. Each function lists the dimensions from the
outermost on.
"""

from __future__ import annotations

from allo_air.access.layout import Layout
from allo_air.passes.map._blocks import Blocks
from allo_air.passes.map._convolution import GROUP_CHANNELS, Convolution


def of_image(conv: Convolution, blocks: Blocks) -> Layout:
    """Dimensions: batch, block (two), group if any, block of channels, row, column, pixel of a micro-tile, channel."""
    down, right = ([size * factor for size in _block_strides(blocks)[axis]] for axis, factor in conv.strides.items())
    spacing = blocks.y * conv.strides["h"] if blocks.along == "h" else blocks.x * conv.strides["w"]
    rows = {
        "n": [0, 1, 0, 0, 0, 0, 0, 0, 0],
        "h": [-conv.low["h"], 0, *down, 0, 1, 0, spacing * (blocks.along == "h"), 0],
        "w": [-conv.low["w"], 0, *right, 0, 0, 1, spacing * (blocks.along == "w"), 0],
        "c": [0, 0, 0, 0, blocks.k, 0, 0, 0, 1],
        "f": [0, 0, 0, 0, blocks.n, 0, 0, 0, 1],
    }
    if conv.in_groups:
        rows["f"] = rows["c"]
    if conv.is_grouped:
        rows = {axis: [*row[:4], GROUP_CHANNELS * (axis == "f"), *row[4:]] for axis, row in rows.items()}
        rows["g"] = [0, 0, 0, 0, 1, 0, 0, 0, 0, 0]
    return Layout.of([rows[axis] for axis in conv.axes[0]], conv.outside)


def of_weights(conv: Convolution, blocks: Blocks) -> Layout:
    """Dimensions: block of channels, block of image channels, micro-tile of channels, window (two), image channel, channel.

    Each group is a block of channels. Depthwise convolutions have no block of image channels. In groups of eight depthwise
    channels, the elements off the diagonal are outside of the host's array.
    """
    rows = {
        "g": [0, 1, 0, 0, 0, 0, 0, 0],
        "f": [0, _channels(conv, blocks), 0, blocks.n, 0, 0, 0, 1],
        "c": [0, 0, blocks.k, 0, 0, 0, 1, 0],
        "u": [0, 0, 0, 0, 1, 0, 0, 0],
        "v": [0, 0, 0, 0, 0, 1, 0, 0],
    }
    if conv.in_groups:
        beyond = GROUP_CHANNELS * blocks.counts[1]
        rows["f"] = [0, GROUP_CHANNELS, beyond * blocks.k, 0, 0, 0, beyond, 1 - beyond]
    if conv.is_depthwise:
        rows = {axis: [row[d] for d in (0, 1, 3, 4, 5, 7)] for axis, row in rows.items()}
    return Layout.of([rows[axis] for axis in conv.axes[1]])


def of_result(conv: Convolution, blocks: Blocks, axes: str) -> Layout:
    """Dimensions: batch, block (two), block of channels, micro-tile of these, row, column, pixel of a tile, channel.

    `axes` are the letters of the host's dimensions; for an operand with one element that is broadcast they differ from the
    result's.
    """
    rows = {
        "n": [0, 1, 0, 0, 0, 0, 0, 0, 0, 0],
        "g": [0, 0, 0, 0, 1, 0, 0, 0, 0, 0],
        "h": [0, 0, *_block_strides(blocks)["h"], 0, 0, 1, 0, blocks.y * (blocks.along == "h"), 0],
        "w": [0, 0, *_block_strides(blocks)["w"], 0, 0, 0, 1, blocks.x * (blocks.along == "w"), 0],
        "f": [0, 0, 0, 0, _channels(conv, blocks), blocks.n, 0, 0, 0, 1],
    }
    return Layout.of([rows.get(axis, [0] * 10) for axis in axes])


def of_channels(conv: Convolution, blocks: Blocks, axes: str) -> Layout:
    """The layout of an operand that varies by channel only. Dimensions: block of channels, micro-tile of these, pixel,
    channel.
    """
    rows = {"g": [0, 1, 0, 0, 0], "f": [0, _channels(conv, blocks), blocks.n, 0, 1]}
    return Layout.of([rows.get(axis, [0] * 5) for axis in axes])


def host_dimensions(conv: Convolution, blocks: Blocks) -> dict[str, list[int]]:
    """The dimensions of a packed result that form one host dimension, by its letter, in order."""
    sides = {"n": [0], "g": [], "f": [3, 4, 8], "h": [1, 2, 5], "w": [6]}
    if blocks.per_row > 1:
        sides |= {"h": [1, 5], "w": [2, 6]}
    sides[blocks.along].insert(-1, 7)
    return sides | {"g": [3], "f": [4, 8]} if "g" in conv.axes[2] else sides


def _channels(conv: Convolution, blocks: Blocks) -> int:
    """The number of channels in a block of the host's dimension; 0 if a block is a group."""
    return 0 if "g" in conv.axes[2] else blocks.f * blocks.n


def _block_strides(blocks: Blocks) -> dict[str, list[int]]:
    """The distance, in rows and columns of result pixels, from one block to the next in each of the two block dimensions."""
    if blocks.per_row > 1:
        return {"h": [blocks.rows, 0], "w": [0, blocks.columns]}
    return {"h": [blocks.rows * blocks.down, blocks.rows], "w": [0, 0]}
