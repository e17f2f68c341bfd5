"""Concatenations that grow from layer to layer, as in DenseNet: kernels read parts of them in different layouts."""

from __future__ import annotations

import pytest

import allo_air

torch = pytest.importorskip("torch")


class Dense(torch.nn.Module):
    """Each layer takes the concatenation of the image and of all layers before it."""

    def __init__(self, layers: int) -> None:
        super().__init__()
        nn, sizes = torch.nn, [64 + 32 * n for n in range(layers)]
        self.layers = nn.ModuleList(
            nn.Sequential(nn.BatchNorm2d(n), nn.ReLU(), nn.Conv2d(n, 128, 1), nn.ReLU(), nn.Conv2d(128, 32, 3, padding=1))
            for n in sizes
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        parts = [torch.nn.functional.max_pool2d(torch.relu(x), 2)]
        for layer in self.layers:
            parts.append(layer(torch.cat(parts, 1)))
        return torch.cat(parts, 1)


def test_a_layout_that_two_kernels_read_comes_before_both() -> None:
    torch.manual_seed(0)
    model, x = Dense(3).eval(), torch.randn(1, 64, 16, 16)
    compiled = allo_air.torch.compile(model, x, device="npu2", cache=False)
    with torch.no_grad():
        exact = model.double()(x.double())
    assert not [row.why for row in compiled.model.rows if row.where == "host"]
    assert (compiled(x) - exact).abs().max() <= 1e-5 * exact.abs().max()
