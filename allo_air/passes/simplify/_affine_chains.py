"""Folds chains of constant scales and shifts, such as a batch norm with known statistics, into one scale and one shift."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from allo_air.core.elements import elements_attr
from allo_air.core.walking import defining_op
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes._ir.generic import Generic, generic, generics
from allo_air.passes.simplify._evaluate import broadcast_to_loops, constant_array
from allo_air.passes.simplify._scalars import constant

_NAMES = ("arith.addf", "arith.subf", "arith.mulf", "arith.divf")


@dataclass(frozen=True)
class Affine:
    """The function `value * scale + shift`. Scale and shift are float64 arrays with one axis for each loop, of length 1 if they
    are constant along it.
    """

    value: Any
    scale: Any
    shift: Any
    ops: int


def merge_affine_chains(function: AnyOp) -> None:
    """Computes x * s + t for three or more consecutive additions, subtractions, multiplications or divisions by constants.

    s and t are computed in float64 and rounded once to f32.

    Before:

        %a = linalg.generic ins(%x, %mean) { arith.subf }
        %b = linalg.generic ins(%a, %rstd) { arith.mulf }
        %c = linalg.generic ins(%b, %gamma) { arith.mulf }
        %d = linalg.generic ins(%c, %beta) { arith.addf }

    After:

        %d = linalg.generic ins(%x, %s, %t) { arith.addf (arith.mulf %in, %s), %t }
    """
    for generic_op in generics(function, last_first=True):
        if (chain := affine_of(generic_op)) is not None and chain.ops > 2:
            _write(generic_op, chain)


def affine_of(generic_op: Generic) -> Affine | None:
    """The result of `generic_op` as an affine function of the first value of its chain; other results of the chain have no
    other
    use.
    """
    own = _scale_and_shift(generic_op)
    if own is None:
        return None
    result = defining_op(own.value, "linalg.generic")
    if result is None or len(list(own.value.uses)) != 1 or len(result.results) != 1:
        return own
    before = affine_of(Generic.of(result))
    if before is None:
        return own
    return Affine(before.value, before.scale * own.scale, before.shift * own.scale + own.shift, before.ops + own.ops)


def _scale_and_shift(generic_op: Generic) -> Affine | None:
    """The scale and shift of a body of one or two operations on one input that is not constant."""
    rank = len(generic_op.iterators)
    if not generic_op.is_elementwise or len(generic_op.outs) != 1 or not 1 <= len(generic_op.body) <= 2:
        return None
    if any(not isinstance(r.type, ir.F32Type) or o.name not in _NAMES for o in generic_op.body for r in o.results):
        return None
    shape = list(generic_op.op.results[0].type.shape)
    operands: dict[Any, Any] = {}
    variables = []
    for value, argument, map_ in zip(generic_op.inputs, generic_op.arguments, generic_op.maps, strict=False):
        array = constant_array(value)
        if array is not None and all(isinstance(e, ir.AffineDimExpr | ir.AffineConstantExpr) for e in map_.results):
            operands[argument] = broadcast_to_loops(array.astype(np.float64), map_, shape)
        elif map_ == ir.AffineMap.get_identity(rank):
            variables.append((value, argument))
        else:
            return None
    if len(variables) != 1:
        return None
    [(value, argument)] = variables
    one = np.ones([1] * rank)
    state: dict[Any, tuple[Any, Any]] = {argument: (one, one * 0)}
    for op in generic_op.body:
        result = _apply(op.name, *(state.get(v) or operands.get(v, _scalar(v, rank)) for v in op.operands))
        if result is None:
            return None
        state[op.results[0]] = result
    last = state.get(generic_op.yielded[0])
    return None if last is None else Affine(value, *last, len(generic_op.body))


def _scalar(value: ir.Value, rank: int) -> Any:
    number = constant_array(value)
    return None if number is None else np.full([1] * rank, float(number))


def _apply(name: str, a: np.ndarray | tuple[np.ndarray, ...], b: Any) -> tuple[Any, Any] | None:
    """The operation on a pair (scale, shift) and an array, in either order."""
    if a is None or b is None or isinstance(a, tuple) == isinstance(b, tuple):
        return None
    if name in ("arith.addf", "arith.mulf") and isinstance(b, tuple):
        a, b = b, a
    if not isinstance(a, tuple):
        return (-b[0], a - b[1]) if name == "arith.subf" else None
    scale, shift = a
    match name:
        case "arith.addf":
            return scale, shift + b
        case "arith.subf":
            return scale, shift - b
        case "arith.mulf":
            return scale * b, shift * b
        case _:
            return (scale / b, shift / b) if (b != 0).all() else None


def _write(generic_op: Generic, chain: Affine) -> None:
    rank = len(generic_op.iterators)
    with ir.InsertionPoint(generic_op.op), generic_op.op.location:
        inputs, maps, numbers = [chain.value], [ir.AffineMap.get_identity(rank)], list[Any]()
        for array in (chain.scale, chain.shift):
            kept_dims = [d for d in range(rank) if array.shape[d] > 1]
            if not kept_dims:
                numbers.append(constant(np.float32(array.flat[0]), ir.F32Type.get()))
                continue
            numbers.append(len(inputs))
            inputs.append(tensor_of(array.reshape([array.shape[d] for d in kept_dims])))
            maps.append(ir.AffineMap.get(rank, 0, [ir.AffineDimExpr.get(d) for d in kept_dims]))

        def body(values: list[ir.Value]) -> list[Any]:
            scale, shift = (values[n] if isinstance(n, int) else n for n in numbers)
            product = arith.MulFOp(values[0], scale).result
            return [arith.AddFOp(product, shift).result]

        result = generic(inputs, generic_op.outs, [*maps, ir.AffineMap.get_identity(rank)], generic_op.iterators, body)
    generic_op.op.results[0].replace_all_uses_with(result.results[0])
    generic_op.op.erase()


def tensor_of(array: np.ndarray) -> Any:
    """A constant of f32."""
    kind = ir.RankedTensorType.get(list(array.shape), ir.F32Type.get())
    value = elements_attr(array.astype(np.float32), kind)
    return arith.constant(kind, value)
