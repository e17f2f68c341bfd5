"""Pipelines eltwise, reduce, softmax, ...: the stages of `npu` for one kind of operator, with additional options."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.named import NamedPipeline
from allo_air.core.options import option
from allo_air.passes.map.expect_operator import ExpectOperator, Operator
from allo_air.pipelines.npu import NPU, NpuOptions
from allo_air.pipelines.presets import preset


@dataclass(frozen=True)
class OperatorOptions(NpuOptions):
    """The options of `npu`, and options for tiles."""

    rows: int = 0
    """Rows of cores in a column that may be used, 0 for all."""
    tile: int = 0
    """A core's elements along the loop that is cut, 0 for the best."""


def operator(kind: Operator, title: str) -> NamedPipeline:
    """The pipeline for one kind of operator."""
    sizes = {"rows": option("rows"), "tile": option("tile")}
    expected = {"simplify-linalg": ExpectOperator(kind)}
    return preset(NPU, kind, title, OperatorOptions, settings={"plan-tiles": sizes}, inserted_after=expected)


ELTWISE = operator("eltwise", "From a chain of elementwise operations on tensors to AIE devices and a runtime sequence")
REDUCE = operator("reduce", "From a reduction of tensors over any dimensions to AIE devices and a runtime sequence")
SOFTMAX = operator("softmax", "From a softmax or log-softmax on tensors to AIE devices and a runtime sequence")
LAYERNORM = operator("layernorm", "From a layer norm on tensors to AIE devices and a runtime sequence")
RMSNORM = operator("rmsnorm", "From an RMS norm on tensors to AIE devices and a runtime sequence")
GEMV = operator("gemv", "From a product of a matrix and a vector to AIE devices and a runtime sequence")
TRANSPOSE = operator("transpose", "From a transposition or permutation of a tensor to AIE devices and a runtime sequence")
