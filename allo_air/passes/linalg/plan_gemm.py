"""plan-gemm: chooses tile sizes for a matrix multiplication."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from allo_air.arch import arch_of, machine_of
from allo_air.core import two_processes
from allo_air.core.match import NoMatch, expect_match, no_match
from allo_air.core.pass_ import Pass
from allo_air.core.walking import defining_op, walk_named
from allo_air.device import Device
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.columns import SURE, columns_of, reconfiguration
from allo_air.passes._analysis.kernels import called, calls_of, is_kernel
from allo_air.passes._analysis.masks import masked_by
from allo_air.passes._analysis.tuned_plans import Search, chosen
from allo_air.passes._ir.device_option import device_option, without_blocks
from allo_air.passes._ir.divided import NOTE
from allo_air.passes.linalg._elementwise import chain, unsupported_operation
from allo_air.passes.linalg._limits import exceeds_offsets
from allo_air.passes.linalg._match import Gemm, contractions, match
from allo_air.passes.linalg._narrow import is_rounded
from allo_air.passes.linalg._plan_conversion import gemm_plan, planned, summary, to_plan
from allo_air.passes.linalg._problem import Problem
from allo_air.passes.linalg._search import SEARCHES, Choice, cheapest_plan, evaluate, ranked
from allo_air.passes.linalg._sizes import Sizes
from allo_air.passes.linalg._split import is_worth_a_kernel, split
from allo_air.plan.plan import Plan
from allo_air.plan.schema import attach, plan_or_unplanned


@dataclass(frozen=True)
class PlanGemm(Pass):
    """Chooses tiles for launches and cores for the linalg.matmul of each function, for its shape, its type and the device.

    An option of 0 leaves a size to the pass. Among the sizes that respect the limits of L1, L2, the buffer descriptors and the
    array, it takes those with the fewest estimated cycles. Plans that pad cost 2 % more. Attribute `allo.plan` of the function
    stores the choice and its reason for `pad-families` and `expand-families`. By default, `panel` is chosen, too; if sizes are
    set, there is no panel. A result whose type differs from that of its sums may leave the cores in strips of its rows, which
    leaves more room in L1 for tiles. In thin products, all cores may lie along one dimension of the result; epilogue operands
    then arrive in slices with the steps along k. If the program has other kernels, this kernel gets fewer columns if that costs
    less than loading another configuration (`allo.columns`).

    Before (`plan-gemm`):

        func.func @f(...) {
          %c = linalg.matmul ins(%a, %b : tensor<512x1024xbf16>, tensor<1024x512xbf16>) outs(%zero : tensor<512x512xf32>)

    After:

        func.func @f(...) attributes {allo.plan = {chosen = "herd 4x4, ...", cores = array<i64: 4, 4>, k_step = 32 : i64,
            micro = array<i64: 4, 4, 8>, padded = array<i64: 512, 512, 1024>, tile = array<i64: 64, 128>}} { ... }
    """

    name = "plan-gemm"

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""
    cols: int = 0
    """Columns of the array that may be used, 0 for all."""
    shim_channels: int = 0
    """Channels from external memory that may be used, 0 for all; with fewer, cores do not all lie along one dimension."""
    element: Literal["any", "bf16", "f32", "i8", "i16", "i32"] = "any"
    """The type that the operands must have."""
    herd_m: int = 0
    """Rows of a core's tile of the result, 0 for the best."""
    herd_n: int = 0
    """Columns of a core's tile of the result, 0 for the best."""
    k_step: int = 0
    """Elements along k in a step of a core, 0 for the best."""
    cores_m: int = 0
    """Cores along the rows of the result, 0 for the best."""
    cores_n: int = 0
    """Cores along the columns of the result, 0 for the best."""
    panel: Literal["auto", "none", "a", "b"] = "auto"
    """The operand of which a panel stays in L2 for several tiles of the result."""
    bfp16: bool = False
    """Multiply bf16 in AIE2p's block floating point, which rounds operands to blocks of 8 with one exponent."""
    narrow_sums: bool = False
    """Keep sums of floats that are cast to a shorter type in that type, rounded after each step along k."""
    strict: bool = True
    """Fail if a function has no plan; otherwise leave it unchanged."""
    plans: str = ""
    """A folder of tuned plans, which are used for their kernels."""
    ranking: int = 0
    """Number of best candidates to list in the plan's attribute, for a tuner."""

    def run(self, op: AnyOp, /) -> None:
        functions = walk_named(op, "func.func")
        if self.strict:
            for function in functions:
                expect_match(self.plan(function))
        else:
            two_processes.with_memo([f for f in functions if contractions(f)], self._attempt, SEARCHES)

    def _attempt(self, function: ir.Operation) -> None:
        """Plans `function`. If that fails, or if a separate epilogue is faster, makes a large kernel's contraction its own
        kernel and plans that.
        """
        if failure := self.plan(function):
            why = failure.message
        else:
            why = self._reason_to_split_epilogue(function) if is_kernel(function) else ""
        result = contractions(function)
        if not why or not is_kernel(function) or len(result) != 1 or not is_worth_a_kernel(result[0]):
            return
        if separate := split(function, result[0], f"apart: {why}"):
            self._attempt(separate)

    def _reason_to_split_epilogue(self, function: ir.Operation) -> str:
        """Why the epilogue of a planned kernel is faster as a kernel of its own; empty if it is not.

        Epilogue operands share the channels of A and B. If they do not alternate with the steps, each takes a buffer
        descriptor of its own, and a long k leaves room for small tiles only, which read A and B often.
        """
        result, plan = expect_match(match(function)), planned(function)
        if result is None or plan is None or not result.problem.epilogue:
            return ""
        problem, device = result.problem, expect_match(self._device(result.matmul))
        fused = evaluate(plan, problem, device, self.bfp16)
        if fused is None:
            return ""
        bits = problem.accumulator_bits + problem.result_bits + sum(o.bits for o in problem.epilogue if o.along == "mn")
        area, cores = problem.batch * problem.m * problem.n, machine_of(device).cores
        moved = area * bits / 8 / arch_of(device).memory_bytes
        epilogue_cycles = max(moved, area * problem.epilogue_cycles / cores) + reconfiguration(device)
        if epilogue_cycles >= fused.cost.cycles:
            return ""  # avoids the slow search for a plan of the contraction alone
        bare = replace(problem, epilogue=(), epilogue_cycles=0, result_bits=problem.accumulator_bits, unpad_result=True)
        separate = self._search(bare, device).best(device)
        if isinstance(separate, str):
            return ""
        both = separate.cost.cycles + epilogue_cycles
        if both >= fused.cost.cycles:
            return ""
        return f"with its epilogue it takes {fused.cost.cycles:.3g} cycles, as two kernels {both:.3g}"

    def plan(self, function: ir.Operation) -> NoMatch | None:
        """Writes the plan of a function's matrix multiplication, if it has one, into its attribute."""
        plan = match(function)
        if plan is None or isinstance(plan, NoMatch):
            return plan
        epilogue = chain(plan.matmul)
        if isinstance(epilogue, NoMatch):
            return epilogue
        if failure := unsupported_operation(function, [plan.matmul, *epilogue]):
            return failure
        if self.narrow_sums and not is_rounded(epilogue):
            return no_match(
                plan.matmul,
                "cannot keep its sums in the type of the result (narrow-sums): the epilogue must be a single cast to a shorter "
                "float; add the cast, or leave out narrow-sums",
            )
        problem = _with_padding_of_a(function, plan)
        if self.narrow_sums:
            problem = replace(problem, wide_bits=problem.accumulator_bits, accumulator_bits=problem.result_bits)
        problem = replace(problem, unpad_result=NOTE in function.attributes and _is_read_by_another_kernel(function))
        if self.element not in ("any", problem.element):
            return no_match(
                plan.matmul,
                f"has operands of {problem.element}, but the pipeline is for {self.element};"
                f" run gemm-{problem.element}, or npu, which takes all types",
            )
        if wrong := exceeds_offsets(problem):
            return no_match(plan.matmul, f"{problem} cannot be run: {wrong}")
        device = self._device(plan.matmul)
        if isinstance(device, NoMatch):
            return device
        choice = chosen(self, function, device, self._search(problem, device))
        if isinstance(result := choice.plan, str):
            advice = "leave the sizes at 0, or choose smaller ones"
            if problem.epilogue and self.strict:
                advice += ", or compile with pipeline npu, which can make the epilogue a kernel of its own"
            return no_match(plan.matmul, f"{problem} cannot be planned: {result}; {advice}")
        own = replace(device, columns=columns_of(function, device.columns))
        attach(function, choice.noted(to_plan(result.plan, problem, own, result.cost)))
        return None

    def _search(self, problem: Problem, device: Device) -> Search[Choice | str]:
        sizes = Sizes(self.herd_m, self.herd_n, self.k_step, self.cores_m, self.cores_n, self.panel, self.shim_channels)

        def candidate_of(device: Device, value: Plan) -> Choice | None:
            plan = gemm_plan(value)
            return None if plan is None else evaluate(plan, problem, device, self.bfp16)

        def best(device: Device, count: int) -> list[Choice]:
            result = ranked(problem, device, sizes, self.bfp16, count)
            return [] if isinstance(result, str) else result

        return Search(
            lambda device: cheapest_plan(problem, device, sizes, self.bfp16),
            _cycles,
            candidate_of,
            partial(_described, problem, device),
            best,
            lambda device, limit: cheapest_plan(problem, device, sizes, self.bfp16, within=limit),
            SURE,
        )

    def _device(self, matmul: ir.Operation) -> Device | NoMatch:
        device = device_option(self.name, self.device)
        if self.bfp16 and (failure := without_blocks(matmul, device)):
            return failure
        if not 0 <= self.cols <= device.columns:
            return no_match(
                matmul,
                f"is planned for {counted(self.cols, 'column')}; {device.name} has {device.columns}, and 0 means all",
            )
        return replace(device, columns=self.cols or device.columns)


def _with_padding_of_a(function: ir.Operation, gemm: Gemm) -> Problem:
    """The problem with k extended by the zeros that another kernel appends to the rows of A, so that nothing removes them."""
    widths = {_padded_columns(call, gemm.matmul.operands[0]) for call in calls_of(function)} if is_kernel(function) else set()
    widths.discard(None)
    width = widths.pop() if len(widths) == 1 else None
    if width is None or gemm.problem.transposed_a:
        return gemm.problem
    return replace(gemm.problem, k=max(width, gemm.problem.k))


def _is_read_by_another_kernel(function: ir.Operation) -> bool:
    """Whether other kernels read the result of a kernel."""
    return any(use.owner.name == "func.call" for call in calls_of(function) for r in call.results for use in r.uses)


def _padded_columns(call: ir.Operation, value: Any) -> int | None:
    """The columns of the operand of `call` for argument `value`, if a planned kernel computes it and masks its padding."""
    argument = defining_op(call.operands[value.arg_number], "func.call") if isinstance(value, ir.BlockArgument) else None
    if argument is None:
        return None
    producer = called(argument)
    plan = planned(producer) if producer is not None and masked_by(producer) is not None else None
    return None if plan is None or producer is None else plan_or_unplanned(producer).padded[1]


def _cycles(choice: Choice | str) -> float | None:
    return None if isinstance(choice, str) else choice.cost.cycles


def _described(problem: Problem, device: Device, choice: Choice | str) -> tuple[Plan, str] | None:
    return None if isinstance(choice, str) else (to_plan(choice.plan, problem, device), summary(choice.plan))
