"""Removes assertions, since a core cannot stop a program."""

from __future__ import annotations

from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp


def drop_assertions(function: AnyOp) -> None:
    """Drops `cf.assert`: a core cannot stop a program, and the following code is defined without it.

    Importers assert that divisors are not zero (otherwise the quotient is infinite or NaN, as in IEEE 754) and that indices of
    a gather are in bounds (otherwise the element is undefined, as everywhere in linalg).
    """
    for op in walk_named(function, "cf.assert"):
        op.erase()
