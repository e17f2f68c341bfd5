"""The planner's time of an operation, against the code that the cores' passes make of it, priced by the model of the cores."""

from types import SimpleNamespace
from typing import Any

import pytest

from allo_air import asm
from allo_air.arch import core_of
from allo_air.core.named import resolve
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.core_model.machine import machine_of
from allo_air.core_model.schedule import nest_cycles, straight_line_cycles
from allo_air.mlir import ir
from allo_air.passes._analysis.unrolling import CORE_OPERATIONS
from allo_air.passes.kernel import _approximations
from allo_air.passes.map._loop_time import LoopTime
from allo_air.passes.map._op_work import FUNCTIONS, OTHER_FORMS
from allo_air.pipelines.air_bind import CLEANUP
from allo_air.pipelines.core_code import CORE_CODE
from helpers import in_turns, piped

pytestmark = pytest.mark.usefixtures("context")
PASSES = (*CORE_CODE.passes, "unroll-vector-loops", *CLEANUP)
DEVICES = {"npu1": "AIE2", "npu2": "AIE2p"}
FACTOR, OF_FUNCTIONS = 1.6, 2.2
"""Largest quotients of both times; the figures of functions are the larger ones of both generations."""

SUM = "%y = arith.addf %a, %o : f32"
CASES: dict[str, "Case"] = {
    "addition": ("ii", "f32 f32", [256], ["i", "i"], ["%y = arith.addf %a, %o : f32"]),
    "addition of a vector and an element": ("ii", "f32 f32", [17], ["i", "i"], ["%y = arith.addf %a, %o : f32"]),
    "addition of bytes": ("ii", "i8 i8", [512], ["i", "i"], ["%y = arith.addi %a, %o : i8"]),
    "addition of few bytes": ("ii", "i8 i8", [24], ["i", "i"], ["%y = arith.addi %a, %o : i8"]),
    "product of i32, which has no vectors": ("ii", "i32 i32", [64], ["i", "i"], ["%y = arith.muli %a, %o : i32"]),
    "remainder": ("ii", "i32 i32", [32], ["i", "i"], ["%y = arith.remsi %a, %o : i32"]),
    "i64": ("ii", "i64 i64", [40], ["i", "i"], ["%y = arith.addi %a, %o : i64"]),
    "product": ("ii", "f32 f32", [512], ["i", "i"], ["%y = arith.mulf %a, %o : f32"]),
    "exponential": ("ii", "f32 f32", [128], ["i", "i"], ["%y = math.exp %a : f32"]),
    "exponential of a few": ("ii", "f32 f32", [5], ["i", "i"], ["%y = math.exp %a : f32"]),
    "exponential of rows without vectors": ("ij", "f32 f32", [9, 37], ["j, i", "i, j"], ["%y = math.exp %a : f32"]),
    "error function": ("ii", "f32 f32", [256], ["i", "i"], ["%y = math.erf %a : f32"]),
    "maximum": ("ii", "f32 f32", [128], ["i", "i"], ["%y = arith.maximumf %a, %o : f32"]),
    "conversion": ("ii", "i8 f32", [128], ["i", "i"], ["%y = arith.sitofp %a : i8 to f32"]),
    "conversion to i32, which has no vectors": ("ii", "f32 i32", [64], ["i", "i"], ["%y = arith.fptosi %a : f32 to i32"]),
    "rounding": ("ii", "f32 bf16", [256], ["i", "i"], ["%y = arith.truncf %a : f32 to bf16"]),
    "transpose": ("ij", "f32 f32", [16, 16], ["j, i", "i, j"], ["%y = arith.negf %a : f32"]),
    "row of an image": ("ij", "f32 f32", [6, 32], ["i", "i, j"], ["%y = arith.addf %a, %o : f32"]),
    "sum of a row": ("iR", "f32 f32", [1, 512], ["i, j", "i"], [SUM]),
    "sums of rows": ("iR", "f32 f32", [16, 64], ["i, j", "i"], [SUM]),
    "sums of columns": ("iR", "f32 f32", [64, 16], ["j, i", "i"], [SUM]),
    "sums of short rows": ("iR", "f32 f32", [4, 5], ["i, j", "i"], [SUM]),
    "maxima of rows": ("iR", "f32 f32", [8, 128], ["i, j", "i"], ["%y = arith.maximumf %a, %o : f32"]),
    "sums of i32": ("iR", "i32 i32", [8, 64], ["i, j", "i"], ["%y = arith.addi %a, %o : i32"]),
    "quotients by a row's sum": ("ij", "f32 f32", [16, 64], ["i", "i, j"], ["%y = arith.divf %o, %a : f32"]),
}
"""For each name: loops (R: a reduction), types of input and result, sizes, index maps, and the body."""


