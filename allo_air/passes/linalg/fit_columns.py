"""fit-columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, product

from allo_air.core import two_processes
from allo_air.core.names import callee_of, function_type_of, sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.device import Device
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.columns import columns_needed, reconfiguration, record_columns
from allo_air.passes._analysis.moves import moves_of
from allo_air.passes._analysis.segments import filled, loads, segments
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

_TRIED = 3
"""Numbers of columns that are tried for two groups, those on which their kernels lose least."""
_OTHER = -1
"""The number of a function without a body or a plan, which shares no configuration."""


@dataclass(frozen=True)
class FitColumns(Pass):
    """Plans kernels for fewer columns if more of them then share a configuration, and this saves more time than it costs.

    Planners choose the columns of a kernel before its neighbors have plans, and before there are kernels between them that only
    move elements. This pass knows all plans. It joins consecutive groups of kernels, each of which fits the array, as long as
    that saves time: kernels of the two groups get the plans for fewer columns that cost least. Shapes of kernels do not change;
    a convolution in blocks takes as many more turns as it has fewer columns. Groups are those of `link-kernels`: later kernels
    that fit run first, and kernels that only stream need idle shim channels.

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
        named = {sym_name_of(f): f for f in walk_named(op, "func.func") if len(f.regions[0].blocks)}
        blocks = [_Block(block, named) for block in dict.fromkeys(call.block for call in walk_named(op, "func.call"))]
        counts = Counter(f for block in blocks for f in block.functions if f is not None and plan_of(f) is not None)
        if device.columns == 1 or len(counts) < 2:
            return
        target, options = Target(device, self.bfp16), dict[str, list[_Option]]()
        program = _Program(blocks, [_Kernel(f, target, calls, options) for f, calls in counts.items()], device)
        program.find_options(options)
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
        self.family = plan_or_unplanned(function).family
        self.operands = len(function_type_of(function).inputs)

    @cached_property
    def streams(self) -> int:
        """The streams of a kernel that idle shim channels of others carry; 0 if it has columns of its own."""
        return 0 if self.now.columns else len(moves_of(self.function) or ())

    def inputs(self, columns: int) -> int:
        """About how many shim channels bring its operands if it has `columns`."""
        most = self.target.device.tiles["shim_noc"].channels[1]
        return columns + (columns > 0) if self.family == "window" else columns * min(most, self.operands)

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


class _Block:
    """The calls of a block: for each its function, and the earlier calls of which it needs a result."""

    def __init__(self, block: ir.Block, named: Mapping[str, ir.Operation]) -> None:
        self.calls = [o.operation for o in block.operations if o.operation.name == "func.call"]
        self.functions = [named.get(callee_of(call)) for call in self.calls]
        numbers = {call: n for n, call in enumerate(self.calls)}
        self.after = {n: [numbers[c] for c in _needed(call)] for n, call in enumerate(self.calls)}


def _needed(call: ir.Operation) -> list[ir.Operation]:
    """The calls whose results reach `call` directly or through other operations."""
    calls, waiting = dict[ir.Operation, None](), list(call.operands)
    while waiting:
        value = waiting.pop()
        if isinstance(value, ir.OpResult) and value.owner.operation.block == call.block:
            owner = value.owner.operation
            if owner.name == "func.call":
                calls[owner] = None
            else:
                waiting += owner.operands
    return list(calls)


_Changes = Mapping[int, _Option]
"""Options of some kernels, by number."""
_Group = tuple[int, ...]
_Row = list[_Group]
"""The group of each run of a block."""


