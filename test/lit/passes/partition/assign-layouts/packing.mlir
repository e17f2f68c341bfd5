// RUN: allo-opt %s --assign-layouts | filecheck %s
// RUN: allo-opt %s --assign-layouts --verify-each=execute | filecheck %s

// Layouts: of an argument the caller's business, with what pads it; of a constant done now; of a result the caller's. What is
// between kernels is turned, padded, and packed by kernels.

#turned = affine_map<(a, b, c) -> (a, c, b)>
#pairs = affine_map<(a, b, c) -> (3 * a + b, 2 * b + c)>
#same = affine_map<(a, b, c) -> (a, b, c)>

func.func private @k(%x: tensor<2x2x4xf32>, %w: tensor<2x2x4xf32>) -> tensor<2x4x2xf32> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<2x4x2xf32>
  %r = linalg.generic {indexing_maps = [#turned, #turned, #same], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %w : tensor<2x2x4xf32>, tensor<2x2x4xf32>) outs(%e : tensor<2x4x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2x4x2xf32>
  return %r : tensor<2x4x2xf32>
}

// CHECK-LABEL: func.func private @relayout_0(%arg0: tensor<2x4x2xf32>) -> tensor<2x2x4xf32>
// CHECK-LABEL: func.func private @relayout_1(%arg0: tensor<4x4xf32>) -> tensor<4x6xf32>
// CHECK:         tensor.pad %{{.*}} low[0, 1] high[0, 1]
// CHECK-LABEL: func.func private @relayout_2(%arg0: tensor<4x6xf32>) -> tensor<5x6xf32>
// CHECK:         tensor.pad %{{.*}} low[1, 0] high[0, 0]
// CHECK-LABEL: func.func private @relayout_3(%arg0: tensor<5x6xf32>) -> tensor<2x2x4xf32>
// CHECK:         linalg.generic
// CHECK-LABEL: func.func @f(%arg0: tensor<2x2x4xf32>) -> tensor<2x4x2xf32>
// CHECK-SAME:    gives = [{packing = {outside = 0 : i64, rows = [array<i64: 0, 2, 0, 1>, array<i64: 0, 0, 1, 0>]
// CHECK-SAME:    packing = {outside = 0.000000e+00 : f64, rows = [array<i64: -1, 3, 1, 0>, array<i64: -1, 0, 2, 1>]
// CHECK:         %[[C:.*]] = arith.constant dense<{{.*}}> : tensor<2x2x4xf32>
// CHECK:         call @k(%arg0, %[[C]])
// CHECK:         %[[P:.*]] = call @relayout_3
// CHECK:         call @k(%[[P]], %[[C]])
func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 8.0, 7.0, 6.0], [5.0, 4.0, 3.0, 2.0]]> : tensor<4x4xf32>
  %p = tensor.pad %x low[1, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x4xf32> to tensor<5x6xf32>
  %e = tensor.empty() : tensor<2x2x4xf32>
  %a = linalg.generic {indexing_maps = [#pairs, #same], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<5x6xf32>) outs(%e : tensor<2x2x4xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<2x2x4xf32>
  %q = tensor.pad %w low[1, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x4xf32> to tensor<5x6xf32>
  %b = linalg.generic {indexing_maps = [#pairs, #same], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q : tensor<5x6xf32>) outs(%e : tensor<2x2x4xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<2x2x4xf32>
  %c = call @k(%a, %b) : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x4x2xf32>
  %t = linalg.generic {indexing_maps = [#turned, #same], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%c : tensor<2x4x2xf32>) outs(%e : tensor<2x2x4xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<2x2x4xf32>
  %m = tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x2x4xf32> into tensor<4x4xf32>
  %n = tensor.pad %m low[1, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x4xf32> to tensor<5x6xf32>
  %d = linalg.generic {indexing_maps = [#pairs, #same], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%n : tensor<5x6xf32>) outs(%e : tensor<2x2x4xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<2x2x4xf32>
  %g = call @k(%d, %b) : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x4x2xf32>
  %h = linalg.generic {indexing_maps = [#turned, #same], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%g : tensor<2x4x2xf32>) outs(%e : tensor<2x2x4xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<2x2x4xf32>
  %r = tensor.collapse_shape %h [[0, 1], [2]] : tensor<2x2x4xf32> into tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
