"""Strided convolutions of images with few channels: the pixels that the stride skips become channels."""

from __future__ import annotations

import pytest

import allo_air

torch = pytest.importorskip("torch")
nn = torch.nn

CASES = {
    "stem": (nn.Conv2d(3, 16, 7, 2, 3), (1, 3, 26, 31)),
    "stride of four": (nn.Conv2d(3, 16, 11, 4, 2), (1, 3, 47, 47)),
    "two images of one channel": (nn.Conv2d(1, 16, 5, (2, 4)), (2, 1, 21, 33)),
    "wave": (nn.Conv1d(2, 16, 9, 4, 4), (1, 2, 130)),
}


@pytest.mark.parametrize("name", CASES)
def test_numbers_are_those_of_the_model(name: str) -> None:
    torch.manual_seed(0)
    layer, shape = CASES[name]
    model, x = nn.Sequential(layer, nn.ReLU()).eval(), torch.randn(shape)
    compiled = allo_air.torch.compile(model, x, device="npu2")
    with torch.no_grad():
        assert torch.allclose(compiled(x), model(x), atol=1e-5)
    assert compiled.model.share_on_array == 1.0
