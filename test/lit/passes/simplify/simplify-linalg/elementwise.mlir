// Named operations and arithmetic on tensors are generics; numbers move into them, and copies into their maps.
// RUN: allo-opt %s --simplify-linalg | filecheck %s

// CHECK-LABEL: func.func @numbers(
// CHECK:         [[HALF:%.*]] = arith.constant 5.000000e-01 : f32
// CHECK:         linalg.generic {{.*}} ins(%arg0 : tensor<8xf32>)
// CHECK:           arith.mulf %in, [[HALF]] : f32
func.func @numbers(%x: tensor<8xf32>) -> tensor<8xf32> {
  %half = arith.constant dense<0.5> : tensor<8xf32>
  %y = arith.mulf %x, %half : tensor<8xf32>
  return %y : tensor<8xf32>
}

// CHECK-LABEL: func.func @broadcast(
// CHECK-NOT:     linalg.broadcast
// CHECK:         linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}], {{.*}}} ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<8xf32>)
// CHECK:           arith.addf
// CHECK-NOT:     linalg.generic
func.func @broadcast(%x: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %w = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  %y = linalg.add ins(%x, %w : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// A dimension of one element is none.
// CHECK-LABEL: func.func @unit(
// CHECK:         tensor.collapse_shape
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel"]
func.func @unit(%x: tensor<1x8x1xf32>) -> tensor<1x8x1xf32> {
  %e = tensor.empty() : tensor<1x8x1xf32>
  %y = linalg.exp ins(%x : tensor<1x8x1xf32>) outs(%e : tensor<1x8x1xf32>) -> tensor<1x8x1xf32>
  return %y : tensor<1x8x1xf32>
}

// CHECK-LABEL: func.func @double(
// CHECK:         arith.constant 1.000000e-01 : f32
// CHECK-NOT:     f64
// CHECK:         arith.mulf
// CHECK-NOT:     f64
func.func @double(%x: tensor<8xf32>) -> tensor<8xf32> {
  %tenth = arith.constant 0.1 : f64
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.map ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) (%in: f32, %init: f32) {
    %w = arith.extf %in : f32 to f64
    %s = arith.mulf %w, %tenth : f64
    %r = arith.truncf %s : f64 to f32
    linalg.yield %r : f32
  }
  return %y : tensor<8xf32>
}

// CHECK-LABEL: func.func @asserted(
// CHECK-NOT:     cf.assert
func.func @asserted(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.map ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) (%in: f32, %init: f32) {
    %ok = arith.cmpf one, %in, %zero : f32
    cf.assert %ok, "zero"
    %r = arith.divf %one, %in : f32
    linalg.yield %r : f32
  }
  return %y : tensor<8xf32>
}
