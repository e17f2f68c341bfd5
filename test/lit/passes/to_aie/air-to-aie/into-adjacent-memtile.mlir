// RUN: allo-opt --syntax=2026-03 %s --air-to-aie='device=npu1 row-offset=2 col-offset=0' | filecheck %s

// Two channels fill halves of two buffers, each in front of a buffer of its own: the second has its channel where its own one is,
// in the memtile beside. One lock lets both in, as they are in step, and one counts both halves.

// CHECK-DAG: %[[M0:.*]] = aie.tile(0, 1)
// CHECK-DAG: %[[M1:.*]] = aie.tile(1, 1)
// CHECK-DAG: %[[PING:.*]] = aie.buffer(%[[M0]]) {{.*}} : memref<2x8xi32, 1>
// CHECK-DAG: %[[PONG:.*]] = aie.buffer(%[[M0]]) {{.*}} : memref<2x8xi32, 1>
// CHECK-DAG: %[[OWN0:.*]] = aie.buffer(%[[M0]]) {{.*}} : memref<16xi32, 1>
// CHECK-DAG: %[[OWN1:.*]] = aie.buffer(%[[M1]]) {{.*}} : memref<16xi32, 1>
// CHECK-DAG: %[[FREE:.*]] = aie.lock(%[[M0]], {{.*}}) {init = 2 : i32
// CHECK:     aie.memtile_dma(%[[M0]])
// CHECK:       aie.dma_start(MM2S
// CHECK:       aie.dma_start(S2MM, 0
// CHECK:       aie.use_lock(%[[A:.*]], AcquireGreaterEqual, 1)
// CHECK-NEXT:  aie.dma_bd(%{{.*}} : memref<2x8xi32, 1>, 0, 8)
// CHECK-NEXT:  aie.use_lock(%[[FULL:.*]], Release, 1)
// CHECK:       aie.dma_bd(%{{.*}} : memref<16xi32, 1>
// CHECK:     aie.memtile_dma(%[[M1]])
// CHECK:       aie.dma_start(S2MM, 0
// CHECK:       aie.use_lock(%[[A]], AcquireGreaterEqual, 1)
// CHECK-NEXT:  aie.dma_bd(%{{.*}} : memref<2x8xi32, 1>, 8, 8)
// CHECK-NEXT:  aie.use_lock(%[[FULL]], Release, 1)
// CHECK:       aie.dma_bd(%[[OWN1]] : memref<16xi32, 1>
air.channel @in [2, 1]
air.channel @out [2, 1]
air.channel @both []
func.func @f(%a: memref<2x48xi32>, %b: memref<64xi32>, %c: memref<32xi32>) {
  air.launch () in () args(%x = %a, %y = %b, %z = %c) : memref<2x48xi32>, memref<64xi32>, memref<32xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c48 = arith.constant 48 : index
    air.channel.put @in[%c0, %c0] (%x[%c0, %c0] [%c1, %c8] [%c48, %c1]) : (memref<2x48xi32>)
    air.channel.put @in[%c0, %c0] (%x[%c0, %c16] [%c1, %c16] [%c48, %c1]) : (memref<2x48xi32>)
    air.channel.put @in[%c0, %c0] (%x[%c0, %c8] [%c1, %c8] [%c48, %c1]) : (memref<2x48xi32>)
    air.channel.put @in[%c0, %c0] (%x[%c0, %c32] [%c1, %c16] [%c48, %c1]) : (memref<2x48xi32>)
    air.channel.put @in[%c1, %c0] (%x[%c1, %c0] [%c1, %c8] [%c48, %c1]) : (memref<2x48xi32>)
    air.channel.put @in[%c1, %c0] (%x[%c1, %c16] [%c1, %c16] [%c48, %c1]) : (memref<2x48xi32>)
    air.channel.put @in[%c1, %c0] (%x[%c1, %c8] [%c1, %c8] [%c48, %c1]) : (memref<2x48xi32>)
    air.channel.put @in[%c1, %c0] (%x[%c1, %c32] [%c1, %c16] [%c48, %c1]) : (memref<2x48xi32>)
    air.channel.get @out[%c0, %c0] (%y[%c0] [%c32] [%c1]) : (memref<64xi32>)
    air.channel.get @out[%c1, %c0] (%y[%c32] [%c32] [%c1]) : (memref<64xi32>)
    air.channel.get @both[] (%z[%c0] [%c32] [%c1]) : (memref<32xi32>)
    air.segment @seg {
      %s0 = arith.constant 0 : index
      %s1 = arith.constant 1 : index
      %s2 = arith.constant 2 : index
      %s8 = arith.constant 8 : index
      %ping = memref.alloc() {allo.in_lockstep} : memref<2x8xi32, 1>
      %pong = memref.alloc() {allo.in_lockstep} : memref<2x8xi32, 1>
      %own0 = memref.alloc() : memref<16xi32, 1>
      %own1 = memref.alloc() : memref<16xi32, 1>
      air.channel.get @in[%s0, %s0] (%ping[%s0, %s0] [%s1, %s8] [%s8, %s1]) : (memref<2x8xi32, 1>)
      air.channel.get @in[%s1, %s0] (%ping[%s1, %s0] [%s1, %s8] [%s8, %s1]) {allo.into_adjacent_memtile} : (memref<2x8xi32, 1>)
      air.channel.get @in[%s0, %s0] (%own0[] [] []) : (memref<16xi32, 1>)
      air.channel.get @in[%s1, %s0] (%own1[] [] []) : (memref<16xi32, 1>)
      air.channel.put @both[] (%ping[] [] []) : (memref<2x8xi32, 1>)
      air.channel.put @out[%s0, %s0] (%own0[] [] []) : (memref<16xi32, 1>)
      air.channel.put @out[%s1, %s0] (%own1[] [] []) : (memref<16xi32, 1>)
      air.channel.get @in[%s0, %s0] (%pong[%s0, %s0] [%s1, %s8] [%s8, %s1]) : (memref<2x8xi32, 1>)
      air.channel.get @in[%s1, %s0] (%pong[%s1, %s0] [%s1, %s8] [%s8, %s1]) {allo.into_adjacent_memtile} : (memref<2x8xi32, 1>)
      air.channel.get @in[%s0, %s0] (%own0[] [] []) : (memref<16xi32, 1>)
      air.channel.get @in[%s1, %s0] (%own1[] [] []) : (memref<16xi32, 1>)
      air.channel.put @both[] (%pong[] [] []) : (memref<2x8xi32, 1>)
      air.channel.put @out[%s0, %s0] (%own0[] [] []) : (memref<16xi32, 1>)
      air.channel.put @out[%s1, %s0] (%own1[] [] []) : (memref<16xi32, 1>)
    }
  }
  return
}
