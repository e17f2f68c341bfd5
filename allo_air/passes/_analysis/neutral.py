"""Neutral elements of scalar operations: 0 for addition, 1 for multiplication."""

from __future__ import annotations

from math import inf

_NUMBERS = {
    "arith.addf": 0.0,
    "arith.mulf": 1.0,
    "arith.maximumf": -inf,
    "arith.minimumf": inf,
    "arith.maxnumf": -inf,
    "arith.minnumf": inf,
    "arith.addi": 0,
    "arith.muli": 1,
    "arith.andi": -1,
    "arith.ori": 0,
    "arith.xori": 0,
    "arith.maxui": 0,
    "arith.minui": -1,
}


def neutral_number(name: str, bits: int) -> int | float | None:
    """The neutral element of operation `name` on numbers of `bits` bits (0: not integers); None if it has none."""
    extremes = {"arith.maxsi": -(1 << (bits - 1)), "arith.minsi": (1 << (bits - 1)) - 1} if bits else {}
    return (_NUMBERS | extremes).get(name)
