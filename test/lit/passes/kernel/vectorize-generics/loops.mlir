// RUN: allo-opt %s --vectorize-generics=remarks=true --canonicalize --cse 2>%t | filecheck %s
// RUN: filecheck %s --check-prefix=WHY < %t

#ab = affine_map<(a, b) -> (a, b)>
#ba = affine_map<(a, b) -> (b, a)>
#a = affine_map<(a, b) -> (a)>
#b = affine_map<(a, b) -> (b)>

// Loops that all operands walk as one are one; lanes of what is left over are loaded and stored one by one.
// CHECK-LABEL: func.func @chain
func.func @chain(%x: memref<5x20xf32, 2>, %y: memref<5x20xf32, 2>) {
  // CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
  // CHECK-DAG: %[[C96:.*]] = arith.constant 96 : index
  // CHECK-DAG: %[[C99:.*]] = arith.constant 99 : index
  // CHECK:     %[[X:.*]] = memref.collapse_shape %{{.*}} {{\[\[}}0, 1]] : memref<5x20xf32, 2> into memref<100xf32, 2>
  // CHECK:     scf.for %[[I:.*]] = %{{.*}} to %[[C96]] step %[[C16]] {
  // CHECK:       %[[V:.*]] = vector.transfer_read %[[X]][%[[I]]], %{{.*}} {in_bounds = [true]} : memref<100xf32, 2>, vector<16xf32>
  // CHECK:       %[[S:.*]] = arith.addf %[[V]], %[[V]] : vector<16xf32>
  // CHECK:       vector.transfer_write %[[S]]
  // CHECK:     %[[L:.*]] = memref.load %[[X]][%[[C99]]]
  // CHECK:     vector.from_elements {{.*}}, %[[L]], %[[L]] : vector<16xf32>
  // CHECK:     arith.addf %{{.*}} : vector<16xf32>
  // CHECK:     %[[R:.*]] = vector.extract %{{.*}}[3]
  // CHECK:     memref.store %[[R]], %{{.*}}[%[[C99]]]
  linalg.generic {indexing_maps = [#ab, #ab], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<5x20xf32, 2>) outs(%y : memref<5x20xf32, 2>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.addf %u, %u : f32
    linalg.yield %s : f32
  }
  return
}

// An element for each row is loaded once, and spread over the lanes.
// CHECK-LABEL: func.func @rows
func.func @rows(%x: memref<4x32xf32, 2>, %r: memref<4xf32, 2>, %y: memref<4x32xf32, 2>) {
  // CHECK: scf.for %[[I:.*]] =
  // CHECK:   %[[E:.*]] = memref.load %{{.*}}[%[[I]]] : memref<4xf32, 2>
  // CHECK:   scf.for
  // CHECK:     vector.broadcast %[[E]] : f32 to vector<16xf32>
  linalg.generic {indexing_maps = [#ab, #a, #ab], iterator_types = ["parallel", "parallel"]}
      ins(%x, %r : memref<4x32xf32, 2>, memref<4xf32, 2>) outs(%y : memref<4x32xf32, 2>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %s = arith.subf %u, %v : f32
    linalg.yield %s : f32
  }
  return
}

// Along the reduction: lanes that are combined at the end, from the first result and what changes nothing; bf16 in f32.
// CHECK-LABEL: func.func @row_sums
func.func @row_sums(%x: memref<4x64xbf16, 2>, %y: memref<4xbf16, 2>) {
  // CHECK: scf.for
  // CHECK:   %[[F:.*]] = memref.load
  // CHECK:   %[[W:.*]] = arith.extf %[[F]] : bf16 to f32
  // CHECK:   %[[B:.*]] = vector.insert %[[W]], %{{.*}} [0] : f32 into vector<16xf32>
  // CHECK:   %[[L:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[B]]) -> (vector<16xf32>) {
  // CHECK:     %[[E:.*]] = arith.extf %{{.*}} : vector<16xbf16> to vector<16xf32>
  // CHECK:     arith.addf %[[A]], %[[E]] : vector<16xf32>
  // CHECK:   vector.reduction <add>, %[[L]] : vector<16xf32> into f32
  linalg.generic {indexing_maps = [#ab, #a], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x64xbf16, 2>) outs(%y : memref<4xbf16, 2>) {
  ^bb0(%u: bf16, %o: bf16):
    %s = arith.addf %u, %o : bf16
    linalg.yield %s : bf16
  }
  return
}

// Along the result: rows are added.
// CHECK-LABEL: func.func @column_sums
func.func @column_sums(%x: memref<4x64xi32, 2>, %y: memref<64xi32, 2>) {
  // CHECK: scf.for
  // CHECK:   %[[F:.*]] = vector.transfer_read
  // CHECK:   %[[R:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[F]]) -> (vector<16xi32>) {
  // CHECK:   vector.transfer_write %[[R]]
  linalg.generic {indexing_maps = [#ab, #b], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<4x64xi32, 2>) outs(%y : memref<64xi32, 2>) {
  ^bb0(%u: i32, %o: i32):
    %s = arith.addi %u, %o : i32
    linalg.yield %s : i32
  }
  return
}

// What has no vector form becomes loops over elements, and a remark says why.
// CHECK-LABEL: func.func @turned
// CHECK-NOT:     vector
// WHY: remark: 'linalg.generic' op becomes loops over single elements: no dimension is contiguous in all operands
func.func @turned(%x: memref<32x32xf32, 2>, %y: memref<32x32xf32, 2>) {
  linalg.generic {indexing_maps = [#ba, #ab], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<32x32xf32, 2>) outs(%y : memref<32x32xf32, 2>) {
  ^bb0(%u: f32, %o: f32):
    linalg.yield %u : f32
  }
  return
}

// CHECK-LABEL: func.func @products
// CHECK-SAME:    allo.scalar = "line {{.*}}'arith.muli' of i32 has no vector form"
// CHECK-NOT:     vector
// WHY: remark: 'linalg.generic' op becomes loops over single elements: 'arith.muli' of i32 has no vector form
func.func @products(%x: memref<4x32xi32, 2>, %y: memref<4x32xi32, 2>) {
  linalg.generic {indexing_maps = [#ab, #ab], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<4x32xi32, 2>) outs(%y : memref<4x32xi32, 2>) {
  ^bb0(%u: i32, %o: i32):
    %s = arith.muli %u, %u : i32
    linalg.yield %s : i32
  }
  return
}
