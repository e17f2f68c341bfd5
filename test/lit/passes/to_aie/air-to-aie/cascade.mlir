// RUN: allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0 emit-while-loop=true' | filecheck %s

// A herd without a segment; its upper core sends its buffer down the cascade.

// CHECK-LABEL: aie.device(npu1) @herd
// CHECK: aie.core(%tile_0_3) {
// CHECK:   scf.for
// CHECK:     %[[P:.*]] = memref.subview %{{.*}}[%{{.*}}] [16] [1] : memref<64xi32, 2> to memref<16xi32, strided<[1], offset: ?>, 2>
// CHECK:     %[[V:.*]] = vector.transfer_read %[[P]][%c0], %c0_i32 {in_bounds = [true]}
// CHECK:     aie.put_cascade(%[[V]] : vector<16xi32>)
// CHECK-NEXT: }
// CHECK-NOT: loop_annotation
// CHECK: aie.core(%tile_0_2) {
// CHECK:   memref.collapse_shape %[[B:.*]] {{\[\[}}0, 1]] : memref<4x16xi32, 2> into memref<64xi32, 2>
// CHECK:   scf.for
// CHECK:     memref.subview
// CHECK:     aie.get_cascade() : vector<16xi32>
// CHECK:     vector.transfer_write
// CHECK: aie.cascade_flow(%tile_0_3, %tile_0_2)
#top = affine_set<()[s0] : (s0 - 1 == 0)>
air.channel @c [1, 1] {channel_type = "cascade"}
func.func @f() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c2) {
    %a = memref.alloc() : memref<4x16xi32, 2>
    affine.if #top()[%j] {
      air.channel.put @c[] (%a[] [] []) : (memref<4x16xi32, 2>)
    } else {
      air.channel.get @c[] (%a[] [] []) : (memref<4x16xi32, 2>)
    }
  }
  return
}
