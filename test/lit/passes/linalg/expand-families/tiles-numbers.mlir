// RUN: allo-opt %s --expand-families | filecheck %s

// What is computed of single numbers is computed by each core.

// CHECK: scf.forall
// CHECK-NOT: linalg.generic
// CHECK: scf.forall
// CHECK: memory_space = 2
// CHECK: linalg.generic {{.*}} iterator_types = []
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
#number = affine_map<() -> ()>
#each = affine_map<(d0, d1) -> ()>
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func private @kernel(%n: tensor<i32>, %x: tensor<8x16xi32>) -> tensor<8x16xi32>
    attributes {allo.kernel, allo.plan = {family = "tiles", launch = array<i64: 4, 16>, core = array<i64: 1, 16>}} {
  %c9 = arith.constant 9 : i32
  %s = tensor.empty() : tensor<i32>
  %m = linalg.generic {indexing_maps = [#number, #number], iterator_types = []} ins(%n : tensor<i32>) outs(%s : tensor<i32>) {
  ^bb0(%a: i32, %o: i32):
    %r = arith.muli %a, %c9 : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %e = tensor.empty() : tensor<8x16xi32>
  %y = linalg.generic {indexing_maps = [#each, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m, %x : tensor<i32>, tensor<8x16xi32>) outs(%e : tensor<8x16xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %r = arith.addi %a, %b : i32
    linalg.yield %r : i32
  } -> tensor<8x16xi32>
  return %y : tensor<8x16xi32>
}
