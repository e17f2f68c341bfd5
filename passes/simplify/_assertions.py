"""Assertions, which nothing on the array can stop at."""

from __future__ import annotations

from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp


def drop_assertions(function: AnyOp) -> None:
    """Drops `cf.assert`: a core cannot stop a program, and what follows is defined without it.

    Importers assert that divisors are not zero (the quotient is then infinite or no number, as IEEE 754 has it) and that
    indices of a gather are inside (what is gathered from outside is undefined, as everywhere in linalg).
    """
    for op in walk_named(function, "cf.assert"):
        op.erase()
