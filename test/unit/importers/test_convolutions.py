"""Convolutions of volumes in groups, with and without a batch, as sums of 2-D ones."""

import pytest

torch = pytest.importorskip("torch")

from allo_air.importers.convolutions import convolutions  # noqa: E402


@pytest.mark.parametrize("shape", [(2, 4, 5, 6, 7), (4, 5, 6, 7)])
def test_groups(shape):
    x, weight, bias = torch.randn(shape), torch.randn(8, 2, 3, 2, 3), torch.randn(8)
    options = ([2, 1, 1], [1, 0, 2], [1, 2, 1], 2)
    decomposed = convolutions(torch)[torch.ops.aten.conv3d.default](x, weight, bias, *options)
    torch.testing.assert_close(decomposed, torch.nn.functional.conv3d(x, weight, bias, *options), rtol=1e-4, atol=1e-4)
