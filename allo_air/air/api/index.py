"""Index expressions: sums of coordinates and loop variables times integers, with `//` and `%` by constants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from allo_air.air.api.errors import TypeError, ValueError
from allo_air.air.api.symbol import plain


class Leaf:
    """A coordinate or loop variable with the values `first`, `first + step`, ...; the trace maps it to an IR value."""

    def __init__(self, name: str, count: int, first: int = 0, step: int = 1):
        self.name, self.count, self.first, self.step = name, count, first, step

    @property
    def last(self) -> int:
        """Its greatest value."""
        return self.first + (self.count - 1) * self.step


@dataclass(frozen=True)
class Division:
    """`of // by` or `of % by`; equal expressions are one term."""

    kind: Literal["//", "%"]
    key: object  # the key of `of`, since sums themselves do not compare
    by: int
    of: Index = field(compare=False)


Term = Leaf | Division


class Index:
    """A sum of terms times integers, plus a constant. Constant sums are plain Python integers."""

    def __init__(self, terms: Mapping[Term, int], constant: int = 0):
        self.terms = {t: n for t, n in terms.items() if n}
        self.constant = constant

    def leaves(self) -> Iterator[Leaf]:
        """The leaves in order of appearance, each once."""
        yield from dict.fromkeys(self._leaves())

    def _leaves(self) -> Iterator[Leaf]:
        for term in self.terms:
            if isinstance(term, Leaf):
                yield term
            else:
                yield from term.of._leaves()

    def _plus(self, other: object, factor: int) -> Any:
        if isinstance(other, Index):
            terms = dict(self.terms)
            for term, n in other.terms.items():
                terms[term] = terms.get(term, 0) + factor * n
            return simple(terms, self.constant + factor * other.constant)
        if isinstance(number := plain(other), int):
            return simple(self.terms, self.constant + factor * number)
        return _not_an_index("+" if factor == 1 else "-", other)

    def __add__(self, other: object) -> Any:
        return self._plus(other, 1)

    __radd__ = __add__

    def __sub__(self, other: object) -> Any:
        return self._plus(other, -1)

    def __rsub__(self, other: int) -> Any:
        negative = -self
        if isinstance(negative, int):
            return other - int(-negative)
        if not isinstance(plain(other), int):
            return _not_an_index("-", other)
        return negative._plus(other, 1)

    def __neg__(self) -> Any:
        return self * -1

    def __mul__(self, other: object) -> Any:
        if isinstance(other, Index):
            raise TypeError("a product of two coordinates is not affine; multiply a coordinate by an integer only")
        if isinstance(number := plain(other), int):
            return simple({t: n * number for t, n in self.terms.items()}, self.constant * number)
        return _not_an_index("*", other)

    __rmul__ = __mul__

    def __floordiv__(self, other: object) -> Any:
        return self._divided("//", other)

    def __mod__(self, other: object) -> Any:
        return self._divided("%", other)

    def __truediv__(self, other: object) -> Any:
        raise TypeError("`/` of a coordinate is not supported: an index is an integer; write `//`, by a positive integer")

    __rtruediv__ = __truediv__

    def __rfloordiv__(self, other: object) -> Any:
        raise TypeError("a coordinate cannot be the divisor of `//`; divide by a positive integer")

    def __rmod__(self, other: object) -> Any:
        raise TypeError("a coordinate cannot be the divisor of `%`; divide by a positive integer")

    def _divided(self, kind: Literal["//", "%"], by: object) -> Any:
        if isinstance(by, Index):
            raise TypeError(f"a coordinate cannot be the divisor of `{kind}`; divide by a positive integer")
        number = plain(by)
        if not isinstance(number, int) or isinstance(number, bool):
            return _not_an_index(kind, by)
        if number <= 0:
            raise ValueError(f"the divisor of `{kind}` is {number}, expected a positive integer")
        if number == 1:
            return self if kind == "//" else 0
        return Index({Division(kind, self.key, number, self): 1})

    @property
    def key(self) -> object:
        """The key by which equal sums are recognized."""
        return frozenset(self.terms.items()), self.constant

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Index) or isinstance(plain(other), int):
            raise TypeError("a coordinate has no value while the program is traced: it cannot be compared")
        return False

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise TypeError("a coordinate has no value while the program is traced: it cannot decide an `if` or a `while`")

    def __index__(self) -> int:
        raise TypeError("a coordinate has no value while the program is traced; air.sequential loops over constant bounds")

    __int__ = __lt__ = __le__ = __gt__ = __ge__ = lambda self, *_: self.__index__()

    def __repr__(self) -> str:
        parts = [_text(t) if n == 1 else f"{_text(t)} * {n}" for t, n in self.terms.items()]
        return " + ".join(parts + ([str(self.constant)] if self.constant else []))


def _not_an_index(operator: str, other: object) -> Any:
    """NotImplemented for an elementwise expression, which accepts coordinates as scalars; raises an error for other
    operands."""
    if hasattr(other, "operands") or hasattr(other, "buffer"):
        return NotImplemented
    if operator in ("//", "%"):
        raise TypeError(f"a coordinate `{operator}` {other!r}: the divisor is a positive integer or a symbol")
    allowed = "an integer or a symbol" if operator == "*" else "an integer, a symbol or a coordinate"
    raise TypeError(f"a coordinate `{operator}` {other!r}: the other operand is {allowed}")


def _text(term: Term) -> str:
    return term.name if isinstance(term, Leaf) else f"({term.of!r}) {term.kind} {term.by}"


def simple(terms: Mapping[Term, int], constant: int) -> Index | int:
    """The sum; an int if no term is left."""
    index = Index(terms, constant)
    return index if index.terms else constant


def leaf(name: str, count: int, first: int = 0, step: int = 1) -> Index:
    """An expression that is one new leaf."""
    return Index({Leaf(name, count, first, step): 1})
