"""What a plan says is what comes out: cores, launches, bytes of a core's buffers and its buffer descriptors, bytes to and from
external memory, and the channels and memtiles of a route.
"""

from __future__ import annotations

import re
from collections import Counter
from math import prod
from typing import Any

import pytest

import allo_air
from allo_air.core import driver
from allo_air.core.walking import constant_of, parents, walk_named
from allo_air.mlir import AnyOp
from allo_air.plan.plan import Plan
from allo_air.plan.schema import plan_of
from torch_modules import load

QUICK = ("softmax_bf16 npu1", "pixel_shuffle npu2", "sum_columns npu1", "linear npu1", "gemm-bf16 16x512x256 npu1")
MORE = (
    "bmm npu1",
    "gemm-i8 128x128x128 npu2",
    "diag npu1",
    "embedding_one npu2",
    "floor_ceil npu1",
    "index_select npu1",
    "logaddexp npu1",
    "matmul_broadcast npu2",
)
MORE += ("matmul_tb_bf16 npu1", "min_max_clamp npu2", "norm1 npu1", "reciprocal npu1", "sum_i32_i64 npu1", "tensordot npu2")
MORE += ("gemm-i32 40x24x56 npu1", "gemm-f32 50x70x90 npu2")
MORE += ("linear_bf16 npu1", "layer_norm npu1", "conv2d_1x1 npu2", "gemm-bf16 256x16x512 npu1", "gemm-bf16 512x512x512 npu2")
MORE += ("gemm-bf16 100x30x50 npu1", "gemm-bf16 16x1024x512 npu1", "clamp_min npu2", "unfold npu1", "conv2d_5x3 npu1")


class Outcome:
    """The plans of a compilation, and what the passes made of them: launch iterations, cores, bytes of a core's buffers."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.plans: list[Plan] = []
        self.launches: list[int] = []
        self.cores = self.l1 = 0
        self.descriptors = set[int]()
        self.fed = Counter[int]()
        """By column, the channels from external memory to its memtile."""
        run = driver.run_step

        def hear(step: Any, operation: AnyOp) -> None:
            if step.name == "expand-families":
                self.plans = [plan for f in walk_named(operation, "func.func") if (plan := plan_of(f)) is not None]
            run(step, operation)
            if step.name == "air-insert-launch-around-herd":
                self.launches = [prod(map(_number, launch.opview.sizes)) for launch in walk_named(operation, "air.launch")]
            elif step.name == "airrt-to-npu":
                self._count(operation)

        monkeypatch.setattr(driver, "run_step", hear)

    def _count(self, module: AnyOp) -> None:
        [device] = walk_named(module, "aie.device")
        cores = walk_named(device, "aie.core")
        held = dict.fromkeys((core.operands[0] for core in cores), 0)
        for buffer in walk_named(device, "aie.buffer"):
            if (tile := buffer.operands[0]) in held:
                kind = buffer.results[0].type
                held[tile] += prod(kind.shape) * kind.element_type.width // 8
        self.cores, self.l1 = len(cores), max(held.values())
        self.descriptors = {len(walk_named(memory, "aie.dma_bd")) for memory in walk_named(device, "aie.mem")}
        flows = [[_place(v) for v in flow.operands] for flow in walk_named(device, "aie.flow")]
        self.fed.update(column for (_, source), (column, row) in flows if (source, row) == (0, 1))


def _place(tile: Any) -> tuple[int, int]:
    attributes = tile.owner.attributes
    return int(attributes["col"].value), int(attributes["row"].value)


def _number(value: Any) -> int:
    found = constant_of(value)
    assert found is not None, list(parents(value.owner))
    return int(found)


def compiled(name: str) -> Any:
    first, *shape, device = name.split()
    if shape:
        sizes = tuple(map(int, shape[0].split("x")))
        return allo_air.compile(
            None, device=device, cache=False, pipeline=first, shape=sizes, dtype=first.removeprefix("gemm-")
        )
    return allo_air.compile(load(first).text, device=device, cache=False, pipeline="npu")


@pytest.mark.parametrize("name", [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in MORE)])
def test_the_plan_is_what_comes_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = Outcome(monkeypatch)
    program = compiled(name)
    [plan] = found.plans
    assert prod(plan.cores) == found.cores
    if plan.launches:
        assert found.launches == [plan.launches]
    if plan.l1:
        assert found.l1 <= plan.l1
    if plan.descriptors:
        assert found.descriptors == {plan.descriptors}
    for route in plan.routes:
        if plan.spread and route.channels > 1 and not route.multiplexed:
            assert sum(count for _, count in found.fed.most_common(route.memtiles)) == route.channels
    assert plan.moved == program.estimate().run.ddr_bytes


@pytest.mark.parametrize("shape", [(128, 128, 64), pytest.param((96, 512, 128), marks=pytest.mark.slow)])
def test_the_planned_cycles_count_all_tasks_that_are_pushed_before_the_first_begins(shape: tuple[int, int, int]) -> None:
    """Without a panel, A has a task for each row of launches. On npu2 they delay the start, so a panel of B is faster."""
    program = allo_air.compile(None, device="npu2", cache=False, pipeline="gemm-bf16", shape=shape, dtype="bf16")
    [planned] = map(float, re.findall(r"; about ([\d.e+]+) cycles", program.explain()))
    assert planned == pytest.approx(program.estimate().cycles, rel=0.1)
