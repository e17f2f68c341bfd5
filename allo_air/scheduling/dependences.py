"""Finds dependences between iterations of a loop nest, and whether another order of the loops preserves them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from allo_air.core.walking import is_inside, walk_pre_order
from allo_air.errors import AlloAirError
from allo_air.mlir import AnyOp, ir
from allo_air.scheduling.loops import Loop, constant_range
from allo_air.scheduling.subscripts import Access, Subscript, access

_SIMPLE = {"affine.load", "affine.store", "memref.load", "memref.store"}
_STORES = {"affine.store", "memref.store"}
_CASTS = {"arith.extsi", "arith.extui", "arith.trunci", "arith.extf", "arith.truncf"}
_ASSOCIATIVE = {
    "arith.addi", "arith.addf", "arith.muli", "arith.mulf", "arith.andi", "arith.ori", "arith.xori", "arith.maxsi",
    "arith.maxui",
    "arith.minsi", "arith.minui", "arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf",
}  # fmt: skip
_MOST = 512
"""Largest number of distances that are examined one by one."""

Distance = dict[int, int]
"""The distance between two accesses of an element: a number of iterations for each loop (by number); other loops are
unconstrained.
"""


def check_order(nest: Sequence[Loop], order: Sequence[Loop]) -> None:
    """Raises an error if the nest's loops in `order` would reverse two iterations of which one depends on the other.

    Sums, products, minima and maxima that accumulate in an element may accumulate in any order.
    """
    numbers = [nest.index(each) for each in order]
    for name, first, second in _access_pairs(nest):
        for distance in distances(nest, first, second):
            if _turns_round(len(nest), numbers, distance):
                raise AlloAirError(
                    f"in the order {', '.join(each.name for each in order)}, iterations that use elements of {name} would "
                    "change places with those that write them"
                )


def _access_pairs(nest: Sequence[Loop]) -> Iterator[tuple[str, Access | None, Access | None]]:
    """Pairs of accesses of a tensor of which one is a store. None for accesses of unknown elements."""
    uses: dict[Any, list[Any]] = {}
    for op in walk_pre_order(nest[-1].op):
        for number, value in enumerate(op.operands):
            if isinstance(value.type, ir.MemRefType) and not _is_local(value, nest[-1].op) and op.name != "memref.dealloc":
                uses.setdefault(value, []).append((op, number))
    for tensor, item in uses.items():
        ops = [op for op, _ in item]
        name = _name(tensor)
        if all(op.name in ("affine.load", "memref.load") for op in ops) or _is_private(tensor, ops, nest):
            continue
        if any(op.name not in _SIMPLE for op in ops):
            yield name, None, None
            continue
        built_up = [op for op in ops if not builds_up(op, ops)]
        writes = [op for op in ops if op.name in _STORES]
        for write in writes:
            for touching in ops:
                if touching in built_up or write in built_up:
                    yield name, _access(write), _access(touching)


def _name(tensor: ir.Value) -> str:
    if not isinstance(tensor, ir.BlockArgument) and "name" in tensor.owner.attributes:
        return f"tensor '{tensor.owner.attributes['name'].value}'"
    return "a tensor"


def _is_local(value: ir.Value, loop: AnyOp) -> bool:
    return not isinstance(value, ir.BlockArgument) and is_inside(value.owner, loop)


def _is_private(tensor: ir.Value, ops: list[AnyOp], nest: Sequence[Loop]) -> bool:
    """Whether `tensor` is a variable that each iteration sets before it uses it, and that nothing uses after the nest."""
    if ir.MemRefType(tensor.type).shape or isinstance(tensor, ir.BlockArgument):
        return False
    outside = [use.owner for use in tensor.uses if not is_inside(use.owner, nest[0].op)]
    first = ops[0]
    if outside or first.name not in _STORES:
        return False
    return any(view.operation == first for view in nest[-1].body.operations)


def builds_up(op: AnyOp, ops: list[AnyOp]) -> bool:
    """Whether a load or store belongs to an accumulation `x[i] = x[i] + ...`, whose order is free."""
    pairs = [(store, _source(store)) for store in ops if store.name == "affine.store"]
    return any(load is not None and op in (store, load) for store, load in pairs)


def _source(store: AnyOp) -> Any:
    """The load of the element to which a store adds."""
    result = _through_casts(store.operands[0])
    if result is None or result.name not in _ASSOCIATIVE:
        return None
    subscripts = access(store).subscripts
    loads = [_through_casts(v) for v in result.operands]
    results = [
        load
        for load in loads
        if load is not None
        and load.name == "affine.load"
        and load.operands[0] == store.operands[1]
        and access(load).subscripts == subscripts
    ]
    return results[0] if len(results) == 1 and len(list(results[0].results[0].uses)) == 1 else None


def _through_casts(value: ir.Value) -> Any:
    while not isinstance(value, ir.BlockArgument):
        op = value.owner.operation if hasattr(value.owner, "operation") else value.owner
        if op.name not in _CASTS or len(list(op.results[0].uses)) != 1:
            return op
        value = op.operands[0]
    return None


def _access(op: AnyOp) -> Access | None:
    return access(op) if op.name.startswith("affine.") else None


def distances(nest: Sequence[Loop], first: Access | None, second: Access | None) -> list[Distance]:
    """The distances between iterations in which two accesses touch the same element."""
    if first is None or second is None:
        return [{}]
    results: list[Distance] = [{}]
    for a, b in zip(first.subscripts, second.subscripts, strict=True):
        solutions = _solutions(nest, a, b)
        if solutions is None:
            continue
        results = [{**x, **y} for x, y in product(results, solutions) if all(x.get(k, v) == v for k, v in y.items())]
        if len(results) > _MOST:
            return [{}]
    return results


def _solutions(nest: Sequence[Loop], a: Subscript, b: Subscript) -> list[Distance] | None:
    """The distances for which two subscripts are equal; None if the subscripts do not restrict them."""
    variables = [loop.variable for loop in nest]
    if (
        a.terms is None
        or b.terms is None
        or a.terms != b.terms
        or any(v not in variables and _changes_in(v, nest) for v in a.terms)
    ):
        return None
    loops = sorted(((variables.index(v), f) for v, f in a.terms.items() if v in variables), key=lambda pair: -abs(pair[1]))
    reach = [len(constant_range(nest[number])) - 1 for number, _ in loops]
    steps = [factor * constant_range(nest[number]).step for number, factor in loops]
    results: list[Distance] = []

    def solve(level: int, remaining: int, chosen: Distance) -> bool:
        if level == len(loops):
            if remaining == 0:
                results.append(chosen)
            return len(results) <= _MOST
        rest = sum(abs(s) * r for s, r in zip(steps[level + 1 :], reach[level + 1 :], strict=True))
        ends = sorted(((remaining - rest) / steps[level], (remaining + rest) / steps[level]))
        low, high = max(-reach[level], int(-(-ends[0] // 1))), min(reach[level], int(ends[1] // 1))
        return all(solve(level + 1, remaining - steps[level] * d, {**chosen, loops[level][0]: d}) for d in range(low, high + 1))

    return results if solve(0, b.constant - a.constant, {}) else None


def _changes_in(value: ir.Value, nest: Sequence[Loop]) -> bool:
    """Whether a value changes within the nest."""
    owner = value.owner.owner.operation if isinstance(value, ir.BlockArgument) else value.owner.operation
    return bool(is_inside(owner, nest[0].op))


def _turns_round(count: int, order: list[int], distance: Distance) -> bool:
    free = [number for number in range(count) if number not in distance]
    signs = {number: (d > 0) - (d < 0) for number, d in distance.items()}
    for chosen in product((-1, 0, 1), repeat=len(free)):
        vector = signs | dict(zip(free, chosen, strict=True))
        before = next((vector[n] for n in range(count) if vector[n]), 0)
        after = next((vector[n] for n in order if vector[n]), 0)
        if before != after:
            return True
    return False
