"""Remarks about passes that match nothing, since the IR is of another level.

`WORKS_ON` of a room lists the operations (`aie.lock`) or dialects (`aie.*`) that its passes rewrite or read; a pass with
other operations has its own `works_on`. As in mlir-opt, it is not an error if none is present. A pipeline skips a pass if
none of the operations in the pass's own `works_on` is present.
"""

from __future__ import annotations

import sys
from typing import Any

from allo_air.core.pass_ import Pass
from allo_air.core.pipeline import Step
from allo_air.core.walking import names_in
from allo_air.mlir import ir

_HOLDERS = {"builtin.module", "func.func", "func.return"}
"""Operations that occur at every level."""


def works_on(cls: type[Pass]) -> tuple[str, ...]:
    """The operations and dialects of which the pass needs at least one; empty if it declares none."""
    room = sys.modules.get(cls.__module__.rpartition(".")[0])
    works: tuple[str, ...] = cls.works_on if cls.works_on is not None else getattr(room, "WORKS_ON", ())
    return works


def is_idle(step: Step, op: ir.Operation) -> bool:
    """Whether a pipeline can skip the pass on `op`, since none of the operations in the pass's own `works_on` is present.

    `WORKS_ON` of a room is not considered here; it only causes remarks.
    """
    dialects_needed = type(step.action).works_on if isinstance(step.action, Pass) and step.stage else None
    if not dialects_needed:
        return False
    names = names_in(op)
    return not names & {*dialects_needed} and not {f"{name.split('.', 1)[0]}.*" for name in names} & {*dialects_needed}


def remark(action: Any, op: ir.Operation) -> str:
    """The remark about pass `action` on `op`; empty if it has something to work on, or if its operations are unknown."""
    dialects_needed = works_on(type(action)) if isinstance(action, Pass) and action.looks_for_its_level else ()
    names = names_in(op) - _HOLDERS if dialects_needed else set()
    dialects = {f"{name.split('.', 1)[0]}.*" for name in names}
    if not names or names & {*dialects_needed} or dialects & {*dialects_needed}:
        return ""
    needed, result = " or ".join(dialects_needed), ", ".join(sorted(dialects))
    return f"pass '{action.name}' found nothing to work on: it works on {needed}, and the module has {result}"
