"""Traces wrong elements of results back to their source, in a second run that records who writes what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from allo_air.errors import Diagnostic, placeless
from allo_air.program.checks.comparison import Comparison
from allo_air.sim.naming import NOWHERE
from allo_air.sim.provenance import READ, Step, path_of
from allo_air.sim.report_types import Finding

KIND = "wrong-result"
MOST = 2_000
"""Largest number of wrong elements whose writers are counted."""


@dataclass(frozen=True)
class RecordedRun:
    """A run with recorded writers: its `origins`, and for each argument the host's array and the device's (padded) array.

    If the device has other buffers, `buffer_of` returns the number of the buffer that contains an argument, and the positions
    of its elements there.
    """

    origins: Sequence[Any]
    arrays: Sequence[Any]
    device_arrays: Sequence[Any]
    buffer_of: Callable[[int], tuple[int, Any] | None] | None = None

    def path(self, number: int, offset: int, *, inputs: bool = False) -> list[Step]:
        """The path of byte `offset` of the caller's argument `number`."""
        import numpy as np

        array = self.arrays[number]
        element, byte = divmod(offset, array.dtype.itemsize)
        if self.buffer_of is not None:
            if (result := self.buffer_of(number)) is None:
                return [Step(READ, "not written by anything in the run: the caller provides it", NOWHERE)]
            moved = self.device_arrays[result[0]]
            start = int(result[1].flat[element]) * moved.dtype.itemsize + byte % moved.dtype.itemsize
            return path_of(self.origins, int(moved.ctypes.data) + start, inputs=inputs)
        moved = self.device_arrays[number]
        if array.shape != moved.shape and array.ndim == moved.ndim:
            element = int(np.ravel_multi_index(np.unravel_index(element, array.shape), moved.shape))
        return path_of(self.origins, int(moved.ctypes.data) + element * array.dtype.itemsize + byte, inputs=inputs)


def traced(comparisons: Sequence[Comparison], rerun: Callable[[], RecordedRun]) -> list[Comparison]:
    """`comparisons`, where each wrong result has the path of its first wrong element. `rerun` runs on the same arrays and
    records.
    """
    if all(c.ok for c in comparisons):
        return list(comparisons)
    recorded = rerun()
    return [c if c.ok else _traced(c, recorded) for c in comparisons]


def _traced(wrong: Comparison, recorded: RecordedRun) -> Comparison:
    offsets = [int(o) for o in wrong.offsets]
    step = -(-len(offsets) // MOST)
    counted: Counter[str] = Counter()
    for offset in offsets[::step]:
        steps = recorded.path(wrong.number, offset)
        counted[next((s.writer for s in reversed(steps) if s.kind == "store"), steps[0].writer or steps[0].text)] += step
    steps = recorded.path(wrong.number, offsets[0], inputs=True)
    path, inputs = (tuple(s for s in steps if (s.kind == "input") == is_input) for is_input in (False, True))
    return replace(wrong, path=path, inputs=inputs, writers=tuple(counted.most_common(8)))


def findings(compared: Sequence[Comparison]) -> list[Finding]:
    """A finding for each wrong result, at the writer of its first wrong element."""
    results = []
    for wrong in compared:
        if wrong.ok:
            continue
        file, line, column = next((step.position for step in wrong.path if step.position[1]), ("", 0, 0))
        notes = tuple(placeless("note", text) for text in wrong.notes)
        first = wrong.path[0] if wrong.path else None
        diagnostic = Diagnostic("error", file, line, column, f"{KIND}: {wrong.message}", notes)
        tile, channel = (first.tile, first.channel) if first else (None, "")
        results.append(Finding(KIND, max(first.cycle, 0) if first else 0, tile, "dma", channel, "", "", diagnostic))
    return results
