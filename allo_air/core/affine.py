"""Affine maps and integer sets: as functions on numbers, and the constraints of a set; and the operations that use them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from allo_air.core.integers import INDEX_WIDTH, Function, Undefined, wrap
from allo_air.mlir import AnyOp, ir

Evaluate = Callable[[Sequence[int]], list[int]]
"""From dimensions and then symbols to the results of a map; may raise Undefined."""

_SET = re.compile(r"affine_set<\((?P<dims>.*?)\)(?:\[(?P<symbols>.*?)\])? : \((?P<constraints>.*)\)>")
_DYNAMIC = -(2**63)


@dataclass(frozen=True)
class Constraint:
    """`expression == 0`, or `expression >= 0`."""

    expression: Any
    is_equality: bool

    @property
    def always_holds(self) -> bool:
        value = self.expression.value if isinstance(self.expression, ir.AffineConstantExpr) else -1
        return bool(value == 0 if self.is_equality else value >= 0)


@dataclass(frozen=True)
class IntegerSet:
    """The points (d0, d1, ...) that satisfy affine constraints in them and in symbols s0, s1, ..."""

    dims: int
    symbols: int
    constraints: tuple[Constraint, ...]

    @classmethod
    def of(cls, attribute: ir.Attribute) -> IntegerSet:
        """The set in an IntegerSetAttr, which the bindings print but do not open."""
        match = _SET.fullmatch(str(attribute))
        assert match, f"{attribute} is an integer set"
        dims, symbols = (match[name] or "" for name in ("dims", "symbols"))
        sides, kinds = zip(*(part.rsplit(" ", 2)[:2] for part in match["constraints"].split(", ")), strict=True)
        with attribute.context:
            map_ = ir.Attribute.parse(f"affine_map<({dims})[{symbols}] -> ({', '.join(sides)})>").value
        constraints = tuple(Constraint(e, kind == "==") for e, kind in zip(map_.results, kinds, strict=True))
        return cls(map_.n_dims, map_.n_symbols, constraints)

    def attribute(self) -> ir.IntegerSetAttr:
        """The set as an IntegerSetAttr."""
        return ir.IntegerSetAttr.get(self._built())

    def at(self, *numbers: int) -> IntegerSet:
        """Returns the set for one value of each symbol, with its dimensions written as symbols. Constraints that then always
        hold are left out.
        """
        points = [ir.AffineSymbolExpr.get(n) for n in range(self.dims)]
        replaced = self._built().get_replaced(points, [ir.AffineConstantExpr.get(n) for n in numbers], 0, self.dims)
        constraints = tuple(Constraint(c.expr.maybe_downcast(), c.is_eq) for c in replaced.constraints)
        return IntegerSet(0, self.dims, tuple(c for c in constraints if not c.always_holds))

    def replaced(self, dims: Sequence[ir.AffineExpr], n_dims: int, n_symbols: int) -> IntegerSet:
        """The set with the expressions `dims` instead of its dimensions. They are in `n_dims` new dimensions and `n_symbols`
        symbols, the first of which are the set's own.
        """
        into = ir.AffineMap.get(n_dims, n_symbols, list(dims))
        return IntegerSet(
            n_dims, n_symbols, tuple(Constraint(c.expression.compose(into), c.is_equality) for c in self.constraints)
        )

    def _built(self) -> ir.IntegerSet:
        expressions = [c.expression for c in self.constraints]
        return ir.IntegerSet.get(self.dims, self.symbols, expressions, [c.is_equality for c in self.constraints])

    def contains(self, dims: Sequence[int], symbols: Sequence[int] = ()) -> bool:
        """Whether the point `dims` is in the set for `symbols`."""
        return self.test([*dims, *symbols])

    @cached_property
    def test(self) -> Callable[[Sequence[int]], bool]:
        """Whether a point, dimensions and then symbols, is in the set; may raise Undefined."""
        evaluate = _compiled([c.expression for c in self.constraints], self.dims)
        equal = [c.is_equality for c in self.constraints]
        return lambda point: all(n == 0 if e else n >= 0 for n, e in zip(evaluate(point), equal, strict=True))


def compiled(map_: ir.AffineMap) -> Evaluate:
    """An affine map as a function."""
    return _compiled(map_.results, map_.n_dims)


def results_of(map_: ir.AffineMap, values: Sequence[int | None]) -> list[int | None]:
    """The results of an affine map for `values`; None for unknown ones. If any value is unknown, only constant results are
    known.
    """
    if None not in values:
        with suppress(Undefined):
            return [*compiled(map_)(values)]  # type: ignore[arg-type]
    return [e.value if isinstance(e, ir.AffineConstantExpr) else None for e in map_.results]


def first_results(map_: ir.AffineMap, rows: Sequence[Sequence[int | None]]) -> list[int | None]:
    """The first result of an affine map for each of `rows`, dimensions and then symbols, as `results_of` has it."""
    evaluate, result = compiled(map_), list[int | None]()
    for row in rows:
        try:
            result.append(results_of(map_, row)[0] if None in row else evaluate(row)[0])  # type: ignore[arg-type]
        except Undefined:
            result.append(results_of(map_, row)[0])
    return result


def compiled_set(attribute: ir.IntegerSetAttr) -> Callable[[Sequence[int]], bool]:
    """Whether a point, dimensions and then symbols, is in the set of an IntegerSetAttr; may raise Undefined."""
    with attribute.context:
        return _test_of(str(attribute))


@lru_cache(maxsize=1024)
def _test_of(text: str) -> Callable[[Sequence[int]], bool]:
    return IntegerSet.of(ir.Attribute.parse(text)).test


def _compiled(expressions: Sequence[ir.AffineExpr], dims: int) -> Evaluate:
    return _function(", ".join(_source(e, dims) for e in expressions))


@lru_cache(maxsize=1024)
def _function(source: str) -> Evaluate:
    function: Evaluate = eval(f"lambda v: [{source}]", {"_positive": _positive})
    return function


def _source(expression: Any, dims: int) -> str:
    """An expression as Python text over `v`, the dimensions and then the symbols."""
    match expression:
        case ir.AffineDimExpr():
            return f"v[{expression.position}]"
        case ir.AffineSymbolExpr():
            return f"v[{dims + expression.position}]"
        case ir.AffineConstantExpr():
            return f"({expression.value})"
    left, right = _source(expression.lhs, dims), _source(expression.rhs, dims)
    if isinstance(expression, ir.AffineAddExpr | ir.AffineMulExpr):
        return f"({left} {'+' if isinstance(expression, ir.AffineAddExpr) else '*'} {right})"
    if not isinstance(expression.rhs, ir.AffineConstantExpr) or expression.rhs.value < 1:
        right = f"_positive({right})"
    if isinstance(expression, ir.AffineCeilDivExpr):
        return f"(-(-{left} // {right}))"
    return f"({left} {'//' if isinstance(expression, ir.AffineFloorDivExpr) else '%'} {right})"


def _positive(divisor: int) -> int:
    if divisor < 1:
        raise Undefined(f"divides by {divisor} in an affine expression, which must be positive")
    return divisor


def _of_map(op: AnyOp) -> Function:
    evaluate = compiled(op.attributes["map"].value)
    if op.name == "affine.apply":
        return lambda *v: _index(evaluate(v)[0])
    choose = min if op.name == "affine.min" else max
    return lambda *v: _index(choose(evaluate(v)))


def _index(number: int) -> int:
    if not -(1 << INDEX_WIDTH - 1) <= number < 1 << INDEX_WIDTH - 1:
        raise Undefined(f"computes {number}, which is not an index")
    return number


def _of_delinearize(op: ir.Operation) -> Function:
    statics, count = list(op.attributes["static_basis"]), len(op.results)

    def run(index: int, *dynamic: int) -> Any:
        value = iter(dynamic)
        basis = [next(value) if b == _DYNAMIC else b for b in statics]
        parts: list[int] = []
        for size in reversed(basis[len(basis) - count + 1 :]):
            index, part = divmod(index, _positive(size))
            parts.append(part)
        return (index, *reversed(parts)) if parts else index

    return run


def _of_linearize(op: ir.Operation) -> Function:
    statics, count = list(op.attributes["static_basis"]), next(iter(op.attributes["operandSegmentSizes"]))

    def run(*operands: int) -> int:
        indices, value = operands[:count], iter(operands[count:])
        basis = [next(value) if b == _DYNAMIC else b for b in statics]
        result = 0
        for index, size in zip(indices, [1] * (count - len(basis)) + basis, strict=True):
            result = result * size + index
        return wrap(result, INDEX_WIDTH)

    return run


RULES: dict[str, Callable[[Any], Function | None]] = {
    **dict.fromkeys(("affine.apply", "affine.min", "affine.max"), _of_map),
    "affine.delinearize_index": _of_delinearize,
    "affine.linearize_index": _of_linearize,
}
"""By operation name, a rule that returns the function from an operation's operands to its results."""
