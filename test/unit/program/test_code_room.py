"""Kernels whose code does not fit into program memory: how the partition is asked for less, and what is said if it cannot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from allo_air import asm
from allo_air.core.walking import walk_named
from allo_air.errors import DiagnosticError
from allo_air.mlir import new_context
from allo_air.passes.partition._code import KernelCode, code_of_kernels
from allo_air.passes.partition.partition_kernels import PartitionKernels
from allo_air.program.code_room import CodeTooLarge, check, divided
from allo_air.program.recipe import Recipe, recipe_of
from allo_air.sim.cores.code_room import Excess

PLACE = ("file.mlir", 7, 3)


@pytest.fixture
def device() -> Iterator[Any]:
    with new_context():
        module = asm.read("module { aie.device(npu2) @main { } }")  # must outlive its operations
        yield walk_named(module, "aie.device")[0].opview


def recipe(core_code: int = 0) -> Recipe:
    options = f"{{core-code={core_code}}}" if core_code else ""
    return recipe_of(f"builtin.module(partition-kernels{options},canonicalize)", "npu2", {})


def limit_of(result: Recipe) -> int:
    [limit] = [step.action.core_code for step in result.steps.steps if isinstance(step.action, PartitionKernels)]
    return limit


def test_the_partition_gets_the_part_of_its_estimate_that_fits(device: Any) -> None:
    wrong = CodeTooLarge({"a": Excess(device, (0, 2), 20000, 16000), "b": Excess(device, (0, 3), 32000, 16000)})
    kernels = {"a": KernelCode(5000, 10, PLACE), "b": KernelCode(10000, 8, PLACE)}
    first = divided(recipe(), wrong, kernels)
    assert limit_of(first) == 3600  # of @a, which is denser than the partition expected
    assert limit_of(divided(recipe(10000), wrong, kernels)) == 3600


@pytest.mark.parametrize(
    ("core_code", "operations", "text"),
    [(0, 1, "kernel @a, 1 operation, takes"), (3600, 3, "kernel @a, 3 operations, takes"), (0, None, "kernel @main takes")],
)
def test_a_kernel_that_cannot_be_divided_is_an_error_at_its_line(
    device: Any, core_code: int, operations: int | None, text: str
) -> None:
    kernels = {} if operations is None else {"a": KernelCode(5000, operations, PLACE)}
    with pytest.raises(DiagnosticError) as error:
        divided(recipe(core_code), CodeTooLarge({"main": Excess(device, (0, 2), 20000, 16384)}), kernels)
    [diagnostic] = error.value.diagnostics
    assert diagnostic.message.startswith(f"{text} at least 20,000 bytes of code in a core, and a core of npu2 has 16,384 bytes")
    assert "it cannot be divided: write a long body as several linalg operations" in diagnostic.message
    assert (diagnostic.file, diagnostic.line) == (("", 0) if operations is None else PLACE[:2])


def test_kernels_that_a_planner_made_of_one_are_that_one(device: Any) -> None:
    kernels = {"rows_1": KernelCode(2000, 2, PLACE), "rows_10": KernelCode(4000, 2, PLACE), "big": KernelCode(9000, 9, PLACE)}
    for name, limit in (("rows_1", 1440), ("rows_10", 2880), ("rows_10_part", 2880), ("program", 6480)):
        wrong = CodeTooLarge({name: Excess(device, (0, 2), 20000, 16000)})
        assert limit_of(divided(recipe(), wrong, kernels)) == limit


def test_a_kernel_of_a_family_is_left_to_the_other_passes(device: Any) -> None:
    both = recipe_of("builtin.module(outline-families,partition-kernels)", "npu2", {})
    wrong = CodeTooLarge({"main_attention_0": Excess(device, (0, 2), 20000, 16384)})
    kernels = {"main_attention_0": KernelCode(3000, 4, PLACE, "attention")}
    once = divided(both, wrong, kernels)
    assert once.text == "builtin.module(outline-families{without=attention},partition-kernels)"
    with pytest.raises(DiagnosticError, match="kernel @main_attention_0, 4 operations, takes"):
        divided(once, wrong, kernels)


def test_a_pipeline_without_a_partition_cannot_divide(device: Any) -> None:
    alone = recipe_of("builtin.module(canonicalize)", "npu2", {})
    with pytest.raises(DiagnosticError, match="cannot be divided"):
        divided(alone, CodeTooLarge({"a": Excess(device, (0, 2), 20000, 16384)}), {"a": KernelCode(5000, 4, PLACE)})


def test_the_kernels_of_a_device_are_those_of_its_sequences() -> None:
    lines = "\n".join(
        f"%i{n} = arith.constant {n} : index\n%x{n} = vector.load %a[%i{n}] : memref<8192xi32>, vector<64xi32>\n"
        f"vector.store %x{n}, %a[%i{n}] : memref<8192xi32>, vector<64xi32>"
        for n in range(1200)
    )
    text = f"""module {{ aie.device(npu2) @both {{
      %tile = aie.tile(0, 2)
      %a = aie.buffer(%tile) : memref<8192xi32>
      aie.core(%tile) {{
        {lines}
        aie.end
      }}
      aie.runtime_sequence @one(%h: memref<16xi32>) {{ }}
      aie.runtime_sequence @two(%h: memref<16xi32>) {{ }}
    }} }}"""
    with new_context():
        with pytest.raises(CodeTooLarge, match="one, two") as error:
            check([asm.read(text).operation])
        assert {excess.tile for excess in error.value.excesses.values()} == {(0, 2)}


def test_the_code_of_kernels_counts_their_operations() -> None:
    kind = "tensor<8x16xf32>"
    text = f"""func.func private @k(%x: {kind}) -> {kind} attributes {{allo.kernel}} {{
      %e = tensor.empty() : {kind}
      %0 = linalg.tanh ins(%x : {kind}) outs(%e : {kind}) -> {kind}
      %1 = linalg.add ins(%0, %x : {kind}, {kind}) outs(%e : {kind}) -> {kind}
      return %1 : {kind}
    }}"""
    with new_context():
        [(name, code)] = code_of_kernels(asm.read(text).operation).items()
    assert (name, code.operations, code.place[1]) == ("k", 2, 4)
    assert code.bytes > 2 * 240
