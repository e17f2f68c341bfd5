// Operations of dialect `schedule` find loops by name; a step that cannot be done says why.
// RUN: allo-opt %s --schedule=%S/Inputs/loops.mlir | filecheck %s
// RUN: not allo-opt %s --schedule=%S/Inputs/unknown_loop.mlir 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: not allo-opt %s --schedule=%S/Inputs/wrong_order.mlir 2>&1 | filecheck %s --check-prefix=ORDER

// CHECK-LABEL: func.func @f
// CHECK: affine.for %{{.*}} = 0 to 2
// CHECK: memref.alloc() {name = "A_j_reuse"} : memref<2xi32>
// CHECK: loop_name = "j"
// CHECK: loop_name = "i.inner"
// CHECK: loop_name = "i.outer"

// UNKNOWN: error: unknown loop 'k'
// ORDER: error: in the order j, i, iterations that use elements of a tensor would change places with those that write them

func.func @f(%A: memref<8x9xi32>, %B: memref<8x8xi32>) attributes {arg_names = ["A", "B"]} {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %0 = affine.load %A[%i, %j] : memref<8x9xi32>
      %1 = affine.load %A[%i, %j + 1] : memref<8x9xi32>
      %2 = arith.addi %0, %1 : i32
      affine.store %2, %B[%i, %j] : memref<8x8xi32>
    } {loop_name = "j"}
  } {loop_name = "i", op_name = "nest"}
  return
}

func.func @g(%A: memref<8x9xi32>) attributes {arg_names = ["A"]} {
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to 8 {
      %0 = affine.load %A[%i, %j + 1] : memref<8x9xi32>
      affine.store %0, %A[%i + 1, %j] : memref<8x9xi32>
    } {loop_name = "j"}
  } {loop_name = "i", op_name = "nest"}
  return
}
