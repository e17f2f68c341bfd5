// RUN: allo-opt %s --split-input-file --allow-unregistered-dialect --round-right-shifts | filecheck %s
// RUN: allo-opt %s --split-input-file --allow-unregistered-dialect --round-right-shifts=mode=conv-even | filecheck %s --check-prefix=EVEN

// A half goes up, in 64 bits; what it is cut to saturates. Outside of herds nothing changes.
// CHECK-LABEL: func.func @scalar
// CHECK:         arith.shrsi %{{.*}} : i32
// CHECK:         air.herd
// CHECK:           %[[W:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK:           %[[S:.*]] = arith.addi %[[W]]
// CHECK:           %[[Q:.*]] = arith.shrsi %[[S]]
// CHECK:           %[[R:.*]] = arith.trunci %[[Q]] : i64 to i32
// CHECK:           %[[L:.*]] = arith.maxsi %[[R]], %c-128
// CHECK:           %[[H:.*]] = arith.minsi %[[L]], %c127
// CHECK:           arith.trunci %[[H]] : i32 to i8
// EVEN-LABEL: func.func @scalar
// EVEN:         air.herd
// EVEN:           arith.andi
// EVEN:           arith.select
func.func @scalar(%a: i32) {
  %c1 = arith.constant 1 : index
  %four = arith.constant 4 : i32
  %o = arith.shrsi %a, %four : i32
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%v = %o) : i32 {
    %c4 = arith.constant 4 : i32
    %r = arith.shrsi %v, %c4 : i32
    %n = arith.trunci %r : i32 to i8
    "use"(%n) : (i8) -> ()
  }
  return
}

// -----

// Vectors by a constant; not those by others, nor other widths, nor shifts by nothing.
// CHECK-LABEL: func.func @others
// CHECK:         arith.shrsi %{{.*}} : vector<16xi64>
// CHECK:         arith.shrsi %{{.*}} : vector<16xi32>
// CHECK:         arith.shrsi %{{.*}} : i16
// CHECK:         arith.shrsi %{{.*}} : index
// CHECK:         arith.shrsi %{{.*}} : i32
func.func @others(%a: vector<16xi32>, %b: i16, %c: index, %d: i32) {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%v = %a, %s = %b, %i = %c, %w = %d) : vector<16xi32>, i16, index, i32 {
    %c2 = arith.constant dense<2> : vector<16xi32>
    %c0 = arith.constant 0 : i32
    %0 = arith.shrsi %v, %c2 : vector<16xi32>
    %1 = arith.shrsi %0, %v : vector<16xi32>
    %2 = arith.shrsi %s, %s : i16
    %3 = arith.shrsi %i, %i : index
    %4 = arith.shrsi %w, %c0 : i32
    "use"(%1, %2, %3, %4) : (vector<16xi32>, i16, index, i32) -> ()
  }
  return
}

// -----

// Cores that multiply matrices of bf16 round ties to even numbers.
// CHECK-LABEL: func.func @products
// CHECK:         arith.andi
func.func @products(%a: vector<4x8xbf16>, %b: vector<8x4xbf16>, %c: vector<4x4xf32>, %d: i32) {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%p = %a, %q = %b, %r = %c, %w = %d)
    : vector<4x8xbf16>, vector<8x4xbf16>, vector<4x4xf32>, i32 {
    %m = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
      affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %p, %q, %r : vector<4x8xbf16>, vector<8x4xbf16> into vector<4x4xf32>
    %s = arith.shrsi %w, %w : i32
    "use"(%m, %s) : (vector<4x4xf32>, i32) -> ()
  }
  return
}
