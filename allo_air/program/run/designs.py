"""Reads the last level of a program as a design that can run."""

from __future__ import annotations

from collections.abc import Mapping

from allo_air import asm
from allo_air.core.contexts import reused_context
from allo_air.mlir import ir
from allo_air.program.run.design import Design
from allo_air.program.texts import Texts, module_of


def parse_with_positions(text: str, level: str, *, verified: bool) -> Design:
    """The design in `text`. Its operations have their positions in the text as locations."""
    with reused_context(text), ir.Location.unknown():
        return Design(asm.read(text, f"<{level}>", verified=verified))


def unplaced(texts: Mapping[str, str], level: str) -> Design | None:
    """The design of a level that is stored as bytecode, which is read fast and has no locations; None if the level is stored as
    text.
    """
    code = texts.stored[level] if isinstance(texts, Texts) else ""
    if not isinstance(code, bytes):
        return None
    with reused_context(code), ir.Location.unknown():
        return Design(module_of(code))
