"""Runs one step of a pipeline: a pass of MLIR as text, one of our passes on each operation of its kind."""

import contextlib

from allo_air.core import contexts, erasing
from allo_air.core.pass_ import Pass
from allo_air.core.pipeline import Step, nest
from allo_air.core.upstream import run_upstream
from allo_air.core.walking import walk_named
from allo_air.mlir import ir


def run_step(step: Step, operation: ir.Operation) -> None:
    """Runs the step's pass on all operations in `operation` that it runs on."""
    if not isinstance(step.action, Pass):
        text = str(nest(operation.name, (step,)))
        run_upstream(operation, text[len(operation.name) + 1 : -1])
        return
    foreign = not is_own(step.action)
    if foreign:  # it may declare dialects
        contexts.retire(operation.context)
    for target in _targets(operation, step.path, step.action.anchor):
        with target.context, target.location, erasing.checked_erasure() if foreign else contextlib.nullcontext():
            step.action.run(target)


def is_own(action: object) -> bool:
    """Whether a pass is one of allo_air, not of a loaded file or another package."""
    return type(action).__module__.startswith("allo_air.")


def _targets(operation: ir.Operation, path: tuple[str, ...], anchor: str) -> list[ir.Operation]:
    """The operations one of our passes runs on: down `path` by direct nesting, then all of kind `anchor` inside."""
    targets = [operation]
    for name in path:
        inner_ops = [o.operation for parent in targets for region in parent.regions for block in region for o in block]
        targets = [o for o in inner_ops if o.name == name or (name == "any" and len(o.regions))]
    if anchor == "any":
        return targets
    return [o for parent in targets for o in ([parent] if parent.name == anchor else walk_named(parent, anchor))]
