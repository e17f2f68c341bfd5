// What lanes keep of a reduction: of a maximum the greatest and the least bits, of bf16 that are extended what it is in bf16, of a
// sum four results, of which each takes every fourth vector, and one for the vectors that are left over.
// RUN: allo-opt %s --vectorize-generics | filecheck %s

#row = affine_map<(i, j) -> (i, j)>
#of = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @greatest
// CHECK: scf.for {{.*}} -> (vector<16xi32>, vector<16xi32>)
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: arith.cmpi slt
// CHECK: arith.select
func.func @greatest(%x: memref<4x64xf32, 2>, %m: memref<4xf32, 2>) {
  linalg.generic {indexing_maps = [#row, #of], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x64xf32, 2>) outs(%m : memref<4xf32, 2>) {
  ^bb0(%a: f32, %o: f32):
    %y = arith.maximumf %a, %o : f32
    linalg.yield %y : f32
  }
  return
}

// CHECK-LABEL: func.func @brief
// CHECK: scf.for {{.*}} -> (vector<16xbf16>)
// CHECK: arith.minimumf {{.*}} vector<16xbf16>
// CHECK: arith.extf
func.func @brief(%x: memref<4x64xbf16, 2>, %m: memref<4xf32, 2>) {
  linalg.generic {indexing_maps = [#row, #of], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x64xbf16, 2>) outs(%m : memref<4xf32, 2>) {
  ^bb0(%a: bf16, %o: f32):
    %w = arith.extf %a : bf16 to f32
    %y = arith.minimumf %w, %o : f32
    linalg.yield %y : f32
  }
  return
}

// CHECK-LABEL: func.func @sum
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c128{{.*}} step %c64{{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-4: arith.addf
// CHECK: scf.for %{{.*}} = %c128{{.*}} to %c160{{.*}} step %c16
func.func @sum(%x: memref<4x160xf32, 2>, %m: memref<4xf32, 2>) {
  linalg.generic {indexing_maps = [#row, #of], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x160xf32, 2>) outs(%m : memref<4xf32, 2>) {
  ^bb0(%a: f32, %o: f32):
    %y = arith.addf %a, %o : f32
    linalg.yield %y : f32
  }
  return
}
