"""What tiles of a kernel need is worked out once for each tile, however often a search asks."""

from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from allo_air import asm
from allo_air.arch import core_of, machine_of
from allo_air.device import DEVICES
from allo_air.mlir import ir, new_context
from allo_air.passes.map._choices import all_choices, best_choice, cycles_of, order_of
from allo_air.passes.map._cost import least_starting
from allo_air.passes.map._demand import Model, Step
from allo_air.passes.map._kernel import kernels
from allo_air.passes.map._reduce import mark, parts, remove_marks
from allo_air.passes.map._space import space
from allo_air.passes.map.plan_tiles import PlanTiles

WINDOWS = """func.func private @f(%x: tensor<1x8x10x10xbf16>, %w: tensor<8x8x3x3xbf16>) -> tensor<1x8x8x8xbf16>
    attributes {allo.kernel} {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<1x8x8x8xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<1x8x8x8xbf16>) -> tensor<1x8x8x8xbf16>
  %c = linalg.generic {
      indexing_maps = [affine_map<(n, f, h, w, c, kh, kw) -> (n, c, h + kh, w + kw)>,
                       affine_map<(n, f, h, w, c, kh, kw) -> (f, c, kh, kw)>,
                       affine_map<(n, f, h, w, c, kh, kw) -> (n, f, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x8x10x10xbf16>, tensor<8x8x3x3xbf16>) outs(%f : tensor<1x8x8x8xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %p = arith.mulf %a, %b : bf16
    %s = arith.addf %o, %p : bf16
    linalg.yield %s : bf16
  } -> tensor<1x8x8x8xbf16>
  return %c : tensor<1x8x8x8xbf16>
}"""


def test_a_search_works_out_no_tile_twice() -> None:
    seen: list[tuple[Model, tuple[int, ...]]] = []
    plain = Model._demand

    def counted(model: Model, sizes: tuple[int, ...]) -> object:
        seen.append((model, sizes))
        return plain(model, sizes)

    with new_context(), ir.Location.unknown(), patch.object(Model, "_demand", counted):
        module = asm.read(WINDOWS, "<test>")
        PlanTiles().run(module.operation)
        assert "allo.plan" in str(module)
    assert seen
    assert len(seen) == len({(id(model), sizes) for model, sizes in seen})


def test_searches_for_fewer_columns_share_the_model() -> None:
    with new_context(), ir.Location.unknown():
        module = asm.read(WINDOWS, "<test>")
        [kernel] = kernels(module.operation)
        whole = space(kernel, DEVICES["npu1"])
        half = space(kernel, replace(DEVICES["npu1"], columns=2))
        assert (whole.device.columns, half.device.columns) == (4, 2)
        assert half.model is whole.model and space(kernel, DEVICES["npu1"]) is whole
        mark(kernel, next(parts(kernel, 1 << 16)))
        assert space(kernel, DEVICES["npu1"]).model is not whole.model  # a reduction in parts needs less at a time
        remove_marks(kernel)
        assert space(kernel, DEVICES["npu1"]) is whole


@pytest.mark.parametrize(("device", "columns"), [("npu1", 4), ("npu2", 8), ("npu2", 2)])
def test_a_search_with_bounds_finds_the_best_of_all(device: str, columns: int) -> None:
    """And the best on another number of cores; with a limit, the same if they take no more, else none."""
    with new_context(), ir.Location.unknown():
        part = replace(DEVICES[device], columns=columns)
        module = asm.read(WINDOWS, "<test>")
        [kernel] = kernels(module.operation)
        choices = sorted(all_choices(kernel, part, 0, 0), key=order_of)
        second = next(c for c in choices if c.tiles.cores != choices[0].tiles.cores)
        best = best_choice(kernel, part, 0, 0)
        assert best is not None and best.second is not None
        assert (order_of(best), order_of(best.second)) == (order_of(choices[0]), order_of(second))
        limit = cycles_of(best)
        found = best_choice(kernel, part, 0, 0, limit)
        assert found is not None and found.tiles == best.tiles
        assert best_choice(kernel, part, 0, 0, limit - 1) is None


