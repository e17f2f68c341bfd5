"""air-annotate-refeed."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.mlir import AnyOp


@dataclass(frozen=True)
class AirAnnotateRefeed(Pass):
    """Leaves loops that send one buffer several times as they are: `air-to-aie` counts them itself.

    In mlir-air this step takes such a loop away and notes its count in an attribute, since later steps there would lose it.
    Here a loop around a put keeps its meaning to the end, so the step of the same name has nothing to note.

    Before:

        scf.for %i = %c0 to %c4 step %c1 {
          air.channel.put @c[] (%b[] [] []) : (memref<64xi32, 1>)
        }

    After: the same.
    """

    name = "air-annotate-refeed"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        """Changes nothing."""
