"""Built-in kernels that read their operands once: elementwise operations, operations along rows, and reductions.

If integers follow the memrefs in a call, their product is the number of elements, as in `passThroughLine(in, out, width)` and
`passThroughTile(in, out, height, width)`. Otherwise the kernel processes all elements.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.core_model.machine import Machine
from allo_air.errors import AlloAirError, counted
from allo_air.sim.cores.kernel import Kernel, Signature

if TYPE_CHECKING:
    from allo_air.mlir import ir

Make = Callable[[Signature, Machine, bool], Kernel]


def _cycles(machine: Machine, vectorized: bool, work: int = 1) -> Callable[..., float]:
    """Cycles of a pass over the memrefs: `work` vector operations per 512 bits, or scalar operations per element."""

    def cycles(*values: object) -> float:
        views = [v for v in values if isinstance(v, np.ndarray)]
        largest = max(views, key=lambda v: v.nbytes)
        if not vectorized:
            return largest.size * (work + 1) + machine.scalar_load + machine.store
        loads = sum(v.nbytes for v in views[:-1]) / (machine.loads * machine.load_bytes)
        stores = views[-1].nbytes / (machine.stores * machine.store_bytes)
        vector = work * largest.nbytes * 8 / machine.vector_bits
        return max(loads, stores, vector) + machine.vector_load + machine.mac + machine.store

    return cycles


def _elements(name: str, numbers: tuple[Any, ...], *views: Any) -> int:
    """The number of elements that the kernel works on; AlloAirError if a memref has fewer."""
    least = min(v.size for v in views)
    count = prod(int(n) for n in numbers) if numbers else least
    if not 0 <= count <= least:
        raise AlloAirError(
            f"kernel {name}: called for {counted(count, 'element')}, and the smallest of its memrefs has {least}"
        )
    return count


def _computed_view(view: ir.OpView) -> Any:
    """A view in the type that the kernel computes in: f32 for bf16, otherwise its own."""
    return view if np.issubdtype(view.dtype, np.integer) else view.astype(np.float32)


def unary(fn: Callable[[Any], Any], work: int) -> Make:
    """out = fn(a), in `work` vector operations."""

    def make(signature: Signature, machine: Machine, vectorized: bool) -> Kernel:
        def run(a: Any, out: Any, *numbers: Any) -> None:
            n = _elements(signature.name, numbers, a, out)
            out.reshape(-1)[:n] = fn(_computed_view(a.reshape(-1)[:n])).astype(out.dtype)

        return Kernel(run, (0,), (1,), _cycles(machine, vectorized, work))

    return make


def binary(fn: Callable[[Any, Any], Any]) -> Make:
    """out = fn(a, b)."""

    def make(signature: Signature, machine: Machine, vectorized: bool) -> Kernel:
        def run(a: Any, b: Any, out: Any, *numbers: Any) -> None:
            n = _elements(signature.name, numbers, a, b, out)
            out.reshape(-1)[:n] = fn(_computed_view(a.reshape(-1)[:n]), _computed_view(b.reshape(-1)[:n])).astype(out.dtype)

        return Kernel(run, (0, 1), (2,), _cycles(machine, vectorized))

    return make


def rowwise(fn: Callable[[Any, Any], Any]) -> Make:
    """out = fn(a, row) for each row of a matrix as wide as `row`."""

    def make(signature: Signature, machine: Machine, vectorized: bool) -> Kernel:
        def run(a: Any, row: Any, out: Any, *_: object) -> None:
            if a.size % row.size or a.size != out.size:
                raise AlloAirError(f"kernel {signature.name}: {a.size} elements are not rows of {row.size}, or not {out.size}")
            out[...] = (
                fn(_computed_view(a).reshape(-1, row.size), _computed_view(row).reshape(-1))
                .reshape(out.shape)
                .astype(out.dtype)
            )

        return Kernel(run, (0, 1), (2,), _cycles(machine, vectorized))

    return make


def reduce(fn: Callable[[np.ndarray], object]) -> Make:
    """out[0] = fn(a)."""

    def make(signature: Signature, machine: Machine, vectorized: bool) -> Kernel:
        def run(a: Any, out: Any, *numbers: object) -> None:
            n = _elements(signature.name, numbers, a)
            out.reshape(-1)[0] = np.asarray(fn(_computed_view(a.reshape(-1)[:n]))).astype(out.dtype)

        return Kernel(run, (0,), (1,), _cycles(machine, vectorized))

    return make


def zero(signature: Signature, machine: Machine, vectorized: bool) -> Kernel:
    """out = 0."""

    def run(out: np.ndarray, *_: object) -> None:
        out[...] = 0

    return Kernel(run, (), (0,), _cycles(machine, vectorized, 0))


def scale(signature: Signature, machine: Machine, vectorized: bool) -> Kernel:
    """out = a * factor[0]."""
    time = _cycles(machine, vectorized)

    def run(a: Any, out: Any, factor: np.ndarray, *numbers: object) -> None:
        n = _elements(signature.name, numbers, a, out)
        wide = _computed_view(a.reshape(-1)[:n])
        out.reshape(-1)[:n] = (wide * factor.reshape(-1)[0].astype(wide.dtype)).astype(out.dtype)

    return Kernel(run, (0, 2), (1,), lambda a, out, factor, *_: time(a, out))


def wrapping_sum(a: np.ndarray) -> Any:
    """The sum in the elements' own type."""
    return a.sum(dtype=a.dtype)


def softmax(a: np.ndarray) -> Any:
    """exp(a) over its sum, shifted by the largest."""
    e = np.exp(a - a.max())
    return e / e.sum()


def copy(a: object) -> Any:
    """`a` itself."""
    return a


def relu(a: np.ndarray) -> Any:
    """max(a, 0)."""
    return np.maximum(a, 0)
