"""Subscripts of affine accesses as sums: a constant factor for each loop variable, plus a constant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.core.loops import dim_of
from allo_air.core.walking import is_inside
from allo_air.errors import AlloAirError
from allo_air.mlir import AnyOp, affine, ir


@dataclass(frozen=True)
class Subscript:
    """One subscript: an affine expression of `operands`. If it is a plain sum, `terms` and `constant` describe it; otherwise
    they are None.
    """

    expression: Any
    operands: tuple[Any, ...]
    terms: dict[Any, int] | None
    constant: int = 0

    def used(self) -> list[Any]:
        """The operands on which the expression depends."""
        if self.terms is not None:
            return list(self.terms)
        return [v for i, v in enumerate(self.operands) if i in _positions(self.expression)]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Subscript):
            return NotImplemented
        if self.terms is not None or other.terms is not None:
            return (self.terms, self.constant) == (other.terms, other.constant)
        return str(self.expression) == str(other.expression) and self.operands == other.operands

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Access:
    """A load or a store of a tensor with affine subscripts."""

    op: Any
    subscripts: tuple[Subscript, ...]

    @property
    def is_load(self) -> bool:
        return bool(self.op.name == "affine.load")


def accesses(tensor: ir.Value, name: str, within: AnyOp) -> list[Access]:
    """The accesses of a tensor in the operations inside `within`. Raises for uses that are not an affine load or store."""
    if not isinstance(tensor, ir.BlockArgument) and is_inside(tensor.owner, within):
        raise AlloAirError(
            f"tensor '{name}' is made inside of the loop, in each iteration; partition a tensor that is made outside"
        )
    results = []
    for use in tensor.uses:
        op = use.owner.operation
        if not is_inside(op, within):
            continue
        if op.name not in ("affine.load", "affine.store") or (op.name == "affine.store" and op.operands[0] == tensor):
            raise AlloAirError(
                f"tensor '{name}' is used by {op.name}, and not by affine subscripts; customize with lower_linalg=True"
            )
        results.append(access(op))
    return results


def access(op: AnyOp) -> Access:
    """The access of an `affine.load` or `affine.store`."""
    operands = tuple(op.operands)[1 if op.name == "affine.load" else 2 :]
    return Access(op, tuple(_subscript(e, operands) for e in op.attributes["map"].value.results))


def _subscript(expression: ir.AffineExpr, operands: tuple[ir.Value, ...]) -> Subscript:
    result = _sum(expression, operands)
    if result is None:
        return Subscript(expression, operands, None)
    terms, constant = result
    return Subscript(expression, operands, {v: f for v, f in terms.items() if f}, constant)


def _positions(expression: Any) -> set[int]:
    """The dimensions on which an expression depends."""
    if isinstance(expression, ir.AffineDimExpr):
        return {int(expression.position)}
    if isinstance(expression, (ir.AffineConstantExpr, ir.AffineSymbolExpr)):
        return set()
    return _positions(expression.lhs) | _positions(expression.rhs)


def _sum(expression: ir.AffineExpr, operands: Sequence[ir.Value]) -> tuple[dict[Any, int], int] | None:
    match expression:
        case ir.AffineConstantExpr():
            return {}, int(expression.value)
        case ir.AffineDimExpr():
            return _value(operands[expression.position])
        case ir.AffineAddExpr():
            left, right = _sum(expression.lhs, operands), _sum(expression.rhs, operands)
            if left is None or right is None:
                return None
            terms = dict(left[0])
            for value, factor in right[0].items():
                terms[value] = terms.get(value, 0) + factor
            return terms, left[1] + right[1]
        case ir.AffineMulExpr():
            left, right = _sum(expression.lhs, operands), _sum(expression.rhs, operands)
            if left is None or right is None or (left[0] and right[0]):
                return None
            (terms, constant), factor = (left, right[1]) if not right[0] else (right, left[1])
            return {v: f * factor for v, f in terms.items()}, constant * factor
    return None


def _value(value: ir.Value) -> tuple[dict[Any, int], int]:
    """A value as a sum: of the operands of an `affine.apply`, or the value itself."""
    if not isinstance(value, ir.BlockArgument) and value.owner.name == "affine.apply":
        op = value.owner
        result = _sum(op.attributes["map"].value.results[0], list(op.operands))
        if result is not None:
            return result
    return {value: 1}, 0


def loop_of(value: ir.Value) -> Any:
    """The loop whose variable a value is; None for other values."""
    if isinstance(value, ir.BlockArgument) and value.owner.owner.operation.name in ("affine.for", "scf.for"):
        return value.owner.owner.operation
    return None


def values_of(value: ir.Value) -> range | None:
    """The values of a loop's variable, if its bounds are constant."""
    loop = loop_of(value)
    dim = dim_of(loop) if loop is not None and loop.name == "affine.for" else None
    return dim.values if dim is not None and len(dim.values) else None


