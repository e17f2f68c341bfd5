"""Parts of models that fit the array as a whole, whatever surrounds them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import allo_air
from allo_air.errors import Diagnostic, DiagnosticError
from allo_air.models import model as models
from allo_air.program.source import Source
from allo_air.program.storage.cache import LimitWarning

torch = pytest.importorskip("torch")
F = torch.nn.functional


class Prenorm(torch.nn.Module):
    """Self-attention after a norm: three products begin with the norm's rows, in buffers that are longer by some."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.q, self.k, self.v, self.o = (torch.nn.Linear(width, width) for _ in range(4))
        self.norm, self.heads = torch.nn.LayerNorm(width), heads

    def forward(self, x: Any) -> Any:
        y = self.norm(x)
        q, k, v = (p(y).view(*x.shape[:2], self.heads, -1).transpose(1, 2) for p in (self.q, self.k, self.v))
        z = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return x + self.o(z.transpose(1, 2).reshape(x.shape))


class Masked(Prenorm):
    """Keys that a mask hides come in blocks of their own beside keys and values."""

    def forward(self, x: Any, hidden: Any) -> Any:
        q, k, v = (p(x).view(*x.shape[:2], self.heads, -1).transpose(1, 2) for p in (self.q, self.k, self.v))
        return F.scaled_dot_product_attention(q, k, v, attn_mask=hidden[:, None, None, :].bool()).transpose(1, 2).flatten(2)


class Packed(torch.nn.Module):
    """Tokens see those before them in the same sequence; the tokens of sequence 0 are padding, and see none."""

    def __init__(self, heads: int) -> None:
        super().__init__()
        self.heads = heads

    def forward(self, x: Any, sequence: Any) -> Any:
        q, k, v = (part.view(*x.shape[:2], self.heads, -1).transpose(1, 2) for part in x.chunk(3, dim=2))
        seen = (
            (sequence[:, None, :] == sequence[:, :, None])
            & (sequence > 0)[:, None]
            & torch.ones(x.shape[1], x.shape[1]).tril().bool()
        )
        return F.scaled_dot_product_attention(q, k, v, attn_mask=seen[:, None]).transpose(1, 2).flatten(2)


class Scaled(torch.nn.Module):
    """Columns are scaled by a row over its mean, as in a global response norm."""

    def forward(self, x: Any, row: Any, weight: Any, bias: Any) -> Any:
        return weight * (x * (row / (row.mean() + 1e-6))) + bias + x


class Timed(torch.nn.Module):
    """A number for each channel, or for each pixel, is added after a convolution."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv = torch.nn.Conv2d(8, channels, 3, padding=1)

    def forward(self, x: Any, t: Any) -> Any:
        return self.conv(x) + (t[:, :, None, None] if t.dim() == 2 else t)


class Assigned(torch.nn.Module):
    """Slices assigned to one number, to a table and to parts that are constants."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("table", torch.arange(108.0).reshape(9, 12))

    def forward(self, y: Any) -> Any:
        filled, table, mask = torch.full((9, 12), -2.0), self.table.clone(), torch.zeros(9, 12)
        filled[1:7:2, 1::2] = y
        table[2:5, 3:9] = y
        table[8:9, :2] = y[:1, :2]
        mask[:4, 2:], mask[4:, :7] = 1.0, 2.0
        return filled + table, mask * filled


@pytest.mark.parametrize(("width", "heads", "tokens"), [(128, 4, 77), (64, 4, 17)])
def test_rows_behind_a_norm(width: int, heads: int, tokens: int) -> None:
    _is_right(Prenorm(width, heads), torch.randn(1, tokens, width))


@pytest.mark.parametrize(("heads", "device"), [(2, "npu2"), (4, "npu1")])
def test_masks_of_keys(heads: int, device: str) -> None:
    hidden = torch.ones(1, 64, dtype=torch.long)
    hidden[:, 50:] = 0
    _is_right(Masked(128, heads), torch.randn(1, 64, 128), hidden, device=device)


@pytest.mark.parametrize(
    ("heads", "width", "tokens", "device"),
    [(4, 32, 64, "npu1"), (4, 32, 64, "npu2"), pytest.param(12, 64, 128, "npu2", marks=pytest.mark.slow)],
)
def test_masks_of_packed_sequences(heads: int, width: int, tokens: int, device: str) -> None:
    """Numbers of sequences come by query and by key; with 12 heads, double buffers need more locks than a core has."""
    sequence = torch.arange(tokens)[None] * 4 // tokens
    _is_right(Packed(heads), torch.randn(1, tokens, 3 * heads * width), sequence, device=device)


