"""Models of PyTorch, compiled ahead and by torch.compile, against torch in float64."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import allo_air
from allo_air.core.walking import walk_named
from allo_air.errors import AlloAirError, ArgumentError

torch = pytest.importorskip("torch", reason="torch is not installed (extra 'torch')")

import allo_air.torch  # noqa: E402
from allo_air.importers.batch_norms import fold_torch  # noqa: E402

from . import blocks  # noqa: E402

EXACT, ROUNDED = 2e-5, 2e-2
"""Relative to the largest result: for f32 throughout, and for operands of products in bf16 (2^-8 each, over a few layers)."""


def draw(*shape: int) -> Any:
    return torch.from_numpy(np.random.default_rng(len(shape)).standard_normal(shape).astype(np.float32))


CASES = [
    (blocks.Mlp, "npu1", None, (draw(8, 40),)),
    pytest.param(blocks.Residual, "npu1", "bf16", (draw(1, 16, 9, 9),), marks=pytest.mark.slow),
    (blocks.Inverted, "npu2", None, (draw(1, 8, 10, 10),)),
    pytest.param(blocks.Encoder, "npu1", None, (draw(1, 13, 32),), marks=pytest.mark.slow),
    pytest.param(blocks.Decoder, "npu1", "bf16", (draw(1, 11, 32),), marks=pytest.mark.slow),
    (blocks.Recurrent, "npu1", None, (draw(2, 2, 24), draw(2, 24))),
]


@pytest.mark.parametrize(("kind", "device", "dtype", "inputs"), CASES, ids=lambda v: getattr(v, "__name__", str(v)[:5]))
def test_block(kind: Any, device: str, dtype: str | None, inputs: tuple[Any, ...]) -> None:
    compiled = allo_air.torch.compile(blocks.made(kind), inputs, device=device, dtype=dtype)
    assert compiled.error(*inputs) < (EXACT if dtype is None else ROUNDED)
    assert all(row.where == "array" for row in compiled.report().rows)


def test_tables_stay_on_the_host() -> None:
    model, tokens = blocks.made(blocks.Words), torch.from_numpy(np.random.default_rng(0).integers(0, 3000, (2, 7)))
    compiled = allo_air.torch.compile(model, tokens)
    estimated = compiled.estimate()
    assert compiled.error(tokens) < EXACT
    report = compiled.report()
    assert estimated.microseconds == pytest.approx(report.microseconds, rel=0.05) and estimated.parts[0] == report.parts[0]
    assert [p.where for p in report.parts] == ["host", "array"]
    [why] = {row.why for row in report.rows if row.why}
    assert "from a table of 384.0 kB" in why and report.crossed == 2 * 7 * 4 * (32 + 20)
    assert "blocks.py:" in report.text()
    with pytest.raises(AlloAirError, match=r"Words: 'linalg.generic' cannot run on the array: picks .* from a table"):
        allo_air.torch.compile(model, tokens, strict=True)


class Page(HTMLParser):
    """The tags and the text of a page; `open` are elements that were not closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags, self.open, self.text = set[str](), list[str](), ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_prompt_and_token_step_share_their_weights(tmp_path: Path) -> None:
    model, tokens = blocks.made(blocks.Speaker), torch.tensor([[3, 7, 1, 44, 9]])

    def spoken(prompt: Any, step: Any) -> list[int]:
        logits, keys, values = prompt(tokens)
        found = []
        for position in range(tokens.shape[1], tokens.shape[1] + 3):
            found.append(int(logits.argmax()))
            logits, keys, values = step(torch.tensor([found[-1:]]), torch.tensor([position]), keys, values)
        return [*found, int(logits.argmax())]

    _, keys, values = model.prompt(tokens)
    example = torch.tensor([[0]]), torch.tensor([5]), keys, values
    made = allo_air.torch.compile_together({"prompt": (model.prompt, tokens), "step": (model.step, example)}, device="npu2")
    assert spoken(made["prompt"], made["step"]) == spoken(model.prompt, model.step)
    size = sum(4 * p.numel() for p in model.parameters())
    # a few are stored in two layouts, as their products take different tiles
    assert size <= made.weights.stored < 1.25 * size < made.weights.used
    assert "blocks.py:" in made["step"].report().rows[-1].line
    made["step"].report_html(tmp_path / "report.html")
    seen = Page((tmp_path / "report.html").read_text())
    assert seen.open == [] and {"table", "svg", "rect", "circle"} <= seen.tags
    for figures in made["step"].report().figures:
        assert all(f"{k.cycles:,}" in seen.text for k in figures.kernels)
    made["step"].plot(tmp_path / "graph.dot")
    assert '"part 0, 0" -> "part 0, ' in (tmp_path / "graph.dot").read_text()
    with pytest.raises(AlloAirError, match=r"is not a graph that can be drawn; its name may end in \.svg"):
        made["step"].model.plot(tmp_path / "graph.gif")
    with pytest.raises(ArgumentError, match="no program 'stop'; there are prompt, step"):
        made["stop"]


