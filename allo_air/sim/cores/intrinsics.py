"""Refuses intrinsics of AIE's LLVM back end in the code of cores, since the host cannot execute them."""

from __future__ import annotations

import re

from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk_named
from allo_air.mlir import ir

_BUS = re.compile(r"\.(read|write)\.tm$")
"""Accesses of the tile's registers over the processor bus."""


def refuse_intrinsics(module: ir.Operation) -> None:
    """Raises DiagnosticError at the first call of an intrinsic of AIE's LLVM back end."""
    for op in walk_named(module, "llvm.call_intrinsic"):
        name = op.attributes["intrin"].value
        if not name.startswith("llvm.aie"):
            continue
        if _BUS.search(name):
            raise error_at(
                op,
                f"cannot be simulated: {name} reaches the tile's registers over the processor bus, which cores here lack; "
                "let the runtime sequence or control packets access them, and use aie.use_lock for locks",
            )
        raise error_at(
            op,
            f"cannot be simulated: {name} is an instruction of the core; write operations of MLIR instead, or call an external "
            "function and give its kernel in Python",
        )
