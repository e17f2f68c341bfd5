"""Compares an imported model with its source on one input, when it is compiled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.core.two_processes import Ahead
from allo_air.core.walking import walk_named
from allo_air.errors import AlloAirError
from allo_air.interp.exact import as_float64, in_float64
from allo_air.interp.run import run
from allo_air.mlir import ir
from allo_air.models.host_choice import host_microseconds
from allo_air.models.model import Model, lower_to_linalg
from allo_air.models.parts import Graph

if TYPE_CHECKING:
    from allo_air.importers.imported import Imported

_NARROW = {"f16": 2.0**-8, "bf16": 2.0**-5}
"""The same as NEAR, of models with values of narrower types: a few roundings."""

SECONDS = 8.0
"""A model whose import would run longer than this on the host, by the estimate of models/host_choice.py, is not compared."""

SHORT = 0.02
"""A model that runs no longer than this is not worth a process of its own."""

NEAR = 1e-5
"""Largest relative difference of f32 results that rounding explains."""

EXACT = 2e-6
"""The same in float64. The constants of the model are still f32."""


_QUANTIZED = 16 / 255
"""Largest relative difference that rounding explains in a model that rounds to integers: a value near a half jumps by a step of
8 bits, and later layers amplify that.
"""


def altogether(model: Model, near: float = NEAR) -> float:
    """The largest relative difference of the model that rounding explains if each operation differs by `near` at most."""
    is_quantized = any(walk_named(op, "math.roundeven") for op in model.graph.ops)
    return max(_QUANTIZED, 100 * near) if is_quantized else 100 * near


def runs_quickly(model: Model) -> bool:
    """Whether the module of `model` runs on the host in less than SECONDS."""
    return _microseconds(model.graph) < SECONDS * 1e6


def _microseconds(graph: Graph) -> float:
    return host_microseconds(graph, range(len(graph.ops)))


def rounding_distance(model: Model) -> float:
    """The largest relative difference that rounding in the types of the values of `model` explains."""
    kinds = {str(getattr(v.type, "element_type", v.type)) for op in model.graph.ops for v in op.results}
    return max((_NARROW[kind] for kind in kinds & _NARROW.keys()), default=NEAR)


def runs(model: Model, arrays: Sequence[np.ndarray], *, wide: bool = False) -> list[Any] | None:
    """The results of the imported module on the host, with `wide` in float64; None if it does not run."""
    return _results(model.source, model.exact or model.source.module, arrays, wide)


def run_ahead(source: Imported, arrays: Callable[[], Sequence[np.ndarray]]) -> Ahead[list[Any] | None]:
    """The results of `source` on the host for `arrays()`, as `runs`, to be computed while it is compiled.

    The arrays are made before the fork: PyTorch copies with threads, which a fork does not have.
    """
    inputs = cache(arrays)

    def takes_long() -> bool:
        with source.context:
            is_worth = SHORT * 1e6 < _microseconds(Graph(source.function)) < SECONDS * 1e6
        return is_worth and inputs() is not None

    return Ahead(lambda: _results(source, source.module, inputs(), wide=False), takes_long)


def _results(source: Imported, module: ir.Module, arrays: Sequence[np.ndarray], wide: bool) -> list[Any] | None:
    try:
        lowered = lower_to_linalg(module)
        with source.context, ir.Location.unknown():
            inputs = source.arrays(list(arrays))
            result = run(in_float64(lowered), [as_float64(a) for a in inputs]) if wide else run(lowered, inputs)
        return source.results(result)
    except AlloAirError:
        return None


def distance(arrays: Sequence[np.ndarray], expected: Sequence[np.ndarray], inputs: Sequence[np.ndarray] = ()) -> float:
    """The largest difference of arrays, relative to the largest number of each array, or of the float `inputs` if that is
    larger.

    Results that cancel out contain the rounding of the inputs, so inputs count. Infinities and NaN are equal to themselves.
    Bytes that differ by one are equal, since rounding explains it.
    """
    worst, floor = 0.0, max((_largest(np.asarray(a)) for a in inputs), default=0.0)
    for have, want in zip(arrays, expected, strict=True):
        if have.shape != want.shape:
            return float("inf")
        actual, wanted = have.astype(np.float64), want.astype(np.float64)
        same = (actual == wanted) | (np.isnan(actual) & np.isnan(wanted))
        if want.dtype.kind in "iu" and want.dtype.itemsize == 1:
            same |= np.abs(actual - wanted) <= 1
        if same.all():
            continue
        with np.errstate(invalid="ignore"):
            far = np.abs(actual - wanted)[~same] / max(_largest(wanted), floor, 1e-300)
        worst = max(worst, float(np.nan_to_num(far, nan=np.inf).max()))
    return worst


def _largest(array: np.ndarray) -> float:
    """The largest finite magnitude of floats; 0 for other types."""
    if array.dtype.kind in "iub":
        return 0.0
    numbers = np.abs(array.astype(np.float64))
    return float(numbers[np.isfinite(numbers)].max(initial=0))


def wrong_operation(name: str, operation: str, line: str, error: float) -> AlloAirError:
    """The error for an operation that is imported incorrectly. Without an operation: for a combination of operations."""
    place = f" at {line}" if line else ""
    difference = f"by {error:.1e} of the largest" if np.isfinite(error) else "in NaN, infinities or shape"
    subject = operation or "a combination of operations that are right one by one"
    return AlloAirError(
        f"{name}: {subject}{place} is imported incorrectly: its results differ {difference}; use other"
        f" operations in the model, or compile with check=False to run it anyway"
    )
