"""Marks loops of cores with `mustprogress`, so that LLVM may delete loops without an effect."""

from __future__ import annotations

from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, ir

_ATTRIBUTE = "loop_annotation"
_PROGRESS = "#llvm.loop_annotation<mustProgress = true>"


def mark_progress(core: AnyOp) -> None:
    """Marks the loops of `core`, except those that use a cascade, as mlir-air does; other annotations stay."""
    loops = [o for o in walk_named(core, "scf.for") if _ATTRIBUTE not in o.attributes]
    plain_loops = [o for o in loops if not walk_named(o, "aie.get_cascade", "aie.put_cascade")]
    if plain_loops:
        progress = ir.Attribute.parse(_PROGRESS)
        for loop in plain_loops:
            loop.attributes[_ATTRIBUTE] = progress
