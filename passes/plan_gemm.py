"""plan-gemm: chooses tile sizes for a matrix multiplication and tiles it with the transform scripts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.core.rewrite import walk_named
from allo_air.core.schedule import schedule
from allo_air.device import DEVICES
from allo_air.mlir import ir
from allo_air.passes._gemm.plan import Plan, Problem, plan


@dataclass(frozen=True)
class PlanGemm(Pass):
    """Tiles the linalg.matmul of each function for launches, cores and micro-tiles, in sizes for its shape, type and device.

    Sizes of 0 are chosen: as many cores as divide the problem, then the tile with the most reuse that fits in a core's memory.
    What is chosen is told in attribute `allo.plan` of the function. `element` is the type that the operands must have; any by
    default.

    Before (`plan-gemm`):

        %c = linalg.matmul ins(%a, %b : tensor<512x1024xbf16>, tensor<1024x512xbf16>) outs(%zero : tensor<512x512xf32>)

    After:

        scf.forall (%i, %j) in (2, 2) {
          // operands' slices in memory space 1
          scf.forall (%x, %y) in (4, 4) {
            // the packed result's tile in memory space 2, filled
            scf.for %k = ... { linalg.pack ...; linalg.pack ...; linalg.generic ... }
            linalg.unpack
          }
        }
    """

    name = "plan-gemm"

    device: str = "npu1"
    element: Literal["any", "bf16", "f32", "i8", "i16", "i32"] = "any"
    herd_m: int = 0
    herd_n: int = 0
    k_step: int = 0

    def run(self, op: Any, /) -> None:
        for function in walk_named(op, "func.func"):
            found = walk_named(function, "linalg.matmul")
            if not found:
                continue
            [matmul, *others] = found
            if others:
                raise error_at(others[0], "is the second matmul of its function; plan-gemm tiles one, split the function")
            self._tile(op, function, matmul)

    def _tile(self, root: Any, function: Any, matmul: Any) -> None:
        if self.device not in DEVICES or not DEVICES[self.device].is_npu:
            known = ", ".join(name for name, device in DEVICES.items() if device.is_npu)
            raise error_at(matmul, f"is planned for device '{self.device}', which is not known; there are {known}")
        problem = _problem(matmul)
        if self.element not in ("any", problem.element):
            raise error_at(matmul, f"has operands of {problem.element}, but the pipeline is for {self.element}")
        wanted = Plan(self.herd_m, self.herd_n, 0, 0, (0, 0, 0), self.k_step)
        chosen = plan(problem, DEVICES[self.device], wanted)
        if chosen is None:
            raise error_at(
                matmul,
                f"{problem.m} x {problem.n} x {problem.k} of {problem.element} has no tile sizes that divide it and fit in a "
                f"core of {self.device}; pad the operands to multiples of the micro-tile, or leave the sizes open",
            )
        function.attributes["allo.plan"] = ir.StringAttr.get(_text(chosen, problem))
        for script in _scripts(chosen):
            script.run(root)


def _problem(matmul: Any) -> Problem:
    a, b, c = (operand.type for operand in matmul.operands)
    if not all(isinstance(t, ir.RankedTensorType) and t.has_static_shape for t in (a, b, c)):
        raise error_at(matmul, f"needs tensors of static shape, found {a}, {b}, {c}; specialise the shapes first")
    producer = matmul.operands[2].owner
    if isinstance(producer, ir.Block) or producer.name != "linalg.fill":
        raise error_at(matmul, "adds to a result that is not a linalg.fill; fill it with zero and add afterwards")
    (m, k), n = a.shape, b.shape[1]
    element = str(a.element_type)
    return Problem(m, n, k, element, a.element_type.width, c.element_type.width)


def _scripts(chosen: Plan) -> list[Pass]:
    m, n, k = chosen.micro
    tile = schedule(
        "tile-gemm",
        launch_m=chosen.herd_m * chosen.cores_m,
        launch_n=chosen.herd_n * chosen.cores_n,
        herd_m=chosen.herd_m,
        herd_n=chosen.herd_n,
    )
    return [tile, schedule(f"pack-gemm-{m}x{n}x{k}"), schedule("loop-gemm", k_blocks=chosen.k_step // k)]


def _text(chosen: Plan, problem: Problem) -> str:
    m, n, k = chosen.micro
    return (
        f"herd {chosen.cores_m}x{chosen.cores_n}, core tile {chosen.herd_m}x{chosen.herd_n}, k step {chosen.k_step}, "
        f"micro-tile {m}x{n}x{k}, L1 {chosen.l1_bytes(problem)} bytes"
    )
