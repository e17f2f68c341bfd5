"""Seeded inputs for functions, and how arguments follow a function whose signature a pass changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from allo_air.access.layout import Layout
from allo_air.core.elements import array_of
from allo_air.core.names import function_type_of
from allo_air.dialects.host_buffers import BufferContents, HostBuffers, converted, from_corner, host_buffers, in_corner, joined
from allo_air.dialects.host_shapes import host_layouts, host_shapes
from allo_air.interp.errors import Unsupported
from allo_air.interp.values import dtype_of, is_token, small_range
from allo_air.mlir import AnyOp, ir

_DYNAMIC_SIZE = 8
_UNRANKED_SIZE = 1 << 16
"""Elements of a memref without a rank, which is one row of them."""


@dataclass(frozen=True)
class Signature:
    """Types of a function's arguments and results, and its host's shapes and layouts, one for each of them."""

    arguments: tuple[Any, ...]
    results: tuple[Any, ...]
    host: tuple[tuple[int, ...] | None, ...]
    layouts: tuple[Layout | None, ...]

    @classmethod
    def of(cls, function: Any) -> Signature:
        """The signature of a `func.func` or an `aie.runtime_sequence`."""
        if function.name == "func.func":
            type_ = function_type_of(function)
            arguments, results = tuple(type_.inputs), tuple(type_.results)
        else:
            arguments, results = tuple(a.type for a in function.regions[0].blocks[0].arguments), ()
        host: list[Any] = [None] * (len(arguments) + len(results))
        value = host_shapes(function)
        host[: len(value)] = value[: len(host)]
        layouts: list[Any] = [None] * len(host)
        packed = host_layouts(function)
        layouts[: len(packed)] = packed[: len(host)]
        return cls(arguments, results, tuple(host), tuple(layouts))


def draw(function: AnyOp, seed: int) -> list[Any]:
    """An array or number for each argument, of the host's shapes."""
    rng = np.random.default_rng(seed)
    if (host := host_buffers(function)) is not None:
        return [_draw(function, t, None, rng) for t in host.takes]
    signature = Signature.of(function)
    return [_draw(function, t, h, rng) for t, h in zip(signature.arguments, signature.host, strict=False)]


def _draw(function: AnyOp, type_: ir.ShapedType, host: tuple[int, ...] | None, rng: Any) -> Any:
    if is_token(type_):
        return 0
    shaped = isinstance(type_, ir.ShapedType)
    dtype = dtype_of(type_.element_type if shaped else type_)
    unranked = isinstance(type_, ir.UnrankedMemRefType)
    if dtype is None or (shaped and not type_.has_rank and not unranked):
        raise Unsupported(function, f"has an argument of type {type_}, which the interpreter cannot execute")
    shape = [_UNRANKED_SIZE] if unranked else host or ([_DYNAMIC_SIZE if d < 0 else d for d in type_.shape] if shaped else [])
    if not shaped and dtype.kind in "iu":
        return int(rng.integers(1, 4))
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(dtype)
    low, most = small_range(dtype)
    return rng.integers(low, most + 1, shape).astype(dtype)


def fit_inputs(function: ir.Operation, inputs: list[np.ndarray], seed: int) -> list[np.ndarray]:
    """`inputs` for the function's current signature: packed or padded to its shapes, with random out-parameters added."""
    signature = Signature.of(function)
    rng = np.random.default_rng(seed + 1)
    if (host := host_buffers(function)) is not None:
        contents = [*host.holds, *(BufferContents() for _ in signature.arguments[len(host.holds) :])]
        return [_initial_contents(function, t, h, inputs, rng) for t, h in zip(signature.arguments, contents, strict=True)]
    arrays = []
    for n, type_ in enumerate(signature.arguments):
        if n >= len(inputs):
            arrays.append(_draw(function, type_, None, rng))
            continue
        value = inputs[n]
        if (layout := signature.layouts[n]) is not None:
            value = layout.pack(value, type_.shape)
        elif _got_rank(value, type_):
            value = value[: prod(type_.shape)].reshape(type_.shape)
        elif isinstance(type_, ir.ShapedType) and type_.has_rank and len(type_.shape) == np.ndim(value):
            room = [(0, max(0, d - s)) for d, s in zip(type_.shape, np.shape(value), strict=True)]
            value = np.pad(value, room) if any(r[1] for r in room) else value
        arrays.append(value)
    return arrays


