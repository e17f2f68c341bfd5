"""air-pipeline-reduce."""

from dataclasses import dataclass
from typing import Any, Literal

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk
from allo_air.errors import OptionError
from allo_air.mlir import AnyOp
from allo_air.passes._analysis.structured import is_structured, reductions
from allo_air.passes._ir.names import Names
from allo_air.passes.bind._transform_pipeline_reduce import pipelined


@dataclass(frozen=True)
class AirPipelineReduce(Pass):
    """Distributes each reduction of a linalg operation on buffers over a line of cores that pass partial sums over channels.

    `transform.air.pipeline_reduce` does so for chosen operations.

    Before (`air-pipeline-reduce{tile-size=0,0,16}`):

        linalg.matmul ins(%a, %b : memref<16x64xf32>, memref<64x16xf32>) outs(%c : memref<16x16xf32>)

    After:

        air.herd @herd tile (%x, %y) in (%m=%c4, %n=%c1) args(...) {
          affine.if (x == 0) { linalg.matmul of 16x16; air.channel.put @channel[] (%part[] [] []) } ...
        }
    """

    name = "air-pipeline-reduce"
    anchor = "func.func"
    works_on = ("linalg.*",)
    tile_size: tuple[int, ...]
    """A size for each loop of the operation: 0, and for the last loop the iterations of a core."""
    pipeline_depth: int = 4
    """Cores of a line, at least 2; together they execute all iterations of the last loop."""
    pipeline_direction: Literal["horiz", "vert"] = "horiz"
    """Whether the line is a row or a column."""
    promote: bool = False
    """Copy what each core reads to L1 first."""

    def __post_init__(self) -> None:
        super().__post_init__()
        name = f"pass '{self.name}'"
        if any(self.tile_size[:-1]) or self.tile_size[-1:] < (1,):
            raise OptionError(
                f"{name}: option 'tile-size' is {','.join(map(str, self.tile_size)) or 'empty'}, expected a number for each "
                "loop: 0 for all but the last, whose iterations are those of a core, as in tile-size=0,0,16"
            )
        if self.pipeline_depth < 2:
            raise OptionError(f"{name}: option 'pipeline-depth' is {self.pipeline_depth}, expected at least 2 cores")

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        module: Any = op.parent
        names = Names(module.operation)
        ops = [o.operation for o in walk(op) if is_structured(o.operation)]
        for target in [o for o in ops if not len(o.results) and reductions(o)[-1:] == [True]]:
            pipelined(
                module.operation, names, target, list(self.tile_size), self.pipeline_depth,
                vertical=self.pipeline_direction == "vert", promote=self.promote,
            )  # fmt: skip
