"""A pass with a bug: `--verify-each=execute` runs the module around each pass, and names the one that changes results."""

import subprocess
import sys
from pathlib import Path

SOURCE = """
func.func @f(%a: tensor<8xi32>, %b: tensor<8xi32>) -> tensor<8xi32> {
  %e = tensor.empty() : tensor<8xi32>
  %c = linalg.sub ins(%a, %b : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  return %c : tensor<8xi32>
}
"""

PASS = '''
from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named


@dataclass(frozen=True)
class SwapOperands(Pass):
    """Swaps the operands of differences, which is wrong."""

    name = "swap-operands"

    def run(self, op, /):
        for sub in walk_named(op, "linalg.sub"):
            sub.operands[0], sub.operands[1] = sub.operands[1], sub.operands[0]
'''

if __name__ == "__main__":
    Path("sub.mlir").write_text(SOURCE)
    Path("swap.py").write_text(PASS)
    tool = [
        sys.executable,
        "-c",
        "import sys; from allo_air.tools.start import allo_opt; sys.exit(allo_opt())",
        "sub.mlir",
        "--load=swap.py",
    ]
    checked = subprocess.run(
        [*tool, "--canonicalize", "--swap-operands", "--verify-each=execute"], capture_output=True, text=True, check=False
    )
    print(checked.stderr)
    assert checked.returncode == 1
    assert "pass 'swap-operands'" in checked.stderr
    right = subprocess.run([*tool, "--canonicalize", "--verify-each=execute"], capture_output=True, text=True, check=False)
    assert right.returncode == 0, right.stderr
    print("PASS")
