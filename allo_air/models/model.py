"""A compiled model: programs for the array and functions for the host, run one after another on arrays."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air import asm
from allo_air.arch import arch_of
from allo_air.core.calls import PATH, checked
from allo_air.core.gc_pause import collect_less_often
from allo_air.core.user_lines import line_of, modules_of
from allo_air.core.walking import walk_pre_order
from allo_air.device import DEVICES
from allo_air.errors import AlloAirError, OptionError, counted
from allo_air.importers.imported import Imported
from allo_air.interp.exact import in_float64, relative_error
from allo_air.mlir import ir
from allo_air.models.host_choice import bytes_of, for_the_host, host_microseconds, not_passed, steps, too_small
from allo_air.models.module_times import ModuleRow, of_array, of_host
from allo_air.models.narrow import check_dtype, narrow
from allo_air.models.parts import ARRAY, HOST, Graph, Part, cut
from allo_air.models.refusals import compile_parts, refusal_error
from allo_air.models.report import ModelReport, PartRow, Row
from allo_air.models.weights import Weights
from allo_air.program.compile import compile, npu_name
from allo_air.program.host.linked import Run
from allo_air.program.lowering import Progress
from allo_air.program.program import Program
from allo_air.program.reports import graph as drawing
from allo_air.program.reports import page
from allo_air.program.reports.figures import Figures

if TYPE_CHECKING:
    import numpy as np

_TURNS = 32
"""Largest number of refused operations before compilation fails. Each costs a compilation up to the pass that refuses it."""
_SEARCHES = 8
"""Largest number of refusals for which operations are compiled to find the one that causes it, and whether it runs alone.
Afterwards, a refusal without a line moves the whole part to the host.
"""


@dataclass(eq=False)
class Step:
    """A part and its executable: a program for the array, or the interpreter on the host."""

    part: Part
    program: Program | None

    def __call__(self, arrays: Sequence[np.ndarray]) -> list[Any]:
        """Runs the part on its inputs; returns its results."""
        return self._on_array(arrays) if self.program is not None else self._on_host(arrays)

    def _on_array(self, arrays: Sequence[np.ndarray]) -> list[Any]:
        assert self.program is not None
        program = self.program(*arrays)
        return list(program) if isinstance(program, tuple) else [program]

    def _on_host(self, arrays: Sequence[np.ndarray]) -> list[Any]:
        from allo_air.interp.run import run

        with self._host_module.context, ir.Location.unknown():
            return run(self._host_module, list(arrays))

    @cached_property
    def _host_module(self) -> Any:
        return lower_to_linalg(self.part.module)


def lower_to_linalg(module: ir.Module) -> Any:
    """`module` with sorts, scans and scatters rewritten in linalg, as when text is read."""
    if not any(o.name.startswith("tm_tensor.") for o in walk_pre_order(module.operation)):
        return module
    with module.context, ir.Location.unknown():
        return asm.read(str(module.operation.get_asm(large_elements_limit=None)))


@dataclass(eq=False)
class Model:
    """A compiled model, the basis of the results of `allo_air.torch.compile` and `allo_air.onnx.compile`; `model(*arrays)`
    returns a list of arrays.
    """

    source: Imported
    device: str
    graph: Graph
    steps: tuple[Step, ...]
    reasons: dict[int, str] = field(default_factory=dict)
    """For each operation on the host, by its number: the reason."""
    exact: Any = None
    """The original model, if products are computed in a narrower type."""
    _last: tuple[list[Any], list[Any]] | None = None
    """Inputs and results of the last call."""

    def __repr__(self) -> str:
        return f"{self.source.name} on {self.device}"

    def __call__(self, *arrays: np.ndarray, **named: np.ndarray) -> list[Any]:
        """Runs on numpy arrays of the compiled shapes and types, in the order of `source.inputs`, or by the inputs' names.

        Raises ArgumentError for other shapes and types, and the errors of the simulator or the interpreter.
        """
        inputs = self.source.arrays(self.source.in_order(arrays, named))
        values = dict(zip(self.source.function.regions[0].blocks[0].arguments, inputs, strict=True))
        for step in self.steps:
            value = step([values[v] for v in step.part.arguments])
            values.update(zip(step.part.results, value, strict=True))
        results = [values[v] for v in self.graph.returned]
        self._last = inputs, results
        return self.source.results(results)

    def error(self, *arrays: np.ndarray) -> float:
        """The largest difference of the results for `arrays` from the model in float64, relative to the largest number of each
        result.
        """
        self(*arrays)
        assert self._last is not None
        return relative_error(self._in_float64, *self._last)

    @cached_property
    def _in_float64(self) -> Any:
        return in_float64(lower_to_linalg(self.exact or self.source.module))

    @cached_property
    def _is_rounded(self) -> bool:
        """Whether products are computed in a narrower type than f32. The report then includes the difference from float64."""
        kinds = {str(v.type) for op in self.graph.ops for v in op.results}
        return self.exact is not None or any(k.endswith(("xi8>", "xbf16>", "xf16>")) for k in kinds)

    @property
    def is_cached(self) -> bool:
        """Whether all programs came from the cache."""
        return bool(self.programs) and all(p.cached for p in self.programs)

    @property
    def programs(self) -> list[Program]:
        """The programs for the array, in execution order."""
        return [s.program for s in self.steps if s.program is not None]

    @property
    def share_on_array(self) -> float:
        """The array's share of the arithmetic, in loop iterations; 1 if there is no arithmetic."""
        done = {
            where: sum(steps(self.graph, s.part.ops) for s in self.steps if s.part.where == where) for where in (ARRAY, HOST)
        }
        return done[ARRAY] / sum(done.values()) if any(done.values()) else 1.0

    @cached_property
    def rows(self) -> list[Row]:
        """For each executed operation: its placement, and the reason."""
        rows = []
        for number, step in enumerate(self.steps):
            for n in step.part.ops:
                op = self.graph.ops[n]
                module = ", ".join(modules_of(op.location))
                rows.append(Row(number, op.name, line_of(op.location), step.part.where, self.reasons.get(n, ""), module))
        return rows

    def report(self) -> ModelReport:
        """The report of the last call: placement of operations, transfers, and predicted times of the programs."""
        return self._reported(Program.report, self._last_error())

    def estimate(self, *, mhz: float | None = None, code: str = "compiled") -> ModelReport:
        """The same report as a prediction, without data and without a run: `Program.estimate` predicts the time of each
        program.

        `mhz` is the clock; `code` is how the cores' code is priced. Raises DiagnosticError if the time of a core depends on
        data.
        """
        return self._reported(lambda program: program.estimate(mhz=mhz, code=code), None)

    def _reported(self, figures_of: Callable[[Program], Figures], error: float | None) -> ModelReport:
        parts, figures, modules = list[PartRow](), list[Figures](), list[ModuleRow]()
        runs = list[Sequence[Run]]()
        for number, step in enumerate(self.steps):
            cycles, micros = None, host_microseconds(self.graph, step.part.ops)
            if step.program is not None:
                figures.append(figures_of(step.program))
                cycles, micros = figures[-1].cycles, figures[-1].microseconds
                linked = step.program.lowered.linked
                runs.append(() if linked is None else linked.runs)
                modules += of_array(self.graph, step.part, figures[-1], runs[-1])
            else:
                modules += of_host(self.graph, step.part, self.reasons)
            bytes_in, value = (sum(bytes_of(v.type) for v in values) for values in (step.part.arguments, step.part.results))
            parts.append(PartRow(number, step.part.where, len(step.part.ops), bytes_in, value, cycles, micros))
        compiled = "; ".join(dict.fromkeys(filter(None, (program.compiled for program in self.programs))))
        return ModelReport(self.source.name, self.device, parts, self.rows, figures, runs, modules, error, compiled)

    def _last_error(self) -> float | None:
        """The error of the last call, if products are rounded and the model can be computed in float64."""
        if not self._is_rounded or self._last is None:
            return None
        try:
            return relative_error(self._in_float64, *self._last)
        except AlloAirError:
            return None

    @checked(path=PATH)
    def plot(self, path: str | os.PathLike[str]) -> None:
        """Draws the model as `model.svg` or `model.dot`: host parts, and kernels with predicted times and bounds."""
        target = Path(os.fsdecode(path))
        if target.suffix not in drawing.SUFFIXES:
            raise OptionError(f"'{target}' is not a graph that can be drawn; its name may end in {', '.join(drawing.SUFFIXES)}")
        page.write(target, (drawing.dot if target.suffix == ".dot" else drawing.svg)(self._drawn_parts()))

    @checked(path=PATH)
    def report_html(self, path: str | os.PathLike[str]) -> None:
        """Writes the report as one self-contained HTML file: graph, operations, kernels, timelines, rooflines."""
        report = self.report()
        summary = report.summary
        tables = [page.table(*t) for t in (report.parts_table(), report.modules_table(), report.operations_table())]
        page.write(Path(os.fsdecode(path)), page.html_page(report.name, summary, [self._drawn_parts()], report.figures, tables))

    def _drawn_parts(self) -> drawing.Graph:
        """The parts in order; those on the array are divided into kernels."""
        graph, makers = drawing.Graph(f"{self.source.name} on {self.device}"), dict[Any, str]()
        for n, step in enumerate(self.steps):
            last = f"part {n}"
            if step.program is None:
                lines = (f"{counted(len(step.part.ops), 'operation')}, {host_microseconds(self.graph, step.part.ops):,.1f} us",)
                graph.nodes.append(drawing.Node(last, "host", f"{last}: the host", lines))
                first = last
            else:
                inside = step.program.graph(f"{last}, ")
                graph.nodes += inside.nodes
                graph.edges += inside.edges
                first, last = inside.nodes[0].name, inside.nodes[-1].name
            graph.edges += [(makers[v], first, str(v.type)) for v in step.part.arguments if v in makers]
            makers.update(dict.fromkeys(step.part.results, last))
        return graph

    def explain(self) -> str:
        """The kernels of each program with their plans."""
        return "\n\n".join(p.explain() for p in self.programs)


