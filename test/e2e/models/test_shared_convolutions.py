"""Convolutions that differ in an addition are one kernel, and an epilogue is a kernel of its own where that pays."""

import re

import pytest

import allo_air.torch
from allo_air.passes.map.pack_convolutions import PackConvolutions

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.slow


class Block(torch.nn.Module):
    """A residual block without norms, and a convolution that nothing is added to."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.one, self.two, self.three = (torch.nn.Conv2d(channels, channels, 3, padding=1) for _ in range(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.relu(self.two(torch.relu(self.one(x))) + x)
        return torch.relu(self.three(y))


def compiled(channels: int, size: int, device: str = "npu2"):
    """The block, an input, and the block compiled for `device`."""
    torch.manual_seed(0)
    block, image = Block(channels).eval(), torch.randn(1, channels, size, size)
    return block, image, allo_air.torch.compile(block, image, device=device, cache=False, check=False)


def kernels(program) -> list[str]:
    """The convolutions of a program in the order of their runs, each with its epilogue if that is apart."""
    return re.findall(r"(?m)^@(main_convolution_\w+)", program.explain())


@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_convolutions_share_a_kernel_and_a_configuration(device: str) -> None:
    block, image, program = compiled(16, 8, device)
    with torch.no_grad():
        torch.testing.assert_close(program(image), block(image), rtol=1e-4, atol=1e-5)
    assert len(kernels(program)) == 3
    assert len(set(kernels(program))) == 1
    assert program.report().reconfigurations == 1


@pytest.mark.parametrize(("channels", "size"), [(32, 14)])
def test_an_epilogue_is_apart_where_that_is_faster(channels: int, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The price that decides between one kernel and two agrees with the predicted times of both, within a tenth."""
    chosen = compiled(channels, size)[2]
    is_apart = any(name.endswith("_after") for name in kernels(chosen))
    monkeypatch.setattr(PackConvolutions, "_reason_to_split_epilogue", lambda *_: "" if is_apart else "apart: the other way")
    other = compiled(channels, size)[2]
    assert any(name.endswith("_after") for name in kernels(other)) != is_apart
    assert chosen.estimate().microseconds <= 1.1 * other.estimate().microseconds