class _Program:
    """The calls of all blocks, and the called kernels with plans, each with a number."""

    def __init__(self, blocks: list[_Block], kernels: list[_Kernel], device: Device) -> None:
        self.blocks, self.kernels, self.device = blocks, kernels, device
        self.channels = device.columns * device.tiles["shim_noc"].channels[1]
        numbers = {kernel.function: n for n, kernel in enumerate(kernels)}
        self.rows = [[_OTHER if f is None else numbers.get(f, _OTHER) for f in block.functions] for block in blocks]

    def find_options(self, options: dict[str, list[_Option]]) -> None:
        """Finds the options of all kernels that `join` asks for at first, in two processes."""
        numbers = sorted({n for joined in self._pairs(self._groups({})) for n in joined if self._can_fit(joined)})
        two_processes.with_memo([self.kernels[n] for n in numbers], lambda k: k.options, options)

    def _pairs(self, groups: list[_Row]) -> dict[frozenset[int], tuple[_Group, _Group]]:
        """The kernels of two consecutive groups, with the groups."""
        pairs = {frozenset({*a, *b}): (a, b) for row in groups for a, b in pairwise(row) if a != b}
        return {joined: pair for joined, pair in pairs.items() if _OTHER not in joined}

    def _can_fit(self, joined: frozenset[int]) -> bool:
        """Whether there is a column for each kernel of `joined`."""
        return sum(self.kernels[n].now.columns > 0 for n in joined) <= self.device.columns

    def join(self) -> bool:
        """Chooses the columns for which two consecutive groups become one that saves most, the most columns if several do;
        False if none saves time.
        """
        gains = list[tuple[float, int, _Changes]]()
        groups, load = self._groups({}), reconfiguration(self.device)
        present = _loads(groups)
        starts = Counter(group for row in groups for n, group in enumerate(row) if not n or row[n - 1] != group)
        for joined, pair in self._pairs(groups).items():
            most = sum(starts[group] for group in pair) * load
            for lost, columns, changes in self._narrowed(sorted(joined)) if self._can_fit(joined) else ():
                if _SURE * lost < most:
                    gains.append(((present - _loads(self._groups(changes))) * load - _SURE * lost, columns, changes))
        gain, _, changes = max(gains, key=lambda item: item[:2], default=(0, 0, {}))
        if gain > 0:
            for n, option in changes.items():
                self.kernels[n].now = option
        return gain > 0

    def _groups(self, changes: _Changes) -> list[_Row]:
        """For each block the groups of its runs, in the order that loads least: the program's, or that of `link-kernels`, which
        runs later kernels first if they fit.
        """
        columns = {n: changes.get(n, kernel.now).columns for n, kernel in enumerate(self.kernels)}

        def fits(group: list[int]) -> bool:
            if _OTHER in group or sum(columns[n] for n in group) > self.device.columns:
                return False
            streams = max((self.kernels[n].streams for n in group), default=0)
            return not streams or sum(self.kernels[n].inputs(columns[n]) for n in group) + streams <= self.channels

        results = list[_Row]()
        for block, row in zip(self.blocks, self.rows, strict=True):
            orders = range(len(row)), filled(range(len(row)), block.after, row.__getitem__, fits)
            groups = (segments([row[n] for n in order], fits) for order in orders)
            results.append(min(groups, key=lambda row: _loads([row])))
        return results

    def _narrowed(self, numbers: list[int]) -> list[tuple[float, int, _Changes]]:
        """The cycles that the kernels of `numbers` lose on some columns on which they fit side by side, the columns, and the
        options with which they lose least: the most and the fewest columns for each number of cycles, the smallest first.
        """
        best: dict[int, tuple[float, dict[int, _Option]]] = {0: (0, {})}
        for n in numbers:
            after: dict[int, tuple[float, dict[int, _Option]]] = {}
            for (used, (lost, taken)), option in product(best.items(), self.kernels[n].options):
                columns, sum_lost = used + option.columns, lost + option.lost
                fits = columns <= self.device.columns and option.columns <= self.kernels[n].now.columns
                if fits and (columns not in after or sum_lost < after[columns][0]):
                    after[columns] = sum_lost, {**taken, n: option}
            best = after
        now = sum(self.kernels[n].now.lost for n in numbers)
        by_cycles: dict[float, list[int]] = {}
        for columns, (lost, _) in sorted(best.items()):
            by_cycles.setdefault(lost, []).append(columns)
        tried = {(lost, counts[end]) for lost, counts in sorted(by_cycles.items())[:_TRIED] for end in (0, -1)}
        return [(lost - now, columns, best[columns][1]) for lost, columns in sorted(tried)]

    def record(self) -> None:
        """Writes the new plans."""
        for kernel in self.kernels:
            if (plan := kernel.now.plan) is not None:
                why = f"about {kernel.now.lost / kernel.calls:.3g} cycles more, and other kernels share the configuration"
                record_columns(kernel.function, kernel.now.columns, self.device, why)
                attach(kernel.function, plan)


def _loads(groups: list[_Row]) -> int:
    """How often the blocks load a configuration."""
    return sum(loads(row, lambda group: group) for row in groups)
