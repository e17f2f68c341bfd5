"""Micro-tiles as flat vectors: transposes of any rank, and factors that several contractions share."""

import numpy as np
import pytest


@pytest.mark.parametrize(("kind", "numpy"), [("bf16", np.uint16), ("i8", np.int8), ("f32", np.uint32), ("i64", np.int64)])
@pytest.mark.parametrize(("shape", "order"), [((4, 8), (1, 0)), ((3, 5), (1, 0)), ((2, 3, 4), (2, 0, 1)), ((1, 7), (1, 0))])
def test_transposes(run, kind, numpy, shape, order):
    values = np.random.default_rng(1).integers(0, 127, shape).astype(numpy)
    count, turned = values.size, [shape[d] for d in order]
    given, found = ("x".join(map(str, s)) for s in (shape, turned))
    ran = run(
        f"""
        %c0 = arith.constant 0 : index
        %x = vector.load %a[%c0] : memref<{count}x{kind}>, vector<{count}x{kind}>
        %y = vector.shape_cast %x : vector<{count}x{kind}> to vector<{given}x{kind}>
        %u = vector.transpose %y, {list(order)} : vector<{given}x{kind}> to vector<{found}x{kind}>
        %z = vector.shape_cast %u : vector<{found}x{kind}> to vector<{count}x{kind}>
        vector.store %z, %b[%c0] : memref<{count}x{kind}>, vector<{count}x{kind}>
        """,
        (f"a : memref<{count}x{kind}>", f"b : memref<{count}x{kind}>"),
        (values,),
    )
    assert (ran.view(1, numpy, count).reshape(turned) == values.transpose(order)).all()


def test_factors_that_contractions_share(run):
    rng = np.random.default_rng(2)
    a, b = (rng.integers(-9, 9, s).astype(np.int32) for s in ((2, 4), (4, 2)))
    maps = (
        "indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], "
        'iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>'
    )
    two, square = (
        "vector<2x4xi32>, vector<4x2xi32> into vector<2x2xi32>",
        "vector<4x2xi32>, vector<2x4xi32> into vector<4x4xi32>",
    )
    ran = run(
        f"""
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c3 = arith.constant 3 : index
        %z = ub.poison : i32
        %x = vector.transfer_read %a[%c0, %c0], %z {{in_bounds = [true, true]}} : memref<2x4xi32>, vector<2x4xi32>
        %y = vector.transfer_read %b[%c0, %c0], %z {{in_bounds = [true, true]}} : memref<4x2xi32>, vector<4x2xi32>
        %none = arith.constant dense<0> : vector<2x2xi32>
        %nothing = arith.constant dense<0> : vector<4x4xi32>
        %p = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %none) -> vector<2x2xi32> {{
          %n = vector.contract {{{maps}}} %x, %y, %s : {two}
          scf.yield %n : vector<2x2xi32>
        }}
        %q = vector.contract {{{maps}}} %x, %y, %p : {two}
        %r = vector.contract {{{maps}}} %y, %x, %nothing : {square}
        %w = vector.contract {{{maps}}} %x, %y, %q : {two}
        vector.transfer_write %w, %c[%c0, %c0] {{in_bounds = [true, true]}} : vector<2x2xi32>, memref<2x2xi32>
        vector.transfer_write %r, %d[%c0, %c0] {{in_bounds = [true, true]}} : vector<4x4xi32>, memref<4x4xi32>
        """,
        ("a : memref<2x4xi32>", "b : memref<4x2xi32>", "c : memref<2x2xi32>", "d : memref<4x4xi32>"),
        (a, b),
    )
    assert (ran.view(2, np.int32, 4).reshape(2, 2) == 5 * (a @ b)).all()
    assert (ran.view(3, np.int32, 16).reshape(4, 4) == b @ a).all()