def test_the_mean_of_a_long_row_beside_columns() -> None:
    """The mean is taken in parts, of a dimension that is therefore not split between launches and cores."""
    _is_right(Scaled(), torch.randn(49, 3072), *torch.rand(3, 3072))


@pytest.mark.parametrize("shape", [(1, 32), (1, 1, 4, 8), (1, 32, 1, 1)])
def test_what_is_added_behind_a_convolution(shape: tuple[int, ...]) -> None:
    _is_right(Timed(32), torch.randn(1, 8, 4, 8), torch.randn(*shape))


@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_slices_assigned_to_constants(device: str) -> None:
    _is_right(Assigned(), torch.randn(3, 6), device=device)


class Numbers(torch.nn.Module):
    """Slices of an argument are assigned to numbers."""

    def forward(self, x: Any) -> Any:
        x = x.clone()
        x[1:3, 10:600] = 7
        x[::2, 5::3] = -1
        return x


@pytest.mark.parametrize(("device", "kind"), [("npu2", torch.int32), ("npu1", torch.float32)])
def test_numbers_assigned_to_slices(device: str, kind: Any) -> None:
    x = torch.arange(3500).reshape(5, 700).to(kind)
    compiled = allo_air.torch.compile(Numbers(), x, device=device, strict=True, cache=False)
    assert torch.equal(compiled(x), Numbers()(x))


def _is_right(model: Any, *inputs: Any, device: str = "npu2") -> None:
    torch.manual_seed(0)
    made = allo_air.torch.compile(model.eval(), inputs, device=device, strict=True, cache=False)
    assert made.error(*inputs) < 1e-5


class Angles(torch.nn.Module):
    """Products around an operation that the tests have refused."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.last = torch.nn.Linear(16, 16), torch.nn.Linear(16, 16)

    def forward(self, x: Any) -> Any:
        return self.last(torch.atan(self.first(x)) + 1.0)


@pytest.mark.parametrize("line", [0, 1])
def test_an_error_without_a_line_sends_one_operation_to_the_host(monkeypatch: pytest.MonkeyPatch, line: int) -> None:
    def refusing(source: Source, **options: Any) -> Any:
        if "math.atan" in source.text:
            raise DiagnosticError([Diagnostic("error", "", line, 0, "has an angle")])
        return compile_of_texts(source, **options)

    compile_of_texts = models.compile
    monkeypatch.setattr(models, "compile", refusing)
    x, model = torch.randn(8, 16), Angles().eval()
    compiled = allo_air.torch.compile(model, x)
    assert torch.allclose(compiled(x), model(x), atol=1e-5)
    assert [row.operation for row in compiled.model.rows if row.why == "has an angle"] == ["linalg.generic"]
    with pytest.raises(DiagnosticError, match=r"'linalg.generic' cannot run on the array: has an angle"):
        allo_air.torch.compile(model, x, strict=True)


def test_many_errors_without_a_line_send_the_part_to_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = []

    def refusing(source: Source, **_: Any) -> Any:
        texts.append(source.text)
        raise DiagnosticError([Diagnostic("error", "", 0, 0, "does not fit")])

    monkeypatch.setattr(models, "compile", refusing)
    x, model = torch.randn(8, 16), torch.nn.Sequential(*[Angles() for _ in range(12)]).eval()
    compiled = allo_air.torch.compile(model, x, check=False)
    assert torch.allclose(compiled(x), model(x), atol=1e-5)
    assert len(texts) < 100


def test_the_limit_of_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    x, model = torch.randn(8, 16), torch.nn.Linear(16, 16).eval()
    with pytest.warns(LimitWarning, match="raise the limit with cache_limit="):
        allo_air.torch.compile(model, x, cache_limit=100)
    later = torch.compile(model, backend="allo_air", options={"cache_limit": 1 << 30})
    with torch.no_grad():
        assert torch.allclose(later(x), model(x), atol=1e-5)
    assert allo_air.torch.compile(model, x).model.is_cached


def test_types_that_programs_cannot_pass_are_known_before_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wide(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            for number in range(40):  # more than the turns that a model has
                x = torch.tanh(x) + number
            return x

    monkeypatch.setattr(models, "compile", lambda *_, **__: pytest.fail("nothing is for the array"))
    x = torch.linspace(-1, 1, 32, dtype=torch.float64)
    made = allo_air.torch.compile(Wide(), x, check=False)
    torch.testing.assert_close(made(x), Wide()(x))
    [why] = {row.why for row in made.estimate().rows}
    assert why == "takes or gives tensor<32xf64>, and the array computes no f64; give it f32, and convert on the host"
    with pytest.raises(DiagnosticError, match=r"'linalg\.generic' cannot run on the array: takes or gives tensor<32xf64>"):
        allo_air.torch.compile(Wide(), x, strict=True)
