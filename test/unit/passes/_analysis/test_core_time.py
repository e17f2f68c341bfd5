"""What a planner counts for a core's operations is what the simulator's model gives for the code that they become."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from allo_air import asm
from allo_air.core.walking import walk_named
from allo_air.core_model.terms import Term
from allo_air.device import DEVICES
from allo_air.mlir import ir, new_context
from allo_air.passes._analysis.core_time import CoreTime, cycles_per_element
from helpers import in_turns

BENCH = Path(__file__).parents[4] / "bench"

SOFTMAX = """#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @k(%x: tensor<64x4096xbf16>) -> tensor<64x4096xbf16> {
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<64xf32>
  %all = tensor.empty() : tensor<64x4096xf32>
  %short = tensor.empty() : tensor<64x4096xbf16>
  %l = linalg.fill ins(%least : f32) outs(%row : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x4096xbf16>) outs(%l : tensor<64xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %w = arith.extf %a : bf16 to f32
    %y = arith.maximumf %w, %o : f32
    linalg.yield %y : f32
  } -> tensor<64xf32>
  %e = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<64x4096xbf16>, tensor<64xf32>) outs(%all : tensor<64x4096xf32>) {
  ^bb0(%a: bf16, %b: f32, %o: f32):
    %w = arith.extf %a : bf16 to f32
    %d = arith.subf %w, %b : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<64x4096xf32>
  %z = linalg.fill ins(%zero : f32) outs(%row : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<64x4096xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %y = arith.addf %a, %o : f32
    linalg.yield %y : f32
  } -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%e, %s : tensor<64x4096xf32>, tensor<64xf32>) outs(%short : tensor<64x4096xbf16>) {
  ^bb0(%a: f32, %b: f32, %o: bf16):
    %q = arith.divf %a, %b : f32
    %y = arith.truncf %q : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<64x4096xbf16>
  return %r : tensor<64x4096xbf16>
}"""


def of_text(text: str, device: str) -> tuple[CoreTime, list[Any], object]:
    module = asm.read(text, "<test>")
    [function] = walk_named(module.operation, "func.func")
    ops = walk_named(function, "linalg.fill", "linalg.generic")
    returned = list(function.regions[0].blocks[0].operations[-1].operands)
    return CoreTime(dict(enumerate(ops)), returned, DEVICES[device]), ops, module


@pytest.mark.parametrize("device", ["npu1", "npu2"])
@pytest.mark.parametrize("tile", [(4, 1024), (12, 2048), (3, 1000), (1, 4096)])
def test_a_lowering_for_other_sizes_gives_the_cycles_of_a_tile(tile: tuple[int, int], device: str) -> None:
    """The code for representative sizes, with its trip counts replaced, takes as long as the code for the sizes themselves."""
    with new_context(), ir.Location.unknown():
        time, ops, _module = of_text(SOFTMAX, device)
        sizes = {n: tile[: 1 if op.name == "linalg.fill" else 2] for n, op in enumerate(ops)}
        cycles = time.cycles(sizes)
        exact = [sum(term.cycles * prod(term.trips) for term in terms) for terms in time._lowered(sizes)]
        assert [cycles[n] for n in range(len(ops))] == pytest.approx(exact, rel=0.03, abs=10)


def test_tiles_that_differ_in_trip_counts_share_a_lowering(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Mapping[int, Sequence[int]]] = []
    lowered = CoreTime._lowered

    def noted(time: CoreTime, sizes: Mapping[int, tuple[int, ...]]) -> list[tuple[Term, ...]]:
        asked.append(sizes)
        return lowered(time, sizes)

    monkeypatch.setattr(CoreTime, "_lowered", noted)
    with new_context(), ir.Location.unknown():
        time, ops, _module = of_text(SOFTMAX, "npu1")
        for rows in (16, 32, 48, 64):
            for columns in (1024, 2048, 4096):
                time.cycles({n: (rows, columns)[: 1 if op.name == "linalg.fill" else 2] for n, op in enumerate(ops)})
    assert len(asked) <= 6


def test_functions_take_the_accuracy_that_their_users_need() -> None:
    """The result of softmax is rounded to bf16, so its exponentials are, too; results in f32 are not."""
    with new_context(), ir.Location.unknown():
        time, ops, _module = of_text(SOFTMAX, "npu1")
        long = SOFTMAX.replace("outs(%short : tensor<64x4096xbf16>)", "outs(%all : tensor<64x4096xf32>)")
        long = long.replace("%y = arith.truncf %q : f32 to bf16\n    linalg.yield %y : bf16", "linalg.yield %q : f32")
        long = long.replace("%o: bf16", "%o: f32").replace("} -> tensor<64x4096xbf16>", "} -> tensor<64x4096xf32>")
        long = long.replace("%r : tensor<64x4096xbf16>", "%r : tensor<64x4096xf32>").replace(
            "-> tensor<64x4096xbf16> {", "-> tensor<64x4096xf32> {"
        )
        other, _, _other_module = of_text(long, "npu1")
        sizes = {n: (4, 1024)[: 1 if op.name == "linalg.fill" else 2] for n, op in enumerate(ops)}
        assert other.cycles(sizes)[2] > 1.5 * time.cycles(sizes)[2]


def test_operands_of_one_kind_are_different_values() -> None:
    """x - y is not 0, though nothing is known of x and y."""
    text = """func.func @k(%x: tensor<4096xi8>, %y: tensor<4096xi8>) -> tensor<4096xi8> {
      %e = tensor.empty() : tensor<4096xi8>
      %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
          iterator_types = ["parallel"]} ins(%x, %y : tensor<4096xi8>, tensor<4096xi8>) outs(%e : tensor<4096xi8>) {
      ^bb0(%a: i8, %b: i8, %o: i8):
        %s = arith.subi %a, %b : i8
        linalg.yield %s : i8
      } -> tensor<4096xi8>
      return %r : tensor<4096xi8>
    }"""
    with new_context(), ir.Location.unknown():
        _, ops, _module = of_text(text, "npu1")
        assert cycles_per_element(ops, DEVICES["npu1"]) > 8  # two loads, a difference and a store, one after another


@pytest.fixture
def sweep(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCH))
    import prices

    return prices


FIRST = ("gelu erf bf16", "elu bf16", "sub i8", "quantize", "argmax f32", "transpose i8")
"""Operators that tables priced 1.7 to 8 times too dear or too cheap."""


@pytest.mark.parametrize(("name", "device"), in_turns(FIRST))
def test_the_planner_counts_what_the_simulator_does(name: str, device: str, sweep: ModuleType) -> None:
    planned, cycles = sweep.prices(dict(sweep.cases())[name]().text, device)
    assert 0.8 <= planned / cycles <= 1.25


@pytest.mark.slow
@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_all_operators_rank_as_simulated(device: str, sweep: ModuleType) -> None:
    rows = [sweep.prices(make().text, device) for _, make in sweep.cases()]
    pairs = [row for row in rows if row[0]]
    assert len(pairs) > 70
    assert sum(0.8 <= a / b <= 1.25 for a, b in pairs) >= 0.95 * len(pairs)
    assert sweep.rank_correlation(pairs) > 0.9
