// RUN: allo-opt %s --plan-gemm='panel=b herd-m=4 herd-n=16 k-step=8 cores-m=4 cores-n=2' --expand-families --canonicalize | filecheck %s

// A panel serves 33 tiles along the rows, and there are two of them: rows of the residual lie where the tile does in the launch,
// and the launch in the result.
// CHECK:       #[[ROW:.*]] = affine_map<(d0, d1) -> (d0 + d1 * 528)>
// CHECK-LABEL: func.func @gemm(
// CHECK:       scf.forall (%[[X:.*]]) in (2)
// CHECK:         scf.for %[[T:.*]] = %c0 to %c528 step %c16
// CHECK:           %[[AT:.*]] = affine.apply #[[ROW]](%[[T]], %[[X]])
// CHECK:           tensor.extract_slice %arg2{{\[}}%[[AT]], 0] {{\[}}16, 32]
func.func @gemm(%a: tensor<1056x16xbf16>, %b: tensor<16x32xbf16>, %v: tensor<1056x32xf32>) -> tensor<1056x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1056x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1056x32xf32>) -> tensor<1056x32xf32>
  %r = linalg.matmul ins(%a, %b : tensor<1056x16xbf16>, tensor<16x32xbf16>) outs(%init : tensor<1056x32xf32>) -> tensor<1056x32xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%r, %v : tensor<1056x32xf32>, tensor<1056x32xf32>) outs(%empty : tensor<1056x32xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %t = arith.addf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<1056x32xf32>
  return %s : tensor<1056x32xf32>
}

