"""Checks a schedule: runs the function before and after its primitives on the same random inputs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.errors import counted
from allo_air.frontend.annotations import Declared
from allo_air.frontend.arrays import empty_result, from_memory
from allo_air.frontend.functions import Compiled

if TYPE_CHECKING:
    from collections.abc import Callable

    from allo_air.frontend.cpu import CpuModule
    from allo_air.mlir import ir


@dataclass(frozen=True)
class Verification:
    """Whether both results agree; `message` describes the comparison, or the first difference."""

    equal: bool
    message: str

    def __bool__(self) -> bool:
        return self.equal

    def __str__(self) -> str:
        return self.message


def compare(unscheduled: str, schedule: Any, seed: int, first: Compiled | None = None) -> Verification:
    """Compares `schedule` with the module `unscheduled`, whose top function has the same parameters except for shapes."""
    from allo_air.frontend.cpu import build

    top = schedule.top
    with schedule._context:
        before = build(unscheduled, replace(first or top, **_types(unscheduled, first or top)))
    return have_same_results(before, schedule.build(), draw(before.parameters, seed), top, "as scheduled", "before")


def verify(first: Any, second: Any, seed: int = 0) -> bool:
    """Whether two schedules give the same results on random inputs."""
    result = compare(str(second.plain), first, seed, second.top)
    if not result:
        print(result)
    return bool(result)


def draw(parameters: tuple[Declared, ...], seed: int) -> list[Any]:
    """Random arguments."""
    rng = np.random.default_rng(seed)
    return [_random(kind, rng) for kind in parameters]


def have_same_results(
    before: CpuModule, after: Callable[..., Any], arrays: list[np.ndarray], top: Compiled, here: str, second_place: str
) -> Verification:
    """Whether `after` gives the same results as `before`, also if primitives changed its parameters' shapes. They ran on `here`
    and `second_place`.
    """
    kinds = getattr(after, "parameters", before.parameters)
    copies = [g if k.shape is None else np.array(g, copy=True).reshape(k.shape) for g, k in zip(arrays, kinds, strict=True)]
    outs, rest = _tuple(before(*arrays)), _tuple(after(*copies))
    count = 0
    sides = [("result", n, k, a, b) for n, (k, a, b) in enumerate(zip(before.results, outs, rest, strict=True))]
    for name, kind, a, b in zip(top.names, before.parameters, arrays, copies, strict=True):
        sides.append((f"argument '{name}'", -1, kind, a, b))
    for what_kind, number, kind, a, b in sides:
        left, right = np.asarray(a), np.asarray(b).reshape(np.shape(a))
        count += left.size
        wrong = np.argwhere(~_equal(left, right, kind))
        if len(wrong):
            index = tuple(int(i) for i in wrong[0])
            place = f"{what_kind}{f' {number}' if number >= 0 else ''}{list(index) if index else ''}"
            return Verification(
                False,
                f"{place} is {right[index]} {here}, {left[index]} {second_place}; they differ in "
                f"{counted(len(wrong), 'element')}",
            )
    return Verification(True, f"equal on random inputs, all {count:,} elements")


def _types(text: str, top: Compiled) -> dict[str, Any]:
    """The parameters and results of the top function of module `text`."""
    from allo_air.mlir import func, ir

    module = ir.Module.parse(text)
    [op] = [o for o in module.body.operations if isinstance(o, func.FuncOp) and o.name.value == top.name]

    def shaped(kind: Declared, type_: ir.Type) -> Declared:
        return kind if kind.shape is None else replace(kind, shape=tuple(ir.MemRefType(type_).shape))

    return {
        "parameters": tuple(shaped(k, t) for k, t in zip(top.parameters, op.type.inputs, strict=True)),
        "results": tuple(shaped(k, t) for k, t in zip(top.results, op.type.results, strict=True)),
    }


def _random(kind: Declared, rng: np.random.Generator) -> Any:
    random_array = empty_result(Declared(kind.element, kind.shape if kind.shape is not None else ()))
    result = from_memory(random_array, kind, None)
    element = kind.element
    if element.floating or element.fixed:
        values = rng.standard_normal(result.shape)
        if element.fixed:
            values = np.round(np.abs(values) * 2) if not element.signed else np.round(values)
    else:
        bits = min(element.bits, 6)
        low = -(1 << (bits - 1)) if element.signed and element.kind != "index" else 0
        values = rng.integers(low, 1 << (bits - 1) if low else 1 << min(bits, 4), result.shape)
    array = np.asarray(values).astype(result.dtype)
    return array.item() if kind.shape is None else array


def _equal(a: np.ndarray, b: np.ndarray, kind: Declared) -> Any:
    if not kind.element.floating:
        return a == b
    left, right = a.astype(np.float64), b.astype(np.float64)
    tolerance = 2.0 ** (-7 if kind.element.bits == 16 else -14 if kind.element.bits == 32 else -30)
    largest = np.nanmax(np.abs(left), initial=0.0)
    return (np.abs(left - right) <= tolerance * largest) | (left == right) | (np.isnan(left) & np.isnan(right))


def _tuple(item: np.ndarray | tuple[np.ndarray, ...]) -> tuple[Any, ...]:
    return () if item is None else item if isinstance(item, tuple) else (item,)
