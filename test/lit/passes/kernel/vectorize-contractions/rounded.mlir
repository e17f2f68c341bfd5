// RUN: allo-opt --vectorize-contractions %s | filecheck %s

// A sum that is kept as bf16 is f32 while the loop over k runs, and rounded once after it.
// CHECK-LABEL: func.func @rounded
// CHECK: scf.for
// CHECK: vector.transfer_read %arg2{{.*}} : memref<2x2x4x4xbf16, 2>, vector<4x4xbf16>
// CHECK: %[[WIDE:.*]] = arith.extf {{.*}} : vector<16xbf16> to vector<16xf32>
// CHECK: %[[ACC:.*]] = vector.shape_cast %[[WIDE]] : vector<16xf32> to vector<4x4xf32>
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[ACC]]) -> (vector<4x4xf32>)
// CHECK: vector.contract
// CHECK: arith.truncf {{.*}} : vector<16xf32> to vector<16xbf16>
// CHECK: vector.transfer_write {{.*}} : vector<4x4xbf16>, memref<2x2x4x4xbf16, 2>
// CHECK-NOT: unrealized_conversion_cast
#a = affine_map<(i, j, l, m, n, k) -> (l, i, m, k)>
#b = affine_map<(i, j, l, m, n, k) -> (j, l, k, n)>
#c = affine_map<(i, j, l, m, n, k) -> (j, i, m, n)>
func.func @rounded(%a: memref<3x2x4x8xbf16, 2>, %b: memref<2x3x8x4xbf16, 2>, %c: memref<2x2x4x4xbf16, 2>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<3x2x4x8xbf16, 2>, memref<2x3x8x4xbf16, 2>) outs(%c : memref<2x2x4x4xbf16, 2>) {
  ^bb0(%x: bf16, %y: bf16, %s: bf16):
    %0 = arith.extf %x : bf16 to f32
    %1 = arith.extf %y : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.extf %s : bf16 to f32
    %4 = arith.addf %3, %2 : f32
    %5 = arith.truncf %4 : f32 to bf16
    linalg.yield %5 : bf16
  }
  return
}

// Products that are made and summed in their own short type are f32, or i32, in registers, too. Sixteen integers wrap at once.
// CHECK-LABEL: func.func @short
// CHECK: arith.extf {{.*}} : vector<16xbf16> to vector<16xf32>
// CHECK: vector.contract {{.*}} : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
// CHECK: arith.truncf {{.*}} : vector<16xf32> to vector<16xbf16>
func.func @short(%a: memref<3x2x4x8xbf16, 2>, %b: memref<2x3x8x4xbf16, 2>, %c: memref<2x2x4x4xbf16, 2>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<3x2x4x8xbf16, 2>, memref<2x3x8x4xbf16, 2>) outs(%c : memref<2x2x4x4xbf16, 2>) {
  ^bb0(%x: bf16, %y: bf16, %s: bf16):
    %0 = arith.mulf %x, %y : bf16
    %1 = arith.addf %s, %0 : bf16
    linalg.yield %1 : bf16
  }
  return
}

// CHECK-LABEL: func.func @wrapped
// CHECK: arith.extsi {{.*}} : vector<32xi8> to vector<32xi32>
// CHECK: vector.contract {{.*}} : vector<4x8xi32>, vector<8x8xi32> into vector<4x8xi32>
// CHECK: vector.extract_strided_slice {{.*}} {offsets = [0]
// CHECK: arith.trunci {{.*}} : vector<16xi32> to vector<16xi8>
// CHECK: vector.transfer_write {{.*}} : vector<2x8xi8>, memref<2x2x4x8xi8, 2>
// CHECK: vector.extract_strided_slice {{.*}} {offsets = [16]
// CHECK: arith.trunci {{.*}} : vector<16xi32> to vector<16xi8>
func.func @wrapped(%a: memref<3x2x4x8xi8, 2>, %b: memref<2x3x8x8xi8, 2>, %c: memref<2x2x4x8xi8, 2>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<3x2x4x8xi8, 2>, memref<2x3x8x8xi8, 2>) outs(%c : memref<2x2x4x8xi8, 2>) {
  ^bb0(%x: i8, %y: i8, %s: i8):
    %0 = arith.muli %y, %x : i8
    %1 = arith.addi %0, %s : i8
    linalg.yield %1 : i8
  }
  return
}

// A square of one operand is not a product of both.
// CHECK-LABEL: func.func @square
// CHECK: linalg.generic
func.func @square(%a: memref<3x2x4x8xbf16, 2>, %b: memref<2x3x8x4xbf16, 2>, %c: memref<2x2x4x4xbf16, 2>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<3x2x4x8xbf16, 2>, memref<2x3x8x4xbf16, 2>) outs(%c : memref<2x2x4x4xbf16, 2>) {
  ^bb0(%x: bf16, %y: bf16, %s: bf16):
    %0 = arith.mulf %x, %x : bf16
    %1 = arith.addf %s, %0 : bf16
    linalg.yield %1 : bf16
  }
  return
}
