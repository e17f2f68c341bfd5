// RUN: allo-opt %s --vectorize-contractions | filecheck %s
// RUN: allo-opt %s --vectorize-contractions=device=npu2 | filecheck %s --check-prefix=AIE2P

#a = affine_map<(i, j, k, m, n, p) -> (k, i, m, p)>
#b = affine_map<(i, j, k, m, n, p) -> (k, j, p, n)>
#c = affine_map<(i, j, k, m, n, p) -> (j, i, m, n)>

// A micro-tile of an instruction.
// CHECK-LABEL: func.func @bf16
// CHECK:       vector.contract {{.*}} : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
// AIE2P-LABEL: func.func @bf16
func.func @bf16(%a: memref<2x2x4x8xbf16, 2>, %b: memref<2x2x8x4xbf16, 2>, %c: memref<2x2x4x4xf32, 2>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<2x2x4x8xbf16, 2>, memref<2x2x8x4xbf16, 2>) outs(%c : memref<2x2x4x4xf32, 2>) {
  ^bb0(%x: bf16, %y: bf16, %o: f32):
    %p = arith.extf %x : bf16 to f32
    %q = arith.extf %y : bf16 to f32
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  }
  return
}

// f32 in micro-tiles of bf16, whose products emulate-contractions makes of its.
// CHECK-LABEL: func.func @f32
// CHECK:       vector.contract {{.*}} : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
// AIE2P-LABEL: func.func @f32
// AIE2P:       vector.contract {{.*}} : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
func.func @f32(%a: memref<2x2x4x8xf32, 2>, %b: memref<2x2x8x4xf32, 2>, %c: memref<2x2x4x4xf32, 2>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<2x2x4x8xf32, 2>, memref<2x2x8x4xf32, 2>) outs(%c : memref<2x2x4x4xf32, 2>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  }
  return
}

// A micro-tile of the other device.
// CHECK-LABEL: func.func @i8
// CHECK:       linalg.generic
// AIE2P-LABEL: func.func @i8
// AIE2P:       vector.contract {{.*}} : vector<8x8xi32>, vector<8x8xi32> into vector<8x8xi32>
func.func @i8(%a: memref<2x2x8x8xi8, 2>, %b: memref<2x2x8x8xi8, 2>, %c: memref<2x2x8x8xi32, 2>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<2x2x8x8xi8, 2>, memref<2x2x8x8xi8, 2>) outs(%c : memref<2x2x8x8xi32, 2>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %p = arith.extsi %x : i8 to i32
    %q = arith.extsi %y : i8 to i32
    %m = arith.muli %p, %q : i32
    %s = arith.addi %o, %m : i32
    linalg.yield %s : i32
  }
  return
}
