"""fit-columns."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise, product

from allo_air.core import two_processes
from allo_air.core.names import sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.device import Device
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.columns import (
    Callees,
    Group,
    calling_orders,
    columns_needed,
    groups,
    reconfiguration,
    record_columns,
)
from allo_air.passes._ir.device_option import device_option
from allo_air.passes.linalg._families import family_of
from allo_air.plan.family import Target
from allo_air.plan.plan import Plan
from allo_air.plan.schema import attach, plan_of, plan_or_unplanned

_SURE = 1.5
"""Factor by which a saved load must take longer than what the kernels lose by estimate."""
_LONGEST = 2
"""A kernel that runs longer than this many loads for each column that it would keep has all its columns: one column less would
cost more than a load.
"""


@dataclass(frozen=True)
class FitColumns(Pass):
    """Plans kernels for fewer columns if more of them then share a configuration, and this saves more time than it costs.

    Planners choose the columns of a kernel before its neighbors have plans, and before there are kernels between them that only
    move elements. This pass knows all plans. It joins consecutive groups of kernels, each of which fits the array, as long as
    that saves time: kernels of the two groups get the plans for fewer columns that cost least. Shapes of kernels do not change.

    Before (on npu1, which has 4 columns; `of` and the plans are left out):

        func.func private @a(...) attributes {allo.columns = {count = 2 : i64}, allo.kernel}
        func.func private @move(...) attributes {allo.columns = {count = 1 : i64}, allo.kernel}
        func.func private @b(...) attributes {allo.columns = {count = 2 : i64}, allo.kernel}
        func.func @f(%x: tensor<144x64xf32>) -> tensor<136x67xf32> {
          %0 = call @a(%x)
          %1 = call @move(%0)
          %2 = call @b(%1)

    After, `@b` has a plan for one column, so that all three kernels share a configuration:

        func.func private @b(...) attributes {allo.columns = {count = 1 : i64}, allo.kernel}
    """

    name = "fit-columns"
    anchor = "builtin.module"

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""
    cols: int = 0
    """Columns of the array that may be used, 0 for all."""
    bfp16: bool = False
    """Multiply bf16 in AIE2p's block floating point, which rounds operands to blocks of 8 with one exponent."""

    def run(self, op: AnyOp, /) -> None:
        device = device_option(self.name, self.device, cols=self.cols)
        rows = calling_orders(op)
        counts = Counter(f for row in rows for f in row if f is not None and plan_of(f) is not None)
        if device.columns == 1 or len(counts) < 2:
            return
        target, options = Target(device, self.bfp16), dict[str, list[_Option]]()
        program = _Program(rows, {f: _Kernel(f, target, calls, options) for f, calls in counts.items()}, device, options)
        program.find_options()
        while program.join():
            pass
        program.record()


@dataclass(frozen=True)
class _Option:
    """Columns of a kernel, the cycles that all of its calls lose on them, and the plan for them; None for the present plan."""

    columns: int
    lost: float
    plan: Plan | None = None


class _Kernel:
    """A kernel with `calls`, planned for some columns of `target`."""

    def __init__(self, function: ir.Operation, target: Target, calls: int, of_kernels: dict[str, list[_Option]]) -> None:
        self.function, self.target, self.calls, self._of_kernels = function, target, calls, of_kernels
        self.now = _Option(columns_needed(function, target.device.columns), 0)

    @property
    def options(self) -> list[_Option]:
        """The columns that the pass found, and all numbers below for which there is a plan."""
        name = sym_name_of(self.function)
        if name not in self._of_kernels:
            self._of_kernels[name] = self._options()
        return self._of_kernels[name]

    def _options(self) -> list[_Option]:
        plan, results = plan_or_unplanned(self.function), [self.now]
        family = family_of(plan.family)
        if family is None or self.now.columns == 1 or plan.key or plan.is_tuned:
            return results
        replan = family.replan(self.function, plan, self.target)

        def planned(columns: int) -> tuple[Plan, float] | None:
            return replan(replace(self.target.device, columns=columns))

        own = planned(self.now.columns)
        if own is None or own[1] > _LONGEST * (self.now.columns - 1) * reconfiguration(self.target.device):
            return results
        for columns in reversed(range(1, self.now.columns)):
            if (narrow := planned(columns)) is not None:
                results.append(_Option(columns, self.calls * max(0, narrow[1] - own[1]), narrow[0]))
        return results


@dataclass
class _Program:
    """The calls of all blocks, and the called kernels with plans."""

    rows: list[Callees]
    kernels: dict[ir.Operation, _Kernel]
    device: Device
    options: dict[str, list[_Option]]
    """The options of kernels, by name."""

    def find_options(self) -> None:
        """Finds the options of all kernels that `join` asks for at first, in two processes."""
        kernels = {f: None for joined in self._pairs(self._groups({})) for f in joined if self._can_fit(joined)}
        two_processes.with_memo([k for f, k in self.kernels.items() if f in kernels], lambda k: k.options, self.options)

    def _pairs(self, present: list[list[Group]]) -> list[frozenset[ir.Operation]]:
        """The kernels of two consecutive groups, once each."""
        pairs = (frozenset({*a, *b}) for row in present for a, b in pairwise(row) if a is not b and a and b)
        return list(dict.fromkeys(pairs))

    def _can_fit(self, joined: frozenset[ir.Operation]) -> bool:
        """Whether there is a column for each kernel of `joined`."""
        return sum(self.kernels[f].now.columns > 0 for f in joined) <= self.device.columns

    def join(self) -> bool:
        """Chooses the columns for which two consecutive groups become one that saves most, the most columns if several do;
        False if none saves time.
        """
        present, gains = self._groups({}), list[tuple[float, int, dict[ir.Operation, _Option]]]()
        loads = _loads(present)
        for joined in filter(self._can_fit, self._pairs(present)):
            for columns, result in self._narrowed([kernel for f, kernel in self.kernels.items() if f in joined]).items():
                saved = loads - _loads(self._groups(result))
                lost = sum(option.lost - self.kernels[f].now.lost for f, option in result.items())
                gains.append((saved * reconfiguration(self.device) - _SURE * lost, columns, result))
        gain, _, result = max(gains, key=lambda item: item[:2], default=(0, 0, {}))
        if gain > 0:
            for f, option in result.items():
                self.kernels[f].now = option
        return gain > 0

    def _groups(self, changed: dict[ir.Operation, _Option]) -> list[list[Group]]:
        def columns(function: ir.Operation) -> int:
            return changed.get(function, self.kernels[function].now).columns

        return [groups(row, columns, self.device.columns) for row in self.rows]

    def _narrowed(self, kernels: list[_Kernel]) -> dict[int, dict[ir.Operation, _Option]]:
        """For each number of columns on which `kernels` fit side by side: the options with which they lose least on them."""
        best: dict[int, tuple[float, dict[ir.Operation, _Option]]] = {0: (0, {})}
        for kernel in kernels:
            after: dict[int, tuple[float, dict[ir.Operation, _Option]]] = {}
            for (used, (lost, taken)), option in product(best.items(), kernel.options):
                columns, sum_lost = used + option.columns, lost + option.lost
                fits = columns <= self.device.columns and option.columns <= kernel.now.columns
                if fits and (columns not in after or sum_lost < after[columns][0]):
                    after[columns] = sum_lost, {**taken, kernel.function: option}
            best = after
        return {columns: taken for columns, (_, taken) in best.items()}

    def record(self) -> None:
        """Writes the new plans."""
        for function, kernel in self.kernels.items():
            if (plan := kernel.now.plan) is not None:
                why = f"about {kernel.now.lost / kernel.calls:.3g} cycles more, and other kernels share the configuration"
                record_columns(function, kernel.now.columns, self.device, why)
                attach(function, plan)


def _loads(rows: list[list[Group]]) -> int:
    """How often the blocks with these groups of calls load a configuration."""
    return sum(sum(a is not b for a, b in pairwise([None, *row])) for row in rows)