def test_elements_put_at_places_that_data_tells() -> None:
    class Put(torch.nn.Module):
        def forward(self, cache: Any, new: Any, place: Any) -> Any:
            changed = cache.clone()
            changed[:, place - 9] = new
            return cache.index_copy(1, place, new), changed

    cache, new = draw(2, 9, 4), draw(2, 3, 4)
    compiled = allo_air.torch.from_pytorch(Put(), (cache, new, torch.tensor([0, 0, 0])))
    for place in ([4, 8, 0], [7, 2, 7]):
        found = compiled(cache, new, torch.tensor(place))
        for array in found:
            np.testing.assert_array_equal(array, Put()(cache, new, torch.tensor(place))[0])


def test_equal_layers_share_their_kernels() -> None:
    layers = [torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.LayerNorm(64), torch.nn.ReLU()) for _ in range(6)]
    model, x = torch.nn.Sequential(*layers).eval(), draw(16, 64)
    [program] = allo_air.torch.compile(model, x, device="npu2").model.programs
    runs = walk_named(program._design.sequence.operation, "aiex.run")
    assert len(runs) >= 6 and len({r.opview.runtime_sequence_symbol for r in runs}) <= 3


def test_backend() -> None:
    model, reports = blocks.made(blocks.Mlp), list[Any]()
    compiled = torch.compile(model, backend="allo_air", options={"device": "npu2", "report": reports.append})
    with torch.no_grad():
        for x in (draw(8, 40), draw(3, 40)):
            torch.testing.assert_close(compiled(x), model(x), rtol=0, atol=1e-5)
        model.up.weight.mul_(3)
        torch.testing.assert_close(compiled(x), model(x), rtol=0, atol=1e-5)
    assert len(reports) == 3 and reports[0].microseconds > 0


def test_backend_keeps_a_program_for_each_shape() -> None:
    run, weight = allo_air.torch.backend(lambda x, w: (x * w,), []), torch.nn.Parameter(draw(8), requires_grad=False)
    for x in (draw(4, 8), draw(2, 8), draw(4, 8)):
        assert torch.equal(run(x, weight)[0], x * weight)
    first = dict(run.compiled)
    assert len(first) == 2
    weight.add_(1)
    assert torch.equal(run(x, weight)[0], x * weight)
    assert len(run.compiled) == 1 and not set(run.compiled.values()) & set(first.values())


def test_structure_and_types() -> None:
    class Nested(torch.nn.Module):
        def forward(self, given: Any, *, scale: Any) -> Any:
            return {"sum": given["a"] + scale, "same": [given["a"]]}

    a, scale = draw(4, 8).bfloat16(), draw(8).bfloat16()
    compiled = allo_air.torch.compile(Nested(), ({"a": a},), {"scale": scale})
    found = compiled({"a": a}, scale=scale)
    assert found["sum"].dtype == torch.bfloat16 and torch.equal(found["sum"], a + scale) and torch.equal(found["same"][0], a)
    with pytest.raises(AlloAirError, match="was compiled for inputs as in"):
        compiled(a, scale=scale)
    with pytest.raises(ArgumentError, match="input given_a is 2x8 of bfloat16, it was compiled for 4x8 of bfloat16"):
        compiled({"a": a[:2]}, scale=scale)


