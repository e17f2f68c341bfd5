"""The least and the greatest value of an index expression over the ranges of its leaves."""

from __future__ import annotations

from itertools import product
from math import prod

from allo_air.air.api.index import Index, Leaf, Term

_MOST = 4096
"""Largest number of points to evaluate, for expressions with divisions."""


def extent(index: Index | int) -> tuple[int, int] | None:
    """`(least, greatest)`, both exact; None if too many points would have to be evaluated."""
    if isinstance(index, int):
        return index, index
    leaves = list(index.leaves())
    if all(isinstance(t, Leaf) for t in index.terms):
        ends = [(n * t.first, n * t.last) for t, n in index.terms.items() if isinstance(t, Leaf)]
        return index.constant + sum(map(min, ends)), index.constant + sum(map(max, ends))
    if prod(max(leaf.count, 1) for leaf in leaves) > _MOST:
        return None
    points = product(*(range(leaf.first, leaf.last + 1, leaf.step) for leaf in leaves))
    values = [_value(index, dict(zip(leaves, point, strict=True))) for point in points]
    return min(values), max(values)


def _value(index: Index, values: dict[Leaf, int]) -> int:
    return index.constant + sum(n * _of(term, values) for term, n in index.terms.items())


def _of(term: Term, values: dict[Leaf, int]) -> int:
    if isinstance(term, Leaf):
        return values[term]
    inner = _value(term.of, values)
    return inner // term.by if term.kind == "//" else inner % term.by
