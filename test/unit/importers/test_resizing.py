"""Interpolation by sums of neighbours is PyTorch's."""

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from allo_air.importers.resizing import resizing  # noqa: E402


@pytest.mark.parametrize("shape", [(2, 3, 5, 7), (1, 2, 1, 4), (2, 3, 9)])
@pytest.mark.parametrize(
    "how",
    [{"size": 13}, {"size": 3}, {"size": 1}, {"size": 10, "align_corners": True}, {"scale_factor": 2.3}, {"scale_factor": 1.5}],
)
def test_weights(shape: tuple[int, ...], how: dict[str, Any]) -> None:
    x = torch.randn(shape, dtype=torch.float64)
    if 1 not in shape[2:]:  # the weights of one neighbour twice are 0 by rounding or not
        x[..., 0] = float("inf")
    linear = len(shape) == 3
    op = torch.ops.aten.upsample_linear1d if linear else torch.ops.aten.upsample_bilinear2d
    size, scale, align = (how.get(key) for key in ("size", "scale_factor", "align_corners"))
    spatial = len(shape) - 2
    args = (x, size and [size] * spatial, bool(align), scale and [scale] * spatial)
    wanted = torch.nn.functional.interpolate(x, mode="linear" if linear else "bilinear", **how)
    torch.testing.assert_close(resizing(torch)[op.vec](*args), wanted, equal_nan=True)
    if size:
        torch.testing.assert_close(resizing(torch)[op.default](x, [size] * spatial, bool(align)), wanted, equal_nan=True)


def test_what_is_left_to_torch_mlir() -> None:
    x = torch.zeros((1, 1, 4, 4), dtype=torch.uint8)
    assert resizing(torch)[torch.ops.aten.upsample_bilinear2d.vec](x, [8, 8], False, None) is NotImplemented


@pytest.mark.parametrize(
    ("name", "sizes"), [("bicubic2d", [8, 4]), ("_upsample_bilinear2d_aa", [3, 4]), ("_upsample_bicubic2d_aa", [3, 12])]
)
@pytest.mark.parametrize("align", [False, True])
def test_cubic_and_antialiased(name: str, sizes: list[int], align: bool) -> None:
    x = torch.randn((1, 2, 9, 7), dtype=torch.float64)
    op = getattr(torch.ops.aten, name if name[0] == "_" else f"upsample_{name}").default
    torch.testing.assert_close(resizing(torch)[op](x, sizes, align), op(x, sizes, align))


@pytest.mark.parametrize("name", ["upsample_nearest2d", "_upsample_nearest_exact2d"])
@pytest.mark.parametrize(("sizes", "scales"), [([10, 7], None), ([3, 14], None), (None, [2.0, 3.0]), (None, [2.1, 0.7])])
def test_the_nearest_element_is_selected(name: str, sizes: list[int] | None, scales: list[float] | None) -> None:
    x = torch.randn(1, 2, 5, 7)
    op = getattr(torch.ops.aten, name)
    assert torch.equal(resizing(torch)[op.vec](x, sizes, scales), op(x, sizes, scales))
    if sizes:
        assert torch.equal(resizing(torch)[op.default](x, sizes), op(x, sizes))


class Resized(torch.nn.Module):
    def forward(self, x: Any) -> Any:
        resize = torch.nn.functional.interpolate
        return resize(x, scale_factor=2, mode="bilinear"), resize(x, size=(3, 4), mode="bicubic", antialias=True)


def test_decompositions_of_an_exported_program_hold_no_constants() -> None:
    x = torch.randn(1, 2, 5, 6)
    program = torch.export.export(Resized(), (x,)).run_decompositions(resizing(torch))
    assert not program.constants
    assert not any("upsample" in str(node.target) for node in program.graph.nodes)
    for found, wanted in zip(program.module()(x), Resized()(x), strict=True):
        torch.testing.assert_close(found, wanted)
