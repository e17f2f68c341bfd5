"""air-verify-hierarchy-locality."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import ir
from allo_air.passes._analysis.findings import Findings
from allo_air.passes.check._locality import check_instances


@dataclass(frozen=True)
class AirVerifyHierarchyLocality(Pass):
    """Checks that instances of a herd, segment or launch do not overwrite each other's data in a buffer of their memory level.

    The pass checks buffers that are passed to a herd of several cores in L1, to a segment of several instances in L2, and to a
    launch of several iterations in L3. Such a buffer may be read only, or each element that one instance writes must not be
    touched by another. An L1 buffer counts as private to each core if its channel's indices, or a number passed to a function
    together with it, depend on the ids; without `herds` all L1 buffers count as private. A proven overlap is an error. An
    undecided one is an error with `strict`, otherwise a warning. Buffers with `air.shrinkage = true` pass. `air-check-locality`
    finds races of all kinds.

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
    """Treat undecided overlaps as errors instead of warnings."""
    herds: bool = True
    """Check L1 buffers that herds get, too."""

    def run(self, op: ir.Operation, /) -> None:
        findings = Findings()
        for hierarchy in walk_named(op, "air.launch", "air.segment", *(["air.herd"] if self.herds else [])):
            check_instances(hierarchy, findings, strict=self.strict)
        findings.deliver()
