"""Tiles of a kernel beside others, whose buffers in L2 stay whole: one memtile has descriptors for all its cores."""

from allo_air.program.compile import compile
from allo_air.program.source import Source

TEXT = """
func.func @main(%i: tensor<128xi64>, %w: tensor<1000x768xf32>, %b: tensor<128x768xf32>, %c: tensor<128x768xf32>,
                %x: tensor<64x64xf32>) -> (tensor<128x768xf32>, tensor<64x64xf32>) {
  %e = tensor.empty() : tensor<128x768xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%i : tensor<128xi64>) outs(%e : tensor<128x768xf32>) {
  ^bb0(%in: i64, %out: f32):
    %j = linalg.index 1 : index
    %k = arith.index_cast %in : i64 to index
    %row = tensor.extract %w[%k, %j] : tensor<1000x768xf32>
    linalg.yield %row : f32
  } -> tensor<128x768xf32>
  %1 = linalg.add ins(%0, %b : tensor<128x768xf32>, tensor<128x768xf32>) outs(%e : tensor<128x768xf32>) -> tensor<128x768xf32>
  %2 = linalg.add ins(%1, %c : tensor<128x768xf32>, tensor<128x768xf32>) outs(%e : tensor<128x768xf32>) -> tensor<128x768xf32>
  %f = tensor.empty() : tensor<64x64xf32>
  %zero = arith.constant 0.0 : f32
  %g = linalg.fill ins(%zero : f32) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %h = linalg.matmul ins(%x, %x : tensor<64x64xf32>, tensor<64x64xf32>) outs(%g : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2, %h : tensor<128x768xf32>, tensor<64x64xf32>
}
"""


def test_operands_that_share_a_channel_with_a_table_in_parts() -> None:
    """The table took a descriptor for each part, core and memtile: 50 of 48."""
    assert "3 operations in" in compile(Source(TEXT, "<text>"), device="npu1", cache=False).explain()
