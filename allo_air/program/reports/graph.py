"""Draws a program as a graph: kernels in order with predicted times, and buffers between them; as SVG or for graphviz."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from allo_air.core.walking import enclosing, parents, walk_named
from allo_air.dialects.host_buffers import kernel_of
from allo_air.mlir import ir
from allo_air.program.reports.figures import Figures

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

WIDTH, LINE, GAP, MARGIN = 300, 15, 34, 16
_CHARACTERS = 44
"""Number of characters that fit a box of WIDTH."""

_S2MM = 0
"""How aie.shim_dma_allocation writes the direction from the array to memory."""

COLOURS = {"array": "#e3f0e3", "host": "#f6e9d3", "data": "#eeeeee"}
SUFFIXES = (".svg", ".dot")


@dataclass(frozen=True)
class Node:
    """A box of the graph: `kind` is a key of COLOURS, and `lines` are below `title`."""

    name: str
    kind: str
    title: str
    lines: tuple[str, ...] = ()


@dataclass
class Graph:
    """Nodes in execution order, and arrows (from, to, label)."""

    title: str
    nodes: list[Node] = field(default_factory=list)
    edges: list[tuple[str, str, str]] = field(default_factory=list)


def kernels_of(title: str, sequence: AnyOp, figures: Figures, buffers: Sequence[object], prefix: str = "") -> Graph:
    """The kernels that the runtime sequence `sequence` runs, configuration by configuration."""
    kernels, writers = Graph(title), dict[Any, str]()
    arguments = list(sequence.regions[0].blocks[0].arguments)
    configured = walk_named(sequence, "aiex.configure")
    parts = figures.kernels
    inputs = Node(f"{prefix}inputs", "data", "inputs and weights", (_buffer_bytes(buffers, ("argument", "constant")),))
    kernels.nodes.append(inputs)
    if not configured:
        whole = f"{figures.cycles:,} cycles, {figures.microseconds:,.1f} us"
        kernels.nodes.append(Node(f"{prefix}0", "array", "one kernel", (whole, figures.bound)))
        kernels.edges.append((inputs.name, f"{prefix}0", ""))
    for number, configuration in enumerate(configured):
        time: tuple[str, ...] = ()
        if number < len(parts):
            part = parts[number]
            time = (f"{part.cycles:,} cycles, {part.microseconds:,.1f} us, {part.bytes:,} bytes", part.bound)
        runs = walk_named(configuration, "aiex.run")
        for place, run in enumerate(runs):
            name = f"{prefix}{len(kernels.nodes) - 1}"
            kernel = kernel_of(run)
            info = time if place == len(runs) - 1 else ("same configuration as next",)
            kernels.nodes.append(Node(name, "array", f"{number}: @{kernel}", info))
            writes = _written_arguments(run)
            for n, value in enumerate(map(_buffer, run.operands)):
                if value in arguments and n not in writes:
                    kernels.edges.append((writers.get(value, inputs.name), name, str(value.type).removeprefix("memref")))
            writers.update({v: name for n, v in enumerate(map(_buffer, run.operands)) if n in writes})
    kernels.edges = list(dict.fromkeys(kernels.edges))
    return kernels


def _buffer_bytes(buffers: Sequence[Any], kinds: tuple[str, ...]) -> str:
    return f"{sum(b.bytes for b in buffers if b.kind in kinds):,} bytes" if buffers else ""


def _buffer(value: ir.Value) -> Any:
    """The underlying buffer of `value`."""
    while not isinstance(value, ir.BlockArgument):
        value = value.owner.operands[0]
    return value


def _written_arguments(run: Any) -> set[int]:
    """The numbers of the arguments that a kernel's sequence writes."""
    top = next(p for p in parents(run) if p.parent is None)
    name = run.opview.runtime_sequence_symbol
    [*_, kernel] = [s for s in walk_named(top, "aie.runtime_sequence") if s.opview.sym_name == name]
    device = enclosing(kernel, "aie.device")
    ends = walk_named(device, "aie.shim_dma_allocation")
    inward = {a.opview.sym_name for a in ends if a.attributes["channel_dir"].value == _S2MM}
    arguments: list[Any] = list(kernel.regions[0].blocks[0].arguments)
    numbers = set()
    for task in walk_named(kernel, "aiex.dma_configure_task_for"):
        if task.attributes["alloc"].value in inward:
            numbers |= {arguments.index(v) for d in walk_named(task, "aie.dma_bd") for v in d.operands if v in arguments}
    return numbers


