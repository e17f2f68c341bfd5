"""Convolutions and pooling of the kernel language, emitted as linalg."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from allo_air.frontend import dsl, tensors
from allo_air.frontend.arithmetic import Scalar
from allo_air.frontend.numbers import binary, cast
from allo_air.frontend.operations import OPERATIONS, Emitter, operation, reusable, tensor
from allo_air.frontend.rules import accumulator
from allo_air.frontend.state import State
from allo_air.frontend.types import ScalarType
from allo_air.frontend.values import Buffer, allocate
from allo_air.mlir import ir, linalg


def _windows(
    state: State, inp: object, window: object, target: Buffer | None, channels: bool
) -> tuple[Buffer, Buffer, Buffer | None, tuple[int, ...]]:
    x, f = tensor(inp), tensor(window)
    height, width = f.shape[-2:]
    shape = (x.shape[0], f.shape[0] if channels else x.shape[1], x.shape[2] - height + 1, x.shape[3] - width + 1)
    free = reusable(target, [x, f])
    return x, f, free if free is not None and free.shape == shape else None, shape


@operation(dsl.conv2d)
def conv2d(state: State, args: Sequence[object], target: Buffer | None) -> Buffer:
    x, f, free, shape = _windows(state, args[0], args[1], target, True)
    result = free or allocate(accumulator(x.element, f.element), shape)
    tensors.fill(result, 0)
    linalg.conv_2d_nchw_fchw(x.value, f.value, outs=[result.value])
    return result


def _pool(name: str, start: Callable[[ScalarType], Scalar]) -> Emitter:
    def emitter(state: State, args: Sequence[object], target: Buffer | None) -> Buffer:
        x, f, free, shape = _windows(state, args[0], args[1], target, False)
        result = free or allocate(x.element, shape)
        tensors.fill(result, start(result.element))
        d: list[ir.AffineExpr] = [ir.AffineDimExpr.get(i) for i in range(6)]
        maps = [[d[0], d[1], d[2] + d[4], d[3] + d[5]], [d[4], d[5]], d[:4]]
        kinds = ["parallel"] * 4 + ["reduction"] * 2
        affine_maps = [ir.AffineMap.get(6, 0, m) for m in maps]
        tensors.generic([x, f], result, affine_maps, kinds, lambda values, old: binary(name, old, cast(values[0], old.type)))
        return result

    return emitter


OPERATIONS[dsl.maxpool] = _pool("max", tensors.lowest)
OPERATIONS[dsl.sumpool] = _pool("add", lambda kind: 0)
