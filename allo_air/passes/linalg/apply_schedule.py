"""apply-schedule."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.texts import text_of
from allo_air.errors import OptionError
from allo_air.mlir import AnyOp


@dataclass(frozen=True)
class ApplySchedule(Pass):
    """Applies a user's transform script instead of a pipeline's own tiling.

    `script` is a path or MLIR text. Execution begins at `transform.named_sequence @__transform_main`, or at the only named
    sequence that no other sequence includes. If there is no named sequence, all `transform.sequence` operations run in order.
    Errors are reported at the script's line.

    Before (`apply-schedule{script=tile.mlir}`, whose script tiles what it matches for four cores):

        %c = linalg.exp ins(%a : tensor<64xf32>) outs(%b : tensor<64xf32>) -> tensor<64xf32>

    After:

        %c = scf.forall (%i) in (4) shared_outs(%o = %b) -> (tensor<64xf32>) { ... linalg.exp ... }
    """

    name = "apply-schedule"
    anchor = "builtin.module"
    works_on = ()
    script: str = ""
    """The path of a transform script, or its text."""

    def run(self, op: AnyOp, /) -> None:
        from allo_air.scheduling.dialect import load
        from allo_air.transform import read_script, run_schedule

        if not self.script:
            raise OptionError("pass 'apply-schedule': option 'script' is needed: a transform script, as a path or as text")
        load()
        text, name = text_of(self.script, "schedule with")
        run_schedule(read_script(text, "<schedule>" if name == "<text>" else name), name, op)
