"""Elements of tensors at positions that another tensor contains."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from allo_air.errors import counted
from allo_air.interp.errors import OutOfBounds, PoisonRead
from allo_air.interp.rules import pure
from allo_air.interp.values import Tensor, dtype_of
from allo_air.mlir import AnyOp, ir


@pure("tensor.gather")
def gather(op: ir.Operation) -> Callable[..., Tensor]:
    dims = list(op.attributes["gather_dims"])

    def run(source: Tensor, indices: Tensor) -> Tensor:
        coordinates = _coordinates(op, source.array.shape, dims, indices)
        order = [*dims, *(d for d in range(source.array.ndim) if d not in dims)]

        def gathered(array: np.ndarray) -> Any:
            return array.transpose(order)[coordinates].reshape(op.results[0].type.shape)

        return Tensor(gathered(source.array), None if source.defined is None else gathered(source.defined))

    return run


@pure("tensor.scatter")
def scatter(op: ir.Operation) -> Callable[..., Tensor]:
    dims = list(op.attributes["scatter_dims"])

    def run(source: Tensor, target: Tensor, indices: Tensor) -> Tensor:
        coordinates = _coordinates(op, target.array.shape, dims, indices)
        order = [*dims, *(d for d in range(target.array.ndim) if d not in dims)]

        def scattered(array: np.ndarray, values: np.ndarray) -> Any:
            copy = array.copy()
            transposed = copy.transpose(order)
            transposed[coordinates] = values.reshape(transposed[coordinates].shape)
            return copy

        if source.defined is None and target.defined is None:
            return Tensor(scattered(target.array, source.array))
        defined, new = (np.ones(t.array.shape, np.bool_) if t.defined is None else t.defined for t in (target, source))
        return Tensor(scattered(target.array, source.array), scattered(defined, new))

    return run


def _coordinates(op: ir.Operation, shape: tuple[int, ...], dims: list[int], indices: Tensor) -> tuple[Any, ...]:
    """For each dimension of `dims`, the positions of the elements."""
    if indices.defined is not None and not indices.defined.all():
        raise PoisonRead(op, "takes indices that nothing has written")
    coordinates = tuple(indices.array[..., n].astype(np.int64) for n in range(len(dims)))
    for d, index_array in zip(dims, coordinates, strict=True):
        if index_array.size and (index_array.min() < 0 or index_array.max() >= shape[d]):
            raise OutOfBounds(op, f"has an index that is not in dimension {d}, which has {counted(shape[d], 'element')}")
    return coordinates


@pure("tensor.bitcast")
def bitcast(op: AnyOp) -> Callable[..., Tensor]:
    dtype = dtype_of(op.results[0].type.element_type)
    return lambda tensor: Tensor(tensor.array.view(dtype), tensor.defined)
