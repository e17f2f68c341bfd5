"""Rotary position embeddings as Hugging Face's models compute them: one kernel each for the queries and the keys."""

from __future__ import annotations

import pytest

import allo_air

torch = pytest.importorskip("torch")


class Rotary(torch.nn.Module):
    """Attention whose queries and keys are rotated; with `norm` each head is normalized first, with `heads` a key for two."""

    def __init__(self, heads: int, size: int, *, norm: bool) -> None:
        super().__init__()
        nn, self.heads, self.size = torch.nn, heads, size
        self.angles = nn.Buffer(10000.0 ** (-torch.arange(0, size, 2) / size), persistent=False)
        self.queries = nn.Linear(64, heads * size, bias=False)
        self.keys, self.values = (nn.Linear(64, heads // 2 * size, bias=False) for _ in range(2))
        self.norm = nn.RMSNorm(size, 1e-6) if norm else nn.Identity()

    def rotated(self, x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
        half = self.size // 2
        return x * cos + torch.cat((-x[..., half:], x[..., :half]), -1) * sin

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        shape, rows = (*x.shape[:2], -1, self.size), torch.arange(x.shape[1], dtype=x.dtype)
        angles = torch.outer(rows, self.angles)
        cos, sin = torch.cat((angles, angles), -1).cos(), torch.cat((angles, angles), -1).sin()
        queries, keys = (self.norm(w(x).view(shape)).transpose(1, 2) for w in (self.queries, self.keys))
        values = self.values(x).view(shape).transpose(1, 2)
        queries, keys = self.rotated(queries, cos, sin), self.rotated(keys, cos, sin)
        keys, values = keys.repeat_interleave(2, 1), values.repeat_interleave(2, 1)
        y = torch.nn.functional.scaled_dot_product_attention(queries, keys, values, is_causal=True)
        return y.transpose(1, 2).flatten(2)


@pytest.mark.parametrize(
    ("device", "heads", "size", "length", "norm", "count"),
    [("npu1", 4, 64, 32, False, 6), ("npu2", 6, 32, 17, True, 9)],
)
def test_one_kernel_rotates(device: str, heads: int, size: int, length: int, norm: bool, count: int) -> None:
    torch.manual_seed(0)
    model, x = Rotary(heads, size, norm=norm).eval(), torch.randn(1, length, 64)
    compiled = allo_air.torch.compile(model, x, device=device, cache=False)
    result = compiled(x)
    with torch.no_grad():
        exact = model.double()(x.double())
    assert sum(map(len, compiled.estimate().runs)) == count
    assert (result - exact).abs().max() <= 1e-5 * exact.abs().max()
