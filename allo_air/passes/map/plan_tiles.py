"""plan-tiles."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from allo_air.core.match import NoMatch, expect_match, no_match
from allo_air.core.names import function_type_of
from allo_air.core.pass_ import Pass
from allo_air.device import Device
from allo_air.mlir import AnyOp, ir, linalg
from allo_air.passes._analysis.columns import other_kernels, reconfiguration, record_columns
from allo_air.passes._analysis.tuned_plans import Search, chosen
from allo_air.passes._ir.device_option import device_option
from allo_air.passes._ir.kernel_calls import pad, reshape
from allo_air.passes._ir.names import Names
from allo_air.passes._ir.new_kernel import KernelNames
from allo_air.passes._ir.tensors import empty
from allo_air.passes.map._argument_slices import copy_small_arguments
from allo_air.passes.map._choices import WHOLE_REASON, Choice, all_choices, can_be_placed, least, order_of, tiles_text
from allo_air.passes.map._choices import best_choice as best_choice
from allo_air.passes.map._dimensions import Dimensions
from allo_air.passes.map._divide import operations
from allo_air.passes.map._index_operands import indices_as_operands, uses_indices
from allo_air.passes.map._kernel import Kernel, check_static, kernel_of, kernels
from allo_air.passes.map._masks import mask, maskable
from allo_air.passes.map._multi_sweep import in_sweeps, rows
from allo_air.passes.map._pad_rows import pad_rows, unaligned_rows, uneven
from allo_air.passes.map._plan import WHOLE, SplitDimension
from allo_air.passes.map._reduce import mark
from allo_air.passes.map._reshape_iteration_space import Group, reshape_iteration_space
from allo_air.passes.map._single_core import whole_fits
from allo_air.passes.map._widen_subword import is_narrow, widen_types
from allo_air.passes.map._word_align import pad_to_words
from allo_air.plan.plan import Plan
from allo_air.plan.schema import attach

GAIN = 1.25
"""A kernel is padded to dimensions with more divisors only if it takes at least this many times longer without."""


@dataclass(frozen=True)
class PlanTiles(Pass):
    """Chooses tiles for launches and cores for each kernel that is not a matrix multiplication.

    The plan has the fewest estimated cycles of those that respect the limits of L1, of channels and of 32-bit words. A
    dimension that is divided among columns and rows of cores becomes two dimensions. Dimensions are padded if this division
    requires it, or if whole vectors or more divisors make the kernel faster; calls then pass longer tensors, and reductions
    along them are masked. A kernel without a valid plan is split into one kernel for each operation. The plan is stored in
    attribute `allo.plan` for `expand-families`.

    Before (on npu1):

        func.func private @k(%a: tensor<1000xf32>) -> tensor<1000xf32> attributes {allo.kernel}

    After:

        func.func private @k(%a: tensor<4x256xf32>) -> tensor<4x256xf32>
            attributes {allo.kernel, allo.plan = {family = "tiles", launch = [4, 256], core = [1, 64], chosen = "...", ...}}
    """

    name = "plan-tiles"

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""
    cols: int = 0
    """Columns of the array that may be used, 0 for all."""
    rows: int = 0
    """Rows of cores in a column that may be used, 0 for all."""
    tile: int = 0
    """Elements of a core along the tiled loop, 0 for the best."""
    plans: str = ""
    """A folder of tuned plans, which are used for their kernels."""
    ranking: int = 0
    """Number of best candidates to list in the plan's attribute, for a tuner."""

    def run(self, op: AnyOp, /) -> None:
        device = device_option(self.name, self.device, cols=self.cols)
        names, waiting, divided = KernelNames(op), list(kernels(op)), set[str]()
        while waiting:
            kernel = waiting.pop(0)
            check_static(kernel)
            requested = self.rows, self.tile
            other_count = other_kernels(kernel.function)
            kernel = _pad_dimensions(_pad_to_words(_copied(kernel), device, requested), device, requested, other_count)
            if uses_indices(kernel) and not can_be_placed(kernel, device):
                kernel = _pad_dimensions(
                    _pad_to_words(indices_as_operands(kernel), device, requested), device, requested, other_count
                )
            kernel = _split_into_sweeps(kernel, device, requested, other_count)
            if is_narrow(kernel) and not can_be_placed(kernel, device):
                kernel, casts = widen_types(kernel, names)
                waiting += casts
            if kernel.name not in divided and not can_be_placed(kernel, device) and (parts := operations(kernel)):
                divided |= {item.name for item in parts}
                waiting[:0] = parts
                continue
            self._plan(kernel, device)

    def _plan(self, kernel: Kernel, device: Device) -> None:
        result = chosen(self, kernel.function, device, self._search(kernel))
        choice = expect_match(result.plan)
        tiles, cost = choice.tiles, choice.cost
        if cost is None and other_kernels(kernel.function):
            record_columns(kernel.function, 1, device, WHOLE_REASON)
        if tiles.cut is not None:
            _cut(kernel, tiles.cut)
        whole = kernel_of(kernel.function)
        if tiles.part is not None:
            mark(whole, tiles.part)
        pad_to_words(whole, list(whole.block.arguments), results=not tiles.launch)
        attach(kernel.function, result.noted(choice.plan))

    def _search(self, kernel: Kernel) -> Search[Choice | NoMatch]:
        def all_of(device: Device) -> list[Choice]:
            return all_choices(kernel, device, self.rows, self.tile)

        def candidate_of(device: Device, plan: Plan) -> Choice | NoMatch | None:
            return next((choice for choice in all_of(device) if choice.tiles.to_plan() == plan), None)

        def ranked(device: Device, count: int) -> list[Choice | NoMatch]:
            results: dict[object, Choice | NoMatch] = {}
            for choice in sorted(all_of(device), key=order_of):
                results.setdefault((choice.tiles.cores, choice.tiles.herd), choice)
            return list(results.values())[:count]

        def best(device: Device, limit: float = inf) -> Choice | NoMatch:
            requested = f"{self.rows or 'any'} rows of cores and a tile of {self.tile or 'any'} elements"
            return _best_choice(kernel, device, self, requested if self.rows or self.tile else "", limit)

        return Search(best, _was_padded, candidate_of, _described, ranked, best)


