"""Rewrites poolings between packed convolutions to have channels last, without padding."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from allo_air.core.functions import call_function
from allo_air.core.names import callee_of, function_type_of, set_function_type
from allo_air.core.walking import defining_op, is_result_of
from allo_air.mlir import ir, linalg
from allo_air.passes._analysis.kernels import calls_of
from allo_air.passes._ir.divided import compute_ops
from allo_air.passes._ir.generic import Generic, composed_map, maps_attr
from allo_air.passes._ir.packing import copy_by, layout_of, pad_by
from allo_air.passes._ir.tensors import filled
from allo_air.passes.map._packed_kernels import Packed
from allo_air.passes.map._packing_cost import Unpacked, prefers_channels_last
from allo_air.passes.map._pads import padding

_FIRST, _LAST = "nfhw", "nhwf"
"""The letters of an image's dimensions with channels first, and last."""
_ORDER = [_FIRST.index(letter) for letter in _LAST]


@dataclass(frozen=True)
class Pooling:
    """A kernel that pools an image with channels first: its operation, the sides by which it pads the image, and the number in
    the padding.
    """

    function: ir.Operation
    op: Generic
    pads: tuple[tuple[int, int], ...]
    outside: int | float

    def write(self) -> None:
        """Rewrites the function. Its loops are in the order of the result's dimensions."""
        old, shape = self.op.op, self.op.outs[0].type.shape
        loops = [*_LAST, *range(4, len(self.op.iterators))]
        turned = ir.AffineMap.get_permutation([loops.index(each) for each in (*_FIRST, *range(4, len(loops)))])
        image, window, result = self.op.maps
        maps = [composed_map(each, turned) for each in (_with_last(image), window, _with_last(result))]
        [argument] = self.function.regions[0].blocks[0].arguments
        inside = [n + a + b for n, (a, b) in zip(argument.type.shape, self.pads, strict=True)]
        argument.set_type(_kind(inside, argument.type.element_type))
        with ir.InsertionPoint(old), old.location:
            kind = _kind(shape, self.op.outs[0].type.element_type)
            begin = filled(self.op.outs[0].owner.operands[0], kind)
            iterators = old.attributes["iterator_types"]
            new = linalg.GenericOp([kind], [argument, self.op.inputs[1]], [begin], maps_attr(maps), iterators).operation
        self.op.block.append_to(new.regions[0])
        old.results[0].replace_all_uses_with(new.results[0])
        pad = defining_op(self.op.inputs[0], "tensor.pad")
        for op in (old, pad):
            if op is not None:
                op.erase()
        set_function_type(self.function)

    def pack_call(self, call: ir.Operation, unpacked: Unpacked, _: Packed) -> None:
        """Passes the padded image with channels last. The result is available in any order."""
        [value], [old] = call.operands, call.results
        kind = _kind(value.type.shape, value.type.element_type)
        value = unpacked[value][1](kind, _LAST)
        low, high = ([side[n] for side in (self.pads[d] for d in _ORDER)] for n in (0, 1))
        if any((*low, *high)):
            value = pad_by(value, low, high, self.outside)
        [result] = call_function(callee_of(call), list(function_type_of(self.function).results), [value]).results
        seen = partial(_in_order, result)
        value = seen(old.type, _FIRST)
        unpacked[value] = _FIRST, seen
        old.replace_all_uses_with(value)


def pooling_between(function: ir.Operation, packed: dict[str, str]) -> Pooling | None:
    """The pooling that `function` performs, if it would be faster with channels last: if all its images come from packed
    convolutions and all results go to such; None otherwise.

    `packed` are the names of the packed kernels with the letters of their results' dimensions.
    """
    pooling = _pooling_of(function)
    if pooling is None or not prefers_channels_last(function_type_of(function).inputs[0], _FIRST):
        return None
    for call in calls_of(function):
        users = [use.owner for use in call.results[0].uses]
        if not is_result_of(call.operands[0], "func.call") or packed.get(callee_of(call.operands[0].owner)) != _FIRST:
            return None
        if not users or any(user.name != "func.call" or callee_of(user) not in packed for user in users):
            return None
    return pooling


def _pooling_of(function: ir.Operation) -> Pooling | None:
    """The pooling of rows and columns, with channels first, that `function` performs and nothing else."""
    [block] = function.regions[0].blocks
    ops = [op for op in compute_ops(function) if op.name not in ("tensor.pad", "linalg.fill")]
    if [op.name for op in ops] != ["linalg.generic"] or len(block.arguments) != 1:
        return None
    op, pad = Generic.of(ops[0]), defining_op(ops[0].operands[0], "tensor.pad")
    [argument] = block.arguments
    image = op.inputs[0] if pad is None else pad.operands[0]
    if image != argument or argument.type.rank != 4 or len(op.inputs) != 2 or len(op.iterators) != 6:
        return None
    first, window, result = (list(m.results) for m in op.maps)
    dims: list[Any] = [ir.AffineDimExpr.get(d) for d in range(6)]
    is_pooling = first[:2] == dims[:2] and window == dims[4:] and result == dims[:4]
    if not is_pooling or op.iterators != ("parallel",) * 4 + ("reduction",) * 2 or not is_result_of(op.outs[0], "linalg.fill"):
        return None
    if pad is None:
        return Pooling(function, op, ((0, 0),) * 4, 0)
    pads, layout = padding(pad), layout_of(pad)
    return None if pads is None or layout is None else Pooling(function, op, tuple(pads), layout.outside)


def _with_last(indexing: ir.AffineMap) -> ir.AffineMap:
    """The map of an image with channels last, for one with channels first."""
    return ir.AffineMap.get(indexing.n_dims, 0, [indexing.results[d] for d in _ORDER])


def _kind(shape: list[int], element: ir.Type) -> ir.RankedTensorType:
    """The type with channels last for `shape` with channels first."""
    return ir.RankedTensorType.get([shape[d] for d in _ORDER], element)


def _in_order(value: ir.Value, kind: ir.RankedTensorType, axes: str) -> Any:
    """`value`, whose channels are last, as a tensor of type `kind` with dimensions in the order of `axes`."""
    if axes == _LAST:
        return value
    indexing = ir.AffineMap.get(4, 0, [ir.AffineDimExpr.get(axes.index(letter)) for letter in _LAST])
    return copy_by(value, indexing, list(kind.shape))
