// RUN: allo-opt --vectorize-generics %s | filecheck %s
// RUN: allo-opt --vectorize-generics --verify-each=execute %s

// A slice that begins where a loop says is a part of its buffer's row; one that may begin anywhere has no vectors.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @slice(
// CHECK:         %[[ROW:.*]] = memref.collapse_shape %arg0 {{.*}} into memref<128xf32, 2>
// CHECK:         %[[AT:.*]] = affine.apply
// CHECK:         vector.transfer_read %[[ROW]][%[[AT]]]
func.func @slice(%a: memref<4x2x16xf32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %p = %c0 to %c2 step %c1 {
    %s = memref.subview %a[0, %p, 0] [4, 1, 16] [1, 1, 1] : memref<4x2x16xf32, 2> to memref<4x16xf32, strided<[32, 1], offset: ?>, 2>
    linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
        outs(%s : memref<4x16xf32, strided<[32, 1], offset: ?>, 2>) {
    ^bb0(%o: f32):
      %z = arith.addf %o, %o : f32
      linalg.yield %z : f32
    }
  }
  return
}

// CHECK-LABEL: func.func @anywhere(
// CHECK-NOT:     vector.transfer_read
// CHECK:         memref.load
func.func @anywhere(%a: memref<128xf32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %p = %c0 to %c3 step %c1 {
    %s = memref.subview %a[%p] [32] [1] : memref<128xf32, 2> to memref<32xf32, strided<[1], offset: ?>, 2>
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        outs(%s : memref<32xf32, strided<[1], offset: ?>, 2>) {
    ^bb0(%o: f32):
      %z = arith.addf %o, %o : f32
      linalg.yield %z : f32
    }
  }
  return
}
