"""Matrix multiplications that `plan-gemm` plans: padded to whole tiles, and tiled by transform scripts in the plan's sizes."""

from __future__ import annotations

from allo_air.core.diagnostics import error_at
from allo_air.core.match import expect_match
from allo_air.core.pass_ import Pass
from allo_air.core.schedule import schedule
from allo_air.core.walking import walk_named
from allo_air.device import Device
from allo_air.mlir import ir
from allo_air.passes.linalg._elementwise import chain, operands
from allo_air.passes.linalg._epilogue import lift, lower
from allo_air.passes.linalg._epilogue_multiplexing import Multiplexing
from allo_air.passes.linalg._indexing import result_dimensions
from allo_air.passes.linalg._match import CONTRACTION, NAMES, Gemm, find
from allo_air.passes.linalg._narrow import narrow
from allo_air.passes.linalg._pad_gemm import pad
from allo_air.passes.linalg._plan import GemmPlan
from allo_air.passes.linalg._plan_conversion import gemm_plan, to_plan
from allo_air.passes.linalg._problem import Problem
from allo_air.passes.linalg._search import cheapest_plan
from allo_air.passes.linalg._sizes import Sizes
from allo_air.passes.linalg._strips import convert_in_strips
from allo_air.plan.family import Family, Replan, Target
from allo_air.plan.plan import Plan


class Matmul(Family):
    """The family."""

    name = "matmul"
    note = "a matrix multiplication"

    def replan(self, kernel: ir.Operation, plan: Plan, target: Target) -> Replan:
        """The cheapest plan that pads no further."""
        gemm = find(kernel)

        def replanned(device: Device) -> tuple[Plan, float] | None:
            if gemm is None or plan.narrow:
                return None
            choice = cheapest_plan(gemm.problem, device, Sizes(), target.bfp16)
            if isinstance(choice, str) or choice.plan.pads(gemm.problem):
                return None
            return to_plan(choice.plan, gemm.problem, device, choice.cost), choice.cost.cycles

        return replanned

    def pad(self, kernel: ir.Operation, plan: Plan) -> None:
        """Pads to whole tiles."""
        matmul, sizes = find(kernel), gemm_plan(plan)
        if matmul is not None and sizes is not None:
            pad(kernel, matmul, sizes.padded(matmul.problem))

    def expand(self, kernel: ir.Operation, plan: Plan) -> None:
        """Tiles it; each core applies the epilogue to its tile in L1 before it leaves, at once or in strips of its rows.

        Operands of the epilogue arrive after the steps along k, between them, or in slices, one with each step.
        """
        matmul, sizes = find(kernel), gemm_plan(plan)
        if matmul is not None and plan.narrow:
            narrow(matmul.matmul, *expect_match(chain(matmul.matmul)))
            matmul = find(kernel)
        if matmul is not None and sizes is not None:
            _tile(kernel, matmul, sizes)


FAMILY = Matmul()


def _tile(function: ir.Operation, gemm: Gemm, plan: GemmPlan) -> None:
    problem = gemm.problem
    if plan.pads(problem):
        raise error_at(gemm.matmul, f"{problem} is not a multiple of its plan's tiles; run pad-families first")
    epilogue = expect_match(chain(gemm.matmul))
    epilogue_operands = operands(epilogue)
    scalar = lift(function, epilogue) if epilogue else None
    matrix = result_dimensions(gemm.matmul)
    _launch(plan, gemm).run(function)
    _slice_arguments(function)
    for script in _scripts(plan, problem):
        script.run(function)
    if scalar is not None:
        sliced_along = (1 if plan.cores_m == 1 else 0) if plan.spread else None
        lower(function, scalar, epilogue_operands, matrix, _multiplexing(plan, problem), sliced_along)
        if plan.strips > 1:
            convert_in_strips(function, plan.strips)


def _multiplexing(plan: GemmPlan, problem: Problem) -> Multiplexing | None:
    """How the channel of A or B brings epilogue operands, if it alternates them with its steps."""
    if not plan.multiplexed:
        return None
    vector_elements = {
        ("mn".index(o.along), o.bits): plan.vector_elements(problem, o.along, o.bits)
        for o in problem.epilogue
        if o.along != "mn"
    }
    return Multiplexing("ab".index(plan.multiplexed), plan.transfer_bytes(problem), vector_elements)


def _launch(plan: GemmPlan, gemm: Gemm) -> Pass:
    if not gemm.outer:
        return schedule("launch-gemm", m=plan.launch_m, n=plan.launch_n)
    gemm.matmul.attributes[CONTRACTION] = ir.UnitAttr.get()
    return schedule("launch-contraction", sizes=(*[1] * len(gemm.outer), plan.launch_m, plan.launch_n))


def _slice_arguments(function: ir.Operation) -> None:
    """Inserts a full-size slice of each argument in the launch, so that the copy to L2 is created inside the launch."""
    from allo_air.mlir import tensor

    [matmul] = walk_named(function, NAMES[0])
    for number, value in enumerate(list(matmul.operands)[:2]):
        if isinstance(value, ir.BlockArgument):
            shape = list(value.type.shape)
            with ir.InsertionPoint(matmul), matmul.location:
                part = tensor.ExtractSliceOp(value.type, value, [], [], [], [0] * len(shape), shape, [1] * len(shape))
            matmul.operands[number] = part.result


def _scripts(plan: GemmPlan, problem: Problem) -> list[Pass]:
    tiles = [*_l2(plan), schedule("herd-gemm", m=plan.herd_m, n=plan.herd_n), schedule("pack-gemm", micro=plan.micro)]
    return [*tiles, *_orders(problem), schedule("loop-gemm", k_blocks=plan.k_step // plan.micro[2])]


def _l2(plan: GemmPlan) -> list[Pass]:
    """The scripts that copy the operands to L2. The panel is copied before the loop over the tiles that use it."""
    match plan.panel:
        case "a":
            first, part = 0, (0, plan.array_n)
        case "b":
            first, part = 1, (plan.array_m, 0)
        case _:
            return [schedule("promote-operands", operands=(0, 1))]
    panel, strip = (schedule("promote-operands", operands=(number,)) for number in (first, 1 - first))
    return [panel, schedule("walk-matmul", sizes=part), strip]


def _orders(problem: Problem) -> list[Pass]:
    """The scripts that order the micro-tiles, and the elements in a micro-tile.

    Packing leaves the micro-tiles in storage order; those of operands need k outermost. It makes micro-tiles m x k for A and
    n x k for B. Elements of 32 bits need m x k and k x n, into which the DMA transposes them. It moves whole 32-bit words, so
    smaller elements keep their storage order, and the core's code transposes them.
    """
    words, a, b = problem.bits == 32, problem.transposed_a, problem.transposed_b
    with_k_inner = [number for number, k_inner in enumerate((not a, b)) if k_inner]
    to_transpose = [number for number, differs in enumerate((a and not words, words or not b)) if differs]
    order = [schedule("order-micro-tiles", operand=number) for number in with_k_inner]
    turn_passes = [schedule("turn-micro-tiles", operand=number) for number in to_transpose]
    return [*order, *turn_passes, schedule("n-first-c")]
