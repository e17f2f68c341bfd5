"""Predicts the time of a language model from the predicted times of its pieces' programs, without computing anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from allo_air.arch import arch_of
from allo_air.arch.timing import LAUNCH_MICROSECONDS
from allo_air.device import DEVICES
from allo_air.errors import DiagnosticError, counted
from allo_air.llm.compiled import compiled
from allo_air.llm.decoding import CompiledPiece, is_one_design, token_design
from allo_air.llm.examples import Example, examples
from allo_air.llm.form import GROUP, Form
from allo_air.llm.host_time import ASSUMED, host_time
from allo_air.llm.one_dispatch import microseconds, several, token_steps
from allo_air.llm.pictures import save
from allo_air.llm.pieces import AttendPrompt

BETWEEN, ONCE = "between", "once"
"""If a token is one dispatch: the names of the rest of a layer (without products and attention), and of the parts that a
token runs once."""
PROMPT_ROWS = 2048
"""Number of prompt rows that a piece processes at a time in an estimate; longer prompts run it several times."""


@dataclass(frozen=True)
class Row:
    """A piece in a pass through the model. Times are microseconds of one run; `why` is the reason if there is no time."""

    name: str
    times: int
    kernels: float = 0.0
    host: float = 0.0
    """Assumed time of the host's part."""
    loads: int = 0
    """Number of configurations that a run loads, including the first one unless the previous piece has loaded it."""
    configuration: str = ""
    """A short name of the configuration at the beginning and end of the run; empty if the run loads others."""
    weights: int = 0
    cache: int = 0
    bound: str = ""
    why: str = ""


@dataclass(frozen=True)
class Pass:
    """A token with `context` keys in the cache, or a prompt of `context` tokens."""

    context: int
    rows: tuple[Row, ...]
    load_microseconds: float
    dispatches: int | None = None
    """Number of dispatches; None if each run of a piece is one."""

    @property
    def whole(self) -> bool:
        """Whether each piece has a predicted time."""
        return not any(r.why for r in self.rows)

    @property
    def kernels(self) -> float:
        """Microseconds of all kernels."""
        return sum(r.kernels * r.times for r in self.rows)

    @property
    def host(self) -> float:
        """Assumed microseconds of the host's work between pieces."""
        return sum(r.host * r.times for r in self.rows)

    @property
    def launches(self) -> float:
        """Microseconds of the driver for all runs of pieces."""
        count = self.dispatches or sum(r.times for r in self.rows if r.kernels)
        return LAUNCH_MICROSECONDS * count

    @property
    def loads(self) -> float:
        """Microseconds to load configurations. A run loads one unless it follows a piece with the same configuration."""
        return self.load_microseconds * sum(r.loads * r.times for r in self.rows)

    @property
    def parts(self) -> dict[str, float]:
        """Microseconds of products with weights, of attention to the cache, and of everything around kernels.

        If `between` is negative, since weights arrive while it computes, it counts as less time of the products.
        """
        cache = sum(r.kernels * r.times for r in self.rows if r.name.startswith("attend"))
        between = max(0.0, sum(r.kernels * r.times for r in self.rows if r.name == BETWEEN))
        overheads = {"launches": self.launches, "loads": self.loads, "the host": self.host}
        return {
            "weights": self.kernels - cache - between,
            "cache": cache,
            **({BETWEEN: between} if any(r.name == BETWEEN for r in self.rows) else {}),
            **overheads,
        }

    @property
    def microseconds(self) -> float:
        """The total in microseconds, with one dispatch after another."""
        return self.kernels + self.host + self.launches + self.loads