def _got_rank(value: int | np.ndarray, type_: ir.Type) -> bool:
    """Whether `value` was drawn for an unranked memref, and the argument now has a rank and is the beginning of it."""
    return (
        np.shape(value) == (_UNRANKED_SIZE,)
        and isinstance(type_, ir.MemRefType)
        and type_.has_static_shape
        and prod(type_.shape) < _UNRANKED_SIZE
    )


def _initial_contents(
    function: ir.Operation,
    type_: ir.MemRefType | ir.RankedTensorType,
    content: BufferContents,
    inputs: Sequence[np.ndarray],
    rng: object,
) -> Any:
    """The initial contents of a buffer of type `type_`."""
    if content.argument is not None:
        array = converted(inputs[content.argument], content.cast, dtype_of(type_.element_type))
        return in_corner(array, content.view, tuple(type_.shape), content.packing)
    return _draw(function, type_, None, rng) if content.constant is None else array_of(content.constant).reshape(type_.shape)


@dataclass(frozen=True)
class Outputs:
    """Outputs of a run: the function's results, including out-parameters, and the final contents of its memref arguments."""

    results: tuple[Any, ...]
    arguments: dict[int | str, Any]
    """Results and arguments by number; data received on open channels, by name."""


def outputs(
    function: ir.Operation, inputs: list[np.ndarray], returned: list[np.ndarray], received: dict[str, np.ndarray] | None = None
) -> Outputs:
    """Sorts the results of `run` and the received data; padded arrays are cropped to the host's shapes."""
    signature = Signature.of(function)
    results = returned[: len(signature.results)]
    kinds = ir.MemRefType | ir.UnrankedMemRefType
    memrefs = [n for n, t in enumerate(signature.arguments) if isinstance(t, kinds)]
    arrays = dict(zip(memrefs, returned[len(signature.results) :], strict=True))
    if (host := host_buffers(function)) is not None:
        return _caller_arrays(host, arrays, dict(enumerate(results, len(signature.arguments))), inputs)
    for n, value in arrays.items():
        if n < len(inputs) and _got_rank(inputs[n], signature.arguments[n]):
            arrays[n] = np.concatenate([value.ravel(), inputs[n][value.size :]])
            continue
        shape = np.shape(inputs[n]) if n < len(inputs) else signature.host[n] or np.shape(value)
        arrays[n] = _host_view(value, shape, signature.layouts[n])
    count = len(signature.arguments)
    results = [_host_view(*item) for item in zip(results, signature.host[count:], signature.layouts[count:], strict=True)]
    results += [a for n, a in arrays.items() if n >= len(inputs)]
    return Outputs(tuple(results), {n: a for n, a in arrays.items() if n < len(inputs)} | (received or {}))


def _host_view(value: np.ndarray, shape: Sequence[int] | None, layout: Layout | None) -> Any:
    """The host's view of an array of the function: unpacked and cropped."""
    if layout is not None and shape is not None:
        array = np.zeros(shape, value.dtype)
        layout.unpack(value, array)
        return array
    return value if shape is None else value[tuple(slice(s) for s in shape)]


def _caller_arrays(
    host: HostBuffers, arrays: dict[int, np.ndarray], results: dict[int, np.ndarray], inputs: list[np.ndarray]
) -> Outputs:
    """The caller's arrays, read from the buffers in `arrays` and `results` by position."""
    if host.gives is None:
        buffer_of = {h.argument: n for n, h in enumerate(host.holds) if h.argument is not None}
        visited = {a: (host.holds[n].view, np.shape(inputs[a]), host.holds[n].packing) for a, n in buffer_of.items()}
        return Outputs((), {a: from_corner(arrays[n], *visited[a]) for a, n in buffer_of.items()})
    result, buffers = list[Any](), arrays | results
    updated: dict[int | str, Any] = {n: inputs[n] for n, kind in enumerate(host.takes) if isinstance(kind, ir.MemRefType)}
    for value in host.gives:
        shape = tuple(value.type.shape)
        if value.place is not None:
            array = from_corner(buffers[value.place], value.view, shape, value.packing)
            if value.high is not None and value.high.place is not None:
                upper = from_corner(buffers[value.high.place], value.high.view, shape, value.high.packing)
                array = joined(array, upper)
            array = converted(array, value.cast, dtype_of(value.type.element_type))
        else:
            source = inputs[value.argument] if value.argument is not None else array_of(value.constant)
            array = np.asarray(source).reshape(shape)
        if value.into is None:
            result.append(array)
        else:
            updated[value.into] = array
    return Outputs(tuple(result), updated)
