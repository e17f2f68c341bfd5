// RUN: not allo-opt %s --air-wrap-func-with-parallel=loop-bounds=4,4 2>&1 | filecheck %s
// RUN: not allo-opt %s --air-wrap-func-with-parallel 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not allo-opt %s --air-wrap-func-with-parallel=loop-bounds=0 2>&1 | filecheck %s --check-prefix=ZERO

// NONE: option 'loop-bounds' is needed
// ZERO: option 'loop-bounds' has a bound below 1
// CHECK: errors.mlir:8:{{.*}}has 1 memref and 2 other arguments; expected after the memrefs 2 integers for the grid's sizes and 2 for the program ids
func.func @k(%a: memref<8xi32>, %n: i32, %x: i32) {
  return
}
