// RUN: allo-opt %s --split-input-file --plan-gemm='cores-m=1 cores-n=16 herd-n=32 k-step=32' --expand-families --canonicalize | filecheck %s

#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>

// 16 cores along 512 columns, and four steps along k: with each all of them get 128 elements of the bias, of which each keeps its
// own 32.
// CHECK:       #[[OF:.*]] = affine_map<(d0) -> (d0 * 128)>
// CHECK-LABEL: func.func @columns
// CHECK:         bufferization.materialize_in_destination %arg2
// CHECK:         scf.forall (%[[X:.*]]) in (16)
// CHECK:           scf.for %[[K:.*]] = %c0 to %c4 step %c1 iter_args(%{{.*}} = %{{.*}}, %[[T:.*]] = %{{.*}}) -> (tensor<8x1x4x4xf32>, tensor<8x4xf32>)
// CHECK:             linalg.generic
// CHECK:             %[[AT:.*]] = affine.apply #[[OF]](%[[K]])
// CHECK:             tensor.extract_slice %{{.*}}[%[[AT]]] [128] [1] : tensor<512xf32> to tensor<128xf32>
// CHECK:             linalg.pack {{.*}} : tensor<128xf32> -> tensor<32x4xf32>
// CHECK:             arith.cmpi ult
// CHECK:             scf.if
// CHECK:               linalg.copy {{.*}} outs(%[[T]] : tensor<8x4xf32>)
// CHECK:             scf.yield
// CHECK:           linalg.broadcast
// CHECK:           linalg.unpack
func.func @columns(%a: tensor<4x128xbf16>, %b: tensor<128x512xbf16>, %v: tensor<512xf32>) -> tensor<4x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x512xf32>) -> tensor<4x512xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x128xbf16>, tensor<128x512xbf16>) outs(%init : tensor<4x512xf32>) -> tensor<4x512xf32>
  %s = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%r, %v : tensor<4x512xf32>, tensor<512xf32>) outs(%empty : tensor<4x512xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %t = arith.addf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<4x512xf32>
  return %s : tensor<4x512xf32>
}

// -----

#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>

// One element for each row is the same for all steps: L2 gets it as often.
// CHECK-LABEL: func.func @rows
// CHECK:         linalg.broadcast ins(%arg2 : tensor<4xf32>) outs(%{{.*}} : tensor<4x4xf32>) dimensions = [0]
// CHECK:         scf.forall
// CHECK:           scf.for %[[K:.*]] = %c0 to %c4 step %c1
// CHECK:             tensor.extract_slice %{{.*}}[%[[K]], 0] [1, 4] [1, 1]
// CHECK:             linalg.copy
// CHECK-NOT:         scf.if
// CHECK:             scf.yield
func.func @rows(%a: tensor<4x128xbf16>, %b: tensor<128x512xbf16>, %v: tensor<4xf32>) -> tensor<4x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x512xf32>) -> tensor<4x512xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x128xbf16>, tensor<128x512xbf16>) outs(%init : tensor<4x512xf32>) -> tensor<4x512xf32>
  %s = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%r, %v : tensor<4x512xf32>, tensor<4xf32>) outs(%empty : tensor<4x512xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %t = arith.addf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<4x512xf32>
  return %s : tensor<4x512xf32>
}

// -----

#id = affine_map<(m, n) -> (m, n)>

// Of a residual come 128 columns of all rows.
// CHECK-LABEL: func.func @all
// CHECK:         scf.forall
// CHECK:           scf.for %[[K:.*]] = %c0 to %c4 step %c1 iter_args({{.*}}) -> (tensor<8x1x4x4xf32>, tensor<8x1x4x4xf32>)
// CHECK:             tensor.extract_slice %{{.*}}[0, %{{.*}}] [4, 128] [1, 1] : tensor<4x512xf32> to tensor<4x128xf32>
// CHECK:             scf.if
func.func @all(%a: tensor<4x128xbf16>, %b: tensor<128x512xbf16>, %v: tensor<4x512xf32>) -> tensor<4x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x512xf32>) -> tensor<4x512xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x128xbf16>, tensor<128x512xbf16>) outs(%init : tensor<4x512xf32>) -> tensor<4x512xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%r, %v : tensor<4x512xf32>, tensor<4x512xf32>) outs(%empty : tensor<4x512xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %t = arith.addf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<4x512xf32>
  return %s : tensor<4x512xf32>
}