@dataclass(frozen=True)
class Estimate:
    """Predictions by context, for `prompts` and `tokens`, and the memory that the model needs."""

    form: Form
    device: str
    weights: str
    prompts: tuple[Pass, ...]
    tokens: tuple[Pass, ...]
    weight_bytes: int
    cache_bytes: dict[int, int] = field(default_factory=dict)
    several: tuple[str, ...] = ()
    """Why a token takes several dispatches; empty if it takes one."""

    def as_dict(self) -> dict[str, Any]:
        """The estimate as JSON data."""
        kinds = {"prompts": self.prompts, "tokens": self.tokens}
        results = {k: [asdict(p) | {"microseconds": p.microseconds} for p in passes] for k, passes in kinds.items()}
        summary = {"device": self.device, "weights": self.weights, "weight_bytes": self.weight_bytes, "several": self.several}
        return {**summary, "form": asdict(self.form), "cache_bytes": self.cache_bytes, **results}

    def plot(self, path: str | Path) -> None:
        """Draws how a token's time is spent for each context, as a picture (png, svg, pdf; needs matplotlib, extra `plot`)."""
        save(Path(path), self._title, {p.context: p.parts for p in self.tokens})

    @property
    def _title(self) -> str:
        model = f"{counted(self.form.layers, 'layer')} of {self.form.hidden}"
        return f"{model} on {self.device}, weights {self.weights}: predicted, nothing ran"

    def __str__(self) -> str:
        lines = [
            self._title,
            f"weights {self.weight_bytes / 1e6:,.0f} MB; cache "
            + ", ".join(f"{b / 1e6:,.0f} MB for {c:,} tokens" for c, b in self.cache_bytes.items()),
        ]
        if self.several:
            lines.append(f"a token takes several dispatches: {', '.join(self.several)}")
        for title, passes in (("a prompt of", self.prompts), ("a token after", self.tokens)):
            for item in passes:
                lines += ["", *_pass_lines(item, title)]
        return "\n".join(lines)

    __repr__ = __str__


def _pass_lines(item: Pass, title: str) -> list[str]:
    lines = [f"{title} {item.context:,}"]
    if item.whole:
        rate = f", {1e6 / item.microseconds:.1f} tokens/s" if title.startswith("a token") else ""
        kernel_time = f"kernels alone {item.kernels / 1e3:,.2f} ms"
        lines[0] += f": {item.microseconds / 1e3:,.2f} ms{rate}; {kernel_time}"
        lines[0] += f", loads {item.loads / 1e3:,.2f} ms, launches {item.launches / 1e3:,.2f} ms"
        lines[0] += f", the host {item.host / 1e3:,.2f} ms" if item.host else ""
    lines.append(
        f"  {'piece':<12}{'runs':>6}{'us a run':>12}{'ms':>10}{'host ms':>9}{'loads':>7}{'MB read':>10}{'GB/s':>7}  bound by"
    )
    for r in item.rows:
        if r.why:
            lines.append(f"  {r.name:<12}{r.times:>6}  not compiled: {r.why}")
            continue
        size = r.weights + r.cache
        rate = f"{size / r.kernels / 1e3:.1f}" if size and r.kernels else "-"
        total = r.kernels * r.times / 1e3
        host = f"{r.host * r.times / 1e3:.2f}" if r.host else "-"
        lines.append(
            f"  {r.name:<12}{r.times:>6}{r.kernels:>12,.0f}{total:>10.2f}{host:>9}{r.loads:>7}{size / 1e6:>10.1f}{rate:>7}"
            f"  {r.bound}"
        )
    return lines


