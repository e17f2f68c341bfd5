// RUN: allo-opt %s --air-wrap-func-with-parallel=loop-bounds=1,1 | filecheck %s

// A grid of one program computes what the function computed with both ids 0.

// CHECK: scf.parallel
func.func @k(%a: memref<8xi32>, %b: memref<8xi32>, %nx: index, %ny: index, %x: index, %y: index) {
  memref.copy %a, %b : memref<8xi32> to memref<8xi32>
  return
}
