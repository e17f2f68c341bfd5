"""Complex numbers as pairs of real ones: what PyTorch computes, in operations on real numbers only."""

import pytest

torch = pytest.importorskip("torch")

from allo_air.errors import AlloAirError  # noqa: E402
from allo_air.importers.complex_numbers import has_complex, with_pairs  # noqa: E402
from allo_air.importers.fourier import transformed  # noqa: E402
from allo_air.importers.torch_modules import from_torch  # noqa: E402
from allo_air.models.model import host_model  # noqa: E402


class Complex(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("turns", torch.polar(torch.ones(6, 4), torch.arange(24.0).view(6, 4)))
        self.filter = torch.nn.Parameter(torch.randn(6, 5, dtype=torch.complex64))

    def forward(self, x):
        turned = torch.view_as_real(torch.view_as_complex(x.view(6, 4, 2)) * self.turns).flatten(1)
        filtered = torch.fft.irfft2(torch.fft.rfft2(x, norm="ortho") * self.filter, s=(6, 8), norm="ortho")
        sound = torch.stft(x.flatten(), 16, 4, 12, torch.hann_window(12), return_complex=True)
        spectrum = torch.fft.fft(torch.fft.ifft(x, dim=0).conj() / (2 + 1j)) * torch.exp(torch.complex(x, -x))
        return turned, filtered, sound.abs().pow(2), sound.angle().cos(), spectrum.real, (spectrum @ spectrum.mT).imag


def test_pairs():
    torch.manual_seed(0)
    model, x = Complex(), torch.randn(6, 8)
    program = torch.export.export(model, (x,), strict=False)
    assert has_complex(program)
    for found, wanted in zip(with_pairs(torch, program)(x), model(x), strict=True):
        torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("width", "options", "length"),
    [(16, {}, None), (16, {"normalized": True}, 70), (12, {}, 50), (16, {"onesided": False}, None)],
)
def test_signals_of_spectrograms(width, options, length):
    class Vocoder(torch.nn.Module):
        def forward(self, size, angle):
            return torch.istft(size * torch.exp(1j * angle), 16, 4, width, torch.hann_window(width), length=length, **options)

    rows = 16 if options.get("onesided") is False else 9
    size, angle = torch.rand(2, rows, 17), torch.randn(2, rows, 17)
    program = torch.export.export(Vocoder(), (size, angle), strict=False)
    [found] = with_pairs(torch, program)(size, angle)
    torch.testing.assert_close(found, Vocoder()(size, angle), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("norm", [None, "forward", "ortho"])
@pytest.mark.parametrize("count", [7, 8, 12])
def test_transforms(norm, count):
    x = torch.randn(3, 9)
    real, imag = transformed(torch, x, None, 1, count, -1, norm, to_half=True)
    torch.testing.assert_close(torch.complex(real, imag), torch.fft.rfft(x, count, norm=norm), rtol=1e-4, atol=1e-5)
    back, none = transformed(torch, real, imag, 1, count, 1, norm, from_half=True)
    torch.testing.assert_close(back, torch.fft.irfft(torch.complex(real, imag), count, norm=norm), rtol=1e-4, atol=1e-5)
    assert none is None


def test_pooled_spectra():
    """Pooling of one dimension is decomposed into views of PyTorch's primitives, which a second export does not take."""

    class Pooled(torch.nn.Module):
        def forward(self, x):
            return torch.nn.functional.avg_pool1d(torch.fft.rfft(x).abs(), 3, 1)

    x = torch.randn(2, 4, 8)
    [value] = host_model(from_torch(Pooled(), (x,)).model)(x.numpy())
    torch.testing.assert_close(torch.as_tensor(value), Pooled()(x), rtol=1e-4, atol=1e-5)


def test_no_form():
    class Angles(torch.nn.Module):
        def forward(self, x):
            return torch.fft.rfft(x).sinh().abs()

    program = torch.export.export(Angles(), (torch.randn(8),), strict=False)
    with pytest.raises(NotImplementedError, match=r"sinh.* has no form for complex numbers"):
        with_pairs(torch, program)(torch.randn(8))


class Spectral(torch.nn.Module):
    """A layer of a Fourier neural operator: the low frequencies of an image are mixed, the others are zero."""

    def __init__(self):
        super().__init__()
        self.weights = torch.nn.Parameter(torch.randn(2, 3, 3, 2, 2, dtype=torch.cfloat))

    def forward(self, x):
        spectrum = torch.fft.rfft2(x)
        low = torch.zeros(1, 3, 8, 5, dtype=torch.cfloat)
        low[:, :, :2, :2] = torch.einsum("bixy,ioxy->boxy", spectrum[:, :, :2, :2], self.weights[0])
        low[:, :, -2:, :2] = torch.einsum("bixy,ioxy->boxy", spectrum[:, :, -2:, :2], self.weights[1].cfloat())
        return torch.fft.irfft2(low, s=(8, 8))


class Assigned(torch.nn.Module):
    """Results of operations that make and fill tensors of complex numbers."""

    def forward(self, x):
        turns = torch.polar(torch.ones(2, 8), torch.arange(16.0).view(2, 8)).to(torch.complex64)
        z = torch.fft.fft(x) * turns
        rows = torch.zeros_like(z)
        rows[:, 1:5], rows[:, 0] = z[:, 3:7], x[:, 0]
        wide = torch.zeros(2, 40_000, dtype=torch.complex64)
        wide[:, :8] = rows
        shifts = torch.fft.fftshift(z, dim=1).real, torch.fft.ifftshift(x[:, :7])
        return wide[:, :9].imag, (z.new_ones(2, 8) * z).real, torch.full_like(z, 2 - 1j).imag, z.cumsum(1).imag, *shifts


@pytest.mark.parametrize(("model", "shape"), [(Spectral, (1, 3, 8, 8)), (Assigned, (2, 8))])
def test_complex_tensors_that_are_filled(model, shape):
    torch.manual_seed(0)
    module, x = model().eval(), torch.randn(shape)
    with torch.no_grad():
        wanted = torch.utils._pytree.tree_leaves(module(x))
    for value, exact in zip(host_model(from_torch(module, (x,)).model)(x.numpy()), wanted, strict=True):
        torch.testing.assert_close(torch.as_tensor(value), exact, rtol=1e-4, atol=1e-5)


def test_a_refusal_names_the_operation_without_a_form():
    class Logarithm(torch.nn.Module):
        def forward(self, x):
            return torch.fft.fft(x).log().real

    with pytest.raises(AlloAirError, match=r"the array does not have \(aten\.log\.default has no form for complex numbers\)"):
        from_torch(Logarithm(), (torch.randn(8),))
