// Dimensions that lie side by side in every tensor become one; calls reshape what they pass.
// RUN: allo-opt %s --collapse-dimensions | filecheck %s

#ijk = affine_map<(i, j, k) -> (i, j, k)>
#k = affine_map<(i, j, k) -> (k)>
#ij = affine_map<(i, j, k) -> (i, j)>
#kij = affine_map<(i, j, k) -> (k, i, j)>

// CHECK-LABEL: func.func private @row(%arg0: tensor<24x8xf32>, %arg1: tensor<8xf32>) -> tensor<24x8xf32>
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<24x8xf32>, tensor<8xf32>)
func.func private @row(%a: tensor<4x6x8xf32>, %b: tensor<8xf32>) -> tensor<4x6x8xf32> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<4x6x8xf32>
  %c = linalg.generic {indexing_maps = [#ijk, #k, #ijk], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %b : tensor<4x6x8xf32>, tensor<8xf32>) outs(%e : tensor<4x6x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4x6x8xf32>
  return %c : tensor<4x6x8xf32>
}

// A loop whose index a body uses stays as it is: cores know their place in it, but not that of their launch.
// CHECK-LABEL: func.func private @index(%arg0: tensor<4x6xi32>) -> tensor<4x6xi32>
// CHECK:         linalg.index 1
func.func private @index(%a: tensor<4x6xi32>) -> tensor<4x6xi32> attributes {allo.kernel} {
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%a : tensor<4x6xi32>) {
  ^bb0(%o: i32):
    %j = linalg.index 1 : index
    %n = arith.index_cast %j : index to i32
    %s = arith.addi %o, %n : i32
    linalg.yield %s : i32
  } -> tensor<4x6xi32>
  return %c : tensor<4x6xi32>
}

// What one loop reduces and another does not stays apart; so do dimensions that change places.
// CHECK-LABEL: func.func private @turned(%arg0: tensor<24x8xf32>) -> tensor<8x24xf32>
func.func private @turned(%a: tensor<4x6x8xf32>) -> tensor<8x4x6xf32> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<8x4x6xf32>
  %c = linalg.generic {indexing_maps = [#ijk, #kij], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a : tensor<4x6x8xf32>) outs(%e : tensor<8x4x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<8x4x6xf32>
  return %c : tensor<8x4x6xf32>
}

// Two loops over dimensions that are equal, because another operation's result is also read transposed, stay two.
// CHECK-LABEL: func.func private @square(%arg0: tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]}
#ikj = affine_map<(i, j, k) -> (i, k, j)>
func.func private @square(%a: tensor<4x6x6xf32>) -> tensor<4x6x6xf32> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<4x6x6xf32>
  %b = linalg.generic {indexing_maps = [#ijk, #ijk], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a : tensor<4x6x6xf32>) outs(%e : tensor<4x6x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = math.exp %x : f32
    linalg.yield %s : f32
  } -> tensor<4x6x6xf32>
  %c = linalg.generic {indexing_maps = [#ijk, #ikj, #ijk], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%b, %b : tensor<4x6x6xf32>, tensor<4x6x6xf32>) outs(%e : tensor<4x6x6xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4x6x6xf32>
  return %c : tensor<4x6x6xf32>
}

// CHECK-LABEL: func.func @main
// CHECK:         %[[A:.*]] = tensor.collapse_shape %arg0 {{\[\[}}0, 1], [2]] : tensor<4x6x8xf32> into tensor<24x8xf32>
// CHECK:         %[[C:.*]] = call @row(%[[A]], %arg1)
// CHECK:         tensor.expand_shape %[[C]]
func.func @main(%a: tensor<4x6x8xf32>, %b: tensor<8xf32>, %i: tensor<4x6xi32>) -> (tensor<4x6x8xf32>, tensor<8x4x6xf32>, tensor<4x6xi32>) {
  %c = call @row(%a, %b) : (tensor<4x6x8xf32>, tensor<8xf32>) -> tensor<4x6x8xf32>
  %t = call @turned(%a) : (tensor<4x6x8xf32>) -> tensor<8x4x6xf32>
  %n = call @index(%i) : (tensor<4x6xi32>) -> tensor<4x6xi32>
  return %c, %t, %n : tensor<4x6x8xf32>, tensor<8x4x6xf32>, tensor<4x6xi32>
}

// Two operations start from one filled tensor. A reshape after the second fixes its unit dimension, so the first keeps it too.
// CHECK-LABEL: func.func private @shared_beginning(
// CHECK:         linalg.fill {{.*}} -> tensor<1x1x4xf32>
// CHECK:         outs(%{{.*}} : tensor<1x1x4xf32>)
#u3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#u2 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#u4 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#u5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
func.func private @shared_beginning(%x: tensor<1x8x4xf32>) -> tensor<4xf32> attributes {allo.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  %s = linalg.generic {indexing_maps = [#u3, #u2], iterator_types = ["parallel", "reduction", "parallel"]} ins(%x : tensor<1x8x4xf32>) outs(%f : tensor<1x1x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<1x1x4xf32>
  %d = tensor.empty() : tensor<1x8x4xf32>
  %q = linalg.generic {indexing_maps = [#u3, #u2, #u3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %s : tensor<1x8x4xf32>, tensor<1x1x4xf32>) outs(%d : tensor<1x8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<1x8x4xf32>
  %m = linalg.generic {indexing_maps = [#u4, #u5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q : tensor<1x8x4xf32>) outs(%f : tensor<1x1x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<1x1x4xf32>
  %c = tensor.collapse_shape %m [[0, 1, 2]] : tensor<1x1x4xf32> into tensor<4xf32>
  return %c : tensor<4xf32>
}
