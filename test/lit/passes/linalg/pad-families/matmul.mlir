// Arguments and result grow to whole tiles; the shapes that the caller has are kept.
// RUN: allo-opt %s --split-input-file --plan-gemm='herd-m=8 herd-n=4 k-step=8 cores-m=1 cores-n=2' --pad-families | filecheck %s

// CHECK-LABEL: func.func @odd(%arg0: tensor<8x8xbf16>, %arg1: tensor<8x16xbf16>) -> tensor<8x16xf32>
// CHECK-SAME:  allo_air.host_shapes = [array<i64: 7, 5>, array<i64: 5, 13>, array<i64: 7, 13>]
// CHECK:       tensor.empty() : tensor<8x16xf32>
// CHECK:       linalg.fill {{.*}} -> tensor<8x16xf32>
// CHECK:       linalg.matmul ins(%arg0, %arg1 : tensor<8x8xbf16>, tensor<8x16xbf16>) {{.*}} -> tensor<8x16xf32>
// CHECK:       return {{.*}} : tensor<8x16xf32>
func.func @odd(%a: tensor<7x5xbf16>, %b: tensor<5x13xbf16>) -> tensor<7x13xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<7x13xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<7x13xf32>) -> tensor<7x13xf32>
  %c = linalg.matmul ins(%a, %b : tensor<7x5xbf16>, tensor<5x13xbf16>) outs(%init : tensor<7x13xf32>) -> tensor<7x13xf32>
  return %c : tensor<7x13xf32>
}

// -----

// What divides stays.
// CHECK-LABEL: func.func @even(%arg0: tensor<16x16xbf16>, %arg1: tensor<16x8xbf16>) -> tensor<16x8xf32>
// CHECK-NOT:   host_shapes
// CHECK:       linalg.fill
func.func @even(%a: tensor<16x16xbf16>, %b: tensor<16x8xbf16>) -> tensor<16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x8xf32>) -> tensor<16x8xf32>
  %c = linalg.matmul ins(%a, %b : tensor<16x16xbf16>, tensor<16x8xbf16>) outs(%init : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %c : tensor<16x8xf32>
}

// -----

// Transposed and in a batch, of which nothing is padded; operations on the result grow with it.
// CHECK-LABEL: func.func @batch(%arg0: tensor<3x8x8xbf16>, %arg1: tensor<3x8x8xbf16>) -> tensor<3x8x8xbf16>
// CHECK-SAME:  host_shapes = [array<i64: 3, 5, 7>, array<i64: 3, 5, 6>, array<i64: 3, 7, 6>]
// CHECK:       linalg.generic {{.*}} ins({{.*}} : tensor<3x8x8xf32>) outs({{.*}} : tensor<3x8x8xbf16>)
#m = affine_map<(b, m, n, k) -> (b, k, m)>
#n = affine_map<(b, m, n, k) -> (b, k, n)>
#r = affine_map<(b, m, n, k) -> (b, m, n)>
#id = affine_map<(b, m, n) -> (b, m, n)>
func.func @batch(%a: tensor<3x5x7xbf16>, %b: tensor<3x5x6xbf16>) -> tensor<3x7x6xbf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x7x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x7x6xf32>) -> tensor<3x7x6xf32>
  %c = linalg.batch_matmul indexing_maps = [#m, #n, #r] ins(%a, %b : tensor<3x5x7xbf16>, tensor<3x5x6xbf16>) outs(%init : tensor<3x7x6xf32>) -> tensor<3x7x6xf32>
  %out = tensor.empty() : tensor<3x7x6xbf16>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%c : tensor<3x7x6xf32>) outs(%out : tensor<3x7x6xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<3x7x6xbf16>
  return %d : tensor<3x7x6xbf16>
}

// -----

// Without a plan nothing changes.
// CHECK-LABEL: func.func @no_matmul(%arg0: tensor<7x5xbf16>) -> tensor<7x5xbf16>
func.func @no_matmul(%a: tensor<7x5xbf16>) -> tensor<7x5xbf16> {
  return %a : tensor<7x5xbf16>
}
