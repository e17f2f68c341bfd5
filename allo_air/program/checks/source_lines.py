"""Translates lines of the compiled program in findings to lines of the source from which it was compiled."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from allo_air import asm
from allo_air.core.diagnostics import position
from allo_air.core.walking import walk_pre_order
from allo_air.errors import Diagnostic, DiagnosticError
from allo_air.mlir import AnyOp, ir
from allo_air.program.texts import Texts, context_for, module_of
from allo_air.sim.report_types import NotSimulated, Report, SimulationError

Place = tuple[str, int, int]
"""File, line, column."""
_FOLDED = "arith.constant"
"""Operations that the reader folds into their users, so that a text that is read again may have fewer of them."""


@contextmanager
def of_the_source(texts: Any, level: str, renamed: tuple[str, str]) -> Iterator[Callable[[Report], Report]]:
    """A context in which findings refer to the source instead of the text at `level`, also in errors.

    If the source was renamed since it was compiled (`renamed`), they have the new name.
    """
    try:
        yield lambda report: _with_source_lines(report, texts, level, renamed)
    except SimulationError as error:
        raise SimulationError(_with_source_lines(error.report, texts, level, renamed)) from None
    except DiagnosticError as error:
        if type(error) not in (DiagnosticError, NotSimulated):
            raise
        raise type(error)(_at_source_lines(error.diagnostics, texts, level, renamed)) from None


def _with_source_lines(report: Report, texts: Texts, level: str, renamed: tuple[str, str]) -> Report:
    info = _at_source_lines([f.diagnostic for f in report.findings], texts, level, renamed)
    report.findings = [replace(f, diagnostic=d) for f, d in zip(report.findings, info, strict=True)]
    return report


def _at_source_lines(
    diagnostics: Sequence[Diagnostic], texts: Texts, level: str, renamed: tuple[str, str]
) -> Sequence[Diagnostic]:
    places = _source_positions(texts, level, renamed) if diagnostics else {}
    if not places:
        return diagnostics
    name = re.escape(f"<{level}>")

    def with_places(text: str) -> str:
        return re.sub(rf"{name}:(\d+)", lambda m: "{}:{}".format(*places[int(m[1])]) if int(m[1]) in places else m[0], text)

    def moved(diagnostic: Diagnostic) -> Diagnostic:
        place = places.get(diagnostic.line) if diagnostic.file == f"<{level}>" else None
        file, line, column = place or (diagnostic.file, diagnostic.line, diagnostic.column)
        return replace(
            diagnostic,
            file=file,
            line=line,
            column=column,
            message=with_places(diagnostic.message),
            notes=tuple(map(moved, diagnostic.notes)),
        )

    def noted(diagnostic: Diagnostic) -> Diagnostic:
        """The diagnostic, with a note about the lines of the design."""
        if diagnostic.file != f"<{level}>" or diagnostic.line not in places:
            return moved(diagnostic)
        text = f"this is line {diagnostic.line} of the compiled design: program.text('{level}'), or --save DIR"
        return moved(replace(diagnostic, notes=(*diagnostic.notes, Diagnostic("note", "", 0, 0, text))))

    return [noted(d) for d in diagnostics]


def _source_positions(texts: Texts, level: str, renamed: tuple[str, str]) -> dict[int, Place]:
    """For each line of the text at `level`, its place in the source if that is a file; empty if only the text was kept."""
    code = texts.stored.get(level) if isinstance(texts, Texts) else None
    if not isinstance(code, bytes):
        return {}
    with context_for(code), ir.Location.unknown():
        # both must stay alive while their operations are used
        text, module = asm.read(texts[level], f"<{level}>"), module_of(code)
        written = [_place(op) for op in walk_pre_order(text) if op.operation.name != _FOLDED]
        source_places = [_place_of(op) for op in walk_pre_order(module) if op.operation.name != _FOLDED]
    if len(written) != len(source_places):
        return {}
    places: dict[int, Place] = {}
    for source_place, place in zip(written, source_places, strict=True):
        if not source_place or not place:
            continue
        name = renamed[1] if place[0] == renamed[0] else place[0]
        if Path(name).is_file():
            places.setdefault(source_place[1], (name, *place[1:]))
    return places


def _place_of(op: AnyOp) -> Place | None:
    """The place of the operation, or of the next operation around it whose place is known."""
    place = _place(op)
    while place is None and (parent := op.operation.parent) is not None:
        op = parent
        place = _place(op)
    return place


def _place(op: AnyOp) -> Place | None:
    result = position(op.operation.location)
    return result if result[1] else None
