"""Folds the scale and shift of each channel after a convolution into its constant filter and its init."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.core.walking import defining_op
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.generic import Generic, generic, generics
from allo_air.passes._ir.tensors import empty
from allo_air.passes.simplify._affine_chains import affine_of, tensor_of
from allo_air.passes.simplify._evaluate import broadcast_to_loops, constant_array

if TYPE_CHECKING:
    from allo_air.passes.simplify._affine_chains import Affine

_CHANNELS = {
    "linalg.conv_1d_ncw_fcw": (1, 0),
    "linalg.conv_1d_nwc_wcf": (2, 2),
    "linalg.conv_2d_nchw_fchw": (1, 0),
    "linalg.conv_2d_nhwc_fhwc": (3, 0),
    "linalg.conv_2d_nhwc_hwcf": (3, 3),
    "linalg.depthwise_conv_2d_nchw_chw": (1, 0),
    "linalg.depthwise_conv_2d_nhwc_hwc": (3, 2),
}
"""Convolutions, with the position of the channel dimension in result and filter."""


def fold_into_filters(function: AnyOp) -> None:
    """Multiplies a constant filter by the scale of its channel, and starts the sums from the shift.

    Before:

        %c = linalg.conv_2d_nchw_fchw ins(%x, %w) outs(%zeros)
        %n = linalg.generic ins(%c, %s, %t) { arith.addf (arith.mulf %in, %s), %t }

    After:

        %b = linalg.generic ins(%t) outs(%e) { yield %in }     // for each channel
        %n = linalg.conv_2d_nchw_fchw ins(%x, %ws) outs(%b)    // %ws is %w times %s
    """
    for generic_op in generics(function):
        chain = affine_of(generic_op)
        if chain is None or (conv := defining_op(chain.value)) is None or conv.name not in _CHANNELS:
            continue
        if len(list(conv.results[0].uses)) == 1 and _is_affine_of(generic_op, chain.value):
            _fold(generic_op, conv, chain)


def _is_affine_of(generic_op: Generic, value: ir.Value) -> bool:
    """Whether `generic_op` takes `value` directly."""
    return value in generic_op.inputs


def _fold(generic_op: Generic, conv: AnyOp, chain: Affine) -> None:
    channel_dim, of_filter = _CHANNELS[conv.name]
    weights = constant_array(conv.operands[1])
    start = _initial_values(conv.operands[2], channel_dim)
    flat = all(n == 1 or d == channel_dim for a in (chain.scale, chain.shift) for d, n in enumerate(a.shape))
    if weights is None or start is None or not flat or weights.dtype != np.float32:
        return
    channels = list(conv.results[0].type.shape)[channel_dim]
    scale, shift, start = (np.broadcast_to(a.reshape(-1), [channels]) for a in (chain.scale, chain.shift, start))
    rank = len(generic_op.iterators)
    with ir.InsertionPoint(conv), conv.location:
        spread_scale = scale.reshape([-1 if d == of_filter else 1 for d in range(weights.ndim)])
        conv.operands[1] = tensor_of(weights.astype(np.float64) * spread_scale)
        out = empty(conv.results[0].type)
        maps = [ir.AffineMap.get(rank, 0, [ir.AffineDimExpr.get(channel_dim)]), ir.AffineMap.get_identity(rank)]
        bias = tensor_of(start * scale + shift)
        conv.operands[2] = generic([bias], [out], maps, ["parallel"] * rank, lambda values: values[:1]).results[0]
    generic_op.op.results[0].replace_all_uses_with(conv.results[0])
    generic_op.op.erase()


def _initial_values(value: ir.Value, channel_dim: int) -> Any:
    """The initial value of each channel: one number for all, or one each; None if unknown."""
    result = defining_op(value)
    if result is None:
        return None
    if result.name == "linalg.fill":
        number = constant_array(result.operands[0])
        return None if number is None else np.array([float(number)])
    if result.name != "linalg.generic":
        return None
    copy = Generic.of(result)
    if len(copy.inputs) != 1 or copy.body or not copy.is_elementwise or copy.yielded != copy.arguments[:1]:
        return None
    array = constant_array(copy.inputs[0])
    if array is None or not all(isinstance(e, ir.AffineDimExpr | ir.AffineConstantExpr) for e in copy.maps[0].results):
        return None
    laid = broadcast_to_loops(array.astype(np.float64), copy.maps[0], list(result.results[0].type.shape))
    return laid.reshape(-1) if all(n == 1 or d == channel_dim for d, n in enumerate(laid.shape)) else None
