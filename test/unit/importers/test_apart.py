"""Operations that the array executes alone, but not in one kernel with others, get kernels of their own."""

from typing import Any

import pytest
import torch

import allo_air.torch
from allo_air.errors import Diagnostic, DiagnosticError
from allo_air.models import model
from allo_air.passes._analysis.kernels import APART
from allo_air.program.source import Source


class Layers(torch.nn.Module):
    """Two layers whose operations share their rows."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Of 8x16, like the result."""
        for _ in range(2):
            x = torch.softmax(x, -1) * x
        return x


@pytest.mark.parametrize("line", [0, 10**6])
def test_a_refused_operation_gets_its_own_kernel(monkeypatch: pytest.MonkeyPatch, line: int) -> None:
    compile, times = model.compile, list[int]()

    def compiled(source: Source, **options: Any) -> Any:
        text = str(source.text)
        if "arith.divf" in text and text.count("linalg.generic") > 1 and APART not in text:
            times.append(1)
            raise DiagnosticError([Diagnostic("error", "<text>", line, 1, "needs too many descriptors")])
        return compile(source, **options)

    monkeypatch.setattr(model, "compile", compiled)
    result = allo_air.torch.compile(Layers(), (torch.ones(8, 16),), device="npu1", cache=False).model
    assert result.share_on_array == 1
    assert times
    partitions = [line for line in result.explain().splitlines() if line.startswith("  partition: ")]
    assert len(partitions) > 1