def dot(graph: Graph) -> str:
    """The graph in graphviz's language."""
    lines = [f'digraph "{graph.title}" {{', "  node [shape=box, style=filled];"]
    for node in graph.nodes:
        label = "\\n".join(_safe(t) for t in (node.title, *node.lines) if t)
        lines.append(f'  "{node.name}" [fillcolor="{COLOURS[node.kind]}", label="{label}"];')
    lines += [f'  "{a}" -> "{b}" [label="{_safe(text)}"];' for a, b, text in graph.edges]
    return "\n".join([*lines, "}", ""])


def _safe(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', "'")


def svg(graph: Graph) -> str:
    """The graph as an SVG element: boxes in rows, each below the boxes that it depends on."""
    rows: dict[str, int] = {}
    for node in graph.nodes:
        rows[node.name] = max((rows[a] + 1 for a, b, _ in graph.edges if b == node.name and a in rows), default=0)
    texts = {n.name: [n.title, *(p for line in n.lines for p in _wrapped(line))] for n in graph.nodes}
    places: dict[str, tuple[int, int, int]] = {}
    top, widest = MARGIN + 2 * LINE, 1
    for row in range(max(rows.values(), default=-1) + 1):
        members = [n for n in graph.nodes if rows[n.name] == row]
        for column, node in enumerate(members):
            places[node.name] = MARGIN + column * (WIDTH + GAP), top, LINE * len(texts[node.name]) + 10
        top += max(places[n.name][2] for n in members) + GAP
        widest = max(widest, len(members))
    width = 2 * MARGIN + widest * (WIDTH + GAP)
    body = [f'<text x="{MARGIN}" y="{MARGIN + 4}" font-weight="bold">{escape(graph.title)}</text>']
    body += [_arrow(places[a], places[b], text) for a, b, text in graph.edges]
    for node in graph.nodes:
        x, y, height = places[node.name]
        box = f'x="{x}" y="{y}" width="{WIDTH}" height="{height}" rx="4"'
        body.append(f'<rect {box} fill="{COLOURS[node.kind]}" stroke="#555"/>')
        for n, line in enumerate(texts[node.name]):
            weight = ' font-weight="bold"' if n == 0 else ""
            body.append(f'<text x="{x + 8}" y="{y + LINE * (n + 1)}"{weight}>{escape(line[:_CHARACTERS])}</text>')
    marker = '<defs><marker id="a" markerWidth="8" markerHeight="8" refX="7" refY="3" orient="auto">'
    marker += '<path d="M0,0 L7,3 L0,6 z" fill="#777"/></marker></defs>'
    size = f'width="{width}" height="{top}" viewBox="0 0 {width} {top}"'
    style = 'font-family="sans-serif" font-size="11"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>', marker, *body, "</svg>"])


def _arrow(a: tuple[int, int, int], b: tuple[int, int, int], text: str) -> str:
    x, y, u, v = a[0] + WIDTH // 2, a[1] + a[2], b[0] + WIDTH // 2, b[1]
    bend = (v - y) // 2
    path = f"M{x},{y} C{x},{y + bend} {u},{v - bend} {u},{v}"
    info = f"<title>{escape(text)}</title>" if text else ""
    return f'<path d="{path}" fill="none" stroke="#777" marker-end="url(#a)">{info}</path>'


def _wrapped(line: str) -> list[str]:
    """The words of `line` in lines that fit a box."""
    results = [""]
    for word in line.split():
        if len(results[-1]) + len(word) >= _CHARACTERS and results[-1]:
            results.append("")
        results[-1] = f"{results[-1]} {word}".strip()
    return [f for f in results if f]
