"""`range_`: loops of cores and of the sequence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from allo_air.aie.iron.errors import IronMissing
from allo_air.aie.iron.values import Scalar, cast
from allo_air.aie.iron.writing import any_writer


def range_(start: Any, stop: Any = None, step: Any = None, *, iter_args: Any = None) -> Iterator[Scalar]:
    """`for i in range_(n)`: one `scf.for`; bounds are integers or values."""
    if iter_args is not None:
        raise IronMissing("range_: iter_args are not there yet")
    writer = any_writer("range_ stands")
    low, high = (0, start) if stop is None else (start, stop)
    bounds = [cast(b, "index").name for b in (low, high, 1 if step is None else step)]
    variable = writer.fresh()
    with writer.region(f"scf.for {variable} = {bounds[0]} to {bounds[1]} step {bounds[2]} {{"):
        yield Scalar(variable, "index")
