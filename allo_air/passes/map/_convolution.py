"""The convolution that a function computes: its pixel, channel and window dimensions, and its elementwise epilogue."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from allo_air.core.walking import defining_op, is_result_of
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.structured import indexing_maps, loop_extents, loops_in, reductions
from allo_air.passes._analysis.zeros import is_filled_with_zeros
from allo_air.passes.map._kernel import SETUP
from allo_air.passes.map._pads import padding

GROUP_CHANNELS = 8
"""Result channels of an integer contraction of the cores: the channels of a group of `in_groups`."""
AXES = "nghwfcuv"
"""Batch, group, row, column, channel of the result, channel of the image, row and column of the window."""

OF_CHANNELS = frozenset("gf.")
"""Letters of the dimensions that do not depend on the pixel."""


@dataclass(frozen=True)
class Convolution:
    """A convolution and its epilogue.

    `axes` give the letter of each dimension of the image, the weights and the result. Extents, strides and the like are by
    letter; those of rows are 1 for a convolution in one dimension. `epilogue` are the elementwise operations after it. In a
    depthwise convolution the image, the weights and the result have the same channels. A convolution with groups of several
    channels has the channels of one group, and a group dimension everywhere. With `in_groups`, a depthwise convolution of
    integers is computed in groups of `GROUP_CHANNELS`, with weights that are zero off the diagonal; its dimensions stay those
    of a depthwise one.
    """

    op: Any
    image: Any
    pad: Any
    axes: tuple[str, str, str]
    extents: dict[str, int]
    strides: dict[str, int]
    dilations: dict[str, int]
    low: dict[str, int]
    outside: int | float
    epilogue: tuple[Any, ...]
    in_groups: bool = False
    moved: float = 0.0
    """The share of the calls whose image comes from a kernel, so that it is packed on the device."""
    calls: int = 1

    @property
    def is_depthwise(self) -> bool:
        """Whether each channel is computed on its own."""
        return "f" in self.axes[0] and not self.in_groups

    @property
    def is_grouped(self) -> bool:
        """Whether there are groups of several channels each."""
        return "g" in self.axes[0] or self.in_groups

    @cached_property
    def element(self) -> str:
        return str(self.image.type.element_type)

    @cached_property
    def bits(self) -> tuple[int, int]:
        """Bits of an element of the image, and of the result."""
        return element_bits(self.image.type) or 8, element_bits(self.result.type) or 8

    @property
    def epilogue_operands(self) -> list[Any]:
        """The operands of the epilogue, except the convolution's result."""
        results = {op.results[0] for op in (self.op, *self.epilogue)}
        return list(dict.fromkeys(v for op in self.epilogue for v in list(op.operands)[:-1] if v not in results))

    @cached_property
    def other_bytes(self) -> list[tuple[int, bool]]:
        """For each of `epilogue_operands`: bytes of an element, and whether it varies by pixel."""
        return [((element_bits(v.type) or 8) // 8, not set(self.axes_of(v)) <= OF_CHANNELS) for v in self.epilogue_operands]

    def axes_of(self, value: ir.BlockArgument) -> str:
        """The letters of the dimensions of an epilogue operand; "." for a dimension of one element."""
        letters = self.axes[2]
        for op in self.epilogue:
            for operand, indexing in zip(op.operands, indexing_maps(op), strict=True):
                if operand == value:
                    dims = zip(indexing.results, value.type.shape, strict=True)
                    return "".join(letters[e.position] if n > 1 and isinstance(e, ir.AffineDimExpr) else "." for e, n in dims)
        raise AssertionError("an operand of the epilogue")

    @property
    def total(self) -> ir.Type:
        return self.op.results[0].type.element_type

    @property
    def weights(self) -> Any:
        return self.op.operands[1]

    @property
    def result(self) -> Any:
        return (self.epilogue[-1] if self.epilogue else self.op).results[0]


def split_arguments(conv: Convolution, block: ir.Block) -> list[int]:
    """Gives each argument one role: image, weights, or an epilogue operand that is read along the same dimensions.

    An argument with several roles is duplicated; returns which arguments are new.
    """
    parts: dict[Any, Any] = {conv.image: "image", conv.weights: "weights"}
    results: dict[Any, Any] = {}
    repeated: list[int] = []
    for op in conv.epilogue:
        for number, indexing in enumerate(indexing_maps(op)[:-1]):
            value = op.operands[number]
            if not isinstance(value, ir.BlockArgument) or parts.setdefault(value, indexing) == indexing:
                continue
            if (value, indexing) not in results:
                repeated.append(value.arg_number)
                results[value, indexing] = block.add_argument(value.type, value.location)
            op.operands[number] = results[value, indexing]
    return repeated


def convolution_of(function: ir.Operation) -> Convolution | None:
    """The convolution of arguments that `function` computes; None if it computes anything else."""
    [block] = function.regions[0].blocks
    ops = [o.operation for o in block.operations]
    rest = [o for o in ops if o.name not in (*SETUP, "linalg.fill", "tensor.pad")]
    returned = list(ops[-1].operands)
    if not rest or any(o.name != "linalg.generic" for o in rest) or len(returned) != 1:
        return None
    first, *following = rest
    value = first.results[0]
    for op in following:
        if any(reductions(op)) or len(op.results) != 1 or not _reads_alike(op, value) or len(list(value.uses)) != 1:
            return None
        value = op.results[0]
    if returned != [value] or not all(isinstance(a.type, ir.RankedTensorType) for a in block.arguments):
        return None
    result = _convolution_of(first, tuple(following))
    return result if result is not None and result.image != result.weights else None


def _convolution_of(op: ir.Operation, following: tuple[AnyOp, ...]) -> Convolution | None:
    from allo_air.mlir import linalg

    result = linalg.infer_convolution_dimensions(op) if linalg.isa_convolution_op(op) else None
    if result is None or len(op.operands) != 3 or not _sums_products(op):
        return None
    images, windows = list(result.output_image), list(result.filter_loop)
    channels = [len(list(d)) for d in (result.depth, result.output_channel, result.input_channel)]
    if len(images) not in (1, 2) or channels not in ([0, 1, 1], [1, 0, 0], [1, 1, 1]):
        return None
    letters = dict(zip(images, "hw"[-len(images) :], strict=True)) | dict(zip(windows, "uv"[-len(windows) :], strict=True))
    letters |= dict.fromkeys(result.batch, "n") | dict.fromkeys(result.input_channel, "c")
    letters |= dict.fromkeys(result.output_channel, "f") | dict.fromkeys(result.depth, "g" if channels[1] else "f")
    if len(list(result.batch)) > 1 or len(letters) != len(loop_extents(op)):
        return None
    maps = indexing_maps(op)
    axes = tuple("".join(_letter(e, letters, images) for e in m.results) for m in maps)
    image = op.operands[0]
    pad = defining_op(image)
    if pad is not None:
        if padding(pad) is None:
            return None
        image = pad.operands[0]
    low, outside = _padded(pad, axes[0])
    if outside is None or not all(isinstance(v, ir.BlockArgument) for v in (image, op.operands[1])):
        return None
    extents = dict.fromkeys(AXES, 1)
    for value, own in zip(op.operands, axes, strict=True):
        extents |= {a: e for a, e in zip(own, value.type.shape, strict=True) if a not in "hw" or value == op.operands[2]}
    spread = dict(zip("hw"[-len(images) :], result.strides, strict=True))
    dilations = dict(zip("hw"[-len(images) :], result.dilations, strict=True))
    unit = {"h": 1, "w": 1}
    kinds = {str(v.type.element_type) for v in list(op.operands)[:2]}
    in_groups = "f" in axes[0] and len(kinds) == 1 and kinds <= {"i8", "i16"}
    if in_groups:
        extents |= {"g": -(-extents["f"] // GROUP_CHANNELS), "f": GROUP_CHANNELS, "c": GROUP_CHANNELS}
    return Convolution(op, image, pad, axes, extents, unit | spread, unit | dilations, low, outside, following, in_groups)  # type: ignore[arg-type]


def _letter(expression: ir.AffineExpr, letters: dict[int, str], images: list[int]) -> str:
    """The letter of a loop dimension; for a sum of a pixel and a window dimension, the letter of the pixels."""
    if isinstance(expression, ir.AffineDimExpr):
        return letters[expression.position]
    return next(letters[d] for d in images if d in loops_in(expression))


def _padded(pad: ir.Operation | None, axes: str) -> tuple[dict[str, int], Any]:
    """The leading padding of rows and columns by a tensor.pad, and the padding value.

    The value is None if other dimensions are padded, or if it is not a constant or too large.
    """
    low = {"h": 0, "w": 0}
    if pad is None:
        return low, 0
    for axis, (front, end) in zip(axes, padding(pad) or [], strict=True):
        if axis not in "hw" and (front or end):
            return low, None
        low[axis] = front
    [block] = pad.regions[0].blocks
    value = block.operations[-1].operands[0]
    if not is_result_of(value, "arith.constant"):
        return low, None
    number = value.owner.attributes["value"].value
    return low, number if abs(number) < 1e30 else None


def _reads_alike(op: ir.Operation, value: ir.Value) -> bool:
    """Whether `op` reads `value` element by element, and its other operands along a subset of the same dimensions."""
    maps = indexing_maps(op)
    own = maps[-1]
    if any(o.operation.name in ("linalg.index", "tensor.extract") for o in op.regions[0].blocks[0].operations):
        return False
    if own != ir.AffineMap.get_identity(own.n_dims) or list(op.results[0].type.shape) != list(value.type.shape):
        return False
    for operand, indexing in zip(list(op.operands)[:-1], maps, strict=False):
        if operand == value:
            if indexing != own:
                return False
        elif not isinstance(operand, ir.BlockArgument) or not all(
            isinstance(e, ir.AffineDimExpr) or size == 1 for e, size in zip(indexing.results, operand.type.shape, strict=True)
        ):
            return False
    return value in list(op.operands)[:-1]


def _sums_products(op: ir.Operation) -> bool:
    names = [o.operation.name for o in op.regions[0].blocks[0].operations]
    floats, integers = ["arith.mulf", "arith.addf"], ["arith.muli", "arith.addi"]
    core_ops = [name for name in names if name not in ("arith.extf", "arith.extsi", "linalg.yield")]
    return is_filled_with_zeros(op.operands[2]) and core_ops in (floats, integers)