Case = tuple[str, str, list[int], list[str], list[str]]


def _source(case: Case, kind: str) -> str:
    loops, types, sizes, maps, lines = case
    dims = "i, j" if len(sizes) == 2 else "i"
    iterators = ", ".join('"reduction"' if loops[d] == "R" else '"parallel"' for d in range(len(sizes)))
    space, result = (", 2", "") if kind == "memref" else ("", "-> {}")
    shapes = ["x".join(str(sizes["ij".index(d)]) for d in m.split(", ")) for m in maps]
    first, last = (f"{kind}<{s}x{t}{space}>" for s, t in zip(shapes, types.split(), strict=True))
    a, o = types.split()
    body = "\n".join(lines)
    operation = f"""linalg.generic {{indexing_maps = [{", ".join(f"affine_map<({dims}) -> ({m})>" for m in maps)}],
        iterator_types = [{iterators}]}} ins(%x : {first}) outs(%z : {last}) {{
      ^bb0(%a: {a}, %o: {o}):
        {body}
        linalg.yield %y : {o}
      }} {result.format(last)}"""
    return f"func.func @f(%x: {first}, %z: {last}) {{ {operation if kind == 'memref' else '%r = ' + operation}\n return }}"


def _lowered(case: Case, device: str) -> int:
    module = asm.read(_source(case, "memref"), "<test>")
    values = SimpleNamespace(device=device)
    piped(",".join(str(resolve(p, values) if isinstance(p, Pass) else p) for p in PASSES), module)
    machine = machine_of(DEVICES[device], compiled=True)
    [function] = walk_named(module.operation, "func.func")
    ops: list[Any] = [o.operation for o in function.regions[0].blocks[0].operations]
    cycles = straight_line_cycles([o for o in ops if not len(o.regions)], machine).cycles
    for loop in [o for o in ops if o.name == "scf.for"]:
        cost = nest_cycles(loop, machine)
        assert cost is not None
        cycles += cost.cycles
    return cycles


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", CASES)
def test_price_is_that_of_the_lowered_code(name: str, device: str) -> None:
    _check(CASES[name], device)


@pytest.mark.parametrize(
    ("name", "device", "element"), in_turns(FUNCTIONS, (("npu1", "f32"), ("npu2", "bf16"), ("npu1", "bf16"), ("npu2", "f32")))
)
def test_work_of_a_function_is_that_of_its_code(name: str, device: str, element: str) -> None:
    operands = "%a, %o" if name in ("arith.divf", "math.atan2", "math.powf") else "%a"
    _check(("ii", f"{element} {element}", [512], ["i", "i"], [f"%y = {name} {operands} : {element}"]), device, OF_FUNCTIONS)


def test_a_long_loop_is_doubled_only_if_the_core_has_room() -> None:
    time, _module = _time(CASES["error function"], "npu1")
    code = time.code([32])
    assert time.of([32], code) < 0.7 * time.of([32], CORE_OPERATIONS - code // 2)


def test_the_lock_of_a_result_is_between_its_vectors_and_its_other_elements() -> None:
    (inside, _first), (returned, _second) = (_time(CASES["exponential"], "npu1", is_returned=b) for b in (False, True))
    assert inside.of([19], 0) < 0.7 * returned.of([19], 0)


def _time(case: Case, device: str, *, is_returned: bool = False) -> tuple[LoopTime, ir.Module]:
    """The time of the operation of a case, and the module that owns the operation."""
    module = asm.read(_source(case, "tensor"), "<test>")
    [op] = walk_named(module.operation, "linalg.generic")
    return LoopTime(op, core_of(DEVICES[device]), is_bf16=False, is_returned=is_returned), module


def _check(case: Case, device: str, factor: float = FACTOR) -> None:
    time, _module = _time(case, device)
    priced = time.of(case[2], 0)
    lowered = _lowered(case, device)
    assert lowered / factor <= priced + 5 and priced <= lowered * factor + 5, f"{priced:.0f} priced, {lowered} lowered"


def test_all_functions_with_vector_forms_are_priced() -> None:
    written = {name for name in _approximations.FUNCTIONS if name.startswith("math.")}
    assert written <= {*FUNCTIONS, *OTHER_FORMS}
