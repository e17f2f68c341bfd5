// RUN: allo-opt --syntax=2026-03 %s --air-dma-to-channel --canonicalize --cse | filecheck %s

// Both ends where their memory belongs; the end in L2 once for each core, with the core's offset.

// CHECK: air.channel @channel_0 [2, 2]
// CHECK: air.channel @channel_1 [2, 2]
// CHECK-LABEL: func.func @sync
// CHECK: air.segment
// CHECK: %[[L2:.*]] = memref.alloc() : memref<64x64xi32, 1>
// CHECK: %[[PUTS:.*]] = scf.parallel (%[[X:.*]], %[[Y:.*]]) = (%c0{{.*}}, %c0{{.*}}) to (%c2{{.*}}, %c2{{.*}})
// CHECK: scf.for %[[K:[a-z0-9]+]] =
// CHECK: air.channel.put async [{{.*}}] @channel_0[%[[X]], %[[Y]]] (%[[L2]][%{{.*}}, %[[K]]] [%c32{{.*}}, %c16{{.*}}] [%c64{{.*}}, %c1{{.*}}]) : (memref<64x64xi32, 1>)
// CHECK: %[[GETS:.*]] = scf.parallel
// CHECK-NOT: scf.for
// CHECK: air.channel.get async {{.*}}@channel_1[%{{.*}}, %{{.*}}] (%[[L2]][
// CHECK: air.herd @h tile (%[[I:.*]], %[[J:.*]]) in
// CHECK-NOT: args
// CHECK: scf.for
// CHECK: air.channel.get @channel_0[%[[I]], %[[J]]] (%{{.*}}[] [] []) : (memref<32x16xi32, 2>)
// CHECK: air.channel.put @channel_1[%[[I]], %[[J]]] (%{{.*}}[] [] []) : (memref<32x32xi32, 2>)
// CHECK: air.wait_all [%[[PUTS]], %[[GETS]]]
func.func @sync() {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%s=%c1) {
    air.segment @seg {
      %c2 = arith.constant 2 : index
      %l2 = memref.alloc() : memref<64x64xi32, 1>
      air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%m=%l2) : memref<64x64xi32, 1> {
        %c0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %c16 = arith.constant 16 : index
        %c32 = arith.constant 32 : index
        %c64 = arith.constant 64 : index
        %row = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%x]
        %column = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%y]
        %out = memref.alloc() : memref<32x32xi32, 2>
        scf.for %k = %c0 to %c64 step %c16 {
          %in = memref.alloc() : memref<32x16xi32, 2>
          air.dma_memcpy_nd (%in[] [] [], %m[%row, %k] [%c32, %c16] [%c64, %c1_0]) {id = 1 : i32} : (memref<32x16xi32, 2>, memref<64x64xi32, 1>)
          memref.dealloc %in : memref<32x16xi32, 2>
        }
        air.dma_memcpy_nd (%m[%row, %column] [%c32, %c32] [%c64, %c1_0], %out[] [] []) {id = 2 : i32} : (memref<64x64xi32, 1>, memref<32x32xi32, 2>)
      }
      memref.dealloc %l2 : memref<64x64xi32, 1>
    }
  }
  return
}

// L3 straight to the cores: the puts leave the segment, too. Names that are taken are not given again.

// CHECK-LABEL: func.func @from_l3
// CHECK-SAME: %[[A:.*]]: memref<64xi32>
// CHECK: air.launch async
// CHECK: scf.parallel (%[[X:.*]]) = (%c0{{.*}}) to (%c4{{.*}})
// CHECK: air.channel.put async @channel_2[%[[X]], %c0{{.*}}] (%{{.*}}[%{{.*}}] [%c16{{.*}}] [%c1{{.*}}]) : (memref<64xi32>)
// CHECK: air.segment
// CHECK-NOT: memref<64xi32>
// CHECK: air.channel.get async [%{{.*}}] @channel_2[
func.func @from_l3(%a: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %t = air.launch async (%i) in (%s=%c1) args(%la=%a) : memref<64xi32> {
    %0 = air.segment @seg async args(%sa=%la) : memref<64xi32> {
      %c4 = arith.constant 4 : index
      %c1_0 = arith.constant 1 : index
      %1 = air.herd @h async tile (%x, %y) in (%sx=%c4, %sy=%c1_0) args(%m=%sa) : memref<64xi32> {
        %c1_1 = arith.constant 1 : index
        %c16 = arith.constant 16 : index
        %at = affine.apply affine_map<()[s0] -> (s0 * 16)>()[%x]
        %token, %in = air.execute -> (memref<16xi32, 2>) {
          %alloc = memref.alloc() : memref<16xi32, 2>
          air.execute_terminator %alloc : memref<16xi32, 2>
        }
        %2 = air.dma_memcpy_nd async [%token] (%in[] [] [], %m[%at] [%c16] [%c1_1]) : (memref<16xi32, 2>, memref<64xi32>)
      }
    }
  }
  return
}
