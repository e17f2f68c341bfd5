"""Writes a report as one self-contained HTML file: the graph, a roofline, and a timeline."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from pathlib import Path

from allo_air.errors import AlloAirError, counted
from allo_air.program.reports.figures import Figures
from allo_air.program.reports.graph import Graph, svg
from allo_air.program.reports.render import core_code

_STYLE = """body{font-family:sans-serif;margin:2em;max-width:1200px}table{border-collapse:collapse;margin:1em 0}
td,th{padding:.2em .8em;border-bottom:1px solid #ccc;text-align:left;vertical-align:top}td.n{text-align:right}
.summary{white-space:pre-line}
.scroll{overflow:auto;border:1px solid #ccc}"""
_WIDE, _HIGH, _LEFT = 760, 300, 60
_BAR = 18


def html_page(title: str, summary: str, graphs: Sequence[Graph], figures: Sequence[Figures], tables: Sequence[str] = ()) -> str:
    """The HTML of a report on the programs with `figures`; `tables` are further parts, as HTML."""
    parts = [f"<h1>{escape(title)}</h1><p class=summary>{escape(summary)}</p>", *tables]
    parts += [f'<h2>What runs where</h2><div class="scroll">{svg(g)}</div>' for g in graphs]
    for number, shown in enumerate(figures):
        name = f" of program {number}" if len(figures) > 1 else ""
        parts.append(f"<h2>Kernels{name}</h2>{_kernels(shown)}")
        parts += [f"<p>Code of the cores: {core_code(shown)}.</p>"] if shown.core_code[0] else []
        parts.append(f"<h2>Timeline{name}</h2>{_timeline(shown)}")
        parts.append(f"<h2>Roofline{name}</h2>{_roofline(shown)}")
    parts.append("<p>Times are predictions of the simulator; a configuration's load is in no cycle count.</p>")
    head = f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
    return f"{head}<style>{_STYLE}</style></head><body>\n" + "\n".join(parts) + "\n</body></html>\n"


def write(path: Path, text: str) -> None:
    """Writes `text` to `path`; raises AlloAirError if that fails."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise AlloAirError(f"cannot write '{path}': {error.strerror or error}") from None


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """An HTML table. Cells that begin with a digit are right-aligned."""
    result = "".join(f"<th>{escape(h)}</th>" for h in head)
    lines = [f"<tr>{result}</tr>"]
    for row in rows:
        cells = (f"<td{' class=n' if c[:1].isdigit() else ''}>{escape(c)}</td>" for c in row)
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table>{''.join(lines)}</table>"


def _kernels(shown: Figures) -> str:
    rows = [(k.name, f"{k.cycles:,}", f"{k.microseconds:,.1f}", f"{k.bytes:,}", k.bound) for k in shown.kernels]
    whole = ("all kernels", f"{shown.cycles:,}", f"{shown.cycles / shown.mhz:,.1f}", f"{shown.run.ddr_bytes:,}", shown.bound)
    return table(("kernel", "cycles", "us", "bytes", "bound by"), [*rows, whole] if len(rows) != 1 else [whole])


def _timeline(shown: Figures) -> str:
    """A row for each configuration: its load and its run, and below how busy each part of the machine was."""
    times = [(k.name, k.microseconds) for k in shown.kernels] or [("all kernels", shown.cycles / shown.mhz)]
    total = sum(t for _, t in times) + shown.arch.reload_microseconds * len(times)
    scale, start_of_bar, body = (_WIDE - 2 * _LEFT - 100) / total, 0.0, []
    for n, (name, time) in enumerate(times):
        y, load = n * (_BAR + 4) + 4, shown.arch.reload_microseconds
        body.append(_bar(160 + start_of_bar * scale, y, load * scale, "#cccccc", f"load a configuration: {load:,.0f} us"))
        body.append(_bar(160 + (start_of_bar + load) * scale, y, max(1.0, time * scale), "#5a9a5a", f"{name}: {time:,.1f} us"))
        body.append(f'<text x="4" y="{y + 13}">{escape(name[:24])}</text>')
        start_of_bar += load + time
    y = len(times) * (_BAR + 4) + 20
    body.append(
        f'<text x="160" y="{y}">0 to {total:,.0f} us; grey: loads of configurations; below: shares of the run at work</text>'
    )
    for busy in shown.loads:
        y += _BAR + 4
        body.append(_bar(160, y, busy.share * (_WIDE - 2 * _LEFT - 100), "#6a8fc0", str(busy)))
        body.append(f'<text x="4" y="{y + 13}">{escape(busy.part)}</text>')
    return _picture(_WIDE, y + 40, body)


def _bar(x: float, y: float, width: float, colour: str, info: str) -> str:
    box = f'x="{x:.1f}" y="{y}" width="{width:.1f}" height="{_BAR}"'
    return f'<rect {box} fill="{colour}"><title>{escape(info)}</title></rect>'


def _roofline(shown: Figures) -> str:
    """Operations per second over operations per byte of external memory, on logarithmic axes: the limits, and each kernel."""
    parts = shown.run.parts or [shown.run]
    points = []
    for part in parts:
        macs = shown.macs if len(parts) == 1 else sum(c.macs for c in part.cores)
        if macs and part.ddr_bytes and part.cycles:
            rate = 2 * macs / part.cycles * shown.arch.mhz * 1e6
            points.append((part.kernel or "all kernels", 2 * macs / part.ddr_bytes, rate))
    if not points:
        return "<p>No multiply-accumulates were counted.</p>"
    memory = shown.arch.memory_gigabytes * 1e9
    top = 2 * shown.peak_per_cycle * shown.arch.mhz * 1e6 if shown.peak_per_cycle else None
    least, most = min(p[1] for p in points) / 4, max(4096.0, max(p[1] for p in points) * 4)
    low, high = min(p[2] for p in points) / 4, max([top or 0, *(p[2] * 4 for p in points), memory * least * 4])

    def x(value: float) -> float:
        return _LEFT + math.log(value / least) / math.log(most / least) * (_WIDE - _LEFT - 20)

    def y(value: float) -> float:
        return _HIGH - 30 - math.log(max(value, low) / low) / math.log(high / low) * (_HIGH - 50)

    knee = min(most, (top or high) / memory)
    start = max(least, low / memory)
    body = [_line(x(start), y(memory * start), x(knee), y(memory * knee), f"external memory: {memory / 1e9:.0f} GB/s")]
    if top is not None:
        cores = counted(shown.cores, "core")
        body.append(_line(x(min(knee, most)), y(top), x(most), y(top), f"peak of {cores}: {top / 1e12:.2f} TOPS"))
        body.append(f'<text x="{x(most) - 200:.0f}" y="{y(top) - 5:.0f}">{cores}: {top / 1e12:.2f} TOPS</text>')
    for name, intensity, rate in points:
        info = escape(f"{name}: {rate / 1e9:,.2f} GOPS at {intensity:,.2f} operations a byte")
        body.append(f'<circle cx="{x(intensity):.1f}" cy="{y(rate):.1f}" r="4" fill="crimson"><title>{info}</title></circle>')
    body.append(f'<text x="{_LEFT}" y="{_HIGH - 8}">{least:.2g} to {most:,.0f} operations a byte of external memory</text>')
    body.append(
        f'<text x="4" y="14">{low / 1e9:.2g} to {high / 1e9:,.0f} GOPS; line: external memory, {memory / 1e9:.0f} GB/s</text>'
    )
    return _picture(_WIDE, _HIGH, body)


def _line(x: float, y: float, u: float, v: float, info: str) -> str:
    return f'<path d="M{x:.1f},{y:.1f} L{u:.1f},{v:.1f}" stroke="#333" fill="none"><title>{escape(info)}</title></path>'


def _picture(width: int, height: int, body: Sequence[str]) -> str:
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    style = 'font-family="sans-serif" font-size="11"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>', *body, "</svg>"])
