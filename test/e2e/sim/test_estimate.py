"""Times without data are those of the simulation, and much the same where rounds that repeat are counted."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import allo_air
from allo_air.errors import AlloAirError
from allo_air.program.host.arrays import random_inputs
from allo_air.program.run.design import Design
from allo_air.sim.simulate import load
from attention_sources import Case

ROUNDS = 4096
OBJECT = 64


def design(core: str, rounds: int = ROUNDS) -> str:
    """A core that takes objects of words from external memory and gives as many back, in a loop without an end."""
    words = rounds * OBJECT
    return f"""
    aie.device(npu1_1col) @main {{
      %shim = aie.tile(0, 0)
      %tile = aie.tile(0, 2)
      aie.objectfifo @in(%shim, {{%tile}}, 2 : i32) : !aie.objectfifo<memref<{OBJECT}xi32>>
      aie.objectfifo @out(%tile, {{%shim}}, 2 : i32) : !aie.objectfifo<memref<{OBJECT}xi32>>
      func.func private @scale(memref<{OBJECT}xi32>, memref<{OBJECT}xi32>)
      %core = aie.core(%tile) {{
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %size = arith.constant {OBJECT} : index
        %end = arith.constant 9223372036854775807 : index
        %three = arith.constant 3 : i32
        scf.for %n = %c0 to %end step %c1 {{
          %i = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<{OBJECT}xi32>>
          %a = aie.objectfifo.subview.access %i[0] : !aie.objectfifosubview<memref<{OBJECT}xi32>> -> memref<{OBJECT}xi32>
          %o = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<{OBJECT}xi32>>
          %b = aie.objectfifo.subview.access %o[0] : !aie.objectfifosubview<memref<{OBJECT}xi32>> -> memref<{OBJECT}xi32>
          {core}
          aie.objectfifo.release @in(Consume, 1)
          aie.objectfifo.release @out(Produce, 1)
        }}
        aie.end
      }}
      aie.runtime_sequence(%a: memref<{words}xi32>, %b: memref<{words}xi32>) {{
        aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, {words}][0, 0, 0, 1])
            {{id = 1 : i64, metadata = @in}} : memref<{words}xi32>
        aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, {words}][0, 0, 0, 1])
            {{id = 0 : i64, issue_token = true, metadata = @out}} : memref<{words}xi32>
        aiex.npu.dma_wait {{symbol = @out}}
      }}
    }}
    """


TRIPLE = f"""scf.for %k = %c0 to %size step %c1 {{
            %v = memref.load %a[%k] : memref<{OBJECT}xi32>
            %w = arith.muli %v, %three : i32
            memref.store %w, %b[%k] : memref<{OBJECT}xi32>
          }}"""
CALL = f"func.call @scale(%a, %b) : (memref<{OBJECT}xi32>, memref<{OBJECT}xi32>) -> ()"
WAITS = f"""%v = memref.load %a[%c0] : memref<{OBJECT}xi32>
          %more = arith.cmpi eq, %v, %three : i32
          scf.if %more {{ aie.event(0) }}"""


CHOOSES = f"""%first = memref.load %a[%c0] : memref<{OBJECT}xi32>
          %more = arith.cmpi eq, %first, %three : i32
          scf.if %more {{ {TRIPLE} }}
          else {{ memref.store %first, %b[%c0] : memref<{OBJECT}xi32> }}"""


def scale(source: Any, result: Any) -> int:
    result[:] = 3 * source
    return 500


@pytest.mark.parametrize(("core", "kernels"), [(TRIPLE, {}), (CALL, {"scale": scale})])
def test_a_loop_without_an_end_is_counted(core: str, kernels: dict[str, Any]) -> None:
    text = design(core)
    a = np.arange(ROUNDS * OBJECT, dtype=np.int32)
    b = np.zeros_like(a)
    simulated = allo_air.simulate(text, a, b, kernels=kernels)
    np.testing.assert_array_equal(b, 3 * a)
    estimated = Design(load(text))
    every = estimated.estimate(kernels=kernels, steady=False)
    assert (every.cycles, every.words_moved, every.ddr_bytes) == (simulated.cycles, simulated.words_moved, simulated.ddr_bytes)
    assert [c.busy for c in every.cores] == [c.busy for c in simulated.cores]
    counted = estimated.estimate(kernels=kernels)
    assert counted.cycles == pytest.approx(simulated.cycles, rel=0.02)
    assert counted.ddr_bytes == pytest.approx(simulated.ddr_bytes, rel=0.01)
    assert counted.steps < every.steps / 10


def test_a_design_with_runtime_parameters_has_an_estimate() -> None:
    """The sequence writes into the data memory of a core, which holds nothing where only time is found."""
    text = (Path(__file__).parent / "designs" / "rtp.mlir").read_text()
    assert Design(load(text)).estimate().cycles > 0


def test_data_that_decide_are_an_error() -> None:
    with pytest.raises(AlloAirError, match=r"scf.if.*condition on data, so the time of the core depends on data"):
        Design(load(design(WAITS, 2))).estimate()


def test_of_two_ways_that_only_compute_the_longer_one_is_counted() -> None:
    found = Design(load(design(CHOOSES, 4))).estimate()
    assert found.assumed
    assert found.cycles == pytest.approx(Design(load(design(TRIPLE, 4))).estimate().cycles, rel=0.05)


RARE = f"""%eight = arith.constant 8 : index
          scf.for %r = %c0 to %eight step %c1 {{
            %first = memref.load %a[%c0] : memref<{OBJECT}xi32>
            %data = arith.cmpi eq, %first, %three {{allo.rarely}} : i32
            %number = arith.cmpi slt, %r, %c1 : index
            %more = arith.ori %data, %number : i1
            scf.if CONDITION {{
              {TRIPLE}
            }}
          }}"""


@pytest.mark.parametrize(("condition", "taken"), [("%data", 0), ("%more", 1)])
def test_data_that_rarely_decide_leave_it_to_numbers(condition: str, taken: int) -> None:
    """No round is taken of a condition on data that rarely holds, and the first where a number tells so."""
    found = Design(load(design(RARE.replace("CONDITION", condition), 4))).estimate()
    known = f"%bound = arith.constant {taken} : index %known = arith.cmpi slt, %r, %bound : index scf.if %known"
    known = RARE.replace("scf.if CONDITION", known)
    assert not found.assumed
    assert found.cycles == pytest.approx(Design(load(design(known, 4))).estimate().cycles, rel=0.02)


@pytest.mark.parametrize("argument", ["%data", "%number"])
def test_arguments_of_functions_decide_as_their_values_do(argument: str) -> None:
    """A function takes a condition on data that rarely holds, or one on numbers."""
    text = design(RARE.replace("scf.if CONDITION", "scf.if %more"), 4)
    body = f"""%c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %size = arith.constant {OBJECT} : index
          %three = arith.constant 3 : i32
          scf.if %more {{ {TRIPLE} }}"""
    buffer = f"memref<{OBJECT}xi32>"
    function = f"func.func private @f(%more: i1, %a: {buffer}, %b: {buffer}) attributes {{no_inline}} {{ {body} return }}"
    call = f"func.call @f({argument}, %a, %b) : (i1, {buffer}, {buffer}) -> ()"
    called = design(RARE.replace(f"scf.if CONDITION {{\n              {TRIPLE}\n            }}", call), 4)
    called = called.replace("%core = aie.core", f"{function}\n      %core = aie.core")
    found = Design(load(called)).estimate()
    known = text if argument == "%number" else text.replace("scf.if %more", "scf.if %data")
    assert not found.assumed
    assert found.cycles == pytest.approx(Design(load(known)).estimate().cycles, rel=0.05)


@pytest.mark.parametrize(
    ("case", "device"),
    [
        (Case(2, 64, 64, 64, 64), "npu1"),
        pytest.param(Case(2, 128, 128, 64, 64, "bf16"), "npu1", marks=pytest.mark.slow),
        pytest.param(Case(8, 128, 128, 64, 64, "bf16"), "npu2", marks=pytest.mark.slow),
        (Case(4, 64, 256, 64, 64, "bf16", mask="causal"), "npu2"),
    ],
    ids=str,
)
def test_attention_is_counted_as_its_references_move(case: Case, device: str) -> None:
    """Once for each head, where its keys begin, however many blocks of these there are."""
    program = allo_air.compile(case.source(), device=device)
    estimate = program.estimate()
    program(*random_inputs(program.arguments, 0))
    assert estimate.cycles == pytest.approx(program.report().cycles, rel=0.01)


@pytest.mark.parametrize(
    ("pipeline", "device"), [("gemm-bf16", "npu1"), pytest.param("gemm-i8", "npu2", marks=pytest.mark.slow)]
)
def test_an_estimate_of_a_program_is_its_time(pipeline: str, device: str) -> None:
    program = allo_air.compile(shape=(65, 300, 128), pipeline=pipeline, device=device)
    estimate = program.estimate()
    program(*random_inputs(program.arguments, 0))
    report = program.report()
    assert estimate.cycles == pytest.approx(report.cycles, rel=0.01)
    assert (estimate.macs, estimate.bound.split(":")[0]) == (report.macs, report.bound.split(":")[0])
    assert program.estimate(mhz=2000).microseconds < estimate.microseconds
    assert "estimated in" in str(estimate)


@pytest.mark.slow
def test_leaps_keep_to_the_descriptors_that_wait() -> None:
    """Tasks follow A and B for each tile, their descriptors taking turns: a leap must land on the same ones."""
    m = n = k = 4096
    source = f"""func.func @main(%a: tensor<{m}x{k}xbf16>, %b: tensor<{k}x{n}xbf16>, %bias: tensor<{n}xf32>)
        -> tensor<{m}x{n}xf32> {{
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<{m}x{n}xf32>
      %i = linalg.fill ins(%z : f32) outs(%e : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
      %r = linalg.matmul ins(%a, %b : tensor<{m}x{k}xbf16>, tensor<{k}x{n}xbf16>)
          outs(%i : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
      %s = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
          affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}}
          ins(%r, %bias : tensor<{m}x{n}xf32>, tensor<{n}xf32>) outs(%e : tensor<{m}x{n}xf32>) {{
      ^bb0(%x: f32, %y: f32, %o: f32):
        %t = arith.addf %x, %y : f32
        linalg.yield %t : f32
      }} -> tensor<{m}x{n}xf32>
      return %s : tensor<{m}x{n}xf32>
    }}"""
    program = allo_air.compile(source, "npu")
    assert program.estimate().cycles == pytest.approx(program.estimate(steady=False).cycles, rel=0.005)


def test_an_estimate_needs_no_text_of_the_program() -> None:
    program = allo_air.compile(shape=(64, 64, 64), pipeline="gemm-bf16", cache=False)
    quick = program.estimate()
    assert "_design" not in vars(program)
    assert not isinstance(program.lowered.texts.stored[program.levels[-1]], str)
    placed = program.reported(program._design.estimate())
    assert quick.run.cycles == placed.run.cycles
    same = (str(report).rpartition("estimated in")[0] for report in (quick, placed))
    assert next(same) == next(same)


@pytest.mark.parametrize("broken", [0, 3])
def test_an_estimate_of_a_deadlock_ends(broken: int) -> None:
    """One core that shares a broadcast never takes a tile: its sender must not wait for when the others could have it."""
    text = allo_air.compile(shape=(256, 256, 256), pipeline="gemm-bf16").text()
    at = [found.start() for found in re.finditer(r"init = 1 : i32", text)][broken]
    with pytest.raises(AlloAirError, match=r"deadlock.*nothing can go on"):
        Design(load(text[:at] + text[at:].replace("init = 1", "init = 0", 1))).estimate()
