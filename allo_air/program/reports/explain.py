"""Explains a program as text: its kernels with their plans in execution order, and the buffers between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from allo_air.arch import arch_of
from allo_air.core.names import sym_name_of
from allo_air.core.walking import enclosing, parents, walk_named
from allo_air.dialects.declarations import declarations, device_of
from allo_air.dialects.host_buffers import kernel_of
from allo_air.errors import counted

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp
    from allo_air.program.host.linked import Linked
    from allo_air.program.reports.figures import Figures

_NAMES = {"aiex.dma_configure_task_for": "alloc", "aiex.npu.dma_memcpy_nd": "metadata"}
"""Operations of a runtime sequence that name a shim's channel, with the attribute of the name."""


def explain(
    title: str, sequence: AnyOp, notes: Mapping[str, str], linked: Linked | None, figures: Figures | None = None
) -> str:
    """The partition, plans, order and buffers of the program with runtime sequence `sequence`, as text; with the times of
    `figures`.
    """
    lines = [title]
    configured = walk_named(sequence, "aiex.configure")
    runs = [kernel_of(r) for c in configured for r in walk_named(c, "aiex.run")]
    if not runs:
        lines += ["", "one kernel", *_notes_of_kernel(notes, ""), *_time(figures)]
    else:
        lines += [
            "",
            f"{counted(len(set(runs)), 'kernel')}, run {counted(len(runs), 'time')} on "
            f"{counted(len(configured), 'configuration')}:",
        ]
        lines += _shared(sequence, configured)
    info = set[str]()
    parts = figures.kernels if figures is not None else ()
    for number, configuration in enumerate(configured):
        for run in walk_named(configuration, "aiex.run"):
            name = kernel_of(run)
            suffix = " (again)" if name in info else ""
            lines += ["", f"@{name}{suffix}"] + ([] if name in info else _notes_of_kernel(notes, f"{name} "))
            info.add(name)
        lines += _time(parts[number]) if number < len(parts) else []
    device = enclosing(sequence, "aie.device")
    cost = f"{arch_of(device_of(device)).reload_microseconds:,.0f} us each, predicted"
    if len(configured) > 1:
        more = len(configured) - 1
        lines += ["", f"{more} configuration{'s' * (more > 1)} loaded in between: {cost}"]
    changes = sum(first != second for first, second in pairwise(runs))
    if configured and changes > len(configured) - 1:
        lines += ["", f"{changes - len(configured) + 1} loads saved by kernels that share a configuration: {cost}"]
    return "\n".join([*lines, *_buffers(linked)])


def _shared(sequence: AnyOp, configured: Sequence[AnyOp]) -> list[str]:
    """For each configured device, the kernels that are on it side by side."""
    top = next(p for p in parents(sequence) if p.parent is None)
    devices = {d.opview.sym_name: d.opview for d in walk_named(top, "aie.device")}
    kernels = {r.opview.runtime_sequence_symbol: kernel_of(r) for c in configured for r in walk_named(c, "aiex.run")}
    results = []
    for name in dict.fromkeys(c.opview.symbol for c in configured):
        sequences = walk_named(devices[name].operation, "aie.runtime_sequence")
        inside = {kernels.get(sym_name_of(s), sym_name_of(s)): s for s in reversed(sequences)}
        if len(inside) > 1:
            texts = [f"@{kernel} in {_columns(s, devices[name])}" for kernel, s in reversed(inside.items())]
            results.append(f"  @{name} holds {', '.join(texts)}")
    return results


def _columns(sequence: AnyOp, device: AnyOp) -> str:
    """The columns whose shims a sequence uses."""
    shims = {
        o.sym_name: o.operation.operands[0].owner.attributes["col"].value
        for o in declarations(device, "aie.shim_dma_allocation")
    }
    used = [o.attributes[_NAMES[o.name]].value for o in walk_named(sequence, *_NAMES)]
    columns = [shims[name] for name in used if name in shims]
    if not columns:
        return "no column"
    first, last = min(columns), max(columns)
    return f"column {first}" if first == last else f"columns {first} to {last}"


def _notes_of_kernel(notes: Mapping[str, str], prefix: str) -> list[str]:
    """The notes of a kernel."""
    results = {name.removeprefix(prefix): text for name, text in notes.items() if name.startswith(prefix)}
    return [f"  {name}: {text}" for name, text in results.items() if " " not in name]


def _time(figures: Any) -> list[str]:
    """Cycles and bound of a run, or of the part between two configuration loads. Kernels that run side by side share them."""
    return [] if figures is None else [f"  simulated: {figures.cycles:,} cycles, bound by {figures.bound}"]


def _buffers(linked: Linked | None) -> list[str]:
    """The bytes of the program's buffers, by purpose."""
    if linked is None:
        return []
    counts, sizes = Counter(b.kind for b in linked.buffers), Counter[str]()
    for buffer in linked.buffers:
        sizes[buffer.kind] += buffer.bytes
    kinds = {"argument": "arguments", "constant": "constants", "own": "results and scratch"}
    texts = [f"{counts[k]} of {text} ({sizes[k]:,} bytes)" for k, text in kinds.items() if counts[k]]
    return ["", f"buffers: {', '.join(texts)}"]
