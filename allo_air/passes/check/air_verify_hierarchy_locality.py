"""air-verify-hierarchy-locality."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import ir
from allo_air.passes._analysis.findings import Findings
from allo_air.passes.check._locality import check_instances


@dataclass(frozen=True)
class AirVerifyHierarchyLocality(Pass):
    """Checks that instances of a herd, segment or launch do not write over each other in a buffer of their own memory level.

    Looked at are buffers that a herd of several cores gets in L1, a segment of several instances in L2, and a launch of several
    iterations in L3. They may be read only; else no element may be written by one instance and touched by another. An L1
    buffer is each core's own where an index of a channel that moves it, or a number that a function gets with it, comes of the
    ids; without `herds` all are. A proven meeting is an error; with `strict` so is one that cannot be decided, else a
    warning. Buffers marked `air.shrinkage = true` pass. `air-check-locality` looks for races of all kinds.

    Before:

        air.launch (%i) in (%n=%c2) args(%m=%a) : memref<8xi32> {
          air.channel.get @c[] (%m[%c0] [%c4] [%c1]) : (memref<8xi32>)
        }

    After: the same IR, or

        error: 'air.channel.get' op writes memref<8xi32> where another instance of the launch touches it; ...
    """

    name = "air-verify-hierarchy-locality"
    works_on = ("air.*",)
    strict: bool = True
    """What cannot be decided is an error, else a warning."""
    herds: bool = True
    """Look at L1 buffers that herds get, too."""

    def run(self, op: ir.Operation, /) -> None:
        findings = Findings()
        for hierarchy in walk_named(op, "air.launch", "air.segment", *(["air.herd"] if self.herds else [])):
            check_instances(hierarchy, findings, strict=self.strict)
        findings.deliver()
