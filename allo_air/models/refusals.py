"""Compiles the array's parts of a model. If a part is refused, finds the operation that causes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from allo_air.core.diagnostics import position
from allo_air.core.user_lines import line_of, modules_of
from allo_air.errors import AlloAirError, Diagnostic, DiagnosticError, placeless
from allo_air.models.parts import ARRAY, Graph, Part, part_of
from allo_air.program.program import Program
from allo_air.program.source import Source

if TYPE_CHECKING:
    from allo_air.mlir import ir

Compile: TypeAlias = Callable[[Source], Program]
"""Compiles a part; raises DiagnosticError for one that the array cannot execute."""


def compile_parts(
    graph: Graph, parts: list[Part], programs: dict[str, Program], compile: Compile, searches: bool, apart: set[int]
) -> dict[int, str] | None:
    """Compiles the array's `parts` into `programs`, by text. Returns operations that cannot run on the array, each with the
    reason; None if all parts compile.

    An operation that the array executes alone, but not in one kernel with its neighbours, is added to `apart` instead, and so
    are operations like it from the same line, as those of other layers.
    If an error has no line, the operation is searched if `searches`; otherwise all operations of the part are returned, and
    none is added to `apart`.
    """
    for part in parts:
        if part.where != ARRAY or part.text in programs:
            continue
        if not graph.computes(part.ops):
            return dict.fromkeys(part.ops, "moves nothing: the host describes the array again")
        compiled = _compiled(part, compile)
        if isinstance(compiled, Diagnostic):
            if not searches and _operation_at(part, compiled) is None:
                return dict.fromkeys(part.ops, compiled.message)
            number, message = _failing_operation(graph, part, compiled, compile, apart)
            if not searches or number in apart or len(part.ops) == 1 or not _runs_alone(graph, number, compile):
                return {number: message}
            apart.update(n for n in range(len(graph.ops)) if _kind(graph.ops[n]) == _kind(graph.ops[number]))
            return {}
        programs[part.text] = compiled
    return None


def refusal_error(graph: Graph, reasons: dict[int, str], name: str) -> DiagnosticError:
    """The error for the first operation of `reasons`, at its line in the model."""
    number, why = next(iter(reasons.items()))
    op = graph.ops[number]
    message = f"{name}: '{op.name}' cannot run on the array: {why}"
    file, line, column = position(op.location)
    where = line_of(op.location)
    origin = ", ".join(filter(None, (", ".join(f"module {m}" for m in modules_of(op.location)), where)))
    notes = (placeless("note", f"it comes from {origin}"),) if origin else ()
    return DiagnosticError([Diagnostic("error", file, line, column, message, notes)])


def _compiled(part: Part, compile: Compile) -> Program | Diagnostic:
    try:
        return compile(part.source)
    except DiagnosticError as error:
        if not error.diagnostics:  # without a diagnostic, the error is a bug of a pass, and no refusal
            raise
        return error.diagnostics[0]


def _failing_operation(graph: Graph, part: Part, error: Diagnostic, compile: Compile, apart: set[int]) -> tuple[int, str]:
    """The operation at the error's line, with the message.

    If the error has no line, or that of a function or constant, the operation is searched by bisection: it is the last one of
    the shortest prefix of the part that is refused.
    """
    compiles, fails = 0, len(part.ops)
    while (number := _operation_at(part, error)) is None and fails - compiles > 1:
        middle = (compiles + fails) // 2
        beginning = part_of(graph, ARRAY, part.ops[:middle], apart)
        result = _compiled(beginning, compile) if graph.computes(beginning.ops) else None
        if isinstance(result, Diagnostic):
            part, error, fails = beginning, result, middle
        else:
            compiles = middle
    return part.ops[fails - 1] if number is None else number, error.message


def _runs_alone(graph: Graph, number: int, compile: Compile) -> bool:
    if not graph.computes([number]):
        return False
    try:
        return not isinstance(_compiled(part_of(graph, ARRAY, [number]), compile), Diagnostic)
    except DiagnosticError:  # a bug of a pass
        raise
    except AlloAirError:  # operations on scalars, and values that no program takes or gives
        return False


def _kind(op: ir.Operation) -> tuple[str, str, tuple[str, ...]]:
    return op.name, line_of(op.location), tuple(str(v.type) for v in (*op.operands, *op.results))


def _operation_at(part: Part, error: Diagnostic) -> int | None:
    number = part.at(error.line) if error.line else None
    return number if number in part.ops else None
