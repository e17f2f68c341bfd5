"""Built-in kernels under the names of mlir-aie's `aie_kernels`, found by name and argument types.

Their cycles follow facts/timing.md: elementwise kernels are bound by the one store or the two loads of a cycle (its golden
trace of vector_scalar_mul: two cycles for 32 lanes of i16, as here), matrix products go over C in blocks of
accumulators, as `library_matmul.vectorized_cycles` counts. `scalar` in a name means code that issues one operation per
cycle.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from allo_air.sim.cores.kernel import Kernel, Signature
from allo_air.sim.cores.library_matmul import matmul
from allo_air.sim.cores.machine import Machine


@dataclass(frozen=True)
class Family:
    """Kernels whose names match `pattern` and that take `memrefs` memrefs before their numbers, if any."""

    pattern: str
    memrefs: int
    make: Callable[[Signature, Machine, bool], Kernel]


def find(signature: Signature, machine: Machine) -> Kernel | None:
    """The built-in kernel for an external function, or None."""
    kinds = [a.kind for a in signature.arguments]
    memrefs = kinds.count("memref")
    if kinds[:memrefs] != ["memref"] * memrefs or signature.results or any(a.dynamic for a in signature.arguments):
        return None
    for family in FAMILIES:
        if family.memrefs == memrefs and re.fullmatch(family.pattern, signature.name):
            return family.make(signature, machine, "scalar" not in signature.name.removeprefix("vector_scalar"))
    return None


def _stream(signature: Signature, machine: Machine, vectorized: bool, work: int = 1) -> Callable[..., float]:
    """Cycles of a pass over the memrefs: `work` vector operations per 512 bits, or scalar operations per element."""

    def cycles(*values: Any) -> float:
        views = [v for v in values if isinstance(v, np.ndarray)]
        largest = max(views, key=lambda v: v.nbytes)
        if not vectorized:
            return largest.size * (work + 1) + machine.scalar_load + machine.store
        loads = sum(v.nbytes for v in views[:-1]) / (machine.loads * machine.load_bytes)
        stores = views[-1].nbytes / (machine.stores * machine.store_bytes)
        vector = work * largest.nbytes * 8 / machine.vector_bits
        return max(loads, stores, vector) + machine.vector_load + machine.mac + machine.store

    return cycles


def _wide(view: Any) -> Any:
    """A view in the type that the kernel computes in: f32 for bf16, otherwise its own."""
    return view if np.issubdtype(view.dtype, np.integer) else view.astype(np.float32)


def _unary(fn: Callable[[Any], Any], work: int) -> Callable[[Signature, Machine, bool], Kernel]:
    def make(signature: Signature, machine: Machine, vectorized: bool) -> Kernel:
        def run(a: Any, out: Any, *_: Any) -> None:
            out.reshape(-1)[: a.size] = fn(_wide(a)).reshape(-1).astype(out.dtype)

        return Kernel(run, (0,), (1,), _stream(signature, machine, vectorized, work))

    return make


def _binary(fn: Callable[[Any, Any], Any]) -> Callable[[Signature, Machine, bool], Kernel]:
    def make(signature: Signature, machine: Machine, vectorized: bool) -> Kernel:
        def run(a: Any, b: Any, out: Any, *_: Any) -> None:
            out[...] = fn(_wide(a), _wide(b)).reshape(out.shape).astype(out.dtype)

        return Kernel(run, (0, 1), (2,), _stream(signature, machine, vectorized))

    return make


def _reduce(fn: Callable[[Any], Any]) -> Callable[[Signature, Machine, bool], Kernel]:
    def make(signature: Signature, machine: Machine, vectorized: bool) -> Kernel:
        def run(a: Any, out: Any, *_: Any) -> None:
            out.reshape(-1)[0] = np.asarray(fn(_wide(a))).astype(out.dtype)

        return Kernel(run, (0,), (1,), _stream(signature, machine, vectorized))

    return make


def _zero(signature: Signature, machine: Machine, vectorized: bool) -> Kernel:
    def run(out: Any, *_: Any) -> None:
        out[...] = 0

    return Kernel(run, (), (0,), _stream(signature, machine, vectorized, 0))


def _scale(signature: Signature, machine: Machine, vectorized: bool) -> Kernel:
    def run(a: Any, out: Any, factor: Any, *_: Any) -> None:
        out[...] = (_wide(a) * factor.reshape(-1)[0].astype(_wide(a).dtype)).reshape(out.shape).astype(out.dtype)

    return Kernel(run, (0, 2), (1,), lambda a, out, factor, *_: _stream(signature, machine, vectorized)(a, out))


def _wrapping_sum(a: Any) -> Any:
    return a.sum(dtype=a.dtype)


def _softmax(a: Any) -> Any:
    e = np.exp(a - a.max())
    return e / e.sum()


def _copy(a: Any) -> Any:
    return a


_KINDS = "(i8|i16|i32|bf16|f32|f16|int8|int16|int32|uint8|bfloat16|float)"
_HOW = "(_scalar|_vector|_vectorized)?"
FAMILIES = (
    Family(f"zero{_HOW}(_{_KINDS})?{_HOW}", 1, _zero),
    Family(rf"passThrough(Line|Tile)(_{_KINDS})?", 2, _unary(_copy, 0)),
    Family(f"(vector_scalar_mul|scale)(_aie)?(_{_KINDS})?{_HOW}", 3, _scale),
    Family(f"(eltwise|vector)_v?add(_{_KINDS})?{_HOW}", 3, _binary(np.add)),
    Family(f"(eltwise|vector)_v?mul(_{_KINDS})?{_HOW}", 3, _binary(np.multiply)),
    Family(f"reduce_add{_HOW}(_{_KINDS})?", 2, _reduce(_wrapping_sum)),
    Family(f"reduce_max{_HOW}(_{_KINDS})?", 2, _reduce(np.max)),
    Family(f"reduce_min{_HOW}(_{_KINDS})?", 2, _reduce(np.min)),
    Family(f"(exp(_{_KINDS})?(_1024)?|{_KINDS}_exp)", 2, _unary(np.exp, 8)),
    Family(f"({_KINDS}_)?relu(_{_KINDS})?", 2, _unary(lambda a: np.maximum(a, 0), 1)),
    Family(f"softmax(_{_KINDS})?", 2, _unary(_softmax, 12)),
    Family(f"matmul{_HOW}(_[0-9x]+)?_{_KINDS}_{_KINDS}", 3, matmul),
)
"""Vector operations per 512 bits of exp and softmax are assumed: a table look-up and a few multiplications each."""
