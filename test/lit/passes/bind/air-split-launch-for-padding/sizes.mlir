// RUN: allo-opt %s --air-split-launch-for-padding=pad-location=memtile | filecheck %s

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
