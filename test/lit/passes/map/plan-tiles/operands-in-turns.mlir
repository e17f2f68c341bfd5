// RUN: allo-opt %s --plan-tiles='device=npu1' | filecheck %s

// Four operands take turns on two channels of each core. Rows of the table begin again with each batch and move by one distance
// within it, as those of the batch do, so that a descriptor serves the launches of a batch: all columns work.

// CHECK: chosen = "herd 4x2, 8 launches
#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func private @rotated(%a: tensor<16x2048xf32>, %cos: tensor<2048xf32>, %b: tensor<16x2048xf32>, %sin: tensor<2048xf32>)
    -> tensor<16x2048xf32> attributes {allo.kernel} {
  %0 = tensor.empty() : tensor<16x2048xf32>
  %1 = linalg.generic {indexing_maps = [#map, #row, #map, #row, #map], iterator_types = ["parallel", "parallel"]}
      ins(%a, %cos, %b, %sin : tensor<16x2048xf32>, tensor<2048xf32>, tensor<16x2048xf32>, tensor<2048xf32>)
      outs(%0 : tensor<16x2048xf32>) {
  ^bb0(%x: f32, %c: f32, %y: f32, %s: f32, %out: f32):
    %2 = arith.mulf %x, %c : f32
    %3 = arith.mulf %y, %s : f32
    %4 = arith.addf %2, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<16x2048xf32>
  return %1 : tensor<16x2048xf32>
}
