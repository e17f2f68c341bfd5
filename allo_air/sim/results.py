"""The contents of the host's buffers after a run: overlapping rows, and words of a result that were never written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.errors import Diagnostic, Severity, counted, placeless
from allo_air.mlir import AnyOp, ir
from allo_air.sim.layout import bits_of, bytes_of
from allo_air.sim.naming import Names, position_of
from allo_air.sim.report_types import Finding

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import RuntimeSequenceOp
    from allo_air.sim._engine import Array

OVERLAP, UNWRITTEN = "overlapping-results", "unwritten-results"
WORD = 4
"""The number of bytes that a shim's DMA writes at once."""


@dataclass(frozen=True)
class Written:
    """The accesses of one device to a host buffer: how often it wrote each word, and whether it read any.

    `open`: a transfer into it had not ended. `again`: the first writer of a word that was already written.
    """

    address: int
    writes: np.ndarray
    read: bool
    open: bool
    again: str
    op: Any


def accesses_of_run(names: Names, engine: Array, arrays: Mapping[int, np.ndarray]) -> list[Written]:
    """The accesses of the run in `engine` to each of the host's `arrays`."""
    results = []
    for index, array in arrays.items():
        agent = engine.host_written_again(index)
        results.append(
            Written(
                array.ctypes.data,
                np.array(engine.host_writes(index)),
                engine.host_read(index),
                engine.host_open(index),
                names.agent(agent) if agent is not None else "",
                names.op(agent) if agent is not None else None,
            )
        )
    return results


def check_written(sequence: RuntimeSequenceOp, arrays: Sequence[np.ndarray], done: Sequence[Written]) -> list[Finding]:
    """Findings about the arguments of a sequence that were only written, by the devices of a whole run.

    If some words were written several times and others never, it is an error if the number of writes is that of the
    result's words, or a multiple: some were written to the wrong place. Otherwise it may be intended and is a warning; so are
    words that were not written.
    """
    findings = []
    for index, (argument, array) in enumerate(zip(sequence.body.blocks[0].arguments, arrays, strict=False)):
        kind = argument.type
        if not isinstance(kind, ir.MemRefType) or not kind.has_static_shape:
            continue
        words = min(bytes_of(sequence, kind), array.nbytes) // WORD
        parts = [part for part in done if array.ctypes.data <= part.address < array.ctypes.data + max(array.nbytes, 1)]
        if any(part.read or part.open for part in parts):
            continue
        counts = _counts(parts, array.ctypes.data, words)
        if not counts.any() or counts.all():
            continue
        findings.append(_finding(sequence, index, kind, counts, parts))
    return findings


def _counts(parts: Sequence[Written], address: int, words: int) -> np.ndarray:
    counts = np.zeros(words, np.int64)
    for part in parts:
        start = (part.address - address) // WORD
        size = min(len(part.writes), words - start)
        if size > 0:
            counts[start : start + size] += part.writes[:size]
    return counts


def _finding(
    sequence: RuntimeSequenceOp, index: int, kind: ir.ShapedType, counts: np.ndarray, parts: Sequence[Written]
) -> Finding:
    never, several = int((counts == 0).sum()), counts[counts > 1]
    what = f"argument {index} of @{sequence.sym_name} ({kind})"
    first = _element(sequence, kind, int(np.argmin(counts)))
    again = next((part for part in parts if part.again), None)
    if len(several):
        how = _how_often(several)
        severity: Severity = "error" if int(counts.sum()) % len(counts) == 0 else "warning"
        message = (
            f"{OVERLAP}: {what}: rows overlap: "
            f"{counted(len(several), 'word')} written {how}, {never} never, the first of these at {first}"
        )
        advice = "correct the offsets, the sizes and the strides of the transfers into it, so that each writes its own words"
    else:
        severity = "warning"
        message = f"{UNWRITTEN}: {what}: nothing wrote {never} of {counted(len(counts), 'word')}, the first at {first}"
        advice = "the unwritten words keep the caller's data; if all of it is a result, let a transfer write the rest"
    notes = [placeless("note", advice)]
    if again is not None and len(several):
        notes.insert(0, placeless("note", f"the first to write a word again is {again.again}"))
    op = again.op if again is not None and again.op is not None else sequence
    diagnostic = Diagnostic(severity, *position_of(op), message, tuple(notes))
    return Finding(OVERLAP if len(several) else UNWRITTEN, 0, None, "host", "", "", "", diagnostic)


def _how_often(several: np.ndarray) -> str:
    low, high = int(several.min()), int(several.max())
    if high == 2:
        return "twice"
    return counted(high, "time") if low == high else f"{low} to {counted(high, 'time')}"


def _element(sequence: AnyOp, kind: ir.ShapedType, word: int) -> str:
    """The element that a word begins with."""
    place = np.unravel_index(word * WORD * 8 // bits_of(sequence, kind), tuple(kind.shape))
    return f"[{', '.join(str(int(i)) for i in place)}]"
