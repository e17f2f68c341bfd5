"""air-transform."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from allo_air.core.pass_ import Pass
from allo_air.core.schedule import parse_script, run_script
from allo_air.errors import OptionError


@dataclass(frozen=True)
class AirTransform(Pass):
    """Runs the transform script in file `filename` on the module.

    The script is a file of its own; a payload in it is ignored. It begins at `transform.named_sequence @__transform_main`, at
    the top or in a module there; else the file's `transform.sequence` operations run one after the other. A file with neither
    changes nothing. Operations of the transform dialect of MLIR are known.

    Before (`air-transform{filename=script.mlir}`, whose script generalizes what it matches):

        %0 = linalg.add ins(%a, %b : tensor<64xf32>, tensor<64xf32>) outs(%c : tensor<64xf32>) -> tensor<64xf32>

    After:

        %0 = linalg.generic {...} ins(%a, %b : tensor<64xf32>, tensor<64xf32>) outs(%c : tensor<64xf32>) { ... }
    """

    name = "air-transform"
    anchor = "builtin.module"
    filename: str = ""

    def run(self, op: Any, /) -> None:
        if not self.filename:
            raise OptionError("pass 'air-transform': option 'filename' is needed: the file of the transform script")
        run_script(parse_script(Path(self.filename)), op)
