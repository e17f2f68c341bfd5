// RUN: allo-opt --syntax=2026-03 %s --air-dma-to-channel --canonicalize --cse | filecheck %s

// One put for each broadcast_set, with the offset of the cores that it serves.

// CHECK: air.channel @channel_0 [1, 1] {broadcast_shape = [1, 3]}
// CHECK: air.channel @channel_1 [1, 1] {broadcast_shape = [1, 3]}
// CHECK: air.segment
// CHECK-NOT: scf.parallel
// CHECK: air.channel.put async {{.*}}@channel_0[] (%{{.*}}[%c0{{.*}}] [%c32{{.*}}] [%c1{{.*}}]) {broadcast_set = #{{.*}}}
// CHECK: air.channel.put async {{.*}}@channel_1[] (%{{.*}}[%c32{{.*}}] [%c32{{.*}}] [%c1{{.*}}]) {broadcast_set = #{{.*}}}
// CHECK: air.herd @h tile (%[[X:.*]], %[[Y:.*]]) in
// CHECK: affine.if
// CHECK: air.channel.get @channel_0[%[[X]], %[[Y]]]
// CHECK: else
// CHECK: air.channel.get @channel_1[%[[X]], %[[Y]]]
#first = affine_set<()[s0, s1] : (s0 == 0, s1 >= 0, -s1 + 2 >= 0)>
#second = affine_set<()[s0, s1] : (s0 - 1 == 0, s1 >= 0, -s1 + 2 >= 0)>
func.func @rows() {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%s=%c1) {
    air.segment @seg {
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %l2 = memref.alloc() : memref<64xi32, 1>
      air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c3) args(%m=%l2) : memref<64xi32, 1> {
        %c1_0 = arith.constant 1 : index
        %c32 = arith.constant 32 : index
        %at = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%x]
        %in = memref.alloc() : memref<32xi32, 2>
        affine.if #first()[%x, %y] {
          air.dma_memcpy_nd (%in[] [] [], %m[%at] [%c32] [%c1_0]) {broadcast_set = #first} : (memref<32xi32, 2>, memref<64xi32, 1>)
        } else {
          air.dma_memcpy_nd (%in[] [] [], %m[%at] [%c32] [%c1_0]) {broadcast_set = #second} : (memref<32xi32, 2>, memref<64xi32, 1>)
        }
      }
    }
  }
  return
}
