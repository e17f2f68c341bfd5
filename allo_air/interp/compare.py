"""Compares the outputs of a module before and after a pass."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from allo_air.core.elements import is_elements
from allo_air.core.walking import walk_named, walk_post_order
from allo_air.errors import counted
from allo_air.interp.inputs import Outputs
from allo_air.interp.values import is_float
from allo_air.mlir import AnyOp, ir

_PRECISION = {"bf16": 8, "f16": 11, "f32": 24, "f64": 53}
"""Bits of a significand (IEEE 754, and bfloat16's 8)."""

_OF_LARGEST = " of the largest value"

_EXACT = (
    *("addf", "subf", "mulf", "negf", "extf", "truncf", "maximumf", "minimumf", "maxnumf", "minnumf"),
    *("sitofp", "constant", "select"),
)
"""Operations of arith with exact results on integers, as long as the type can represent them."""

_SOFTMAX = "linalg.softmax"
"""An operation that computes without a body."""

_ROUNDING = ("addf", "subf", "mulf", "divf", "sitofp", "uitofp")
_TERMS = ("arith.extf", "vector.contract", "vector.fma", "vector.shape_cast")
"""Users that take a number of bf16 as a term or a factor of f32."""


@dataclass(frozen=True)
class Bound:
    """The tolerance for floats: `relative` times the largest expected magnitude; 0 where all values are exact integers.

    `rounded` is the significand's bits of the narrowest type to which the module rounds values that it stores or yields (0:
    none), `roundings` how many kinds of operations do.
    """

    relative: float
    why: str
    rounded: int = 0
    roundings: int = 0

    def plus(self, other: Bound) -> Bound:
        """The bound for this module's floats compared with those of a module with the bound `other`: both may have rounded
        intermediate values to their type, and one where the other did not.
        """
        roundings = self.roundings + other.roundings
        if not self.relative or not roundings:
            return self
        narrow = min(b.rounded for b in (self, other) if b.rounded)
        why = self.why.replace(_OF_LARGEST, f" + {roundings} / 2**{narrow}{_OF_LARGEST}")
        return replace(self, relative=self.relative + roundings / 2.0**narrow, why=why)


def bound(module: AnyOp, inputs: list[np.ndarray]) -> Bound:
    """The bound for a module's floats on given inputs.

    A sum of K products in a type with p bits has a relative error of at most K / 2**p, and the result is rounded once more
    (Higham, Accuracy and Stability of Numerical Algorithms, 3.1); K is taken as the longest dimension of an input, p from the
    narrowest type that the module adds in. Where the inputs are integers so small that no sum leaves the exact integers of that
    type, and the module only adds and multiplies, the bound is 0. In a program of kernels, each kernel adds its error, and that
    of rounding its results to the narrowest type that kernels pass on.

    Roundings to a narrower type than that of the sums are in `Bound.beside`.
    """
    adds, rest, rounds = set(), set(), set()
    for op in walk_post_order(module):
        kind = op.name.split(".", 1)
        if op.name == "arith.constant" and _is_weights(op.attributes["value"]):
            rest.add(op.name)
        if op.name == _SOFTMAX:
            rest.add(op.name)
        elif kind[0] not in ("arith", "math", "vector") or not op.results:
            continue
        for result in op.results:
            element = str(result.type.element_type if isinstance(result.type, ir.ShapedType) else result.type)
            if element not in _PRECISION:
                continue
            if kind[1] in ("addf", "contract", "reduction", "multi_reduction", "fma", "outerproduct"):
                adds.add(_PRECISION[element])
            if kind[0] == "math" or (kind[0] == "arith" and kind[1] not in _EXACT):
                rest.add(op.name)
            if _rounds(op):
                rounds.add((_PRECISION[element], op.name))
    floats = [np.asarray(d) for d in inputs if is_float(np.asarray(d).dtype)]
    longest = max((n for d in inputs for n in np.shape(d)), default=1)
    names = [str(d.dtype).replace("float", "f") for d in floats]
    precision = min(adds or {_PRECISION[n] for n in names} or {24})
    largest = max((float(np.abs(d.astype(np.float64)).max()) for d in floats if d.size), default=1.0)
    kinds = {k for k in rounds if k[0] < precision}
    rounding = min((bits for bits, _ in kinds), default=0), len(kinds)
    calls = walk_named(module, "func.call", "aiex.run")
    if calls:
        narrow = min(_PRECISION[e] for c in calls for e in _elements(c))
        relative = len(calls) * ((longest + 1) / 2.0**precision + 1 / 2.0**narrow)
        return Bound(
            relative,
            f"allowed is {counted(len(calls), 'kernel')} of ({longest} + 1) / 2**{precision} + 1 / 2**{narrow}{_OF_LARGEST}",
            *rounding,
        )
    if not rest and longest * max(largest, 1.0) ** 2 <= 2.0**precision:
        return Bound(0.0, "allowed is nothing: integers that the type holds are exact")
    why = f"allowed is ({longest} + 1) / 2**{precision}{_OF_LARGEST}"
    return Bound((longest + 1) / 2.0**precision, why, *rounding)


def _rounds(op: ir.Operation) -> bool:
    """Whether an operation rounds a value to the type of its result, and not only takes a term of bf16 out of a number of f32:
    such terms are widened again or are factors.
    """
    kind, _, name = op.name.partition(".")
    if op.name == "arith.truncf":
        return any(use.owner.name not in _TERMS for use in op.results[0].uses)
    return op.name == _SOFTMAX or kind == "math" or (kind == "arith" and name in _ROUNDING)


def _is_weights(attribute: ir.Attribute) -> bool:
    """Whether a constant has several floats, which need not be integers."""
    return (
        is_elements(attribute)
        and isinstance(attribute.type.element_type, ir.FloatType)
        and not (isinstance(attribute, ir.DenseElementsAttr) and attribute.is_splat)
    )


def _elements(call: ir.Operation) -> list[str]:
    """The float types of a kernel's operands and results; f32 if there are none."""
    types = [v.type for v in (*call.operands, *call.results)]
    return [e for t in types if isinstance(t, ir.ShapedType) and (e := str(t.element_type)) in _PRECISION] or ["f32"]


@dataclass(frozen=True)
class Difference:
    """The first element that differs by more than the bound."""

    output: str
    index: tuple[int, ...]
    expected: Any
    actual: Any
    count: int
    total: int

    def __str__(self) -> str:
        name = f"{self.output}[{', '.join(map(str, self.index))}]" if self.index else self.output
        return f"{name}: expected {self.expected}, found {self.actual} ({self.count} of {self.total} elements differ)"


def agreement(runs: list[Outputs]) -> Outputs:
    """For each element whether it is the same in all `runs`, bit by bit."""

    def same(arrays: Iterable[object]) -> Any:
        first, *rest = (np.asarray(a) for a in arrays)
        if any(o.shape != first.shape for o in rest):
            return np.zeros(first.shape, np.bool_)
        return np.logical_and.reduce([np.ones(first.shape, np.bool_), *(_bits(first) == _bits(o) for o in rest)])

    results = tuple(map(same, zip(*(r.results for r in runs), strict=True)))
    return Outputs(results, {n: same(r.arguments.get(n, np.zeros(0)) for r in runs) for n in runs[0].arguments})


def _bits(array: np.ndarray) -> Any:
    """The elements as integers, so that a NaN is equal to itself."""
    if not is_float(array.dtype):
        return array
    return np.ascontiguousarray(array).view(f"i{array.dtype.itemsize}").reshape(array.shape)


def count_marked(masks: Outputs) -> tuple[int, int]:
    """The number of marked elements in `masks`, and the number of all elements."""
    arrays = [np.asarray(m) for m in (*masks.results, *masks.arguments.values())]
    return sum(int(m.sum()) for m in arrays), sum(m.size for m in arrays)


def differences(before: Outputs, after: Outputs, limit: Bound, where: Outputs | None = None) -> list[Difference | str]:
    """The differences of `before` and `after` beyond `limit`: the first element of each output; only where `where` is true,
    if given.
    """
    lines: list[Difference | str] = []
    if len(before.results) != len(after.results):
        lines.append(f"the function returned {counted(len(before.results), 'result')}, now {len(after.results)}")
    for n, (old, new) in enumerate(zip(before.results, after.results, strict=False)):
        lines += _difference(f"result {n}", old, new, limit, True if where is None else where.results[n])
    for key, old in before.arguments.items():
        if key in after.arguments:
            only = True if where is None else where.arguments[key]
            name = key if isinstance(key, str) else f"argument {key}"
            lines += _difference(name, old, after.arguments[key], limit, only)
        elif isinstance(key, str) and old.size:
            lines.append(f"{key} received {old.size} elements, now nothing")
    opened = [key for key in after.arguments if isinstance(key, str) and key not in before.arguments]
    lines += [f"{key} received nothing, now {after.arguments[key].size} elements" for key in opened]
    return lines


def _difference(name: str, old: np.ndarray, new: np.ndarray, limit: Bound, only: bool | np.ndarray) -> list[Difference | str]:
    old, new = np.asarray(old), np.asarray(new)
    if old.shape != new.shape or old.dtype != new.dtype:
        return [f"{name} was {old.dtype} of shape {list(old.shape)}, now {new.dtype} of shape {list(new.shape)}"]
    if is_float(old.dtype):
        a, b = old.astype(np.float64), new.astype(np.float64)
        finite = np.abs(a[np.isfinite(a) & only])
        allowed = limit.relative * (float(finite.max()) if finite.size else 0.0)
        with np.errstate(invalid="ignore"):
            wrong = ~((np.abs(a - b) <= allowed) | (a == b) | (np.isnan(a) & np.isnan(b)))
    else:
        wrong = old != new
    wrong = np.asarray(wrong & only)
    if not wrong.any():
        return []
    index = tuple(int(i) for i in np.argwhere(wrong)[0])
    return [Difference(name, index, old[index], new[index], int(wrong.sum()), int(wrong.size))]
