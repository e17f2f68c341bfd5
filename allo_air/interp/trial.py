"""Runs a function several times, in several orders and with several random contents of unwritten memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk_named
from allo_air.dialects.host_buffers import host_buffers
from allo_air.interp.allowances import UNBOUNDED, Allowances, one_sided
from allo_air.interp.compare import Bound, agreement, bound, count_marked, differences
from allo_air.interp.errors import Deadlock, Leftover, PoisonRead, Race, RunError, Unsupported, UseAfterFree
from allo_air.interp.executors import executor_for, level_of
from allo_air.interp.garbage import PATTERNS
from allo_air.interp.inputs import Outputs, fit_inputs, outputs
from allo_air.interp.run import run
from allo_air.interp.uninterpreted import Uninterpreted
from allo_air.mlir import AnyOp, ir

if TYPE_CHECKING:
    from allo_air.interp.structured import Structured


@dataclass(frozen=True)
class RunOutputs:
    """The outputs of a function in each run, and where they are defined (None: everywhere)."""

    runs: tuple[Outputs, ...]
    where: Outputs | None = None

    def against(self, after: RunOutputs, limit: Bound) -> list[str]:
        """The differences in `after`: each of its runs must have the elements that are defined here."""
        expected = self.runs[0]
        return next((d for r in after.runs if (d := [*map(str, differences(expected, r, limit, self.where))])), [])


@dataclass
class Trial:
    """The runs of function `name` on `inputs`, which `seed` draws, in `schedules` random orders; `say` reports exceptions that
    the runs need. `expected` are the outputs of the module before a pass, and `limit` is its bound.
    """

    name: str
    inputs: list[Any]
    seed: int
    schedules: int
    say: Callable[[str], None]
    allow: Allowances = field(default_factory=lambda: Allowances(whole_results=True))
    channels: frozenset[str] = frozenset()
    expected: RunOutputs = field(default_factory=lambda: RunOutputs(()))
    limit: Bound = field(default_factory=lambda: Bound(0.0, ""))

    def first(self, module: AnyOp, function: ir.Operation, libraries: dict[str, Uninterpreted]) -> None:
        """Runs the function before the first pass, under the strictest conditions without an error; reports them."""
        self.channels, self.limit = _channels(function), bound(module, self.inputs)
        if not level_of(module):
            self.allow = replace(self.allow, open=one_sided(function))
        if self.allow.open:
            names = ", ".join(f"@{c}" for c in sorted(self.allow.open))
            self._note(f"is executed with the other side of {names}: it has one side only")
        declared = [f for f in libraries.values() if isinstance(f, Uninterpreted)]
        while True:
            destinations = [set(f.destinations) for f in declared]
            try:
                self.expected = self.run(module, function, libraries)
            except (Race, UseAfterFree, PoisonRead, Deadlock, Leftover) as why:
                self._allow(why)
            else:
                if destinations == [f.destinations for f in declared]:
                    break
        if self.allow.garbage and self.expected.where is not None:
            defined, total = count_marked(self.expected.where)
            self._note(f"is compared at the {defined} of {total} elements of its outputs that are defined")

    def _note(self, what: str, why: RunError | None = None) -> None:
        reason = ""
        if why is not None:
            [lack] = why.diagnostics
            second_place = f" (and {lack.notes[0].position})" if isinstance(why, Race | UseAfterFree) and lack.notes else ""
            reason = f": {lack}{second_place}"
        self.say(f"note: @{self.name} {what}{reason}")

    def _allow(self, why: RunError) -> None:
        """Allows the error `why`, or raises it if it cannot be allowed."""
        allow = self.allow
        if isinstance(why, PoisonRead) and not allow.unwritten:
            self.allow = replace(allow, unwritten=True)
            self._note("reads memory that nothing has written", why)
        elif isinstance(why, Leftover) and not allow.leftovers:
            self.allow = replace(allow, leftovers=True)
            self._note("leaves messages in a channel", why)
        elif isinstance(why, Deadlock) and allow.capacity == 1:
            self.allow = replace(allow, capacity=UNBOUNDED)
            self._note("does not end unless its channels hold more than one message, so they do", why)
        elif isinstance(why, Deadlock) and allow.open != self.channels and self.channels:
            self.allow = replace(allow, open=self.channels)
            self._note("does not end, so it is executed with gets that have no part in its puts", why)
        elif isinstance(why, Race | UseAfterFree) and not allow.program_order:
            self.allow = replace(allow, program_order=True)
            self._note("lacks tokens, so it is executed in program order", why)
        elif isinstance(why, Race | UseAfterFree) and not allow.races:
            self.allow = replace(allow, races=True)
            self._note("has races, so the results are not compared", why)
        else:
            raise why

    def run(
        self, module: ir.Operation | ir.OpView, function: ir.Operation, libraries: Mapping[str, Structured | Uninterpreted]
    ) -> RunOutputs:
        """The outputs of the function, which must be equal for all orders.

        An additional buffer of a runtime sequence is for traces and is not compared.
        """
        level, own, allow = level_of(module), bound(module, self.inputs), self.allow
        limit = own.plus(own)
        arguments = fit_inputs(function, self.inputs, self.seed)
        if not level:
            self._check_open(function)

        def run_once(turn: int, pattern: int) -> Outputs:
            received: dict[str, Any] = {}
            if level:
                execute = executor_for(level)
                if execute is None:
                    raise Unsupported(module, f"is at level '{level}', and nothing is registered that executes it")
                if allow.open or allow.races or allow.leftovers:
                    needed = f"channels with one end, races, or messages that stay in channels, as @{self.name} needs"
                    raise Unsupported(module, f"is at level '{level}', whose execution does not support {needed}")
                options = {"reads_unwritten": True} if allow.unwritten else {}
                new = execute(module, arguments, self.name, self.seed + turn, libraries, **options)
            else:
                new = run(
                    module, arguments, self.name, self.seed + turn, libraries=libraries, allow=_padded(function, allow),
                    pattern=pattern, received=received,
                )  # fmt: skip
            result = outputs(function, self.inputs, new, received)
            if level != "npu":
                return result
            return replace(result, results=result.results[: len(self.expected.runs[0].results) if self.expected.runs else 0])

        # If races are allowed, results that depend on the order are undefined.
        patterns = range(PATTERNS if allow.garbage and not level else 1)
        runs = [run_once(p if allow.races else 0, p) for p in patterns]
        where = agreement(runs) if allow.garbage and not level else self.expected.where
        for turn in range(1, 1 if allow.races else self.schedules):
            if result := differences(runs[0], run_once(turn, 0), limit, where):
                message = f"computes something else when independent operations run in another order: {result[0]}"
                raise error_at(function, message)
        return RunOutputs(tuple(runs), where)

    def _check_open(self, function: ir.Operation) -> None:
        """Raises an error if an open channel is gone or a new one-sided channel has appeared, since data cannot be compared."""
        if unused := self.allow.open - _channels(function):
            names = ", ".join(f"@{c}" for c in sorted(unused))
            raise Unsupported(function, f"no longer uses {names}, whose other end is simulated, so its data cannot be compared")
        new = one_sided(function) - self.allow.open - self.channels
        if self.allow.open and new:
            first = next(
                o for n in ("put", "get") for o in walk_named(function, f"air.channel.{n}") if o.opview.chan_name in new
            )
            raise Unsupported(first, "is on a channel that has no other side, which the module before did not have")


def _channels(function: ir.Operation) -> frozenset[str]:
    return frozenset(o.opview.chan_name for o in walk_named(function, "air.channel.put", "air.channel.get"))


def _padded(function: ir.Operation, allow: Allowances) -> Allowances:
    """`allow`, and for a program of kernels also undefined padding of the rows of a kernel's tiles."""
    calls = [c for c in walk_named(function, "func.call") if c.parent == function]
    if not calls and host_buffers(function) is None:
        return allow
    return replace(allow, unwritten=True, whole_results=False)
