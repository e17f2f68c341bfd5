// RUN: allo-opt %s --generalize-movement | filecheck %s

// A slice inserted into a constant of one number is padded with it, also a strided one.
// CHECK-LABEL: func.func @splat(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         %[[V:.*]] = arith.constant -2.000000e+00 : f32
// CHECK:         tensor.pad %{{.*}} low[2, 3] high[4, 1]
// CHECK:           tensor.yield %[[V]]
func.func @splat(%y: tensor<3x6xf32>) -> tensor<9x10xf32> {
  %z = arith.constant dense<-2.0> : tensor<9x10xf32>
  %r = tensor.insert_slice %y into %z[2, 3] [3, 6] [1, 1] : tensor<3x6xf32> into tensor<9x10xf32>
  return %r : tensor<9x10xf32>
}

// CHECK-LABEL: func.func @strided(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         tensor.pad
func.func @strided(%y: tensor<3xi32>) -> tensor<9xi32> {
  %z = arith.constant dense<4> : tensor<9xi32>
  %r = tensor.insert_slice %y into %z[2] [3] [2] : tensor<3xi32> into tensor<9xi32>
  return %r : tensor<9xi32>
}

// Into other constants it is selected by index.
// CHECK-LABEL: func.func @numbers(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         linalg.generic
// CHECK:           arith.select
func.func @numbers(%y: tensor<2xf32>) -> tensor<4xf32> {
  %z = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %r = tensor.insert_slice %y into %z[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %r : tensor<4xf32>
}

// Into a small tensor that is not a constant, a core inserts in place.
// CHECK-LABEL: func.func @place(
// CHECK:         tensor.insert_slice
func.func @place(%x: tensor<4xf32>, %y: tensor<2xf32>) -> tensor<4xf32> {
  %r = tensor.insert_slice %y into %x[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %r : tensor<4xf32>
}

// A constant that is inserted is selected by index, too: one number without a table, also at steps.
// CHECK-LABEL: func.func @assigned(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         linalg.generic {{.*}} ins(%arg0 : tensor<5x9xi32>)
// CHECK:           arith.remui
// CHECK:           arith.select
func.func @assigned(%x: tensor<5x9xi32>) -> tensor<5x9xi32> {
  %c = arith.constant dense<7> : tensor<2x3xi32>
  %r = tensor.insert_slice %c into %x[1, 2] [2, 3] [1, 2] : tensor<2x3xi32> into tensor<5x9xi32>
  return %r : tensor<5x9xi32>
}

// CHECK-LABEL: func.func @table(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         tensor.pad
// CHECK:         arith.select
func.func @table(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = tensor.insert_slice %c into %x[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %r : tensor<4xf32>
}

// A tensor of an open size stays.
// CHECK-LABEL: func.func @open(
// CHECK:         tensor.insert_slice
func.func @open(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c = arith.constant dense<7.0> : tensor<2xf32>
  %r = tensor.insert_slice %c into %x[1] [2] [1] : tensor<2xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}