def estimated(
    form: Form,
    contexts: Sequence[int],
    *,
    device: str = "npu2",
    weights: str = "dense",
    group: int = GROUP,
    prompts: bool = True,
    bfp16: bool = False,
    code: str = "compiled",
    mhz: float | None = None,
    cache: bool = True,
    progress: Callable[[str], None] | None = None,
) -> Estimate:
    """The Estimate for `contexts`; equal pieces are compiled once. A piece that is not compiled has its reason in the table."""
    row_of: dict[Any, Row] = {}
    one_design = is_one_design(form, weights, group, device)

    def decoder(items: list[Example], context: int) -> list[Row]:
        """The rows of pieces that share a design."""
        if progress is not None:
            progress(f"a token after {context}")
        try:
            steps = token_steps(form, weights, group, context, device)
            if steps is not None:
                return _stitched(items, microseconds(steps, code, mhz), form)
            design = token_design(form, weights, group, context, device, cache)
            return [_priced(e, design.piece(e), code, mhz) for e in items]
        except DiagnosticError as error:
            return [Row(e.name, e.times, why=error.diagnostics[0].message) for e in items]

    def row(example: Example, times: int) -> Row:
        key = example.name, example.shapes
        if key not in row_of:
            if progress is not None:
                progress(f"{example.name} {example.shapes}")
            row_of[key] = _row(example, device, code, mhz, cache, bfp16)
        return replace(row_of[key], times=times)

    load = arch_of(DEVICES[device]).reload_microseconds
    tokens, passes_of_prompt = list[Pass](), list[Pass]()
    for context in contexts:
        pieces = examples(form, weights, group, 1, context, streams=one_design)
        rows = decoder(pieces, context) if one_design else [row(e, e.times) for e in pieces]
        stitched = rows[-1].name == ONCE
        host = Row("the host", 1, host=host_time(form, weights, stitched), bound=ASSUMED)
        tokens.append(Pass(context, (*_without_repeated_loads(rows), host), load, 1 if stitched else None))
        if prompts:
            parts = min(context, PROMPT_ROWS)
            result = examples(form, weights, group, parts, context)
            repeats = -(-context // parts)
            chosen = [(e, e.times * _repeated(e, parts, repeats)) for e in result]
            passes_of_prompt.append(Pass(context, tuple(row(e, n) for e, n in chosen), load))
    last = examples(form, weights, group, 1, contexts[0])
    embedding = form.vocab * form.hidden * last[0].args[0].element_size()
    bytes_held = sum(e.weights * _held_times(form, e) for e in last) + (0 if form.tied and weights == "dense" else embedding)
    sizes = {c: sum(e.cache * e.times for e in examples(form, weights, group, 1, c)) for c in contexts}
    reasons = tuple(several(form, weights, group, contexts[0], device))
    return Estimate(form, device, weights, tuple(passes_of_prompt), tuple(tokens), bytes_held, sizes, reasons)


def _held_times(form: Form, example: Example) -> int:
    """The number of matrices in a model like those of a token's piece."""
    return form.layers * (form.experts + form.shared) if form.experts and example.name in ("gated", "down") else example.times


def _without_repeated_loads(rows: Sequence[Row]) -> list[Row]:
    """The pieces of a token, without loads of a configuration that the previous piece has loaded; layers follow each other."""
    before = {row.name: rows[n - 1] if n else rows[-2] for n, row in enumerate(rows)}
    return [
        replace(row, loads=row.loads - 1) if row.configuration and row.configuration == before[row.name].configuration else row
        for row in rows
    ]


def _repeated(example: Example, rows: int, parts: int) -> int:
    """How often a prompt of `parts` parts of `rows` rows runs a piece; attention runs once for each pair of parts with visible
    keys.
    """
    if example.name == "head":
        return 1
    if not isinstance(example.module, AttendPrompt):
        return parts
    window = example.module.window
    previous_parts = -(-(window - 1) // rows) if window else parts
    return sum(1 + min(n, previous_parts) for n in range(parts))


def _stitched(items: Sequence[Example], times: dict[str, float], form: Form) -> list[Row]:
    """The rows of a token of one dispatch, from the times of its parts."""
    bound = "external memory: shim"
    rows = [Row(e.name, e.times, weights=e.weights, cache=e.cache, kernels=times[e.name], bound=bound) for e in items]
    between = times["layer"] - sum(r.kernels for r in rows if r.name != "head")
    waits = "sums, norms, rotation, activation, as far as weights do not arrive meanwhile"
    return [
        *rows,
        Row(BETWEEN, form.layers, kernels=between, bound=waits),
        Row(ONCE, 1, kernels=times["once"], bound="the first weights, and the end of the sequence"),
    ]


def _row(example: Example, device: str, code: str, mhz: float | None, cache: bool, bfp16: bool) -> Row:
    empty = Row(example.name, example.times)
    try:
        return _priced(example, compiled(example, device, cache, bfp16), code, mhz)
    except DiagnosticError as error:
        return replace(empty, why=error.diagnostics[0].message)


def _priced(example: Example, item: CompiledPiece, code: str, mhz: float | None) -> Row:
    report = item.program.estimate(code=code, mhz=mhz)
    longest = max(report.kernels, key=lambda k: k.cycles, default=None)
    bound = longest.bound if longest is not None else report.bound
    digest = "" if report.reconfigurations else sha256(item.configuration.encode()).hexdigest()[:12]
    return Row(
        example.name,
        example.times,
        weights=example.weights,
        cache=example.cache,
        kernels=report.cycles / report.mhz,
        loads=report.reconfigurations + 1,
        bound=bound.partition(" (")[0],
        configuration=digest,
    )
