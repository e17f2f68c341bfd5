"""Explains a failed compilation in terms of the program: its herds' shapes, and their buffers in L1."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from allo_air.errors import Diagnostic, DiagnosticError

_MEMORY = re.compile(r"memory|\bbytes?\b|\bKi?B\b|do(es)? not fit", re.IGNORECASE)
_PLACES = re.compile(r"\bshim|\bDMA\b|channels?\b|cannot be placed|columns", re.IGNORECASE)


def explained(error: DiagnosticError, launch: object) -> DiagnosticError:
    """`error` with a note for each herd that may exceed L1 or the shims' channels."""
    info = "\n".join(d.message for d in error.diagnostics)
    notes = [*_about_memory(launch)] if _MEMORY.search(info) else []
    notes += [*_about_shape(launch)] if _PLACES.search(info) else []
    return DiagnosticError([*error.diagnostics, *notes])


def _about_memory(launch: Any) -> Iterator[Diagnostic]:
    for herd in launch.herds:
        if herd.l1_bytes:
            kilobytes = herd.l1_bytes / 1024
            yield _note(
                herd,
                f"herd '{herd.name}' declares {kilobytes:g} KB of L1 a core, {2 * kilobytes:g} KB with ping-pong buffers; a "
                "core has 64 KB for these and its stack: use smaller tiles",
            )


def _about_shape(launch: Any) -> Iterator[Diagnostic]:
    for herd in launch.herds:
        yield _note(
            herd,
            f"herd '{herd.name}' has the shape {list(herd.physical)} for a grid of {list(herd.grid)}; each column has two shim "
            "channels in and two out: a smaller shape= needs fewer columns and channels",
        )


def _note(herd: Any, message: str) -> Diagnostic:
    file, line = herd.place
    return Diagnostic("note", file, line, 0, message)