@collect_less_often()
def build(
    source: Imported,
    device: str = "npu1",
    *,
    dtype: str | None = None,
    strict: bool = False,
    cache: bool = True,
    cache_limit: int | None = None,
    progress: Progress | None = None,
    weights: Weights | None = None,
) -> Model:
    """Compiles `source` for `device`. Operations that the array cannot execute, or that are faster on the host, run on the
    host.

    `dtype` "bf16" rounds the operands of f32 products. With `strict` host work is an error: AlloAirError names the operation,
    its line in the model, and the reason. Constants are stored in `weights`, which other models may share.
    """
    weights = Weights() if weights is None else weights
    check_dtype(dtype)
    device = npu_name(device)
    exact = None
    if dtype is not None:
        with source.context, ir.Location.unknown():
            exact = source.module.operation.clone()
        narrow(source)
    with source.context, ir.Location.unknown():
        graph = Graph(source.function)
        arch = arch_of(DEVICES[device])
        reasons = {n: why for n, op in enumerate(graph.ops) if (why := for_the_host(op, arch))}
        attempt = partial(compile, device=device, cache=cache, cache_limit=cache_limit, progress=progress)
        programs: dict[str, Program] = {}
        apart = set[int]()
        for attempt_number in range(_TURNS + 1):
            parts = cut(graph, reasons, apart)
            while moved := not_passed(graph, parts) or too_small(graph, parts, arch):
                reasons.update(moved)
                parts = cut(graph, reasons, apart)
            if reasons and (strict or attempt_number == _TURNS):
                raise refusal_error(graph, reasons, source.name)
            refusal = compile_parts(graph, parts, programs, attempt, attempt_number < _SEARCHES, apart)
            if refusal is None:
                held_weights = {p.text: weights.with_shared_arrays(programs[p.text]) for p in parts if p.where == ARRAY}
                steps = tuple(Step(p, held_weights.get(p.text)) for p in parts)
                return Model(source, device, graph, steps, reasons, exact)
            reasons.update(refusal)
    raise AssertionError("the last turn raises")


def host_model(source: Imported) -> Model:
    """`source` with every operation on the host."""
    with source.context, ir.Location.unknown():
        graph = Graph(source.function)
        reasons = dict.fromkeys(range(len(graph.ops)), "the host is asked for")
        return Model(source, "cpu", graph, tuple(Step(p, None) for p in cut(graph, reasons)), reasons)
