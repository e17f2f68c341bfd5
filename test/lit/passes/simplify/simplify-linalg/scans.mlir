// RUN: allo-opt --simplify-linalg %s | filecheck %s

// A sum of all elements up to its own, of 100: in 10 blocks of 10, and of the blocks in front.
// CHECK-LABEL: func.func @cumsum
// CHECK: %[[X:.*]] = tensor.expand_shape %arg0 {{.*}} : tensor<4x100xf32> into tensor<4x10x10xf32>
// CHECK: %[[W:.*]] = linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%[[X]] : tensor<4x10x10xf32>)
// CHECK: arith.cmpi sle
// CHECK: %[[T:.*]] = linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[X]] : tensor<4x10x10xf32>)
// CHECK: %[[S:.*]] = linalg.generic
// CHECK-SAME: ins(%[[T]] : tensor<4x10xf32>)
// CHECK: arith.cmpi slt
// CHECK: %[[Y:.*]] = linalg.generic
// CHECK-SAME: ins(%[[S]], %[[W]] : tensor<4x10xf32>, tensor<4x10x10xf32>)
// CHECK: tensor.collapse_shape %[[Y]] {{.*}} : tensor<4x10x10xf32> into tensor<4x100xf32>
func.func @cumsum(%x: tensor<4x100xf32>) -> tensor<4x100xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x100xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x100xf32>) -> tensor<4x100xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<4x100xf32>) outs(%f : tensor<4x100xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %c = arith.cmpi ule, %k, %j : index
    %r = arith.select %c, %s, %o : f32
    linalg.yield %r : f32
  } -> tensor<4x100xf32>
  return %y : tensor<4x100xf32>
}

// 997 is padded: 32 blocks of 32.
// CHECK-LABEL: func.func @prime
// CHECK: tensor.pad
// CHECK: tensor<1024xi32> into tensor<32x32xi32>
// CHECK: tensor.extract_slice
func.func @prime(%x: tensor<997xi32>) -> tensor<997xi32> {
  %one = arith.constant 1 : i32
  %e = tensor.empty() : tensor<997xi32>
  %f = linalg.fill ins(%one : i32) outs(%e : tensor<997xi32>) -> tensor<997xi32>
  %y = linalg.generic {indexing_maps = [affine_map<(j, k) -> (k)>, affine_map<(j, k) -> (j)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<997xi32>) outs(%f : tensor<997xi32>) {
  ^bb0(%a: i32, %o: i32):
    %s = arith.muli %o, %a : i32
    %j = linalg.index 0 : index
    %k = linalg.index 1 : index
    %c = arith.cmpi ule, %k, %j : index
    %r = arith.select %c, %s, %o : i32
    linalg.yield %r : i32
  } -> tensor<997xi32>
  return %y : tensor<997xi32>
}

// A sum that begins with another number, or of what is after, is none.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @others(%x: tensor<100xf32>) -> tensor<100xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<100xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<100xf32>) -> tensor<100xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(j, k) -> (k)>, affine_map<(j, k) -> (j)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<100xf32>) outs(%f : tensor<100xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    %j = linalg.index 0 : index
    %k = linalg.index 1 : index
    %c = arith.cmpi ule, %k, %j : index
    %r = arith.select %c, %s, %o : f32
    linalg.yield %r : f32
  } -> tensor<100xf32>
  return %y : tensor<100xf32>
}

// One that begins again on the way is none either.
// CHECK-LABEL: func.func @anew
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @anew(%x: tensor<100xf32>) -> tensor<100xf32> {
  %zero = arith.constant 0.0 : f32
  %five = arith.constant 5 : index
  %e = tensor.empty() : tensor<100xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<100xf32>) -> tensor<100xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(j, k) -> (k)>, affine_map<(j, k) -> (j)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<100xf32>) outs(%f : tensor<100xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    %j = linalg.index 0 : index
    %k = linalg.index 1 : index
    %b = arith.cmpi eq, %k, %five : index
    %t = arith.select %b, %a, %s : f32
    %c = arith.cmpi ule, %k, %j : index
    %r = arith.select %c, %t, %o : f32
    linalg.yield %r : f32
  } -> tensor<100xf32>
  return %y : tensor<100xf32>
}
