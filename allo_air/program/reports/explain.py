"""What a program consists of: its kernels with their plans, in the order that they run, and what lies between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from allo_air.arch.timing import RECONFIGURE_MICROSECONDS
from allo_air.core.walking import walk_named

if TYPE_CHECKING:
    from allo_air.program.host.linked import Linked


def explain(title: str, sequence: Any, notes: Mapping[str, str], linked: Linked | None) -> str:
    """Partition, plans, order and buffers of the program whose runtime sequence is `sequence`, as text."""
    lines = [title]
    configured = walk_named(sequence, "aiex.configure")
    runs = [r.opview.runtime_sequence_symbol for c in configured for r in walk_named(c, "aiex.run")]
    if not runs:
        lines += ["", "one kernel", *_of(notes, "")]
    else:
        lines += ["", f"{len(set(runs))} kernels, run {len(runs)} times on {len(configured)} configurations:"]
    told = set[str]()
    for configuration in configured:
        for run in walk_named(configuration, "aiex.run"):
            name = run.opview.runtime_sequence_symbol
            again = " (again)" if name in told else ""
            lines += ["", f"@{name}{again}"] + ([] if name in told else _of(notes, f"{name} "))
            told.add(name)
    if len(configured) > 1:
        each = f"{RECONFIGURE_MICROSECONDS:,.0f} us each, predicted (measured on npu1)"
        lines += ["", f"{len(configured) - 1} configurations loaded in between: {each}"]
    return "\n".join([*lines, *_buffers(linked)])


def _of(notes: Mapping[str, str], prefix: str) -> list[str]:
    """The notes of a kernel."""
    found = {name.removeprefix(prefix): text for name, text in notes.items() if name.startswith(prefix)}
    return [f"  {name}: {text}" for name, text in found.items() if " " not in name]


def _buffers(linked: Linked | None) -> list[str]:
    """How many bytes the program's buffers have, by what they are for."""
    if linked is None:
        return []
    counts, sizes = Counter(b.kind for b in linked.buffers), Counter[str]()
    for buffer in linked.buffers:
        sizes[buffer.kind] += buffer.bytes
    kinds = {"argument": "arguments", "constant": "constants", "own": "results and scratch"}
    told = [f"{counts[k]} of {text} ({sizes[k]:,} bytes)" for k, text in kinds.items() if counts[k]]
    return ["", f"buffers: {', '.join(told)}"]
