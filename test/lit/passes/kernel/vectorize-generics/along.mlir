// A buffer that is written along the loop that reduces into another is left to loops over single elements.
// RUN: allo-opt %s --vectorize-generics | filecheck %s

// CHECK-LABEL: func.func @both
// CHECK:         linalg.generic
func.func @both(%x: memref<16x32xf32, 2>, %y: memref<16x32xf32, 2>, %s: memref<16xf32, 2>) {
  linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<16x32xf32, 2>) outs(%y, %s : memref<16x32xf32, 2>, memref<16xf32, 2>) {
  ^bb0(%a: f32, %o: f32, %t: f32):
    %d = arith.addf %a, %a : f32
    %u = arith.addf %d, %t : f32
    linalg.yield %d, %u : f32, f32
  }
  return
}

// A result that is equal in all lanes is one element.
// CHECK-LABEL: func.func @mean
// CHECK:         %[[Q:.*]] = arith.divf %{{.*}} : f32
// CHECK:         memref.store %[[Q]], %{{.*}} : memref<1xf32, 2>
func.func @mean(%x: memref<1x4xf32, 2>, %s: memref<1xf32, 2>, %y: memref<1x4xf32, 2>, %m: memref<1xf32, 2>) {
  %c = arith.constant 8.0 : f32
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<1x4xf32, 2>, memref<1xf32, 2>) outs(%y, %m : memref<1x4xf32, 2>, memref<1xf32, 2>) {
  ^bb0(%a: f32, %b: f32, %o: f32, %t: f32):
    %d = arith.divf %b, %c : f32
    linalg.yield %a, %d : f32, f32
  }
  return
}
