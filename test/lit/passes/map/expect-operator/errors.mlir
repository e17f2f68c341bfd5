// RUN: allo-opt %s --split-input-file --verify-diagnostics --expect-operator=operator=eltwise

// expected-error@+1 {{is not a chain of elementwise operations, which pipeline eltwise is made for: it has reductions by sum; use --pipeline=npu}}
func.func @sum(%a: tensor<8x4xf32>, %f: tensor<8xf32>) -> tensor<8xf32> {
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<8x4xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %1 = arith.addf %x, %o : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %s : tensor<8xf32>
}

// -----

// expected-error@+1 {{it has 1 contraction}}
func.func @product(%a: tensor<8x4xf32>, %b: tensor<4x8xf32>, %f: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}
