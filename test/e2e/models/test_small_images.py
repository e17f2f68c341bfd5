"""Convolutions of images of one pixel or four, with many channels: the last layers of models for small images."""

from __future__ import annotations

import pytest

import allo_air

torch = pytest.importorskip("torch")


class Residual(torch.nn.Module):
    """A convolution of `size` x `size` pixels with something added to its result."""

    def __init__(self, channels: int, filters: int, stride: int) -> None:
        super().__init__()
        self.convolution = torch.nn.Conv2d(channels, filters, 3, stride, 1, bias=False)

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.convolution(torch.relu(x)) + y)


@pytest.mark.parametrize(
    ("device", "channels", "filters", "size", "stride"),
    [
        ("npu1", 384, 256, 1, 1),
        pytest.param("npu1", 256, 512, 2, 2, marks=pytest.mark.slow),
        pytest.param("npu2", 512, 256, 2, 2, marks=pytest.mark.slow),
    ],
)
def test_weights_in_pieces_follow_the_image(device: str, channels: int, filters: int, size: int, stride: int) -> None:
    """The weights take the channels of all shims, and the image shares one: the cores take a piece of both in each step."""
    torch.manual_seed(0)
    model = Residual(channels, filters, stride).eval()
    x, y = torch.randn(1, channels, size, size), torch.randn(1, filters, 1, 1)
    compiled = allo_air.torch.compile(model, (x, y), device=device, cache=False)
    with torch.no_grad():
        exact = model.double()(x.double(), y.double())
    assert compiled.model.share_on_array == 1.0
    assert (compiled(x, y) - exact).abs().max() <= 1e-5 * exact.abs().max()
