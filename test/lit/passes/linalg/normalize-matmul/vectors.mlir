// RUN: allo-opt %s --normalize-matmul=strict=false | filecheck %s

// Vectors become matrices, in calls and for the host; what is added to the result follows. Loops that have no place in a matrix
// multiplication stay around it.

// CHECK-LABEL: func.func @main
// CHECK:       %[[X:.*]] = tensor.expand_shape %arg1 {{\[}}[0, 1]{{\]}} output_shape [1, 16]
// CHECK:       %[[R:.*]] = call @rows(%arg0, %[[X]], %arg2) : (tensor<33x16xf32>, tensor<1x16xf32>, tensor<33xf32>) -> tensor<1x33xf32>
// CHECK:       tensor.collapse_shape %[[R]]
func.func @main(%w: tensor<33x16xf32>, %x: tensor<16xf32>, %y: tensor<33xf32>) -> tensor<33xf32> {
  %0 = call @rows(%w, %x, %y) : (tensor<33x16xf32>, tensor<16xf32>, tensor<33xf32>) -> tensor<33xf32>
  return %0 : tensor<33xf32>
}

// CHECK-LABEL: func.func private @rows
// CHECK:       linalg.matmul {{.*}} ins(%arg1, %arg0 : tensor<1x16xf32>, tensor<33x16xf32>)
// CHECK:       linalg.generic {{.*}} ins(%{{.*}}, %arg2 : tensor<1x33xf32>, tensor<33xf32>)
func.func private @rows(%w: tensor<33x16xf32>, %x: tensor<16xf32>, %y: tensor<33xf32>) -> tensor<33xf32> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<33xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<33xf32>) -> tensor<33xf32>
  %c = linalg.matvec ins(%w, %x : tensor<33x16xf32>, tensor<16xf32>) outs(%init : tensor<33xf32>) -> tensor<33xf32>
  %d = linalg.add ins(%c, %y : tensor<33xf32>, tensor<33xf32>) outs(%e : tensor<33xf32>) -> tensor<33xf32>
  return %d : tensor<33xf32>
}

// CHECK-LABEL: func.func @host(%arg0: tensor<1x16xf32>, %arg1: tensor<1x16xf32>) -> tensor<1x1xf32>
// CHECK-SAME:  allo_air.host_layouts = [{outside = 0.{{0+}}e+00 : f32, rows = [array<i64: 0, 16, 1>]}
// CHECK-SAME:  allo_air.host_shapes = [array<i64: 16>, array<i64: 16>, array<i64>]
func.func @host(%x: tensor<16xf32>, %y: tensor<16xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %c = linalg.dot ins(%x, %y : tensor<16xf32>, tensor<16xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %c : tensor<f32>
}

// CHECK-LABEL: func.func @square
// CHECK:       call @twice(%arg0, %arg0)
func.func @square(%x: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %0 = call @twice(%x) : (tensor<16x16xf32>) -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

func.func private @twice(%x: tensor<16x16xf32>) -> tensor<16x16xf32> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %c = linalg.matmul ins(%x, %x : tensor<16x16xf32>, tensor<16x16xf32>) outs(%init : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %c : tensor<16x16xf32>
}

// CHECK-LABEL: func.func @heads
// CHECK:       linalg.generic {indexing_maps = [{{.*}}], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} {{.*}} attrs = {allo.contraction}
func.func @heads(%a: tensor<2x8x3x16xf32>, %b: tensor<2x12x3x16xf32>) -> tensor<2x3x8x12xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x8x12xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x8x12xf32>) -> tensor<2x3x8x12xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d, n, b, h, m) -> (b, m, h, d)>, affine_map<(d, n, b, h, m) -> (b, n, h, d)>,
      affine_map<(d, n, b, h, m) -> (b, h, m, n)>], iterator_types = ["reduction", "parallel", "parallel", "parallel", "parallel"]}
      ins(%a, %b : tensor<2x8x3x16xf32>, tensor<2x12x3x16xf32>) outs(%init : tensor<2x3x8x12xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x3x8x12xf32>
  return %r : tensor<2x3x8x12xf32>
}
