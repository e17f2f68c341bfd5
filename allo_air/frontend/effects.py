"""Which buffers a program reads before it writes them, and which it writes; how often its loops run."""

from __future__ import annotations

import re
from typing import Any

from allo_air.frontend.coverage import coverage
from allo_air.mlir import ir


def directions(buffer: Any) -> tuple[bool, bool]:
    """Whether what stands in `buffer` before the program matters, and whether the program writes it."""
    found = coverage(buffer)
    return bool(found.needed.any() or (found.writes and not found.written.all())), found.writes


def constant_trip(op: ir.Operation) -> int | None:
    """How often an affine.for runs its body, where its bounds are constants."""
    bounds = [
        re.fullmatch(r"affine_map<\(\) -> \((-?\d+)\)>", str(op.attributes[f"{end}BoundMap"])) for end in ("lower", "upper")
    ]
    if bounds[0] is None or bounds[1] is None:
        return None
    step = int(str(op.attributes["step"]).split(" ")[0])
    return max(0, -(-(int(bounds[1][1]) - int(bounds[0][1])) // step))
