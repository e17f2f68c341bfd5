"""The binding passes keep what a program computes."""

import numpy as np
import pytest

from allo_air.passes.bind.air_copy_to_dma import AirCopyToDma
from allo_air.passes.bind.air_par_to_herd import AirParToHerd
from allo_air.passes.bind.air_par_to_launch import AirParToLaunch
from allo_air.passes.canonical.canonicalize import Canonicalize
from helpers import LIT, integers, keeps, reference

BIND = (AirParToHerd(depth=1), AirParToLaunch(has_air_segment=True), AirCopyToDma(), Canonicalize())


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize(
    ("folder", "a", "b", "c"),
    [
        ("walkthrough_i32", integers(64, 256), integers(256, 64), integers(64, 64)),
        ("matmul_no_l2_i32", integers(64, 64), integers(64, 64), integers(64, 64)),
        ("matmul_k_outer_i8", integers(128, 256, dtype=np.int8), integers(256, 128, dtype=np.int8), integers(128, 128)),
    ],
)
def test_matmul(folder: str, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    *_, product_ = keeps(reference(folder, "input"), BIND, a, b, c)
    np.testing.assert_array_equal(product_, a.astype(np.int32) @ b.astype(np.int32))


@pytest.mark.usefixtures("context")
def test_two_herds() -> None:
    a = integers(64, 32)
    _, c = keeps(reference("two_herds_i32", "input"), BIND, a, np.zeros_like(a))
    np.testing.assert_array_equal(c, 2 * (a + 1))


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("depth", [-2, -1, 0, 1])
@pytest.mark.parametrize("first_dim", [0, 1])
def test_loops(depth: int, first_dim: int) -> None:
    text = """
      func.func @f(%a: memref<12x9x5x8xi32, 2>, %v: index) {
        affine.parallel (%i, %j, %k) = (2, 3, 1) to (12, 9, 4) step (5, 2, 1) {
          scf.forall (%l) = (7) to (10) step (3) {
            %x = affine.apply affine_map<(d0, d1, d2, d3)[s0] -> (d0 * 1000 + d1 * 100 + d2 * 10 + d3 + s0)>(%i, %j, %k, %l)[%v]
            %y = affine.apply affine_map<(d0) -> (d0 mod 7)>(%x)
            %z = arith.constant 5 : i32
            memref.store %z, %a[%i, %j, %k, %y] : memref<12x9x5x8xi32, 2>
          }
          scf.forall (%l) in (0) {
            %z = arith.constant 6 : i32
            memref.store %z, %a[%i, %j, %k, %l] : memref<12x9x5x8xi32, 2>
          }
        }
        return
      }"""
    keeps(text, (AirParToHerd(depth=depth, first_dim=first_dim), AirParToLaunch()), integers(12, 9, 5, 8), np.int64(3))


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("first_dim", [0, 1])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("returned", ["%l", "%m"])
def test_reduction(first_dim: int, count: int, returned: str) -> None:
    text = f"""
      func.func @f(%start: memref<16xi32>, %o: memref<16xi32>) {{
        %c0 = arith.constant 0 : index
        %c2 = arith.constant 2 : index
        %n = arith.constant {2 * count} : index
        %init = memref.alloc() : memref<16xi32, 2>
        memref.copy %start, %init : memref<16xi32> to memref<16xi32, 2>
        %r = scf.parallel (%i) = (%c0) to (%n) step (%c2) init (%init) -> memref<16xi32, 2> {{
          %p = memref.alloc() : memref<16xi32, 2>
          %h = arith.constant 3 : i32
          %v = arith.constant 5 : i32
          linalg.fill ins(%h : i32) outs(%p : memref<16xi32, 2>)
          memref.store %v, %p[%i] : memref<16xi32, 2>
          scf.reduce (%p : memref<16xi32, 2>) {{
          ^bb0(%l: memref<16xi32, 2>, %m: memref<16xi32, 2>):
            linalg.add ins(%l, %m : memref<16xi32, 2>, memref<16xi32, 2>) outs({returned} : memref<16xi32, 2>)
            scf.reduce.return {returned} : memref<16xi32, 2>
          }}
        }}
        memref.copy %r, %o : memref<16xi32, 2> to memref<16xi32>
        return
      }}"""
    start = integers(16)
    *_, o = keeps(text, (AirParToHerd(first_dim=first_dim),), start, np.zeros_like(start))
    once = np.where((np.arange(16) % 2 == 0) & (np.arange(16) < 2 * count), 2, 0)
    np.testing.assert_array_equal(o, start + 3 * count + once)


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize(
    ("order", "where", "tiles", "packed"),
    [
        ("[1, 0]", "[0, 1]", "[4, 8]", (4, 4, 4, 8)),
        ("[0, 1]", "[1, 0]", "[8, 4]", (4, 4, 8, 4)),
        ("[1, 0]", "[1]", "[16]", (2, 16, 16)),
        ("[1, 0]", "[0]", "[2]", (32, 8, 2)),
    ],
)
def test_pack_and_unpack(order: str, where: str, tiles: str, packed: tuple[int, ...]) -> None:
    kind = f"memref<{'x'.join(map(str, packed))}xi8, 1>"
    how = f"outer_dims_perm = {order} inner_dims_pos = {where} inner_tiles = {tiles}"
    text = f"""
      func.func @f(%a: memref<16x32xi8>, %b: {kind}, %c: memref<16x32xi8>) {{
        linalg.pack %a {how} into %b : memref<16x32xi8> -> {kind}
        linalg.unpack %b {how} into %c : {kind} -> memref<16x32xi8>
        return
      }}"""
    a = integers(16, 32, dtype=np.int8)
    *_, c = keeps(text, (AirCopyToDma(),), a, np.zeros(packed, np.int8), np.zeros_like(a))
    np.testing.assert_array_equal(c, a)


@pytest.mark.usefixtures("context")
def test_tiled_dma() -> None:
    text = (LIT / "passes/bind/air-par-to-herd/tile-dma.mlir").read_text().split("// CHECK-LABEL: func.func @tiled")[-1]
    text = "func.func @tiled" + text.split("func.func @tiled", 1)[1].split("// Tiles that", 1)[0]
    keeps(text, (AirParToHerd(depth=0), Canonicalize()), integers(4, 8), integers(16, 16), np.int64(5))
