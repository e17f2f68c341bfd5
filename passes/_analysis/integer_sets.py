"""Integer sets: the points (d0, d1, ...) that satisfy affine constraints in them and in symbols s0, s1, ..."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.mlir import ir

_TEXT = re.compile(r"affine_set<\((?P<dims>.*?)\)(?:\[(?P<symbols>.*?)\])? : \((?P<constraints>.*)\)>")


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
    """The constraints of an integer set; the bindings print the attribute, but do not open it."""

    dims: int
    symbols: int
    constraints: tuple[Constraint, ...]

    @classmethod
    def of(cls, attribute: Any) -> IntegerSet:
        """The set in an IntegerSetAttr."""
        found = _TEXT.fullmatch(str(attribute))
        assert found, f"{attribute} is an integer set"
        dims, symbols = (found[name] or "" for name in ("dims", "symbols"))
        parts = [re.fullmatch(r"(.*) (==|>=) 0", part) for part in re.split(r", (?![^(]*\))", found["constraints"])]
        expressions = ", ".join(part[1] for part in parts if part)
        with attribute.context:
            map_ = ir.Attribute.parse(f"affine_map<({dims})[{symbols}] -> ({expressions})>").value
        constraints = tuple(Constraint(e, p[2] == "==") for e, p in zip(map_.results, parts, strict=True) if p)
        return cls(map_.n_dims, map_.n_symbols, constraints)

    def attribute(self) -> Any:
        """The set as an IntegerSetAttr."""
        return ir.IntegerSetAttr.get(self._built())

    def at(self, *numbers: int) -> IntegerSet:
        """The set for one value of each symbol, its dimensions written as symbols; what then always holds is left out."""
        points = [ir.AffineSymbolExpr.get(n) for n in range(self.dims)]
        replaced = self._built().get_replaced(points, [ir.AffineConstantExpr.get(n) for n in numbers], 0, self.dims)
        found = tuple(Constraint(c.expr.maybe_downcast(), c.is_eq) for c in replaced.constraints)
        return IntegerSet(0, self.dims, tuple(c for c in found if not c.always_holds))

    def _built(self) -> Any:
        expressions = [c.expression for c in self.constraints]
        return ir.IntegerSet.get(self.dims, self.symbols, expressions, [c.is_equality for c in self.constraints])

    def contains(self, dims: Sequence[int], symbols: Sequence[int] = ()) -> bool:
        """Whether the point `dims` is in the set for `symbols`."""
        for constraint in self.constraints:
            value = evaluate(constraint.expression, dims, symbols)
            if value < 0 or (constraint.is_equality and value):
                return False
        return True


def evaluate(expression: Any, dims: Sequence[int], symbols: Sequence[int] = ()) -> int:
    """The value of an affine expression."""
    match expression:
        case ir.AffineDimExpr():
            return dims[expression.position]
        case ir.AffineSymbolExpr():
            return symbols[expression.position]
        case ir.AffineConstantExpr():
            return int(expression.value)
    left, right = (evaluate(side, dims, symbols) for side in (expression.lhs, expression.rhs))
    match expression:
        case ir.AffineAddExpr():
            return left + right
        case ir.AffineMulExpr():
            return left * right
        case ir.AffineFloorDivExpr():
            return left // right
        case ir.AffineCeilDivExpr():
            return -(-left // right)
        case ir.AffineModExpr():
            return left % right
    raise AssertionError(f"{expression} is an affine expression")
