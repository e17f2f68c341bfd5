"""Operations that the array executes alone, but not in one kernel with others, get kernels of their own."""

from typing import Any

import pytest
import torch

import allo_air.torch
from allo_air import asm
from allo_air.core.contexts import reused_context
from allo_air.core.walking import walk_named
from allo_air.errors import Diagnostic, DiagnosticError
from allo_air.models import model
from allo_air.models.parts import Graph
from allo_air.passes._analysis.kernels import APART
from allo_air.program.source import Source


class Layer(torch.nn.Module):
    """A layer whose operations share their rows."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Of 8x16, like the result."""
        return torch.softmax(x, -1) * x


NUMBERS = """
func.func @main(%t: tensor<i8>) -> i32 {
  %z = tensor.extract %t[] : tensor<i8>
  %n = arith.extui %z : i8 to i32
  return %n : i32
}
"""


def test_operations_on_numbers_are_no_part_of_their_own() -> None:
    """Compiling one ended in an error about a module without tensors."""
    with reused_context():
        module = asm.read(NUMBERS)
        [function] = walk_named(module, "func.func")
        graph = Graph(function)
        assert [graph.computes([n]) for n in range(2)] == [True, False]


def test_a_refused_operation_gets_its_own_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    compile, times = model.compile, list[int]()

    def compiled(source: Source, **options: Any) -> Any:
        text = str(source.text)
        if "arith.divf" in text and text.count("linalg.generic") > 1 and APART not in text:
            times.append(1)
            line = text[: text.rindex("linalg.generic", 0, text.index("arith.divf"))].count("\n") + 1
            raise DiagnosticError([Diagnostic("error", "<text>", line, 1, "needs too many descriptors")])
        return compile(source, **options)

    monkeypatch.setattr(model, "compile", compiled)
    result = allo_air.torch.compile(Layer(), (torch.ones(8, 16),), device="npu1", cache=False).model
    assert result.share_on_array == 1
    assert times
    partitions = [line for line in result.explain().splitlines() if line.startswith("  partition: ")]
    assert len(partitions) > 1
