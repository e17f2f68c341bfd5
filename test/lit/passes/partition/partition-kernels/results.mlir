// RUN: allo-opt %s --split-input-file --partition-kernels | filecheck %s

// Two results with the loops of the last operation leave with it.

// CHECK: func.func private @both_rows_0(%arg0: tensor<2048x512xf32>) -> (tensor<2048x512xf32>, tensor<512x2048xf32>)
// CHECK: %[[EXP:.*]] = linalg.generic
// CHECK: math.exp
// CHECK: %[[TWO:.*]]:2 = linalg.generic {indexing_maps = [#[[T:.*]], #[[T]], #[[ID:.*]], #[[T]]]
// CHECK-SAME: ins(%[[EXP]], %[[EXP]]
// CHECK: linalg.yield %{{.*}}, %{{.*}} : f32, f32
// CHECK: return %[[TWO]]#1, %[[TWO]]#0
// CHECK-LABEL: func.func @both
#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
func.func @both(%x: tensor<2048x512xf32>) -> (tensor<2048x512xf32>, tensor<512x2048xf32>) {
  %e = tensor.empty() : tensor<2048x512xf32>
  %et = tensor.empty() : tensor<512x2048xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2048x512xf32>) outs(%e : tensor<2048x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = math.exp %a : f32
    linalg.yield %n : f32
  } -> tensor<2048x512xf32>
  %1 = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<2048x512xf32>) outs(%et : tensor<512x2048xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<512x2048xf32>
  return %0, %1 : tensor<2048x512xf32>, tensor<512x2048xf32>
}

// -----

// A sum over rows has other loops, and a kernel of its own, which computes again what it sums.

// CHECK: func.func private @parts_rows_0(%arg0: tensor<2048x512xf32>) -> tensor<2048xf32>
// CHECK: func.func private @parts_rows_1(%arg0: tensor<2048x512xf32>, %arg1: tensor<2048xf32>) -> tensor<2048x512xf32>
// CHECK-LABEL: func.func @parts
// CHECK: %[[SUM:.*]] = call @parts_rows_0(%arg0)
// CHECK: %[[R:.*]] = call @parts_rows_1(%arg0, %[[SUM]])
// CHECK: return %[[SUM]], %[[R]]
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @parts(%x: tensor<2048x512xf32>) -> (tensor<2048xf32>, tensor<2048x512xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2048x512xf32>
  %er = tensor.empty() : tensor<2048xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%er : tensor<2048xf32>) -> tensor<2048xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2048x512xf32>) outs(%e : tensor<2048x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = math.exp %a : f32
    linalg.yield %n : f32
  } -> tensor<2048x512xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<2048x512xf32>) outs(%zeros : tensor<2048xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<2048xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %sum : tensor<2048x512xf32>, tensor<2048xf32>) outs(%e : tensor<2048x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<2048x512xf32>
  return %sum, %r : tensor<2048xf32>, tensor<2048x512xf32>
}

// -----

// What is returned as it came is the host's to copy, except for a function that computes nothing; what nobody uses goes.

// CHECK: func.func private @copies_rows_0
// CHECK-LABEL: func.func @copies
// CHECK-SAME: (%[[X:.*]]: tensor<8x8xf32>)
// CHECK-NOT: math.exp
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[X]]
// CHECK: return %{{.*}}, %[[FLAT]]
func.func @copies(%x: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<8x8xf32>
  %unused = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<8x8xf32> into tensor<64xf32>
  return %x, %flat : tensor<8x8xf32>, tensor<64xf32>
}
