// A reduction ends where a mask in its body begins to hold what changes nothing: along a row by whole vectors, the last one of
// which takes as many lanes as count, along columns after so many of them.
// RUN: allo-opt %s --vectorize-generics | filecheck %s

// CHECK-LABEL: func.func @row
// CHECK:         scf.for %{{.*}} = %{{.*}} to %c16
// CHECK-NOT:       arith.select
// CHECK:         scf.for %[[I:.*]] = %c16{{.*}} to %c48
// CHECK:           arith.cmpi slt, %{{.*}}, %{{.*}} : vector<16xi32>
// CHECK:           arith.select {{.*}} vector<16xf32>
// CHECK-NOT:     memref.load %arg0
// CHECK:         vector.reduction <add>
func.func @row(%x: memref<48xf32, 2>, %s: memref<f32, 2>) {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 37 : index
  linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<48xf32, 2>) outs(%s : memref<f32, 2>) {
  ^bb0(%a: f32, %o: f32):
    %k = linalg.index 0 : index
    %c = arith.cmpi slt, %k, %n : index
    %t = arith.select %c, %a, %zero : f32
    %u = arith.addf %t, %o : f32
    linalg.yield %u : f32
  }
  return
}

// CHECK-LABEL: func.func @columns
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %c32{{.*}} step %c16
// CHECK:           scf.for %{{.*}} = %c0{{.*}} to %c37{{.*}} step %c1
// CHECK-NOT:       arith.select
func.func @columns(%x: memref<48x32xf32, 2>, %s: memref<32xf32, 2>) {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 37 : index
  linalg.generic {indexing_maps = [affine_map<(k, j) -> (k, j)>, affine_map<(k, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<48x32xf32, 2>) outs(%s : memref<32xf32, 2>) {
  ^bb0(%a: f32, %o: f32):
    %k = linalg.index 0 : index
    %c = arith.cmpi slt, %k, %n : index
    %t = arith.select %c, %a, %zero : f32
    %u = arith.addf %t, %o : f32
    linalg.yield %u : f32
  }
  return
}

// What a mask puts in its place is another number than that which changes nothing: it is computed.
// CHECK-LABEL: func.func @others
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %c48{{.*}} step %c16
// CHECK:           arith.select
func.func @others(%x: memref<48xf32, 2>, %s: memref<f32, 2>) {
  %one = arith.constant 1.0 : f32
  %n = arith.constant 37 : index
  linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<48xf32, 2>) outs(%s : memref<f32, 2>) {
  ^bb0(%a: f32, %o: f32):
    %k = linalg.index 0 : index
    %c = arith.cmpi slt, %k, %n : index
    %t = arith.select %c, %a, %one : f32
    %u = arith.addf %t, %o : f32
    linalg.yield %u : f32
  }
  return
}
