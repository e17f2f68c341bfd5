// RUN: allo-opt %s --plan-gemm='panel=b herd-m=16 herd-n=16 k-step=16 cores-m=4 cores-n=2' | filecheck %s --check-prefix=PLAN
// RUN: allo-opt %s --plan-gemm='panel=b herd-m=16 herd-n=16 k-step=16 cores-m=4 cores-n=2' --expand-families --canonicalize | filecheck %s

#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>

// Transfers of 512 bytes, as a step of A: four copies of the 32 columns of two cores, so often side by side as the micro-tile has
// rows; each core takes its 16. They come once more, from another copy, so that two buffers do for all.
// PLAN-LABEL:  func.func @bias
// PLAN-SAME:   panel of B in L2 for 2 tiles, epilogue operands on the channel of A
// PLAN-SAME:   multiplexed = "a", operand = "others"
// CHECK-LABEL: func.func @bias
// CHECK:       linalg.broadcast ins(%{{.*}} : tensor<32xf32>) outs(%{{.*}} : tensor<4x5x32xf32>) dimensions = [0, 1]
// CHECK:       scf.forall (%[[X:.*]], %[[Y:.*]]) in (4, 2)
// CHECK:         scf.for
// CHECK:         scf.for %[[J:.*]] = %c0 to %c64 step %c32
// CHECK:           linalg.pack %{{.*}} inner_dims_pos = [0, 1] inner_tiles = [4, 4] {{.*}} : tensor<4x32xf32> -> tensor<1x8x4x4xf32>
// CHECK:           %[[MINE:.*]] = arith.cmpi ult, %[[J]], %c32
// CHECK:           scf.if %[[MINE]]
// CHECK:             linalg.copy {{.*}} tensor<4x16xf32>
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<4x16xf32>) outs(%{{.*}} : tensor<4x4x16xf32>)
// CHECK:         linalg.unpack
func.func @bias(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>, %bias: tensor<64xf32>) -> tensor<128x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x64xf32>) -> tensor<128x64xf32>
  %c = linalg.matmul ins(%a, %b : tensor<128x64xbf16>, tensor<64x64xbf16>) outs(%init : tensor<128x64xf32>) -> tensor<128x64xf32>
  %d = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%c, %bias : tensor<128x64xf32>, tensor<64xf32>) outs(%empty : tensor<128x64xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<128x64xf32>
  return %d : tensor<128x64xf32>
}

// A tensor of the result's size: eight columns fill a step, of the 32 of two cores.
// PLAN-LABEL:  func.func @whole
// PLAN-SAME:   multiplexed = "a"
// CHECK-LABEL: func.func @whole
// CHECK:       scf.forall (%{{.*}}, %[[Y:.*]]) in (4, 2)
// CHECK:         scf.for %[[J:.*]] = %c0 to %c32 step %c8
// CHECK:           linalg.pack {{.*}} : tensor<16x8xf32> -> tensor<2x4x4x4xf32>
// CHECK:           %[[OFF:.*]] = affine.apply #{{.*}}(%[[J]], %{{.*}})
// CHECK:           %[[MINE:.*]] = arith.cmpi ult, %[[OFF]], %c16
// CHECK:           scf.if %[[MINE]]
// CHECK:             linalg.generic {{.*}} ins(%{{.*}} : tensor<2x4x16xf32>) outs(%{{.*}} : tensor<2x4x16xf32>)
// CHECK:             tensor.insert_slice {{.*}} : tensor<2x4x16xf32> into tensor<4x4x16xf32>
// CHECK:         linalg.unpack
func.func @whole(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>, %more: tensor<128x64xf32>) -> tensor<128x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x64xf32>) -> tensor<128x64xf32>
  %c = linalg.matmul ins(%a, %b : tensor<128x64xbf16>, tensor<64x64xbf16>) outs(%init : tensor<128x64xf32>) -> tensor<128x64xf32>
  %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%c, %more : tensor<128x64xf32>, tensor<128x64xf32>) outs(%empty : tensor<128x64xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<128x64xf32>
  return %d : tensor<128x64xf32>
}

// 16 columns of bf16 fill a step, all of a core's: no part of its tile is taken, of which a copy would be made.
// PLAN-LABEL:  func.func @covered
// PLAN-SAME:   multiplexed = "a"
// CHECK-LABEL: func.func @covered
// CHECK:         scf.for %[[J:.*]] = %c0 to %c32 step %c16
// CHECK:           %[[SUM:.*]] = scf.if
// CHECK-NOT:         slice
// CHECK:             linalg.generic {{.*}} ins(%{{.*}} : tensor<4x4x16xbf16>) outs(%{{.*}} : tensor<4x4x16xf32>)
// CHECK-NOT:         slice
// CHECK:           scf.yield %[[SUM]]
func.func @covered(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>, %more: tensor<128x64xbf16>) -> tensor<128x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x64xf32>) -> tensor<128x64xf32>
  %c = linalg.matmul ins(%a, %b : tensor<128x64xbf16>, tensor<64x64xbf16>) outs(%init : tensor<128x64xf32>) -> tensor<128x64xf32>
  %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%c, %more : tensor<128x64xf32>, tensor<128x64xbf16>) outs(%empty : tensor<128x64xf32>) {
  ^bb0(%x: f32, %y: bf16, %o: f32):
    %w = arith.extf %y : bf16 to f32
    %s = arith.addf %x, %w : f32
    linalg.yield %s : f32
  } -> tensor<128x64xf32>
  return %d : tensor<128x64xf32>
}
