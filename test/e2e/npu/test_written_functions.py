"""Functions as people write them for mlir-opt: operations and forms that no importer writes."""

from pathlib import Path

import pytest

from allo_air.tools.allo_run import main

MASKED = """
#bmk = affine_map<(b, m, n, k) -> (b, m, k)>
#bnk = affine_map<(b, m, n, k) -> (b, n, k)>
#bmn = affine_map<(b, m, n, k) -> (b, m, n)>
#bij = affine_map<(b, i, j) -> (b, i, j)>
#ij = affine_map<(b, i, j) -> (i, j)>
func.func @f(%q: tensor<4x64x32xbf16>, %k: tensor<4x64x32xbf16>, %v: tensor<4x64x32xbf16>, %mask: tensor<64x64xi1>)
    -> tensor<4x64x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  %s = linalg.batch_matmul indexing_maps = [#bmk, #bnk, #bmn] ins(%q, %k : tensor<4x64x32xbf16>, tensor<4x64x32xbf16>)
      outs(%f : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  %m = linalg.generic {indexing_maps = [#bij, #ij, #bij], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %mask : tensor<4x64x64xf32>, tensor<64x64xi1>) outs(%e : tensor<4x64x64xf32>) {
  ^bb0(%x: f32, %c: i1, %o: f32):
    %lo = arith.constant -1.0e9 : f32
    %w = arith.select %c, %x, %lo : f32
    linalg.yield %w : f32
  } -> tensor<4x64x64xf32>
  %p = linalg.softmax dimension(2) ins(%m : tensor<4x64x64xf32>) outs(%e : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  %eb = tensor.empty() : tensor<4x64x64xbf16>
  %pb = linalg.map { arith.truncf } ins(%p : tensor<4x64x64xf32>) outs(%eb : tensor<4x64x64xbf16>)
  %eo = tensor.empty() : tensor<4x64x32xf32>
  %fo = linalg.fill ins(%z : f32) outs(%eo : tensor<4x64x32xf32>) -> tensor<4x64x32xf32>
  %r = linalg.batch_matmul ins(%pb, %v : tensor<4x64x64xbf16>, tensor<4x64x32xbf16>) outs(%fo : tensor<4x64x32xf32>)
      -> tensor<4x64x32xf32>
  return %r : tensor<4x64x32xf32>
}
"""
"""Scores are kept where a mask of bits says so."""

EINSUM = """
func.func @f(%a: tensor<4x8x16xf32>, %b: tensor<16x4x10xf32>, %c: tensor<10x8xf32>) -> tensor<10x8xf32> {
  %r = linalg.contract indexing_maps = [affine_map<(b, m, k, n) -> (b, m, k)>, affine_map<(b, m, k, n) -> (k, b, n)>,
      affine_map<(b, m, k, n) -> (n, m)>]
      ins(%a, %b : tensor<4x8x16xf32>, tensor<16x4x10xf32>) outs(%c : tensor<10x8xf32>) -> tensor<10x8xf32>
  return %r : tensor<10x8xf32>
}
"""
"""Sums over two loops are added to an argument, whose parts share channels with those of another."""

BRIEF = """
func.func @f(%a: tensor<4x8x13xi8>, %b: tensor<4x8x3xf32>, %c: tensor<8x3x4x13xf32>) -> tensor<13x8x4xf32> {
  %z = arith.constant 0.0 : f32
  %we = tensor.empty() : tensor<4x8x13xf32>
  %w = linalg.map { arith.uitofp } ins(%a : tensor<4x8x13xi8>) outs(%we : tensor<4x8x13xf32>)
  %e = tensor.empty() : tensor<4x13x3xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x13x3xf32>) -> tensor<4x13x3xf32>
  %p = linalg.contract indexing_maps = [affine_map<(g, i, j, k) -> (g, k, i)>, affine_map<(g, i, j, k) -> (g, k, j)>,
      affine_map<(g, i, j, k) -> (g, i, j)>]
      ins(%w, %b : tensor<4x8x13xf32>, tensor<4x8x3xf32>) outs(%f : tensor<4x13x3xf32>) -> tensor<4x13x3xf32>
  %g = tensor.empty() : tensor<13x8x4xf32>
  %h = linalg.fill ins(%z : f32) outs(%g : tensor<13x8x4xf32>) -> tensor<13x8x4xf32>
  %r = linalg.contract indexing_maps = [affine_map<(g, i, j, n) -> (g, i, j)>, affine_map<(g, i, j, n) -> (n, j, g, i)>,
      affine_map<(g, i, j, n) -> (i, n, g)>]
      ins(%p, %c : tensor<4x13x3xf32>, tensor<8x3x4x13xf32>) outs(%h : tensor<13x8x4xf32>) -> tensor<13x8x4xf32>
  return %r : tensor<13x8x4xf32>
}
"""
"""Parts of one operand are shorter than a line of external memory, and share channels with those of another."""

POOL = """
func.func @f(%a: tensor<1x6x8x8x4xf32>, %i: tensor<1x3x4x4x4xf32>) -> tensor<1x3x4x4x4xf32> {
  %w = tensor.empty() : tensor<2x2x2xf32>
  %r = linalg.pooling_ndhwc_sum {strides = dense<2> : tensor<3xi64>, dilations = dense<1> : tensor<3xi64>}
      ins(%a, %w : tensor<1x6x8x8x4xf32>, tensor<2x2x2xf32>) outs(%i : tensor<1x3x4x4x4xf32>) -> tensor<1x3x4x4x4xf32>
  return %r : tensor<1x3x4x4x4xf32>
}
"""
"""Windows differ from row to row of cores as what they are added to does."""

LOWER = """
#m = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%x: tensor<640x500xbf16>) -> tensor<640x500xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<640x500xbf16>
  %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<640x500xbf16>) outs(%e : tensor<640x500xbf16>) {
  ^bb0(%p: bf16, %o: bf16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %row = arith.index_cast %i : index to i32
    %column = arith.index_cast %j : index to i32
    %c = arith.cmpi sle, %column, %row : i32
    %s = arith.select %c, %p, %zero : bf16
    linalg.yield %s : bf16
  } -> tensor<640x500xbf16>
  return %r : tensor<640x500xbf16>
}
"""
"""The lower triangle of a matrix (tril) that all cores together do not hold."""


TURNED = """
#ij = affine_map<(i, j) -> (i, j)>
func.func @f(%x: tensor<40x40xf32>) -> tensor<40x40xf32> {
  %e = tensor.empty() : tensor<40x40xf32>
  %r = linalg.generic {indexing_maps = [#ij, affine_map<(i, j) -> (j, i)>, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %x : tensor<40x40xf32>, tensor<40x40xf32>) outs(%e : tensor<40x40xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.addf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<40x40xf32>
  return %r : tensor<40x40xf32>
}
"""
"""Both parts of one tensor that a core takes are streams of their own."""


@pytest.mark.parametrize("text", [MASKED, EINSUM, BRIEF, POOL, LOWER], ids=["masked", "einsum", "brief", "pool", "lower"])
def test_programs_compute_what_the_function_does(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "written.mlir").write_text(text)
    assert main([str(tmp_path / "written.mlir"), "--pipeline=npu", "--device=npu1", "--no-cache"]) == 0
    assert "correct: against the source on the interpreter" in capsys.readouterr().out
