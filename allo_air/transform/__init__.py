"""Runs transform scripts with operations of MLIR and of `transform.air` (docs/transform.md)."""

from __future__ import annotations

from typing import Any

from allo_air import asm, dialects
from allo_air.core.names import sym_name_of
from allo_air.errors import AlloAirError
from allo_air.mlir import AnyOp, ir
from allo_air.transform.handles import Handle
from allo_air.transform.interpreter import Interpreter
from allo_air.transform.library import with_library
from allo_air.transform.pdl import nested

__all__ = ["read_script", "run_schedule", "run_script"]


def read_script(text: str, name: str, library: str = "") -> Any:
    """The module of transform script `text`, called `name` in messages. Raises DiagnosticError at its line if it is invalid.

    Needs an active context. Sequences that the script refers to and does not define are taken from the files of folder
    `library`, then from this library.
    """
    dialects.load(ir.Context.current, ("air", "transform.air"))
    return asm.read(with_library(text, library), name)


def run_script(script: AnyOp, op: AnyOp) -> None:
    """Runs the script module `script` on `op`: its sequence `@__transform_main`, at the top level or in a nested module, or
    otherwise all `transform.sequence` operations in order.
    """
    script = script.operation
    tops = [o.operation for o in script.regions[0].blocks[0].operations]
    inner = [o.operation for m in tops if m.name == "builtin.module" for o in m.regions[0].blocks[0].operations]
    named = [o for o in (*tops, *inner) if o.name == "transform.named_sequence"]
    mains = [s for s in named if sym_name_of(s) == "__transform_main"]
    if mains:
        _start_script(script, mains[0], op.operation)
        return
    for top in tops:
        if top.name == "transform.sequence":
            _start_script(script, top, op.operation)
        elif top.name == "transform.with_pdl_patterns":
            for sequence in nested(top, "transform.sequence"):
                _start_script(script, sequence, op.operation)


def run_schedule(script: AnyOp, name: str, op: AnyOp) -> None:
    """Runs a script on `op` like `run_script`; without a main sequence, runs the only named sequence that no other includes.

    `name` is the script's name in messages. Raises AlloAirError if the script has no sequence to begin with.
    """
    from allo_air.core.walking import walk_named

    named = walk_named(script, "transform.named_sequence")
    included = {o.attributes["target"].value for o in walk_named(script, "transform.include")}
    names = [sym_name_of(o) for o in named]
    starts = [n for n in names if n not in included]
    if "__transform_main" in names or (not named and walk_named(script, "transform.sequence", "transform.with_pdl_patterns")):
        run_script(script, op)
    elif len(starts) == 1:
        _start_script(script.operation, next(o for o in named if sym_name_of(o) == starts[0]), op.operation)
    else:
        result = ", ".join(f"@{n}" for n in starts) or "none"
        raise AlloAirError(
            f"{name}: expected transform.named_sequence @__transform_main to begin with; sequences here: {result}"
        )


def _start_script(script: ir.Operation, sequence: ir.Operation, root: ir.Operation) -> None:
    block = sequence.regions[0].blocks[0]
    interpreter = Interpreter(script, root)
    interpreter.run(block, [Handle("ops", [root]) for _ in block.arguments])
