// RUN: allo-opt --legalize-boundary-types %s | filecheck %s

// Kernels, functions on memrefs, and casts of which both sides can be moved stay as they are.

// CHECK-NOT: host_buffers
#id = affine_map<(d0) -> (d0)>
func.func private @kernel(%x: tensor<8xi64>) -> tensor<8xi32> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<8xi32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xi64>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i64, %out: i32):
    %c = arith.trunci %in : i64 to i32
    linalg.yield %c : i32
  } -> tensor<8xi32>
  return %n : tensor<8xi32>
}
func.func @moved(%x: tensor<8xbf16>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xbf16>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %c = arith.extf %in : bf16 to f32
    linalg.yield %c : f32
  } -> tensor<8xf32>
  return %n : tensor<8xf32>
}
func.func @memrefs(%x: memref<8xi64>) {
  return
}
