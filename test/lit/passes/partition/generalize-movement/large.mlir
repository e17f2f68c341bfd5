// RUN: allo-opt %s --generalize-movement --canonicalize --cse | filecheck %s

// Parts that are too large for a core are padded to the whole, and an element is chosen by its index.

// CHECK-LABEL: func.func @concat
// CHECK: %[[A:.*]] = tensor.pad %arg0 low[0, 0] high[100, 0]
// CHECK: %[[B:.*]] = tensor.pad %arg1 low[300, 0] high[0, 0]
// CHECK: linalg.generic {{.*}} ins(%[[A]], %[[B]]
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[FIRST:.*]] = arith.cmpi slt, %[[I]], %c300
// CHECK: arith.select %[[FIRST]], %in, %in_
func.func @concat(%x: tensor<300x200xf32>, %y: tensor<100x200xf32>) -> tensor<400x200xf32> {
  %r = tensor.concat dim(0) %x, %y : (tensor<300x200xf32>, tensor<100x200xf32>) -> tensor<400x200xf32>
  return %r : tensor<400x200xf32>
}

// Rows of one dimension are those that all parts have in common.

// CHECK-LABEL: func.func @flat
// CHECK: tensor.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [3, 10000]
// CHECK: tensor.expand_shape %arg1 {{\[\[}}0, 1]] output_shape [1, 10000]
// CHECK: tensor.collapse_shape {{.*}} : tensor<4x10000xf32> into tensor<40000xf32>
func.func @flat(%x: tensor<30000xf32>, %y: tensor<10000xf32>) -> tensor<40000xf32> {
  %r = tensor.concat dim(0) %x, %y : (tensor<30000xf32>, tensor<10000xf32>) -> tensor<40000xf32>
  return %r : tensor<40000xf32>
}

// CHECK-LABEL: func.func @insert
// CHECK: %[[P:.*]] = tensor.pad %arg0 low[10, 0] high[190, 0]
// CHECK: linalg.generic {{.*}} ins(%[[P]], %arg1
// CHECK: arith.cmpi sge
// CHECK: arith.cmpi slt
func.func @insert(%x: tensor<100x200xf32>, %t: tensor<300x200xf32>) -> tensor<300x200xf32> {
  %r = tensor.insert_slice %x into %t[10, 0] [100, 200] [1, 1] : tensor<100x200xf32> into tensor<300x200xf32>
  return %r : tensor<300x200xf32>
}

// What fits a core stays.

// CHECK-LABEL: func.func @small
// CHECK: tensor.concat
func.func @small(%x: tensor<3x2xf32>, %y: tensor<1x2xf32>) -> tensor<4x2xf32> {
  %r = tensor.concat dim(0) %x, %y : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}

// A padding of both dimensions has no tiles; one of each has.

// CHECK-LABEL: func.func @frame
// CHECK: %[[COLUMNS:.*]] = tensor.pad %arg0 low[0, 2] high[0, 4]
// CHECK: %[[ROWS:.*]] = linalg.copy {{.*}}ins(%[[COLUMNS]]
// CHECK: tensor.pad %[[ROWS]] low[1, 0] high[3, 0]
func.func @frame(%x: tensor<300x200xf32>) -> tensor<304x206xf32> {
  %one = arith.constant 1.0 : f32
  %r = tensor.pad %x low[1, 2] high[3, 4] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<300x200xf32> to tensor<304x206xf32>
  return %r : tensor<304x206xf32>
}