def _copied(kernel: Kernel) -> Kernel:
    """The kernel with copies of its arguments and results, which folding may have removed. Small arguments are copied to cores
    as a whole.
    """
    last = kernel.block.operations[-1].operation
    for number, value in enumerate(last.operands):
        if isinstance(value, ir.BlockArgument):
            with ir.InsertionPoint(last), last.location:
                last.operands[number] = linalg.copy(value, outs=[empty(value.type)])
    copy_small_arguments(kernel)
    return kernel_of(kernel.function)


def _pad_to_words(kernel: Kernel, device: Device, requested: tuple[int, int]) -> Kernel:
    """The kernel with rows padded to whole words, if it cannot be tiled otherwise."""
    dimensions = Dimensions(kernel)
    lengths = unaligned_rows(kernel, dimensions)
    if not lengths or whole_fits(kernel, device) or least(kernel, device, *requested) < inf:
        return kernel
    return pad_rows(kernel, dimensions, lengths)


def _pad_dimensions(kernel: Kernel, device: Device, requested: tuple[int, int], other_count: int) -> Kernel:
    """The kernel with padded dimensions (more divisors, or whole vectors), if it cannot be tiled otherwise or is faster that
    way.
    """
    return _padded(kernel, extents) if (extents := _extents_to_pad(kernel, device, requested, other_count)) else kernel