def test_a_search_with_a_limit_needs_no_search_before() -> None:
    """The sums of columns need their rows in parts. A search on part of the device takes these from the first one, if any."""
    sums = Path(__file__).parents[3] / "lit/passes/map/plan-tiles/column_sums.mlir"
    with new_context(), ir.Location.unknown():
        part = replace(DEVICES["npu1"], columns=2)
        modules = [asm.read(sums.read_text(), "<test>") for _ in range(2)]
        first, second = (next(iter(kernels(module.operation))) for module in modules)
        best_choice(second, DEVICES["npu1"], 0, 0)
        alone, later = (best_choice(kernel, part, 0, 0, 1e9) for kernel in (first, second))
        assert alone is not None and later is not None
        assert alone.tiles == later.tiles and alone.tiles.part is not None


@pytest.mark.parametrize(
    ("width", "low", "high", "is_vector"),
    [(112, 1, 1, False), (56, 0, 8, False), (33, 0, 0, False), (64, 0, 16, True), (64, 0, 0, True)],
)
def test_a_pad_costs_the_copy_of_its_rows(width: int, low: int, high: int, is_vector: bool) -> None:
    """Rows of whole, aligned vectors are copied in vectors, others element by element."""
    wide = low + width + high
    text = f"""func.func private @f(%x: tensor<4x16x{width}xf32>) -> tensor<4x18x{wide}xf32> attributes {{allo.kernel}} {{
      %zero = arith.constant 0.0 : f32
      %p = tensor.pad %x low[0, 1, {low}] high[0, 1, {high}] {{
      ^bb0(%i: index, %j: index, %k: index):
        tensor.yield %zero : f32
      }} : tensor<4x16x{width}xf32> to tensor<4x18x{wide}xf32>
      %e = tensor.empty() : tensor<4x18x{wide}xf32>
      %c = linalg.copy ins(%p : tensor<4x18x{wide}xf32>) outs(%e : tensor<4x18x{wide}xf32>) -> tensor<4x18x{wide}xf32>
      return %c : tensor<4x18x{wide}xf32>
    }}"""
    with new_context(), ir.Location.unknown():
        module = asm.read(text, "<test>")
        [kernel] = kernels(module.operation)
        model = Model(kernel, core_of("AIE2"))
        whole, [copy] = model.demand([1, 0, 0]).cycles, [step for step in model.steps if isinstance(step, Step)]
        cycles = whole - copy.time.of([1, 18, wide], [1, 18, wide], 1, 0)
    assert cycles == 18 * wide / 16 + 16 * width * (1 / 16 if is_vector else 8)


def test_an_operand_that_all_columns_receive_is_started_once() -> None:
    text = """func.func private @f(%x: tensor<8x64xf32>, %y: tensor<64xf32>) -> tensor<8x64xf32> attributes {allo.kernel} {
      %e = tensor.empty() : tensor<8x64xf32>
      %r = linalg.generic {
          indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
          iterator_types = ["parallel", "parallel"]}
          ins(%x, %y : tensor<8x64xf32>, tensor<64xf32>) outs(%e : tensor<8x64xf32>) {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %s = arith.addf %a, %b : f32
        linalg.yield %s : f32
      } -> tensor<8x64xf32>
      return %r : tensor<8x64xf32>
    }"""
    device = DEVICES["npu1"]
    push = machine_of(device).push
    with new_context(), ir.Location.unknown():
        module = asm.read(text, "<test>")
        [kernel] = kernels(module.operation)
        assert least_starting(space(kernel, device), (4, 2)) == (5 * push, 9 * push)
        costs = [choice.cost for choice in all_choices(kernel, device, 0, 0) if choice.tiles.cores[0] == 4]
    assert min(cost.cycles for cost in costs if cost is not None) == 9 * push
