"""Finds the implementation of `transform.air.NAME`: function `apply` in a file `_transform_NAME.py`, next to the passes with
which it shares code.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from allo_air.core.diagnostics import position
from allo_air.errors import AlloAirError, Diagnostic, DiagnosticError
from allo_air.mlir import AnyOp, ir

_PASSES = "allo_air.passes"


@dataclass(frozen=True)
class Application:
    """The application of one operation of a script: `targets` are the payload operations of each operand."""

    op: ir.Operation
    root: ir.Operation
    targets: list[list[ir.Operation]]

    def option(self, name: str, default: object) -> Any:
        """The value of attribute `name`: a number, a string, a type or a list; `default` if the attribute is missing."""
        attributes = self.op.attributes
        return python_value(attributes[name]) if name in attributes else default

    def flag(self, name: str) -> bool:
        """Whether unit or bool attribute `name` is set."""
        return self.option(name, False) in (True, None)

    def each(self, rewrite: Callable[[Any], Any]) -> list[list[ir.Operation]]:
        """Applies `rewrite` to each target, and returns the operations that it returns. An error at one target does not prevent
        the rewrite of the others.
        """
        result, wrong = [], []
        for target in self.targets[0]:
            try:
                with ir.InsertionPoint(target) if target.parent is not None else target.context, target.location:
                    result.append(rewrite(target))
            except AlloAirError as error:
                wrong.append(self.failure(error, target))
        if wrong:
            raise DiagnosticError([d for error in wrong for d in error.diagnostics])
        return [result]

    def refuse(self, message: str, *payload: Any) -> DiagnosticError:
        """Raises an error at the script's line, with notes at the payload operations that cause it."""
        notes = tuple(Diagnostic("note", *position(o.location), f"applied to this '{o.name}'") for o in payload)
        text = f"'{self.op.name}' op {message}"
        return DiagnosticError([Diagnostic("error", *position(self.op.location), text, notes)])

    def failure(self, error: AlloAirError, *payload: Any) -> DiagnosticError:
        """The error at the script's line for `error`, which a rewrite raised at the payload."""
        own = position(self.op.location)
        if all((d.file, d.line, d.column) == own for d in error.diagnostics):
            return DiagnosticError(error.diagnostics)
        [first, *_] = error.diagnostics
        notes = tuple(Diagnostic("note", *position(o.location), f"applied to this '{o.name}'") for o in payload)
        detail = [Diagnostic("note", d.file, d.line, d.column, d.message, d.notes) for d in error.diagnostics[1:]]
        message = f"'{self.op.name}' op failed: {first.message}"
        return DiagnosticError([Diagnostic("error", *own, message, (*notes, *first.notes, *detail))])

    def one(self, operand: int) -> ir.Operation:
        """The only payload operation of an operand; raises an error for any other number."""
        target = self.targets[operand]
        if len(target) != 1:
            raise self.refuse(f"expects one payload operation for operand {operand}, found {len(target)}")
        return target[0]

    def expect(self, target: AnyOp, *names: str) -> None:
        """Raises an error if a target has none of the `names`."""
        if target.name not in names:
            raise self.refuse(f"expects {' or '.join(names)}, found {target.name}", target)

    def expect_isolated(self, target: AnyOp) -> None:
        """Raises an error if a region of a target uses values from outside."""
        if target.name not in ("builtin.module", "func.func", "air.herd", "air.segment", "air.launch"):
            raise self.refuse(
                f"expects an operation that is isolated from above (func.func, air.herd), found {target.name}", target
            )


def python_value(attribute: Any) -> Any:
    """An attribute as a Python value; None for a unit attribute."""
    if isinstance(attribute, ir.UnitAttr):
        return None
    if isinstance(attribute, (ir.ArrayAttr, ir.DenseI64ArrayAttr, ir.DenseI32ArrayAttr, ir.DenseBoolArrayAttr)):
        return [python_value(a) if isinstance(a, ir.Attribute) else a for a in attribute]
    return attribute.value


def operation(name: str) -> Callable[[Application], list[list[ir.Operation]]] | None:
    """The function that applies `transform.air.NAME`; None if there is no such operation."""
    stem = name.removeprefix("transform.air.")
    module = _files().get(stem)
    return importlib.import_module(module).apply if module else None


@cache
def _files() -> dict[str, str]:
    """The modules of operations by name, from the rooms of `allo_air.passes`."""
    result = importlib.util.find_spec(_PASSES)
    assert result is not None and result.submodule_search_locations
    files = Path(next(iter(result.submodule_search_locations))).glob("*/_transform_*.py")
    return {f.stem.removeprefix("_transform_"): f"{_PASSES}.{f.parent.name}.{f.stem}" for f in files}
