"""eltwise, reduce, softmax, ...: the stages of `npu` for one kind of operator, with options of their own."""

from __future__ import annotations

from dataclasses import dataclass, replace

from allo_air.core.named import NamedPipeline
from allo_air.core.options import option
from allo_air.passes.map.expect_operator import ExpectOperator, Operator
from allo_air.passes.map.plan_tiles import PlanTiles
from allo_air.pipelines.npu import NPU, PARTITION, NpuOptions


@dataclass(frozen=True)
class OperatorOptions(NpuOptions):
    """Those of `npu`, and of what tiles are made."""

    rows: int = 0
    """Rows of cores in a column that may be used, 0 for all."""
    tile: int = 0
    """A core's elements along the loop that is cut, 0 for the best."""


def preset(operator: Operator, title: str) -> NamedPipeline:
    """The pipeline for one kind of operator."""
    passes = (*PARTITION.up_to("simplify-linalg"), ExpectOperator(operator), *PARTITION.after("simplify-linalg"))
    checked = replace(PARTITION, passes=passes)
    stages = tuple(
        checked
        if stage is PARTITION
        else replace(
            stage,
            passes=tuple(
                replace(p, rows=option("rows"), tile=option("tile")) if isinstance(p, PlanTiles) else p for p in stage.passes
            ),
        )
        for stage in NPU.stages
    )
    return replace(NPU, name=operator, title=title, stages=stages, options=OperatorOptions)


ELTWISE = preset("eltwise", "From a chain of elementwise operations on tensors to AIE devices and a runtime sequence")
REDUCE = preset("reduce", "From a reduction of tensors over any dimensions to AIE devices and a runtime sequence")
SOFTMAX = preset("softmax", "From a softmax or log-softmax on tensors to AIE devices and a runtime sequence")
LAYERNORM = preset("layernorm", "From a layer norm on tensors to AIE devices and a runtime sequence")
RMSNORM = preset("rmsnorm", "From an RMS norm on tensors to AIE devices and a runtime sequence")
GEMV = preset("gemv", "From a product of a matrix and a vector to AIE devices and a runtime sequence")
TRANSPOSE = preset("transpose", "From a transposition or permutation of a tensor to AIE devices and a runtime sequence")
