"""air-transform."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from allo_air.core.pass_ import Pass
from allo_air.errors import AlloAirError, OptionError
from allo_air.scheduling.dialect import load
from allo_air.transform import read_script, run_script


@dataclass(frozen=True)
class AirTransform(Pass):
    """Runs the transform script in file `filename` on the module.

    Execution begins at `transform.named_sequence @__transform_main`, at the top level of the file or in a module there. If
    there is none, all `transform.sequence` operations of the file run in order. A file with neither changes nothing; a payload
    in the file is ignored. The script may use MLIR's transform dialect, `transform.air`, and this library's passes by
    `transform.apply_registered_pass`. Named sequences that it includes and does not define come from the files in folder
    `library`, or from this library (docs/transform.md).

    Before (`air-transform{filename=script.mlir}`, whose script generalizes what it matches):

        %0 = linalg.add ins(%a, %b : tensor<64xf32>, tensor<64xf32>) outs(%c : tensor<64xf32>) -> tensor<64xf32>

    After:

        %0 = linalg.generic {...} ins(%a, %b : tensor<64xf32>, tensor<64xf32>) outs(%c : tensor<64xf32>) { ... }
    """

    name = "air-transform"
    anchor = "builtin.module"
    filename: str = ""
    """The transform script."""
    library: str = ""
    """A folder of files with the sequences that the script includes; by default this library's own."""

    def run(self, op: Any, /) -> None:
        if not self.filename:
            raise OptionError("pass 'air-transform': option 'filename' is needed: the file of the transform script")
        try:
            text = Path(self.filename).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise AlloAirError(f"cannot read transform script '{self.filename}': {error}") from None
        load()
        run_script(read_script(text, self.filename, self.library), op)
