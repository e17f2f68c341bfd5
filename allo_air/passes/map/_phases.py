"""Strided convolutions of images with few channels, as convolutions without strides: pixels become channels.

With stride s, the s x s pixels of a cell become channels of one pixel, and a window of k x k pixels becomes one of
ceil(k/s) x ceil(k/s) cells. The cores multiply blocks of channels, which a few channels leave mostly empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import gcd, prod
from typing import Any

from allo_air.access.layout import Layout
from allo_air.core.walking import is_result_of
from allo_air.mlir import ir, tensor
from allo_air.passes._analysis.kernels import calls_of
from allo_air.passes._ir.packing import pack
from allo_air.passes.map._blocks import Blocks
from allo_air.passes.map._convolution import Convolution
from allo_air.passes.map._packed_kernels import Packing

FEW = 8
"""Channels of the cores' smallest blocks. With as many, a block has no empty channels."""


def in_phases(function: ir.Operation, conv: Convolution) -> Convolution | None:
    """`conv`, of `function`, with pixels as channels; None if it has no strides, or if callers would need kernels for that."""
    s, calls = conv.strides, calls_of(function)
    if conv.is_depthwise or conv.is_grouped or prod(s.values()) == 1 or set(conv.dilations.values()) != {1} or conv.outside:
        return None
    is_constant = all(is_result_of(call.operands[conv.weights.arg_number], "arith.constant") for call in calls)
    if conv.extents["c"] >= FEW or conv.moved or not calls or not is_constant:
        return None
    extents = conv.extents | {
        "c": _channels(conv) * prod(s.values()),
        "u": -(-conv.extents["u"] // s["h"]),
        "v": -(-conv.extents["v"] // s["w"]),
    }
    return replace(conv, extents=extents, strides={"h": 1, "w": 1}, low={"h": 0, "w": 0})


def _channels(conv: Convolution) -> int:
    """The image's channels, with empty ones so that whole pixels fill a block: a power of two."""
    each = FEW // gcd(FEW, prod(conv.strides.values()))
    return max(each, 1 << (conv.extents["c"] - 1).bit_length())


def _digits(conv: Convolution, pixels: str) -> list[tuple[str, int]]:
    """The digits of a channel of cells, the least significant first: their letters (`pixels` has row and column) and sizes."""
    return [("c", _channels(conv)), (pixels[1], conv.strides["w"]), (pixels[0], conv.strides["h"])]


class PhasedPacking(Packing):
    """Rewrites a convolution as `phased`, which `in_phases` made of `conv`; callers pack cells of pixels as channels."""

    def __init__(self, function: ir.Operation, conv: Convolution, phased: Convolution, blocks: Blocks) -> None:
        super().__init__(function, phased, blocks)
        self.before, self.operands = conv, {conv.image: ("hw", conv.axes[0]), conv.weights: ("uv", conv.axes[1])}

    def packed(self, value: ir.Value, layout: Layout, argument: ir.BlockArgument) -> Any:
        """`value` in the layout of `argument`."""
        if argument not in self.operands:
            return super().packed(value, layout, argument)
        pixels, letters = self.operands[argument]
        low = self.before.low if pixels == "hw" else {}
        inner, digits = self._layout(layout, letters, pixels, list(argument.type.shape), low)
        value = pack(value, inner, [size for sizes in digits for size in sizes])
        ends = [sum(map(len, digits[: n + 1])) for n in range(len(digits))]
        groups = [list(range(end - len(sizes), end)) for end, sizes in zip(ends, digits, strict=True)]
        return tensor.CollapseShapeOp(argument.type, value, groups).result

    def _layout(
        self, layout: Layout, letters: str, pixels: str, shape: Sequence[int], low: dict[str, int]
    ) -> tuple[Layout, list[list[int]]]:
        """The layout of an operand whose dimensions have `letters`, from that of its cells, which has the packed `shape`.

        Each packed dimension is divided into the digits that `shape` has of channel, column and row of a cell; returns their
        sizes, too.
        """
        rows, strides = dict(zip(letters, layout.rows, strict=True)), self.before.strides
        parts = _divided(rows["c"][1:], shape, _digits(self.before, pixels))
        assert parts is not None, "blocks of channels that divide a cell's"
        step = {pixels[0]: strides["h"], pixels[1]: strides["w"]}
        result = []
        for axis in letters:
            constant, *factors = rows[axis] if axis != "c" else [0] * len(rows[axis])
            row = [constant * step.get(axis, 1) - low.get(axis, 0)]
            for factor, places in zip(factors, parts, strict=True):
                # a dimension of channels has no other meaning
                row += [f if own == axis else 0 for _, own, f in places] if places else [factor * step.get(axis, 1)]
            result.append(row)
        sizes = [[n for n, _, _ in places] if places else [n] for n, places in zip(shape, parts, strict=True)]
        return Layout.of(result, layout.outside), sizes


def fits(conv: Convolution, phased: Convolution, blocks: Blocks) -> bool:
    """Whether blocks of the channels of `phased` are made of whole channels, columns and rows of a cell."""
    shape = [blocks.counts[2], blocks.k]
    return prod(shape) == phased.extents["c"] and _divided([blocks.k, 1], shape, _digits(conv, "hw")) is not None


def _divided(
    factors: Sequence[int], shape: Sequence[int], digits: Sequence[tuple[str, int]]
) -> list[list[tuple[int, str, int]]] | None:
    """For each dimension of `shape` with a factor, its digits, the most significant first: size, letter, and factor in the
    letter's index; None if a dimension ends within a digit that its size does not divide.
    """
    parts: list[list[tuple[int, str, int]]] = [[] for _ in shape]
    rest = [(letter, size, 1) for letter, size in digits]
    for dim in sorted((d for d, factor in enumerate(factors) if factor), key=lambda d: factors[d]):
        left = shape[dim]
        while left > 1:
            while rest and rest[0][1] == 1:
                rest.pop(0)
            if not rest:
                return None
            letter, size, factor = rest[0]
            taken = min(left, size)
            if left % taken or size % taken:
                return None
            parts[dim].insert(0, (taken, letter, factor))
            rest[0] = (letter, size // taken, factor * taken)
            left //= taken
        parts[dim] = parts[dim] or [(1, "", 0)]
    return parts
