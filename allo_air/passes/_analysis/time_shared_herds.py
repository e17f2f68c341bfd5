"""Herds that run on the same cores, one after another."""

from __future__ import annotations

from typing import Any

from allo_air.core.names import sym_name_of
from allo_air.core.walking import enclosing, walk_named
from allo_air.mlir import AnyOp, ir

_AROUND = ("air.segment", "air.launch", "func.func")


def time_shared_herds_of(module: AnyOp) -> list[list[ir.Operation]]:
    """The herds in `module`, grouped by shared cores: herds of one name in one segment (or launch, or function) share cores."""
    ops: dict[Any, list[ir.Operation]] = {}
    for number, herd in enumerate(walk_named(module, "air.herd")):
        name = sym_name_of(herd) if "sym_name" in herd.attributes else number
        ops.setdefault((name, enclosing(herd, *_AROUND)), []).append(herd)
    return list(ops.values())
