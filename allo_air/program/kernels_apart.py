"""Lowers each kernel of a program in a module of its own, in two processes, and puts the modules together again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from allo_air.core import driver
from allo_air.core.names import callee_of, sym_name_of
from allo_air.core.walking import walk_named
from allo_air.errors import AlloAirError
from allo_air.interp import two_processes
from allo_air.mlir import ir
from allo_air.program.texts import CALLER, bundle, bytecode, join, module_of

if TYPE_CHECKING:
    from allo_air.core.pipeline import Pipeline

FIRST, BEHIND = "bind-moves", "merge-devices"
"""Passes from the first one up to the second one work on each kernel by itself."""


class Record(driver.Checker, Protocol):
    """What is kept while passes run: texts by level, and notes."""

    texts: dict[str, str | bytes]
    notes: dict[str, str]
    done: int


@dataclass(frozen=True)
class _Kernel:
    """A kernel that was lowered: its module, as bytecode where another process did it."""

    module: ir.Operation | bytes
    texts: dict[str, str | bytes]
    notes: dict[str, str]
    timings: list[tuple[str, float]]


@dataclass(frozen=True)
class KernelsApart:
    """Runs passes on the kernels of a program one by one; `record` takes what they leave, `fresh` makes such a record."""

    record: Record
    fresh: Callable[[int], Record]
    tell: Callable[[str, int, int], None]

    def span(self, pipeline: Pipeline) -> range:
        """The passes for kernels, by number; none where the pipeline does not have them."""
        numbers = {step.name: n for n, step in enumerate(pipeline.steps)}
        return range(numbers.get(FIRST, 0), numbers.get(BEHIND, 0)) if FIRST in numbers else range(0)

    def takes(self, op: ir.Operation) -> bool:
        """Whether the module has several kernels, called by other functions."""
        return len(_kernels(op)) > 1

    def run(
        self, op: ir.Operation, passes: range, settings: driver.Settings, run: Callable[[ir.Operation, driver.Settings], None]
    ) -> None:
        """Runs `passes`, which `run` does, on each kernel of `op` and on what calls them."""
        modules = [_taken_out(op, kernel) for kernel in _kernels(op)]
        _drop_unused(op)
        count, total = len(modules), passes.stop

        def lowered(module: ir.Operation) -> _Kernel:
            record, timings = self.fresh(passes.start), list[tuple[str, float]]()
            run(module, replace(settings, checker=record, timings=timings, progress=lambda *_: None))
            return _Kernel(module, record.texts, record.notes, timings)

        def sent(module: ir.Operation) -> _Kernel | None:
            try:
                kernel = lowered(module.clone().operation)
            except AlloAirError:
                return None  # it is lowered again where its error can be raised
            assert isinstance(kernel.module, ir.Operation)
            return replace(kernel, module=bytecode(kernel.module))

        def tell(done: int) -> None:
            self.tell(f"kernel {done} of {count}", passes.start + len(passes) * done // count, total)

        main = lowered(op)
        if two_processes.possible():
            back = two_processes.made(modules, sent, tell)
            kernels = [kernel or lowered(module) for module, kernel in zip(modules, back, strict=True)]
        else:
            kernels = [lowered(module) for module in modules]
        parts = [k.module if isinstance(k.module, ir.Operation) else module_of(k.module) for k in kernels]
        join(op, parts)
        self._keep(main, kernels)
        self.record.done = passes.stop
        settings.timings.extend(_summed([main.timings, *(k.timings for k in kernels)]))

    def _keep(self, main: _Kernel, kernels: list[_Kernel]) -> None:
        for level, text in main.texts.items():
            texts = [text, *(k.texts[level] for k in kernels)]
            self.record.texts.pop(level, None)
            self.record.texts[level] = bundle([t for t in texts if isinstance(t, bytes)])
        for part in (main, *kernels):
            self.record.notes |= part.notes


def _kernels(op: ir.Operation) -> list[ir.Operation]:
    """The functions of a program that others call and that call none; empty if the program is none of kernels alone."""
    functions = {sym_name_of(f): f for f in walk_named(op, "func.func") if f.regions[0].blocks}
    called = {callee_of(c) for c in walk_named(op, "func.call")}
    kernels = [f for name, f in functions.items() if name in called]
    return [] if any(walk_named(f, "func.call") for f in kernels) else kernels


def _taken_out(op: ir.Operation, kernel: ir.Operation) -> ir.Operation:
    """A module of `kernel` and the globals that it uses; in `op` it is a declaration from now on."""
    with kernel.location:
        module = ir.Module.create().operation
    body = ir.InsertionPoint(module.regions[0].blocks[0])
    names = {a["name"].value for o in walk_named(kernel, "memref.get_global") if (a := o.attributes)}
    for held in op.regions[0].blocks[0].operations:
        if held.operation.name == "memref.global" and sym_name_of(held) in names:
            held.operation.clone(ip=body)
    kernel.clone(ip=body)
    _call(kernel, body)
    declared = ir.Operation.create(
        "func.func",
        attributes={n: kernel.attributes[n] for n in kernel.attributes},
        regions=1,
        loc=kernel.location,
        ip=ir.InsertionPoint(kernel),
    )
    declared.attributes["sym_visibility"] = ir.StringAttr.get("private")
    kernel.erase()
    return module


def _call(kernel: ir.Operation, at: ir.InsertionPoint) -> None:
    """A function that does nothing but call `kernel`, which passes take for a part of a program then."""
    attributes = {"sym_name": ir.StringAttr.get(CALLER), "function_type": kernel.attributes["function_type"]}
    caller = ir.Operation.create("func.func", attributes=attributes, regions=1, loc=kernel.location, ip=at)
    with kernel.location:
        block = caller.regions[0].blocks.append(*[a.type for a in kernel.regions[0].blocks[0].arguments])
    callee = {"callee": ir.FlatSymbolRefAttr.get(sym_name_of(kernel))}
    inside = ir.InsertionPoint(block)
    ir.Operation.create("func.call", attributes=callee, operands=list(block.arguments), loc=kernel.location, ip=inside)
    ir.Operation.create("func.return", loc=kernel.location, ip=inside)


def _drop_unused(op: ir.Operation) -> None:
    """Removes the globals that only kernels used."""
    used = {o.attributes["name"].value for o in walk_named(op, "memref.get_global")}
    for held in [o.operation for o in op.regions[0].blocks[0].operations]:
        if held.name == "memref.global" and sym_name_of(held) not in used:
            held.erase()


def _summed(timings: list[list[tuple[str, float]]]) -> list[tuple[str, float]]:
    """Seconds of each pass in all parts, which ran the same ones as far as there was work for them; a pass may run often."""
    seconds = dict[tuple[str, int], float]()
    for part in sorted(timings, key=len, reverse=True):
        times = Counter[str]()
        for name, spent in part:
            key = name, times[name]
            times[name] += 1
            seconds[key] = seconds.get(key, 0.0) + spent
    return [(name, spent) for (name, _), spent in seconds.items()]
