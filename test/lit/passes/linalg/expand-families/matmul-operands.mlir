// RUN: allo-opt %s --plan-gemm='herd-m=8 herd-n=8 k-step=16 cores-m=2 cores-n=2' --expand-families --canonicalize | filecheck %s

#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>

// A bias of one element for each column: to L2 what all cores need, to L1 the core's, widened to whole micro-tiles.
// CHECK-LABEL: func.func @bias
// CHECK:       tensor.extract_slice %arg2[%{{.*}}] [16] [1] : tensor<32xf32> to tensor<16xf32>
// CHECK:       bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<16xf32>
// CHECK:       scf.forall ({{.*}}) in (2, 2)
// CHECK:         scf.for
// CHECK:         %[[PACK:.*]] = linalg.pack {{.*}} inner_tiles = [4] {{.*}} : tensor<8xf32> -> tensor<2x4xf32>
// CHECK:         linalg.broadcast ins(%[[PACK]] : tensor<2x4xf32>) outs(%{{.*}} : tensor<2x4x4xf32>) dimensions = [1]
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<2x16xf32>) outs(%{{.*}} : tensor<2x2x16xf32>)
// CHECK:         linalg.unpack
func.func @bias(%a: tensor<32x64xbf16>, %b: tensor<64x32xbf16>, %bias: tensor<32xf32>) -> tensor<32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x32xf32>) -> tensor<32x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<32x64xbf16>, tensor<64x32xbf16>) outs(%init : tensor<32x32xf32>) -> tensor<32x32xf32>
  %d = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%c, %bias : tensor<32x32xf32>, tensor<32xf32>) outs(%empty : tensor<32x32xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<32x32xf32>
  return %d : tensor<32x32xf32>
}

// A tensor of the result's size: the cores that share rows get the tiles of all of them, and each computes with its own.
// CHECK-LABEL: func.func @whole
// CHECK:       bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<16x16xbf16>
// CHECK:       scf.forall (%{{.*}}, %[[Y:.*]]) in (2, 2)
// CHECK:         scf.for %[[J:.*]] = %c0 to %c2 step %c1
// CHECK:           linalg.pack {{.*}} -> tensor<2x2x4x4xbf16>
// CHECK:           %[[MINE:.*]] = arith.cmpi eq
// CHECK:           scf.if %[[MINE]]
// CHECK:             linalg.generic
// CHECK:         linalg.unpack
func.func @whole(%a: tensor<32x64xbf16>, %b: tensor<64x32xbf16>, %more: tensor<32x32xbf16>) -> tensor<32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x32xf32>) -> tensor<32x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<32x64xbf16>, tensor<64x32xbf16>) outs(%init : tensor<32x32xf32>) -> tensor<32x32xf32>
  %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%c, %more : tensor<32x32xf32>, tensor<32x32xbf16>) outs(%empty : tensor<32x32xf32>) {
  ^bb0(%x: f32, %y: bf16, %o: f32):
    %w = arith.extf %y : bf16 to f32
    %s = arith.addf %x, %w : f32
    linalg.yield %s : f32
  } -> tensor<32x32xf32>
  return %d : tensor<32x32xf32>
}