def test_results_that_are_no_tensors_and_inputs_that_are_fixed() -> None:
    class Mixed(torch.nn.Module):
        def forward(self, x: Any, scale: float, mask: Any, kind: str, y: Any, flag: bool = True) -> Any:
            return (x * scale).mean(), mask, 3, y if flag and kind == "last" else x

    x, y = draw(4, 8), draw(4, 8)
    rest = (None, "last", y)
    compiled = allo_air.torch.compile(Mixed(), (x, 2.0, *rest))
    mean, none, three, same = compiled(x, 2.0, *rest)
    assert mean.shape == () and torch.allclose(mean, 2 * x.mean()) and (none, three) == (None, 3) and torch.equal(same, y)
    for given, message in (
        ((x, 3.0, *rest), "input 1 is fixed to 2.0, as in the example it was compiled for; called with 3.0"),
        ((x.numpy(), 2.0, *rest), "input 0 is a numpy.ndarray, expected a torch.Tensor"),
        ((x,), r"was compiled for inputs as in \(_, _, _, _, _\), called with \(_\)"),
    ):
        with pytest.raises(ArgumentError, match=message):
            compiled(*given)


def test_unsigned_bytes() -> None:
    class Image(torch.nn.Module):
        def forward(self, x: Any, y: Any) -> Any:
            return x / 255.0, x // y, x - y, (x * 0.7).to(torch.uint8), torch.maximum(x, y), x > 128

    x, y = torch.arange(0, 256, 4, dtype=torch.uint8), torch.arange(1, 65, dtype=torch.uint8)
    for found, wanted in zip(allo_air.torch.from_pytorch(Image(), (x, y))(x, y), Image()(x, y), strict=True):
        np.testing.assert_allclose(found, wanted.numpy(), rtol=1e-6)


def test_rows_by_experts_and_histograms() -> None:
    class Experts(torch.nn.Module):
        def forward(self, x: Any, weights: Any, which: Any) -> Any:
            counts = torch.histc(which.float(), bins=3, min=0, max=2)
            order = torch.sort(which)[1]
            products = torch._grouped_mm(x[order], weights, offs=counts.cumsum(0).to(torch.int32))
            back = torch.empty_like(order)
            back[order] = torch.arange(len(order))
            return products[back], torch.histc(x[0].float(), 4)

    x, weights = torch.randint(-3, 4, (9, 16)).bfloat16(), torch.randint(-2, 3, (3, 16, 24)).bfloat16()
    which = torch.tensor([2, 0, 2, 2, 0, 2, 0, 0, 2])  # none for the second expert
    products, histogram = allo_air.torch.from_pytorch(Experts(), (x, weights, which))(x, weights, which)
    np.testing.assert_array_equal(products, torch.einsum("rk,rkn->rn", x.float(), weights[which].float()).numpy())
    np.testing.assert_array_equal(histogram, torch.histc(x[0].float(), 4).numpy())


