"""Lowers each kernel of a program as a separate module, in two processes, and merges the results.

Equal kernels are lowered once. Kernels that any program had before come from the cache.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeAlias

from allo_air.core import two_processes
from allo_air.core.functions import call_function, declare_function, new_function
from allo_air.core.names import callee_of, function_type_of, sym_name_of
from allo_air.core.settings import Checker, Settings
from allo_air.core.walking import walk_named
from allo_air.errors import AlloAirError, counted
from allo_air.mlir import func, ir
from allo_air.passes._analysis.kernels import PART
from allo_air.program.canonical import Labels, canonical, text_of
from allo_air.program.stored_kernels import Kernels, Stored
from allo_air.program.texts import CALLER, bundle, bytecode, join, module_of

if TYPE_CHECKING:
    from allo_air.core.pipeline import Pipeline

FIRST, END = "bind-moves", "link-kernels"
"""The first pass that works on each kernel by itself, and the pass that follows the last one."""


def span(pipeline: Pipeline) -> range:
    """The positions in `pipeline` of the passes that work on each kernel by itself; empty if it lacks them."""
    numbers = {step.name: n for n, step in enumerate(pipeline.steps)}
    return range(numbers.get(FIRST, 0), numbers.get(END, 0)) if FIRST in numbers else range(0)


class Record(Checker, Protocol):
    """The output of a pipeline: texts by level, notes, and how many kernels were lowered."""

    texts: dict[str, str | bytes]
    notes: dict[str, str]
    done: int
    reuse: Reuse


@dataclass(frozen=True)
class Reuse:
    """How many kernels were lowered separately, how many of these came from the cache, and how many were equal to another."""

    kernels: int = 0
    cached: int = 0
    equal: int = 0

    def __str__(self) -> str:
        lowered = self.kernels - self.cached - self.equal
        return (
            f"{counted(self.kernels, 'kernel')}: {lowered} lowered, {self.cached} from the cache, {self.equal} equal to these"
        )


@dataclass(frozen=True)
class _Part:
    """A kernel as a module of its own; if possible also in canonical form, with the labels that this removes."""

    module: ir.Operation
    canonical: ir.Operation | None
    labels: Labels | None

    @classmethod
    def of(cls, module: ir.Operation) -> _Part:
        """The part of `module`."""
        return cls(module, *(canonical(module, CALLER) or (None, None)))

    @cached_property
    def text(self) -> str:
        """The text that is equal for parts which are lowered to the same code."""
        return text_of(self.module if self.canonical is None else self.canonical)


_Timings: TypeAlias = list[tuple[str, float]]
"""Seconds of each pass."""


@dataclass(frozen=True)
class SeparateKernels:
    """Runs passes on the kernels of a program separately. `record` receives their results; `fresh` makes an empty record.

    `check` looks at the lowered kernels. `lowered_before` has those that were lowered for the program before, by their text.
    """

    record: Record
    fresh: Callable[[int], Record]
    tell: Callable[[str, int, int], None]
    kernels: Kernels | None = None
    """The kernels in the cache, if there is a cache."""
    check: Callable[[Iterable[ir.Operation]], None] = lambda modules: None
    lowered_before: dict[str, Stored] = field(default_factory=dict)

    def span(self, pipeline: Pipeline) -> range:
        """The positions of the passes for kernels."""
        return span(pipeline)

    def takes(self, op: ir.Operation) -> bool:
        """Whether the module has several kernels that other functions call."""
        return len(_kernels(op)) > 1

    def run(self, op: ir.Operation, passes: range, settings: Settings, run: Callable[[ir.Operation, Settings], None]) -> None:
        """Runs `passes` (by the function `run`) on each kernel of `op`, and on the functions that call them."""
        parts = [_Part.of(_extracted(op, kernel)) for kernel in _kernels(op)]
        _drop_unused(op)
        total = passes.stop

        def ran(module: ir.Operation) -> tuple[Record, _Timings]:
            record, timings = self.fresh(passes.start), _Timings()
            run(module, replace(settings, checker=record, timings=timings, progress=lambda *_: None))
            return record, timings

        def lowered(module: ir.Operation) -> tuple[Stored, _Timings]:
            record, timings = ran(module)
            levels = {level: text for level, text in record.texts.items() if isinstance(text, bytes)}
            return Stored(bytecode(module), levels, record.notes), timings

        def sent(part: _Part) -> tuple[Stored, _Timings] | None:
            try:
                return lowered((part.canonical or part.module).clone().operation)
            except AlloAirError:
                return None  # it is lowered again later, where its error can be raised with a location

        def report(done: int) -> None:
            self.tell(f"kernel {done} of {len(new)}", passes.start + len(passes) * done // len(new), total)

        main, timings = ran(op)
        cached_parts = self._stored(parts)
        new = list({part.text: part for part in parts if part.text not in cached_parts}.values())
        cached = sum(part.text in cached_parts for part in parts)
        back = two_processes.make_all(new, sent, report) if new and two_processes.can_fork() else map(sent, new)
        times = [timings]
        for part, outcome in zip(new, back, strict=True):
            if outcome is not None:
                cached_parts[part.text] = self.lowered_before[part.text] = outcome[0]
                times.append(outcome[1])
                self._store(part, outcome[0])
        kernels = list[tuple[Stored, Labels | None]]()
        for part in parts:
            if part.text in cached_parts:
                kernels.append((cached_parts[part.text], part.labels))
            else:
                stored, timings = lowered(part.module)
                kernels.append((stored, None))
                times.append(timings)
        self._keep(main, kernels)
        modules = [module_of(s.module) if own is None else own.put_on(module_of(s.module)) for s, own in kernels]
        self.check(modules)
        join(op, modules)
        self.record.done = passes.stop
        self.record.reuse = Reuse(len(parts), cached, len(parts) - cached - len(times) + 1)
        settings.timings.extend(_summed(times))

    def _stored(self, parts: list[_Part]) -> dict[str, Stored]:
        """The kernels that the cache has, by their canonical text."""
        of_program = {part.text: self.lowered_before[part.text] for part in parts if part.text in self.lowered_before}
        if self.kernels is None:
            return of_program
        read = {part.text: self.kernels.read(self.kernels.key(part.text)) for part in parts if part.canonical is not None}
        return {text: stored for text, stored in read.items() if stored is not None} | of_program

    def _store(self, part: _Part, stored: Stored) -> None:
        if self.kernels is not None and part.canonical is not None:
            self.kernels.write(self.kernels.key(part.text), stored)

    def _keep(self, main: Record, kernels: list[tuple[Stored, Labels | None]]) -> None:
        for level, text in main.texts.items():
            texts = [s.levels[level] if own is None else own.prefix_to(s.levels[level]) for s, own in kernels]
            self.record.texts.pop(level, None)
            self.record.texts[level] = bundle([t for t in (text, *texts) if isinstance(t, bytes)])
        self.record.notes |= main.notes
        for stored, _ in kernels:
            self.record.notes |= stored.notes


def _kernels(op: ir.Operation) -> list[ir.Operation]:
    """The functions of a program that others call and that call none; empty if not all called functions are such kernels."""
    functions = {sym_name_of(f): f for f in walk_named(op, "func.func") if f.regions[0].blocks}
    called = {callee_of(c) for c in walk_named(op, "func.call")}
    kernels = [f for name, f in functions.items() if name in called]
    return [] if any(walk_named(f, "func.call") for f in kernels) else kernels


def _extracted(op: ir.Operation, kernel: ir.Operation) -> ir.Operation:
    """A module of `kernel` and the globals that it uses. In `op`, the kernel becomes a declaration."""
    with kernel.location:
        module = ir.Module.create().operation
        module.attributes[PART] = ir.UnitAttr.get()
    body = ir.InsertionPoint(module.regions[0].blocks[0])
    names = {a["name"].value for o in walk_named(kernel, "memref.get_global") if (a := o.attributes)}
    for nested in op.regions[0].blocks[0].operations:
        if nested.operation.name == "memref.global" and sym_name_of(nested) in names:
            nested.operation.clone(ip=body)
    kernel.clone(ip=body)
    _call(kernel, body)
    with kernel.location:
        attributes = dict(kernel.attributes.items())
        declare_function(sym_name_of(kernel), function_type_of(kernel), attributes, ip=ir.InsertionPoint(kernel))
    kernel.erase()
    return module


def _call(kernel: ir.Operation, ip: ir.InsertionPoint) -> None:
    """A function that only calls `kernel`, so that passes treat the module as a program."""
    kind = function_type_of(kernel)
    with kernel.location:
        _, block = new_function(CALLER, kind.inputs, kind.results, is_private=False, ip=ip)
    with kernel.location, ir.InsertionPoint(block):
        call_function(sym_name_of(kernel), [], block.arguments)
        func.ReturnOp([])


def _drop_unused(op: ir.Operation) -> None:
    """Removes the globals that only kernels used."""
    used = {o.attributes["name"].value for o in walk_named(op, "memref.get_global")}
    for nested in [o.operation for o in op.regions[0].blocks[0].operations]:
        if nested.name == "memref.global" and sym_name_of(nested) not in used:
            nested.erase()


def _summed(timings: list[list[tuple[str, float]]]) -> list[tuple[str, float]]:
    """Seconds of each pass over all parts. The parts ran the same passes, but some parts ended early."""
    seconds = dict[tuple[str, int], float]()
    for part in sorted(timings, key=len, reverse=True):
        times = Counter[str]()
        for name, spent in part:
            key = name, times[name]
            times[name] += 1
            seconds[key] = seconds.get(key, 0.0) + spent
    return [(name, spent) for (name, _), spent in seconds.items()]
