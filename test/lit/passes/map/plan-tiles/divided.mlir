// RUN: allo-opt %s --plan-tiles | filecheck %s
// RUN: allo-opt %s --plan-tiles --expand-families > /dev/null

// Neither a core nor tiles hold the rows that are turned and padded in both dimensions: they are turned by a kernel, and each
// dimension is padded by one, whose tiles are cut along the other.

// CHECK-LABEL: func.func @main
// CHECK:         call @k_0(
// CHECK:         call @k_1(
// CHECK:         call @k_2(
// CHECK-NOT:     call
// CHECK-LABEL: func.func private @k_0(%arg0: tensor
// CHECK:         linalg.generic
// CHECK-NOT:     tensor.pad
// CHECK-LABEL: func.func private @k_1(%arg0: tensor
// CHECK-SAME:    allo.partition = "by itself: with the other operations of its kernel it fits neither a core as a whole nor in tiles"
// CHECK:         tensor.pad %arg0 low[0, 1, 0] high[0, 2, 0]
// CHECK-LABEL: func.func private @k_2(%arg0: tensor
// CHECK:         tensor.pad %arg0 low[0, 0, 1] high[0, 0, 2]
func.func @main(%x: tensor<4x13x200xf32>) -> tensor<4x203x16xi32> {
  %0 = call @k(%x) : (tensor<4x13x200xf32>) -> tensor<4x203x16xi32>
  return %0 : tensor<4x203x16xi32>
}
func.func private @k(%x: tensor<4x13x200xf32>) -> tensor<4x203x16xi32> attributes {allo.kernel} {
  %one = arith.constant 1 : i32
  %e = tensor.empty() : tensor<4x200x13xi32>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k, j)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x13x200xf32>) outs(%e : tensor<4x200x13xi32>) {
  ^bb0(%a: f32, %o: i32):
    %n = arith.fptosi %a : f32 to i32
    linalg.yield %n : i32
  } -> tensor<4x200x13xi32>
  %p = tensor.pad %t low[0, 1, 1] high[0, 2, 2] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %one : i32
  } : tensor<4x200x13xi32> to tensor<4x203x16xi32>
  %f = tensor.empty() : tensor<4x203x16xi32>
  %r = linalg.copy ins(%p : tensor<4x203x16xi32>) outs(%f : tensor<4x203x16xi32>) -> tensor<4x203x16xi32>
  return %r : tensor<4x203x16xi32>
}
