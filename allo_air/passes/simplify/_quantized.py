"""Recognizes tensors of scaled 8-bit integers: q * scale + offset, through the operations that compute them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from allo_air.core.walking import defining_op
from allo_air.mlir import AnyOp, arith, ir, tensor
from allo_air.passes._ir.generic import Generic, generic
from allo_air.passes._ir.tensors import empty
from allo_air.passes.simplify._evaluate import constant_array

Linear = tuple[Any, Any]
"""Factor and summand of a number `factor * q + summand`, as f64 arrays that broadcast over the loops."""

_EXTENSIONS = {"arith.extsi": True, "arith.sitofp": True, "arith.extui": False, "arith.uitofp": False}
_CASTS = frozenset((*_EXTENSIONS, "arith.extf", "arith.truncf"))
_INTEGER_STEPS = {"arith.addi": 16, "arith.subi": 16, "arith.muli": 32}
"""Operations on integers, each with the number of bits from which on it cannot overflow."""

_FEW = 1 << 26
"""Largest number of elements for which scales are compared one by one."""


@dataclass(frozen=True)
class Quantized:
    """A tensor of `shape` that is q * scale + offset; `make` emits q, of i8, at the insertion point.

    `scale` and `offset` have the tensor's rank, with length 1 along dimensions in which they are constant. `array` holds q if
    it is known. `signed` says how q is extended, None before an extension.
    """

    make: Callable[[], Any]
    shape: tuple[int, ...]
    scale: Any
    offset: Any
    array: Any = None
    signed: bool | None = None

    @property
    def zeros(self) -> Any:
        """The integers q that represent 0; None if no integer does."""
        result = -self.offset / self.scale
        near = np.rint(result)
        return near.astype(np.int64) if np.all(np.abs(result - near) <= 1e-3) else None


def quantized(value: ir.Value) -> Quantized | None:
    """`value` as a scaled integer; None if it has another form."""
    kind = value.type
    if not isinstance(kind, ir.RankedTensorType) or not kind.has_static_shape:
        return None
    shape, ones = tuple(kind.shape), np.ones([1] * len(kind.shape))
    if str(kind.element_type) == "i8":
        array = constant_array(value)
        return Quantized(lambda: value, shape, ones, 0 * ones, array)
    op = defining_op(value)
    if op is None:
        return None
    if op.name == "linalg.generic":
        return _through_generic(Generic.of(op))
    if op.name == "tensor.pad":
        return _through_pad(op)
    if op.name in ("tensor.collapse_shape", "tensor.expand_shape"):
        return _through_reshape(op)
    return None


def arranged_by_loops(array: np.ndarray, layout: ir.AffineMap, loops: int) -> Any:
    """`array`, read at the results of the map `layout`, with one axis for each loop; None if it varies along no loop."""
    axes: dict[int, int] = {}
    for axis, expr in enumerate(layout.results):
        if isinstance(expr, ir.AffineDimExpr) and ir.AffineDimExpr(expr).position not in axes:
            axes[ir.AffineDimExpr(expr).position] = axis
        elif array.shape[axis] != 1:
            return None
    arranged = np.transpose(
        array, [*(axes[d] for d in sorted(axes)), *(a for a in range(array.ndim) if a not in axes.values())]
    )
    arranged = arranged.reshape([arranged.shape[n] for n in range(len(axes))])
    return arranged.reshape([arranged.shape[sorted(axes).index(d)] if d in axes else 1 for d in range(loops)])


def _through_generic(op: Generic) -> Quantized | None:
    if len(op.outs) != 1 or not op.is_elementwise:
        return None
    loops = len(op.iterators)
    main, values = None, dict[Any, Linear]()
    for value, layout, argument in zip(op.inputs, op.maps, op.arguments, strict=False):
        array = constant_array(value) if isinstance(value.type, ir.RankedTensorType) else _number(value)
        match = quantized(value)
        if match is not None and (array is None or (main is None and _is_wide(op, value))):
            if main is not None:
                return None
            main = match, layout
            sides = arranged_by_loops(match.scale, layout, loops), arranged_by_loops(match.offset, layout, loops)
        elif array is not None and (array := np.asarray(array)).dtype.kind in "iufb":
            sides = np.zeros(()), arranged_by_loops(array.astype(np.float64), layout, loops)
        else:
            return None
        if any(s is None for s in sides):
            return None
        values[argument] = sides
    if main is None:
        return None
    match, layout = main
    result = _computed(op, values, match.signed)
    if result is None or not np.all(result[0][0]):
        return None
    (scale, offset), signed = result
    shape = tuple(op.outs[0].type.shape)
    moved = _remapped(match, layout, shape)
    if moved is None:
        return None
    fit = [1] * loops
    return replace(moved, scale=scale + np.zeros(fit), offset=offset + np.zeros(fit), signed=signed)


def _is_wide(op: Generic, value: ir.Value) -> bool:
    """Whether `value` has as many elements as the result: weights do, scales and zero points of channels do not."""
    return bool(np.prod(value.type.shape) == np.prod(op.outs[0].type.shape))


def _computed(op: Generic, values: dict[ir.Value, Linear], signed: bool | None) -> tuple[Linear, bool | None] | None:
    """The value that the body yields, if it is linear in the only unknown number; and how that number is extended."""
    with np.errstate(all="ignore"):
        for inner in op.body:
            if inner.name == "arith.constant":
                continue
            if inner.name in _INTEGER_STEPS and inner.results[0].type.width < _INTEGER_STEPS[inner.name]:
                return None
            operands = [values[v] if v in values else _constant(v) for v in inner.operands]
            arguments = [k for k in operands if k is not None]
            if len(arguments) < len(operands):
                return None
            if inner.name in _EXTENSIONS and np.any(arguments[0][0]) and str(inner.operands[0].type) == "i8":
                if signed not in (None, _EXTENSIONS[inner.name]):
                    return None
                signed = _EXTENSIONS[inner.name]
            step = _combine(inner.name, arguments)
            if step is None:
                return None
            values[inner.results[0]] = step
        last = op.yielded[0]
        step = values.get(last)
    return None if step is None else (step, signed)


def _combine(name: str, linears: Sequence[Linear]) -> Linear | None:
    if name in _CASTS:
        return linears[0]
    if name == "arith.negf":
        return -linears[0][0], -linears[0][1]
    if len(linears) != 2:
        return None
    (a, b), (c, d) = linears
    if name in ("arith.addi", "arith.addf"):
        return a + c, b + d
    if name in ("arith.subi", "arith.subf"):
        return a - c, b - d
    if name in ("arith.muli", "arith.mulf") and not (np.any(a) and np.any(c)):
        return a * d + c * b, b * d
    if name == "arith.divf" and not np.any(c) and np.all(d):
        return a / d, b / d
    return None


def _constant(value: ir.Value) -> Linear | None:
    number = _number(value)
    return None if number is None else (np.zeros(()), number)


def _number(value: ir.Value) -> Any:
    """The value of `value` as a zero-dimensional array; None if it is not known."""
    op = defining_op(value, "arith.constant")
    if op is None or isinstance(value.type, ir.RankedTensorType):
        return None
    return np.array(float(op.attributes["value"].value))


def _remapped(item: Quantized, layout: ir.AffineMap, shape: tuple[int, ...]) -> Quantized | None:
    """`item` read by the map `layout` in loops of `shape`."""
    loops = len(shape)
    identity = ir.AffineMap.get_identity(loops)
    if layout == identity:
        return item
    array = None
    if item.array is not None:
        array = arranged_by_loops(item.array, layout, loops)
        if array is None:
            return None
        array = np.broadcast_to(array, shape)

    def make() -> Any:
        kind = ir.RankedTensorType.get(shape, ir.IntegerType.get_signless(8))
        return generic(
            [item.make()], [empty(kind)], [layout, identity], ["parallel"] * loops, lambda values: values[:1]
        ).results[0]

    return replace(item, make=make, shape=shape, array=array)


def _through_pad(op: AnyOp) -> Quantized | None:
    """A tensor padded with a number that some q represents."""
    result = quantized(op.operands[0])
    yielded = op.regions[0].blocks[0].operations
    number = _number(yielded[len(yielded) - 1].operands[0])
    if result is None or number is None or len(op.operands) > 1 or result.scale.size > 1 or result.offset.size > 1:
        return None
    exact = float((number - result.offset.item()) / result.scale.item())
    q = round(exact)
    least = 0 if result.signed is False else -128
    if abs(exact - q) > 1e-3 or not least <= q <= least + 255:
        return None
    shape = tuple(op.results[0].type.shape)

    def make() -> Any:
        element = ir.IntegerType.get_signless(8)
        low, high = (op.attributes[n] for n in ("static_low", "static_high"))
        new = tensor.PadOp(ir.RankedTensorType.get(shape, element), result.make(), [], [], low, high)
        block = new.regions[0].blocks.append(*[ir.IndexType.get()] * len(shape))
        with ir.InsertionPoint(block):
            tensor.YieldOp(arith.constant(element, q - 256 if q > 127 else q))
        return new.result

    return replace(result, make=make, shape=shape, array=None)


def _through_reshape(op: AnyOp) -> Quantized | None:
    result = quantized(op.operands[0])
    shape = tuple(op.results[0].type.shape)
    if result is None or (len(op.operands) > 1 and op.name == "tensor.collapse_shape"):
        return None
    ones = [1] * len(shape)
    sides = []
    for side in (result.scale, result.offset):
        if side.size == 1:
            sides.append(side.reshape(ones))
        elif np.prod(shape) <= _FEW:
            sides.append(_narrowed(np.broadcast_to(side, result.shape).reshape(shape)))
        else:
            return None
    array = None if result.array is None else result.array.reshape(shape)

    def make() -> Any:
        kind = ir.RankedTensorType.get(shape, ir.IntegerType.get_signless(8))
        attributes = {a: op.attributes[a] for a in op.attributes}
        return ir.Operation.create(op.name, [kind], [result.make(), *list(op.operands)[1:]], attributes).results[0]

    return replace(result, make=make, shape=shape, array=array, scale=sides[0], offset=sides[1])


def _narrowed(array: np.ndarray) -> Any:
    """`array` with length 1 along each dimension in which it is constant."""
    for axis in range(array.ndim):
        first = np.take(array, [0], axis)
        if np.array_equal(np.broadcast_to(first, array.shape), array):
            array = first
    return array
