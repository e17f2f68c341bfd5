"""aie-check-core-code."""

from dataclasses import dataclass
from itertools import chain
from typing import Literal

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp
from allo_air.passes._analysis.findings import Findings
from allo_air.passes.kernel._addresses import misplaced
from allo_air.passes.kernel._legality import Checked, EquivalenceKey, checked_operations


@dataclass(frozen=True)
class AieCheckCoreCode(Pass):
    """Finds code of cores that mlir-aie's tool chain lowers differently from its meaning in MLIR; changes nothing.

    Errors are forms that are silently lowered to other code: contractions that lose their signs, transfers of tiles that are
    not contiguous, unsigned comparisons, vectors in misaligned buffers, and similar. If the effect depends on values, as for a
    truncation that saturates, it is a warning. Forms that mlir-aie or Peano refuse are errors or warnings by `refused`. With
    `slow`, remarks name generic code that runs lane by lane. Each finding says what to write instead. The rules are those of
    March 2026, found by running the tools (docs/checks.md); npu1 and npu2 differ.

    Before:

        aie.device(npu1) {
          %t = aie.tile(0, 2)
          %c = aie.core(%t) {
            %x = arith.extsi %b : vector<16xi8> to vector<16xi32>
            ...

    After: the same IR, or

        error: 'arith.extsi' op reads the bits of i8 lanes as i16; extend 32 lanes at a time
    """

    name = "aie-check-core-code"
    works_on = ("aie.*",)
    leaves_valid = True

    refused: Literal["error", "warning", "ignore"] = "warning"
    """Severity of forms that mlir-aie or Peano reject."""
    slow: bool = False
    """Print a remark on generic code that runs lane by lane."""

    def run(self, op: AnyOp, /) -> None:
        findings, likeness, results = Findings(), EquivalenceKey(), Checked()
        for device in walk_named(op, "aie.device"):
            for item, verdict in chain(checked_operations(device, likeness, results), misplaced(device)):
                severity = {"wrong": "error", "depends": "warning", "refused": self.refused, "slow": "remark"}[verdict.kind]
                if severity == "error":
                    findings.error(item, str(verdict))
                elif severity == "warning":
                    findings.warning(item, str(verdict))
                elif severity == "remark" and self.slow:
                    findings.remark(item, str(verdict))
        findings.deliver()
