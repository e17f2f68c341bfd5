// RUN: allo-opt %s --air-linalg-to-func=derive-library-call=true | filecheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>

// Without link-with the object file is left to whoever links.

// CHECK:      air.channel @c
// CHECK-NEXT: func.func private @linalg_generic_view4x4xi32as2_view4x4xi32as2(memref<4x4xi32, 2>, memref<4x4xi32, 2>) attributes {llvm.emit_c_interface}
// CHECK-NEXT: func.func private @linalg_generic_view4x4xi32as2_view4x4xi32as2_1(
// CHECK-NEXT: func.func private @linalg_generic_view4x4xi32as2_view4x4xi32as2_2(
// CHECK-NEXT: func.func private @linalg_generic_view4x4xi32as2_view4x4xi32as2_3(
// CHECK-NEXT: func.func private @linalg_generic_view4x4xi32as2_view4x4xi32as2_4(memref<4x4xi32, strided<[8, 1]>, 2>
// CHECK-NOT:  func.func private
air.channel @c [1]

// Equal types, and: the same twice, other operation, other map, other constant, other layout.

// CHECK-LABEL: func.func @f
// CHECK:       call @linalg_generic_view4x4xi32as2_view4x4xi32as2(
// CHECK-NEXT:  call @linalg_generic_view4x4xi32as2_view4x4xi32as2_1(
// CHECK-NEXT:  call @linalg_generic_view4x4xi32as2_view4x4xi32as2(
// CHECK-NEXT:  call @linalg_generic_view4x4xi32as2_view4x4xi32as2_2(
// CHECK-NEXT:  call @linalg_generic_view4x4xi32as2_view4x4xi32as2_3(
// CHECK-NEXT:  call @linalg_generic_view4x4xi32as2_view4x4xi32as2_4(
func.func @f(%a: memref<4x4xi32, 2>, %s: memref<4x4xi32, strided<[8, 1]>, 2>) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<4x4xi32, 2>) outs(%a : memref<4x4xi32, 2>) {
  ^bb0(%in: i32, %out: i32):
    %r = arith.addi %in, %one : i32
    linalg.yield %r : i32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<4x4xi32, 2>) outs(%a : memref<4x4xi32, 2>) {
  ^bb0(%in: i32, %out: i32):
    %r = arith.muli %in, %one : i32
    linalg.yield %r : i32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<4x4xi32, 2>) outs(%a : memref<4x4xi32, 2>) {
  ^bb0(%x: i32, %y: i32):
    %r = arith.addi %x, %one : i32
    linalg.yield %r : i32
  }
  linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<4x4xi32, 2>) outs(%a : memref<4x4xi32, 2>) {
  ^bb0(%in: i32, %out: i32):
    %r = arith.addi %in, %one : i32
    linalg.yield %r : i32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<4x4xi32, 2>) outs(%a : memref<4x4xi32, 2>) {
  ^bb0(%in: i32, %out: i32):
    %r = arith.addi %in, %two : i32
    linalg.yield %r : i32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : memref<4x4xi32, strided<[8, 1]>, 2>) outs(%s : memref<4x4xi32, strided<[8, 1]>, 2>) {
  ^bb0(%in: i32, %out: i32):
    %r = arith.addi %in, %two : i32
    linalg.yield %r : i32
  }
  return
}
