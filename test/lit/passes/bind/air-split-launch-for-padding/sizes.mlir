// RUN: allo-opt %s --air-split-launch-for-padding=pad-location=memtile | filecheck %s
// RUN: not allo-opt %S/Inputs/over.mlir --air-split-launch-for-padding 2>&1 | filecheck %s --check-prefix=OVER

// OVER: over.mlir:3:{{.*}}covers 60 elements of dimension 1 in blocks of 16, and the last block overhangs, which is not implemented; pad the arrays to 64

// Blocks that divide the sizes need no padding; ids are followed into the segment.

// CHECK: air.launch
// CHECK-NOT: air.actual_sizes
// CHECK: air.segment
func.func @f(%a: memref<64x64xi32>) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  air.launch (%i, %j) in (%m=%c2, %n=%c4) args(%x=%a) : memref<64x64xi32> attributes {air.actual_sizes = array<i64: 64, 64>} {
    %r = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
    air.segment @s args(%k=%j, %o=%r) : index, index {
      %c16 = arith.constant 16 : index
      %c = arith.muli %k, %c16 : index
    }
  }
  return
}
