"""Slices of buffers, as views and as what is copied into."""

# ruff: noqa: E501 - a case is a line of the table

import pytest

from allo_air.aie.extras import types as T
from allo_air.aie.extras.context import mlir_mod_ctx
from allo_air.aie.extras.dialects.ext import func, memref
from allo_air.errors import AlloAirError


def built(body):
    with mlir_mod_ctx() as ctx:

        @func.func(emit=True)
        def f(i: T.index()):
            body(memref.alloc(10, 22, T.i32()), i)

    return str(ctx.module)


@pytest.mark.parametrize(
    ("part", "text"),
    [
        (lambda m, i: m[1:4, :], "[1, 0] [3, 22] [1, 1] : memref<10x22xi32> to memref<3x22xi32, strided<[22, 1], offset: 22>>"),
        (lambda m, i: m[..., 2:10:2], "[0, 2] [10, 4] [1, 2] : memref<10x22xi32> to memref<10x4xi32, strided<[22, 2], offset: 2>>"),
        (lambda m, i: m[-1], "[9, 0] [1, 22] [1, 1] : memref<10x22xi32> to memref<1x22xi32, strided<[22, 1], offset: 198>>"),
        (lambda m, i: m[i, 2:3], ", 2] [1, 1] [1, 1] : memref<10x22xi32> to memref<1x1xi32, strided<[22, 1], offset: ?>>"),
        (lambda m, i: m[i : i + 4, 2:3], ", 2] [4, 1] [1, 1] : memref<10x22xi32> to memref<4x1xi32, strided<[22, 1], offset: ?>>"),
        (lambda m, i: m[1:4, :][0:1, 3:5], "[0, 3] [1, 2] [1, 1] : memref<3x22xi32, strided<[22, 1], offset: 22>> to memref<1x2xi32, strided<[22, 1], offset: 25>>"),
    ],
)  # fmt: skip
def test_views(part, text):
    assert text in built(part)


def test_a_slice_takes_a_buffer():
    def body(m, i):
        m[0:2, :] = m[4:6, :]

    assert "memref.copy" in built(body)


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (lambda m, i: m[4:4, :], "slice 4:4 of a dimension of 10 elements is empty"),
        (lambda m, i: m[4:11, :], "outside"),
        (lambda m, i: m[0:4:0], "a slice's step is a positive integer, found 0"),
        (lambda m, i: m[i:8], "has a constant length"),
        (lambda m, i: m[0:i], "must begin at a value"),
        (lambda m, i: m[0:1, 0:1, 0:1], "3 indices for a buffer of 2 dimensions"),
        (lambda m, i: m.__setitem__(slice(0, 1), 3), "takes a buffer"),
    ],
)
def test_errors(part, message):
    with pytest.raises(AlloAirError, match=message):
        built(part)