def is_inner(value: ir.Value, loop: AnyOp) -> bool:
    """Whether a value is defined inside a loop. The loop's variable does not count."""
    owner = value.owner.owner.operation if isinstance(value, ir.BlockArgument) else value.owner.operation
    return bool(owner != loop and is_inside(owner, loop))


def bounds(terms: dict[ir.Value, int], constant: int = 0) -> tuple[int, int] | None:
    """The smallest and the largest value of a sum; None if the values of a variable are unknown."""
    low = high = constant
    for value, factor in terms.items():
        values = values_of(value)
        if values is None:
            return None
        ends = sorted((values[0] * factor, values[-1] * factor))
        low, high = low + ends[0], high + ends[1]
    return low, high


@dataclass(frozen=True)
class Sum:
    """A sum from which the subscript of a new access is built."""

    terms: dict[Any, int]
    constant: int = 0

    def plus(self, terms: dict[ir.Value, int], constant: int = 0) -> Sum:
        """The sum of both."""
        results = dict(self.terms)
        for value, factor in terms.items():
            results[value] = results.get(value, 0) + factor
        return Sum({v: f for v, f in results.items() if f}, self.constant + constant)


Index = Sum | Subscript


def affine_map(indices: Sequence[Index]) -> tuple[Any, list[Any]]:
    """The map of several subscripts, and its operands."""
    operands: list[Any] = []

    def place(value: ir.Value) -> Any:
        if value not in operands:
            operands.append(value)
        return ir.AffineDimExpr.get(operands.index(value))

    results = []
    for each in indices:
        if isinstance(each, Sum):
            total: Any = ir.AffineConstantExpr.get(each.constant)
            for value, factor in each.terms.items():
                total = total + place(value) * factor
            results.append(total)
        else:
            dims = [place(v) for v in each.operands]
            source = ir.AffineMap.get(len(dims), 0, [each.expression])
            results.append(source.results[0].compose(ir.AffineMap.get(max(len(operands), 1), 0, dims)))
    return ir.AffineMap.get(len(operands), 0, results), operands


def load(tensor: ir.Value, indices: Sequence[Index]) -> Any:
    """The element of a tensor."""
    result, operands = affine_map(indices)
    return affine.AffineLoadOp(ir.MemRefType(tensor.type).element_type, tensor, operands, result).result


def store(value: ir.Value, tensor: ir.Value, indices: Sequence[Index]) -> None:
    """Sets an element of a tensor."""
    result, operands = affine_map(indices)
    affine.AffineStoreOp(value, tensor, operands, result)


def loop_nest(sizes: Sequence[int], name: str, body: Callable[[list[Sum]], None]) -> None:
    """Loops from 0 to each size, whose innermost body `body` emits, given their variables."""
    from allo_air.scheduling.loops import new_loop

    def level(number: int, variables: list[Sum]) -> None:
        if number == len(sizes):
            body(variables)
            return
        result = new_loop(sizes[number], name if number == 0 else f"{name}_{number}")
        result.operation.attributes["buffer"] = ir.UnitAttr.get()
        with ir.InsertionPoint.at_block_begin(result.body):
            level(number + 1, [*variables, Sum({result.induction_variable: 1})])

    level(0, [])
