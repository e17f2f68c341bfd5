// RUN: allo-opt %s --plan-gemm='herd-m=64 herd-n=128 k-step=32 cores-m=1 cores-n=1' --expand-families --canonicalize | filecheck %s

// L1 has no room for 64 x 128 numbers of bf16 beside as many sums: eight rows at a time are rounded and leave.
// CHECK-LABEL: func.func @strips
// CHECK-SAME:  result in 8 strips
// CHECK-SAME:  operand = "c", parts = 8 : i64
// CHECK:       %[[SUMS:.*]] = scf.for {{.*}} -> (tensor<32x16x4x4xf32>)
// CHECK:       scf.for %[[I:.*]] = %c0 to %c16 step %c2 iter_args(%[[TILE:.*]] = {{.*}}) -> (tensor<64x128xbf16>) {
// CHECK:         %[[PART:.*]] = tensor.extract_slice %[[SUMS]][0, %[[I]], 0, 0] [32, 2, 4, 4]
// CHECK:         %[[STRIP:.*]] = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<32x2x4x4xbf16>
// CHECK:         %[[MADE:.*]] = linalg.generic {{.*}} ins(%[[PART]] {{.*}} outs(%[[STRIP]]
// CHECK:         %[[ROW:.*]] = affine.apply {{.*}}(%[[I]])
// CHECK:         %[[PLACE:.*]] = tensor.extract_slice %[[TILE]][%[[ROW]], 0] [8, 128]
// CHECK:         %[[ROWS:.*]] = linalg.unpack %[[MADE]] {{.*}} into %[[PLACE]]
// CHECK:         tensor.insert_slice %[[ROWS]] into %[[TILE]][%[[ROW]], 0] [8, 128]
#id = affine_map<(i, j) -> (i, j)>
func.func @strips(%a: tensor<64x64xbf16>, %b: tensor<64x128xbf16>) -> tensor<64x128xbf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x128xf32>) -> tensor<64x128xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x64xbf16>, tensor<64x128xbf16>) outs(%init : tensor<64x128xf32>) -> tensor<64x128xf32>
  %out = tensor.empty() : tensor<64x128xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<64x128xf32>) outs(%out : tensor<64x128xbf16>) {
  ^bb0(%x: f32, %u: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<64x128xbf16>
  return %r : tensor<64x128xbf16>
}
