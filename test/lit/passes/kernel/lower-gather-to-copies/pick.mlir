// RUN: allo-opt %s --lower-gather-to-copies | filecheck %s

// A part of a table from row %first on: indices of other rows leave the result as it is.

// CHECK-LABEL: func.func @rows(
// CHECK-SAME:    %[[I:.*]]: memref<16xi32, 2>, %[[T:.*]]: memref<50x64xf32, 2>, %[[R:.*]]: memref<16x64xf32, 2>, %[[FIRST:.*]]: index
// CHECK-NOT:     linalg.generic
// CHECK:         scf.for %[[N:.*]] = %c0 to %c16 step %c1 {
// CHECK:           %[[INDEX:.*]] = memref.load %[[I]][%[[N]]]
// CHECK:           %[[PLACE:.*]] = arith.index_cast %[[INDEX]] : i32 to index
// CHECK:           %[[ROW:.*]] = arith.subi %[[PLACE]], %[[FIRST]]
// CHECK:           %[[HERE:.*]] = arith.cmpi ult, %[[ROW]], %{{.*}} : index
// CHECK:           scf.if %[[HERE]] {
// CHECK:             %[[FROM:.*]] = memref.subview %[[T]][%[[ROW]], 0] [1, 64] [1, 1]
// CHECK:             %[[TO:.*]] = memref.subview %[[R]][%[[N]], 0] [1, 64] [1, 1]
// CHECK:             memref.copy %[[FROM]], %[[TO]]
func.func @rows(%i: memref<16xi32, 2>, %t: memref<50x64xf32, 2>, %r: memref<16x64xf32, 2>, %first: index) {
  linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a)>, affine_map<(a, b, c) -> (c, b)>, affine_map<(a, b, c) -> (a, b)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%i, %t : memref<16xi32, 2>, memref<50x64xf32, 2>) outs(%r : memref<16x64xf32, 2>) {
  ^bb0(%n: i32, %x: f32, %old: f32):
    %place = arith.index_cast %n : i32 to index
    %c = linalg.index 2 : index
    %row = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%c)[%first]
    %same = arith.cmpi eq, %place, %row : index
    %y = arith.select %same, %x, %old : f32
    linalg.yield %y : f32
  }
  return
}

// Places that are computed of a loop's index; single elements.

// CHECK-LABEL: func.func @turned(
// CHECK:         scf.for %[[N:.*]] = %c0 to %c8 step %c1 {
// CHECK:           %[[PLACE:.*]] = arith.subi %{{.*}}, %[[N]]
// CHECK:           scf.if
// CHECK:             %[[X:.*]] = memref.load %{{.*}}[%[[PLACE]]]
// CHECK:             memref.store %[[X]], %{{.*}}[%[[N]]]
func.func @turned(%t: memref<8xi8, 2>, %r: memref<8xi8, 2>) {
  linalg.generic {indexing_maps = [affine_map<(a, b) -> (b)>, affine_map<(a, b) -> (a)>], iterator_types = ["parallel", "reduction"]}
      ins(%t : memref<8xi8, 2>) outs(%r : memref<8xi8, 2>) {
  ^bb0(%x: i8, %old: i8):
    %last = arith.constant 7 : index
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %place = arith.subi %last, %a : index
    %same = arith.cmpi eq, %place, %b : index
    %y = arith.select %same, %x, %old : i8
    linalg.yield %y : i8
  }
  return
}

// A table of which two indices name an element.

// CHECK-LABEL: func.func @two(
// CHECK:         scf.for
// CHECK:           %[[BOTH:.*]] = arith.andi
// CHECK:           scf.if %[[BOTH]]
func.func @two(%i: memref<4xi32, 2>, %j: memref<4xi32, 2>, %t: memref<5x6xi32, 2>, %r: memref<4xi32, 2>) {
  linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a)>, affine_map<(a, b, c) -> (a)>, affine_map<(a, b, c) -> (b, c)>,
      affine_map<(a, b, c) -> (a)>], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%i, %j, %t : memref<4xi32, 2>, memref<4xi32, 2>, memref<5x6xi32, 2>) outs(%r : memref<4xi32, 2>) {
  ^bb0(%m: i32, %n: i32, %x: i32, %old: i32):
    %k = arith.index_cast %m : i32 to index
    %l = arith.index_cast %n : i32 to index
    %b = linalg.index 1 : index
    %c = linalg.index 2 : index
    %here = arith.cmpi eq, %k, %b : index
    %y = arith.select %here, %x, %old : i32
    %there = arith.cmpi eq, %l, %c : index
    %z = arith.select %there, %y, %old : i32
    linalg.yield %z : i32
  }
  return
}

// What adds up, and what transposes rows, stays.

// CHECK-LABEL: func.func @others(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK-NOT:     scf.for
func.func @others(%i: memref<16xi32, 2>, %t: memref<50x8xi32, 2>, %u: memref<50x4x2xi32, 2>, %r: memref<16x8xi32, 2>,
    %s: memref<16x2x4xi32, 2>) {
  linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a)>, affine_map<(a, b, c) -> (c, b)>, affine_map<(a, b, c) -> (a, b)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%i, %t : memref<16xi32, 2>, memref<50x8xi32, 2>) outs(%r : memref<16x8xi32, 2>) {
  ^bb0(%n: i32, %x: i32, %old: i32):
    %place = arith.index_cast %n : i32 to index
    %c = linalg.index 2 : index
    %same = arith.cmpi eq, %place, %c : index
    %sum = arith.addi %x, %old : i32
    %y = arith.select %same, %sum, %old : i32
    linalg.yield %y : i32
  }
  linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a)>, affine_map<(a, b, c, d) -> (d, b, c)>,
      affine_map<(a, b, c, d) -> (a, c, b)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%i, %u : memref<16xi32, 2>, memref<50x4x2xi32, 2>) outs(%s : memref<16x2x4xi32, 2>) {
  ^bb0(%n: i32, %x: i32, %old: i32):
    %place = arith.index_cast %n : i32 to index
    %d = linalg.index 3 : index
    %same = arith.cmpi eq, %place, %d : index
    %y = arith.select %same, %x, %old : i32
    linalg.yield %y : i32
  }
  return
}

// A row that is all of the result: its part begins where the result does.

// CHECK-LABEL: func.func @one(
// CHECK-NOT:     linalg.generic
// CHECK:         scf.if
// CHECK:           memref.subview %{{.*}}[%{{.*}}, 0] [1, 64] [1, 1]
// CHECK:           memref.copy
func.func @one(%i: memref<i32, 2>, %t: memref<50x64xf32, 2>, %r: memref<64xf32, 2>) {
  linalg.generic {indexing_maps = [affine_map<(a, b) -> ()>, affine_map<(a, b) -> (b, a)>, affine_map<(a, b) -> (a)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%i, %t : memref<i32, 2>, memref<50x64xf32, 2>) outs(%r : memref<64xf32, 2>) {
  ^bb0(%n: i32, %x: f32, %old: f32):
    %place = arith.index_cast %n : i32 to index
    %c = linalg.index 1 : index
    %same = arith.cmpi eq, %place, %c : index
    %y = arith.select %same, %x, %old : f32
    linalg.yield %y : f32
  }
  return
}