def test_sorts_on_the_host() -> None:
    class Best(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return x.topk(3)

    x = draw(4, 9)
    for found, wanted in zip(allo_air.torch.from_pytorch(Best(), (x,))(x), x.topk(3), strict=True):
        np.testing.assert_array_equal(found, wanted.numpy())


@pytest.mark.parametrize("pad", ["Reflection", "Circular"])
def test_pads_of_normed_planes(pad: str) -> None:
    """Planes follow their loop; they are not found by comparisons, each of which norms them again."""
    last = getattr(torch.nn, f"{pad}Pad2d")(2)
    model = torch.nn.Sequential(
        torch.nn.Conv2d(16, 16, 3, padding=1), torch.nn.InstanceNorm2d(16), torch.nn.ReLU(), last
    ).eval()
    x = draw(1, 16, 17, 17)
    compiled = allo_air.torch.compile(model, (x,), device="npu2", strict=True, cache=False)
    assert len(compiled.report().figures) == 1 and compiled.estimate().microseconds < 3000  # 64,000 otherwise
    torch.testing.assert_close(compiled(x), model(x).detach(), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", [torch.float32, torch.int32, torch.uint8])
def test_rows_too_long_for_the_array_are_sorted_on_the_host(dtype: torch.dtype, descending: bool) -> None:
    """Equal elements keep their order; NaN is the largest number."""

    class Sorted(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return x.sort(1, descending=descending)

    x = torch.randint(0, 200, (2, 5000)).to(dtype)
    if dtype.is_floating_point:
        x[1, [7, 9]] = float("nan")
    compiled = allo_air.torch.compile(Sorted(), (x,), cache=False)
    assert {row.where for row in compiled.report().rows if "sort" in row.operation} == {"host"}
    for found, wanted in zip(compiled(x), x.sort(dim=1, descending=descending, stable=True), strict=True):
        np.testing.assert_array_equal(found.numpy(), wanted.numpy())


def test_sorts_with_equal_elements_are_no_wrong_import() -> None:
    """PyTorch leaves the order of equal elements open, so that its results are no reference."""

    class Sorts(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            orders = x.argsort(dim=1, stable=False), x.argsort(dim=1, descending=True, stable=True)
            return x.topk(4)[1], x.argsort(0), *orders, x.kthvalue(3, 1)[1]

    x = torch.zeros(3, 40)
    first, rows, *orders, third = allo_air.torch.compile(Sorts(), (x,), cache=False)(x)
    assert (first == torch.arange(4)).all() and (rows == torch.arange(3)[:, None]).all() and (third == 2).all()
    assert all((order == torch.arange(40)).all() for order in orders)


def test_reports_of_models_with_sorts_and_scans() -> None:
    class Sums(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return x.cumsum(1), x.topk(2)[0], x[tuple(torch.tril_indices(4, 4, -1))]  # rows by square roots

    x = draw(4, 9).bfloat16()
    compiled = allo_air.torch.compile(Sums(), (x,))
    assert torch.equal(compiled(x)[2], Sums()(x)[2])
    assert "results within" in str(compiled.report())


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
def test_bags_of_embeddings(mode: str) -> None:
    places, ends = torch.tensor([1, 4, 4, 7, 0, 3, 9, 2]), torch.tensor([0, 3, 3, 6])
    for owner, given in (
        (torch.nn.EmbeddingBag(10, 12, mode=mode, padding_idx=4), (places, ends)),
        (torch.nn.EmbeddingBag(10, 12, mode=mode), (places.view(2, 4),)),
        (torch.nn.EmbeddingBag(10, 12, mode=mode, include_last_offset=True), (places, torch.tensor([0, 3, 8]))),
    ):
        found = allo_air.torch.from_pytorch(owner, given)(*given)
        np.testing.assert_allclose(found, owner(*given).detach().numpy(), rtol=1e-5, atol=1e-6)


def test_operations_that_torch_mlir_lacks() -> None:
    class Many(torch.nn.Module):
        def forward(self, x: Any, y: Any, n: Any, small: Any) -> Any:
            reals = (
                torch.erfc(2 * x),
                torch.hypot(x, y),
                torch.copysign(x, y),
                torch.signbit(-0.0 * x),
                torch.isfinite(1 / (x - x)),
                torch.fmod(x, 0.75),
            )
            orders = (*x.median(1), x.median(), *x.kthvalue(2, 0), torch.searchsorted(y[0].sort()[0], x, right=True))
            apart = (
                torch.cdist(x, y),
                torch.cdist(x, y, p=1),
                torch.nn.functional.pdist(x),
                torch.dist(x, y),
                torch.linalg.norm(x),
            )
            volume = torch.nn.functional.pad(x.reshape(1, 6, 1, 3, 3), (0, 0, 0, 0, 1, 1))
            groups = torch.nn.functional.conv3d(volume, y.reshape(6, 1, 3, 3, 1), y[:, 0], (1, 1, 2), (1, 0, 1), (2, 1, 1), 6)
            wholes = (
                n**3,
                n ** (n % 5 - 1).abs(),
                n.fmod(3),
                small * 3,
                small // 7,
                small % 5,
                small.fmod(3),
                torch.block_diag(n, n),
            )
            return *reals, *orders, *apart, groups, *wholes

    x, y = draw(6, 9), draw(6, 9).flip(0)
    n = torch.arange(-27, 27, dtype=torch.int32).reshape(6, 9)
    given = (x, y, n, 4 * n.to(torch.int8))
    for found, wanted in zip(allo_air.torch.from_pytorch(Many(), given)(*given), Many()(*given), strict=True):
        assert found.dtype == wanted.numpy().dtype
        np.testing.assert_allclose(found, wanted.numpy(), rtol=1e-5, atol=1e-12)


def test_buffers_that_are_not_saved_and_weights_in_lists() -> None:
    class Tokens(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first = torch.nn.Parameter(draw(3, 4))
            self.register_buffer("scale", draw(3, 4), persistent=False)
            self.places = torch.tensor([2, 0, 1])

        def forward(self, x: Any) -> Any:
            rows = x[self.places] + torch.cat([self.scale, self.first])[:3]
            return torch.stack([self.first, x, self.scale]).sum(0), torch.index_put(rows, (self.places,), self.first)

    x, model = draw(3, 4), torch.nn.Sequential(Tokens())
    for found, wanted in zip(allo_air.torch.compile(model, x, device="npu2")(x), model(x), strict=True):
        np.testing.assert_allclose(found.numpy(), wanted.detach().numpy(), rtol=1e-5)


@pytest.mark.parametrize(
    ("sizes", "to"),
    [
        ((3, 17), (5,)),
        ((2, 3, 7, 9), (3, 4)),
        ((2, 4, 3), (6, 4)),
        ((2, 5, 7, 5), (2, 3, 2)),
        ((2, 4, 3, 6), (4, 3, 2)),
        ((2, 3, 4), (3, 2)),
    ],
)
def test_adaptive_maxima_of_windows_that_differ(sizes: tuple[int, ...], to: tuple[int, ...]) -> None:
    class Pool(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return getattr(torch.nn.functional, f"adaptive_max_pool{len(to)}d")(x, to, return_indices=True)

    x = draw(*sizes)
    for found, wanted in zip(allo_air.torch.from_pytorch(Pool(), (x,))(x), Pool()(x), strict=True):
        np.testing.assert_array_equal(found, wanted.numpy())
    allo_air.torch.compile(Pool(), (x,), cache=False)(x)  # nothing is read before it is written


def test_nan_stays_in_maxima_and_clamps() -> None:
    class Bounds(torch.nn.Module):
        def forward(self, x: Any, y: Any) -> Any:
            bounded = x.clamp(-1, 1), x.clamp(min=0.0), x.clamp(max=0.0), torch.clamp(x, y, y + 1)
            return *bounded, torch.maximum(x, y), torch.minimum(y, x), torch.nn.functional.relu6(x)

    x, y = draw(4, 16), draw(4, 16).flip(0)
    x[1, 2], y[2, 5], x[3, 3], x[3, 4] = float("nan"), float("nan"), float("inf"), -float("inf")
    compiled = allo_air.torch.compile(Bounds(), (x, y), device="npu2", strict=True)
    for found, wanted in zip(compiled(x, y), Bounds()(x, y), strict=True):
        np.testing.assert_array_equal(found, wanted)


def test_operations_without_a_batch_or_elements() -> None:
    F = torch.nn.functional

    class Pools(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return F.max_pool1d(x[0], 2), *F.max_pool2d(x, 3, return_indices=True), F.max_pool3d(x[None], 2)

    class Empty(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return x.flatten(1), x[:0].flatten(1).sum()

    class Steps(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            scale = torch.arange(1, 9) * 0.05
            return torch.fake_quantize_per_channel_affine(x, scale, torch.arange(8, dtype=torch.int32), 1, -9, 8)

    for module, x in ((Pools(), draw(3, 8, 9)), (Empty(), draw(0, 3, 4)), (Steps(), draw(3, 8, 9))):
        results, wanted = (
            f if isinstance(f, tuple) else (f,) for f in (allo_air.torch.from_pytorch(module, (x,))(x), module(x))
        )
        for found, exact in zip(results, wanted, strict=True):
            np.testing.assert_allclose(found, exact.numpy(), rtol=1e-6)


@pytest.mark.parametrize("name", ["scatter", "scatter_add", "scatter_reduce"])
def test_scatters_along_a_dimension_counted_from_the_end(name: str) -> None:
    class Places(torch.nn.Module):
        def forward(self, x: Any, i: Any, v: Any) -> Any:
            return getattr(torch, name)(x, -1, i, v, *(("amax",) if name == "scatter_reduce" else ()))

    inputs = draw(3, 7), torch.tensor([[0, 6, 2], [1, 2, 3], [5, 4, 0]]), draw(3, 3)
    np.testing.assert_allclose(allo_air.torch.from_pytorch(Places(), inputs)(*inputs), Places()(*inputs), rtol=1e-6)


def test_results_of_complex_numbers_are_nested_as_the_modules() -> None:
    class Spectra(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return {"power": torch.fft.rfft(x).abs(), "rest": [x, None, 3]}

    x = draw(2, 8)
    found, wanted = allo_air.torch.from_pytorch(Spectra(), (x,))(x), Spectra()(x)
    assert list(found) == list(wanted)
    assert found["rest"][1:] == [None, 3]
    np.testing.assert_allclose(found["power"], wanted["power"], rtol=1e-5)
    np.testing.assert_array_equal(found["rest"][0], x)


@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_complex_inputs_and_results(device: str) -> None:
    class Numbers(torch.nn.Module):
        def forward(self, x: Any, y: Any, z: Any, mode: str) -> Any:
            assert mode == "all"
            real = torch.zeros_like(z, dtype=torch.float32) + y + torch.full_like(z, 2, dtype=torch.float32)
            shifted = [1 - z, z + torch.arange(8), z + (1 + 2j), torch.where(z.real > 0, z, 1), torch.cat([z, x])]
            means = [real, y.mean(0, dtype=torch.complex64), z.sum(1)]
            padded = torch.nn.functional.pad(z, (1, 2), value=3.0)
            return {"spectrum": torch.fft.fft(y) * z.conj(), "shifted": shifted, "padded": padded, "means": means}

    x, y = draw(3, 8), draw(6, 8)
    z = torch.complex(draw(6, 8), draw(6, 8).flip(0))
    compiled = allo_air.torch.compile(Numbers(), (x, y, z, "all"), device=device, cache=False)
    found, wanted = compiled(x, y, z.conj().resolve_conj().conj(), "all"), Numbers()(x, y, z, "all")
    for name in wanted:
        torch.testing.assert_close(found[name], wanted[name], rtol=1e-4, atol=1e-4)
    assert compiled.error(x, y, z, "all") < EXACT
    with pytest.raises(ArgumentError, match=r"input 2 is a tensor of torch.float32, expected complex numbers"):
        compiled(x, y, y, "all")


def test_mistakes() -> None:
    class Counts(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("count", torch.zeros(4))

        def forward(self, x: Any) -> Any:
            self.count += 1
            return x + self.count

    class Branches(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return x if x.sum() > 0 else -x

    class Shrinks(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return x[x > 0]

    class Draws(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return torch.nn.functional.dropout(x)

    class Turns(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return torch.polar(x, x).sinh()

    class Solves(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return torch.linalg.solve(torch.eye(65), x.repeat(17)[:65])

    class Steps(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return torch.quantize_per_tensor(x, 0.1, 0, torch.qint8).dequantize()

    with pytest.raises(ArgumentError, match=r"Identity: example input 0 is a numpy\.ndarray, expected a torch\.Tensor"):
        allo_air.torch.compile(torch.nn.Identity(), (draw(4).numpy(),))
    with pytest.raises(AlloAirError, match=r"input 'input' is a sparse tensor \(torch.sparse_coo\)"):
        allo_air.torch.compile(torch.nn.Identity(), (draw(4, 4).to_sparse(),))
    for module, message in (
        (Steps(), r"test_torch.py:\d+: error: Steps: .* aten.quantize_per_tensor.* is of the quantized type torch.qint8"),
        (
            Turns(),
            r"test_torch.py:\d+: error: Turns: the result of .* is of complex numbers, .*sinh.* has no form",
        ),
        (Solves(), r"test_torch.py:\d+: error: Solves: operation aten.linalg_solve has no lowering"),
        (Shrinks(), r"test_torch.py:\d+: error: Shrinks: the size of the result of aten.index.Tensor depends on data"),
        (Draws(), r"operation aten.native_dropout.default draws random numbers"),
        (Counts(), "Counts changes count in place, and a program on the array has no state"),
        (
            Branches(),
            r"test_torch.py:\d+: error: torch.export cannot export Branches: .* depends on input values, .*data-dependent",
        ),
    ):
        with pytest.raises(AlloAirError, match=message):
            allo_air.torch.compile(module, draw(4))
    with pytest.raises(AlloAirError, match=r"Identity: input 'input' is of torch.uint16, which torch-mlir does not take"):
        allo_air.torch.compile(torch.nn.Identity(), draw(4).to(torch.uint16))
    with pytest.raises(AlloAirError, match="dtype is 'f8', expected 'bf16'"):
        allo_air.torch.compile(blocks.Mlp(), draw(8, 40), dtype="f8")
    with pytest.raises(AlloAirError, match="unknown device 'npu7'"):
        allo_air.torch.compile(blocks.Mlp(), draw(8, 40), device="npu7")
    with pytest.raises(ArgumentError, match="backend allo_air has no option 'devise'"):
        allo_air.torch.backend(None, [], options={"devise": "npu2"})
    with pytest.raises(ArgumentError, match="backend allo_air has no mode 'max-autotune'"):
        allo_air.torch.backend(None, [], mode="max-autotune")


def test_a_second_input_is_no_mapping_of_keywords() -> None:
    with pytest.raises(ArgumentError, match=r"several inputs are one sequence, as \(x, y\)"):
        allo_air.torch.compile(torch.nn.Linear(3, 4), torch.ones(2, 3), torch.ones(2, 3))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("channels", "size", "added", "dtype", "device"),
    [
        (112, 5, False, None, "npu2"),
        pytest.param(256, 6, False, None, "npu1", marks=pytest.mark.slow),
        (64, 5, True, None, "npu1"),
        pytest.param(136, 7, True, None, "npu2", marks=pytest.mark.slow),
        pytest.param(128, 6, True, "bf16", "npu2", marks=pytest.mark.slow),
    ],
)
def test_descriptors_of_biases_do_not_grow_with_the_channels(
    channels: int, size: int, added: bool, dtype: str | None, device: str
) -> None:
    """What is added to a convolution comes over a channel that brings parts of its image or weights."""

    class Block(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.conv = torch.nn.Conv2d(channels, 16, 3, padding=1)

        def forward(self, x: Any, y: Any) -> Any:
            return torch.relu(self.conv(x) + y if added else self.conv(x))

    x, y, model = draw(1, channels, size, size), draw(1, 16, size, size), Block().eval()
    compiled = allo_air.torch.compile(model, (x, y), device=device, dtype=dtype)
    assert [s.part.where for s in compiled.model.steps] == ["array"]
    with torch.no_grad():
        most = 1e-2 if dtype else 1e-5
        np.testing.assert_allclose(compiled(x, y).numpy(), model(x, y).numpy(), rtol=most, atol=most)


def test_a_batch_norm_without_a_batch_stays() -> None:
    """It takes the pixels of a convolution without a batch for channels."""
    model = torch.nn.Sequential(torch.nn.Conv1d(3, 8, 1), torch.nn.BatchNorm1d(8)).eval()
    model[1].running_mean.copy_(draw(8))
    x = draw(3, 8)
    program = torch.export.export(model, (x,), strict=False).run_decompositions({})
    fold_torch(torch, program)
    np.testing.assert_array_equal(program.module()(x).detach().numpy(), model(x).detach().numpy())


@pytest.mark.parametrize("way", ["module", "exported", "dynamo"])
def test_batch_norms_are_folded(way: str) -> None:
    """Into the weights before them, which stay what they are for others."""
    nn = torch.nn
    model = nn.Sequential(
        *(nn.Conv2d(4, 8, 3, padding="same", bias=False), nn.BatchNorm2d(8), nn.ReLU()),
        *(nn.ConvTranspose2d(8, 6, 2, 2), nn.BatchNorm2d(6, affine=False), nn.Flatten(1)),
        *(nn.Linear(384, 5), nn.BatchNorm1d(5)),
    ).eval()
    for layer in model:
        for name, value in layer.named_buffers():
            if value.is_floating_point():
                value.copy_(draw(*value.shape).abs() + 0.2 if name == "running_var" else draw(*value.shape))
    x, before = draw(2, 4, 4, 4), {n: v.clone() for n, v in model.state_dict().items()}
    wanted = model(x).detach().numpy()
    with torch.no_grad():
        if way == "dynamo":
            found = torch.compile(model, backend="allo_air", options={"device": "npu2"})(x)
        else:
            given = model if way == "module" else torch.export.export(model, (x,), strict=False)
            compiled = allo_air.torch.compile(given, x, device="npu2")
            assert not walk_named(compiled.exported.model.module, "math.rsqrt")
            found = compiled(x)
    np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-4, atol=1e-5)
    assert all(torch.equal(before[n], v) for n, v in model.state_dict().items())


def test_what_follows_a_convolution_of_many_channels_is_a_kernel_of_its_own() -> None:
    class Block(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.conv = torch.nn.Conv2d(512, 16, 3, padding=1)

        def forward(self, x: Any) -> Any:
            return torch.relu(self.conv(x))

    x, model = draw(1, 512, 7, 7), Block().eval()
    compiled = allo_air.torch.compile(model, x, device="npu2")
    assert [s.part.where for s in compiled.model.steps] == ["array"]
    assert "apart: with its epilogue it" in compiled.explain()
    np.testing.assert_allclose(compiled(x).numpy(), model(x).detach().numpy(), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    ("kind", "sizes"),
    [
        (torch.nn.Conv2d(3, 24, 4, 4), (2, 3, 17, 20)),
        (torch.nn.Conv1d(4, 10, 5, 5), (1, 4, 23)),
        (torch.nn.Conv2d(3, 12, (2, 4), (2, 4), padding=(0, 2), bias=False), (1, 3, 6, 12)),
    ],
)
def test_windows_that_do_not_overlap(kind: Any, sizes: tuple[int, ...]) -> None:
    x = draw(*sizes)
    compiled = allo_air.torch.compile(kind.eval(), x, device="npu2")
    assert [s.part.where for s in compiled.model.steps] == ["array"]
    np.testing.assert_allclose(compiled(x).numpy(), kind(x).detach().numpy(), rtol=1e-4, atol=1e-5)


def test_gelu_by_tanh_is_exact() -> None:
    """torch-mlir's own form has a constant of four digits."""
    x, model = draw(8, 40), torch.nn.GELU(approximate="tanh")
    np.testing.assert_allclose(allo_air.torch.from_pytorch(model, (x,))(x), model(x).numpy(), rtol=1e-6, atol=1e-7)


def test_one_tensor_for_two_arguments() -> None:
    """Arguments stay two where the example gives one tensor for both, or a parameter of the module."""

    class Apart(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = torch.nn.Parameter(draw(8, 16))

        def forward(self, x: Any, others: list[Any], *, z: Any) -> Any:
            return x - 2 * others[0] + self.weight * z

    model, x = Apart(), draw(8, 16)
    compiled = allo_air.torch.compile(model, (x, [x]), {"z": model.weight})
    given = draw(8, 16), [draw(8, 16) + 1], {"z": draw(8, 16) * 3}
    assert compiled.error(*given[:2], **given[2]) < EXACT


def test_reports_by_the_names_of_modules(tmp_path: Path) -> None:
    compiled = allo_air.torch.compile(blocks.made(blocks.Named), (torch.arange(7)[None],), device="npu2", cache=False)
    report = compiled.estimate()
    where = {row.module: row.where for row in report.modules}
    assert where.items() >= {"embed": "host", "layers.0.up": "array", "layers.1.down": "array"}.items()
    assert sum(r.microseconds for r in report.modules if r.where == "array") == pytest.approx(
        sum(f.microseconds - f.launching for f in report.figures)
    )
    assert len(report.overview.splitlines()) == 5 and "on the host: embed" in report.overview
    assert all(row.lines and "blocks.py" in row.lines[0] for row in report.modules)
    assert report.as_dict()["modules"][0]["module"] == "embed"
    head, rows = report.configurations_table()
    listed = {name for row in rows for name in row[head.index("kernels")].split(", ")}
    assert listed >= {name for row in report.modules for name in row.kernels}
    compiled(torch.arange(7)[None])
    compiled.report_html(tmp_path / "report.html")
    assert "layers.1.down" in (tmp_path / "report.html").read_text()


def test_steps_of_an_odd_recurrent_layer_read_their_inputs_in_place() -> None:
    x = torch.randn(1, 5, 13)
    layer = torch.nn.LSTM(13, 17, batch_first=True)
    compiled = allo_air.torch.compile(layer, x, device="npu1", cache=False, check=False)
    assert compiled.explain().count("\n@relayout") <= 1
    assert compiled.error(x) < 1e-6


def test_steps_of_a_small_recurrent_layer_share_kernels() -> None:
    compiled = allo_air.torch.compile(torch.nn.LSTM(20, 16), torch.randn(6, 1, 20), device="npu1", cache=False, check=False)
    assert compiled.estimate().reconfigurations <= 2
