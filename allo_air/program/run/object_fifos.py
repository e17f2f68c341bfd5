"""Lowers objectFifos and unplaced tiles before a run, by our own passes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from allo_air.core.names import sym_name_of
from allo_air.errors import DiagnosticError

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

_LOWERED_BY = (
    ("aie.logical_tile", "aie-place-tiles"),
    ("aie.objectfifo.register_process", "aie-register-objectFifos"),
    ("aie.objectfifo", "aie-objectFifo-stateful-transform"),
    ("aie.objectfifo_rearm_binding", "aie-assign-bd-ids"),
)
"""Operations above the hardware's level, each with the pass that lowers or numbers it, in the order of the passes."""

_PASSES = {"aie-objectFifo-stateful-transform": "aie-objectFifo-stateful-transform{state=2026-03}"}
"""Options of these passes: unrolled loops run faster, and their locks have numbers."""

OBJECT_FIFOS = tuple(name for name, _ in _LOWERED_BY)


def lower_object_fifos(module: AnyOp) -> None:
    """Lowers the objectFifos of `module`, if any, to buffers, locks, BDs and flows; in the active context."""
    from allo_air import asm
    from allo_air.core import driver, pipeline
    from allo_air.core.diagnostics import position
    from allo_air.core.registry import Registry
    from allo_air.core.settings import Settings
    from allo_air.core.walking import walk_named

    if not (ops := walk_named(module, *OBJECT_FIFOS)):
        return
    fifos = {position(op.location): sym_name_of(op) for op in ops if op.name == "aie.objectfifo"}
    for name, by in _LOWERED_BY:
        if walk_named(module, name):
            try:
                driver.run(
                    pipeline.parse(_PASSES.get(by, by), Registry()), module, Settings(verify=asm.verify, write=asm.write)
                )
            except driver.InternalError:
                raise
            except DiagnosticError as error:
                raise _of_fifos(error, fifos) from error


def _of_fifos(error: DiagnosticError, fifos: dict[tuple[str, int, int], str]) -> DiagnosticError:
    """`error` with duplicates removed. Diagnostics about the hardware of a fifo name the fifo."""
    results = []
    for d in dict.fromkeys(error.diagnostics):
        fifo = fifos.get((d.file, d.line, d.column))
        is_of_fifo = fifo is None or d.message.startswith("'aie.objectfifo")
        results.append(d if is_of_fifo else replace(d, message=f"'aie.objectfifo' op @{fifo} cannot be lowered: {d.message}"))
    return error if tuple(results) == error.diagnostics else DiagnosticError(results)
