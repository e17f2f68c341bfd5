"""The convolutions of patches and of inverted bottlenecks against numpy, on both generations."""

import numpy as np
import pytest

from allo_air.aie.iron import kernels
from allo_air.errors import AlloAirError

RNG = np.random.default_rng(3)


@pytest.fixture(params=["AIE2", "AIE2p"])
def arch(request):
    return request.param


def eights(pixels):
    """[x][channel] as [channel / 8][x][8]."""
    return np.ascontiguousarray(pixels.reshape(pixels.shape[0], -1, 8).swapaxes(0, 1))


def pixels(eighths, width):
    return np.asarray(eighths).reshape(-1, width, 8).swapaxes(0, 1).reshape(width, -1)


def weights(matrix):
    """[out][in][y][x] as [out / 8][in / 8][y][x][8 in][8 out]."""
    o, i, *window = matrix.shape
    blocks = matrix.reshape(o // 8, 8, i // 8, 8, *window)
    order = (0, 2, *range(4, 4 + len(window)), 3, 1)
    return np.ascontiguousarray(blocks.transpose(order)).ravel()


def shifted(sums, by, kind):
    limits = np.iinfo(kind)
    return np.clip((sums + (1 << (by - 1))) >> by, limits.min, limits.max)


def call(kernel, arch, *arguments):
    kernel.simulated().function(kernel.name, arch)(*arguments)


def test_patches(arch):
    width, ci, co = 28, 4, 8
    kernel = kernels.conv2dk14(width, ci, co)
    image = RNG.integers(0, 255, (14, width, ci), np.uint8)
    matrix = RNG.integers(-20, 20, (co, 14, 14, ci), np.int8)
    out = np.zeros((co // 8, 2, 8), np.int8)
    call(
        kernel,
        arch,
        image.ravel(),
        np.ascontiguousarray(matrix.transpose(1, 2, 3, 0)).ravel(),
        out.ravel(),
        width,
        ci,
        co,
        14,
        10,
    )
    sums = np.einsum("ypxc,oyxc->po", image.reshape(14, 2, 14, ci).astype(int), matrix.astype(int))
    np.testing.assert_array_equal(pixels(out, 2), shifted(sums, 10, np.int8))


@pytest.mark.parametrize("name", ["bn_conv2dk1_relu", "bn_conv2dk1_i8", "bn_conv2dk1_skip"])
def test_1x1(arch, name):
    width, ci, co = 5, 16, 8
    made = getattr(kernels, name)(width, ci, co)
    of_in, of_out = (np.dtype(made.arg_dtype(n)) for n in (0, 2))
    x, w = RNG.integers(0, 99, (width, ci)).astype(of_in), RNG.integers(-9, 9, (co, ci)).astype(np.int8)
    out = np.zeros((co // 8, width, 8), of_out)
    wanted = shifted(x.astype(int) @ w.astype(int).T, 5, np.int8 if "skip" in name else of_out)
    if "skip" in name:
        skip = RNG.integers(-99, 99, (width, co)).astype(np.int8)
        call(made, arch, eights(x), weights(w), out, eights(skip), width, ci, co, 5, 1)
        wanted = shifted(wanted + skip, 1, np.int8)
    else:
        call(made, arch, eights(x), weights(w), out, width, ci, co, 5)
    np.testing.assert_array_equal(pixels(out, width), wanted)


def window(lines, check, stride):
    """Three lines with zeros where one is missing and around, as [to][y][x][channel]."""
    lines = lines.astype(int)
    if check != 1:
        lines[check] = 0
    padded = np.pad(lines, ((0, 0), (1, 1), (0, 0)))
    return np.stack([padded[:, t : t + 3] for t in range(0, lines.shape[1], stride)])


@pytest.mark.parametrize("check", [0, 1, 2])
@pytest.mark.parametrize("stride", [1, 2])
def test_3x3(arch, stride, check):
    width, ci, co = 7, 16, 8
    reach = -(-width // stride)
    lines = RNG.integers(0, 99, (3, width, ci)).astype(np.uint8)
    full, deep = RNG.integers(-9, 9, (co, ci, 3, 3)).astype(np.int8), RNG.integers(-9, 9, (ci, 3, 3)).astype(np.int8)
    around = window(lines, check, stride)
    numbers = (width, ci, co, 3, 3, check, 6)

    out = np.zeros((co // 8, reach, 8), np.uint8)
    made = kernels.bn_conv2dk3(width, ci, co, np.uint8, stride)
    call(made, arch, *map(eights, lines), weights(full), out, *numbers, 0)
    np.testing.assert_array_equal(
        pixels(out, reach), shifted(np.einsum("tyxc,ocyx->to", around, full.astype(int)), 6, np.uint8)
    )

    second = slice(8, 16)  # the second eight of channels, by `offset`
    made = (kernels.bn_conv2dk3_dw_stride1 if stride == 1 else kernels.bn_conv2dk3_dw_stride2)(width, ci, co)
    each = np.ascontiguousarray(deep.reshape(2, 8, 3, 3).transpose(0, 2, 3, 1)).ravel()
    call(made, arch, *map(eights, lines), each, out, *numbers, 8)
    sums = np.einsum("tyxc,cyx->tc", around, deep.astype(int))[:, second]
    np.testing.assert_array_equal(pixels(out, reach), shifted(sums, 6, np.uint8))


def test_the_mean_and_the_last_layer(arch):
    width, height, channels = 3, 4, 16
    image = RNG.integers(0, 255, (height, width, channels), np.uint8)
    sums, means, out = np.zeros(channels, np.int32), np.zeros(channels, np.uint8), np.zeros(8, np.int8)
    pool, last = kernels.bn_avgpool(width, channels), kernels.bn_fc(channels, 8)
    for row in range(height):
        call(pool, arch, eights(image[row]), sums, means, width, height, channels, row)
    np.testing.assert_array_equal(means, (image.reshape(-1, channels).sum(0, dtype=int) + 6) // 12)
    w = RNG.integers(-9, 9, (8, channels)).astype(np.int8)
    call(last, arch, means, weights(w), out, channels, 8, 7)
    np.testing.assert_array_equal(out, shifted(w.astype(int) @ means.astype(int), 7, np.int8))


def test_what_is_refused():
    with pytest.raises(AlloAirError, match=r"kernels.conv2dk14: input_width is 30, not a multiple of kernel_width, 14"):
        kernels.conv2dk14(30)
    with pytest.raises(AlloAirError, match=r"kernels.bn_fc: input_channels is 12, not a multiple of 8"):
        kernels.bn_fc(12)
    with pytest.raises(AlloAirError, match=r"kernels.bn_conv2dk3_dw: output_channels is 64, more than input_channels, 16"):
        kernels.bn_conv2dk3_dw(8, 16, 64)
    with pytest.raises(AlloAirError, match=r"kernels.conv2dk14: kernel_width is 0, expected 1 or more"):
        kernels.conv2dk14(kernel_width=0)
    with pytest.raises(AlloAirError, match=r"kernels.bn_conv2dk3: stride is 0, expected 1 or more"):
        kernels.bn_conv2dk3(stride=0)


def test_the_greater_of_two(arch):
    a, b, out = (np.array([n], np.int32) for n in (-3, 7, 0))
    call(kernels.compute_max(), arch, a, b, out)
    assert out[0] == 7


FACTORIES = [n for n in kernels.__all__ if not n.endswith("_ref") and n != "use_sources"]


@pytest.mark.slow
@pytest.mark.parametrize("name", FACTORIES)
def test_every_kernel_compiles(name):
    made = getattr(kernels, name)()
    assert made.simulated().function(made.name, "AIE2") is not None