def _extents_to_pad(kernel: Kernel, device: Device, requested: tuple[int, int], other_count: int) -> dict[int, int]:
    """The dimensions that should be padded, with their new extents.

    With `other_count` other kernels above 0, the cost includes a second configuration and the padding of the data between
    kernels.
    """
    dimensions = Dimensions(kernel)
    if kernel.root is None or whole_fits(kernel, device):
        return {}
    tiles, vectors = uneven(kernel, dimensions), maskable(kernel, dimensions)
    options = [option for option in (tiles, vectors, tiles | vectors if tiles and vectors else {}) if option]
    if not options:
        return {}
    result = least(kernel, device, *requested)
    if result < inf and other_count and not vectors:
        return {}
    extra = 2 * reconfiguration(device) if other_count else 0
    priced = [(_priced(kernel, device, requested, option), option) for option in options]
    best, extents = min(priced, key=lambda item: item[0])
    return {} if best == inf or best * GAIN + extra > result else extents


def _split_into_sweeps(kernel: Kernel, device: Device, requested: tuple[int, int], other_count: int) -> Kernel:
    """The kernel with one operation for each sweep over a row, if it cannot be tiled otherwise or is faster that way."""
    if kernel.root is None or not rows(kernel) or whole_fits(kernel, device):
        return kernel
    trial = in_sweeps(_copy_of(kernel))
    extents = _extents_to_pad(trial, device, requested, other_count)
    trial = _padded(trial, extents) if extents else trial
    best = least(trial, device, *requested)
    trial.function.erase()
    if best >= least(kernel, device, *requested):
        return kernel
    kernel = in_sweeps(kernel)
    return _padded(kernel, extents) if extents else kernel


def _priced(kernel: Kernel, device: Device, requested: tuple[int, int], lengths: dict[int, int]) -> float:
    """Cycles of the best tiles of a kernel with padded dimensions; infinite if there are none."""
    trial = _padded(_copy_of(kernel), lengths)
    cycles = least(trial, device, *requested)
    trial.function.erase()
    return cycles


def _copy_of(kernel: Kernel) -> Kernel:
    """An equal kernel, inserted next to it."""
    copy = kernel.function.clone(ip=ir.InsertionPoint(kernel.function)).operation
    copy.attributes["sym_name"] = ir.StringAttr.get(Names(kernel.function.parent).fresh(kernel.name))
    return kernel_of(copy)


def _padded(kernel: Kernel, lengths: dict[int, int]) -> Kernel:
    mask(kernel, Dimensions(kernel), lengths)
    return pad_rows(kernel, Dimensions(kernel), lengths)


def _best_choice(kernel: Kernel, device: Device, planner: PlanTiles, request_text: str, limit: float = inf) -> Choice | NoMatch:
    result = best_choice(kernel, device, planner.rows, planner.tile, limit)
    if result is not None:
        return result
    if request_text:
        return no_match(
            kernel.function, f"cannot be tiled for {request_text} within the limits; leave them open, or choose smaller ones"
        )
    if whole_fits(kernel, device):
        return Choice(WHOLE, None)
    reason = f"fits neither a core as a whole nor in tiles: {_reason(kernel)}"
    return no_match(kernel.function, f"{reason}; use fewer operations, or shorter rows")


def _was_padded(choice: Choice | NoMatch) -> float | None:
    return None if isinstance(choice, NoMatch) or choice.cost is None else choice.cost.cycles


def _described(choice: Choice | NoMatch) -> tuple[Plan, str] | None:
    return None if isinstance(choice, NoMatch) or choice.cost is None else (choice.tiles.to_plan(), tiles_text(choice.tiles))


def _reason(kernel: Kernel) -> str:
    if kernel.root is None:
        return "its results come from several operations"
    return "no loop of its last operation can be cut"


def _cut(kernel: Kernel, cut: SplitDimension) -> None:
    """Pads a dimension of a kernel and splits it in two."""
    before = function_type_of(kernel.function)
    reshape_iteration_space(kernel, Dimensions(kernel), [Group((cut.dimension,), (cut.extent,))])
    pad(kernel.function, before)
    before = function_type_of(kernel.function)
    reshaped = kernel_of(kernel.function)
    dimensions = Dimensions(reshaped)
    reshape_iteration_space(reshaped, dimensions, [Group((cut.dimension,), (cut.extent // cut.inner, cut.inner))])
    reshape(kernel.function, before)
