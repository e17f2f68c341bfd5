"""The last level of a program, read to be run."""

from __future__ import annotations

from collections.abc import Mapping

from allo_air import asm
from allo_air.core.contexts import reused_context
from allo_air.mlir import ir
from allo_air.program.run.design import Design
from allo_air.program.texts import Texts, module_of


def placed(text: str, level: str, *, verified: bool) -> Design:
    """The design of `text`, whose operations have the places where they stand in it."""
    with reused_context(text), ir.Location.unknown():
        return Design(asm.read(text, f"<{level}>", verified=verified))


def unplaced(texts: Mapping[str, str], level: str) -> Design | None:
    """The design of a level that is kept as bytecode, which is read in no time and has no places; None of one kept as text."""
    code = texts.stored[level] if isinstance(texts, Texts) else ""
    if not isinstance(code, bytes):
        return None
    with reused_context(code), ir.Location.unknown():
        return Design(module_of(code))
