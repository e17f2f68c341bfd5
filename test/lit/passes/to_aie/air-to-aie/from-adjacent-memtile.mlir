// RUN: allo-opt --syntax=2026-03 %s --air-to-aie='use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0' | filecheck %s

// Two streams read buffers of two memtiles side by side. One has its channel in the first, the other, whose puts say so, in that
// of the buffer that is marked.

// CHECK-DAG: %[[M0:.*]] = aie.tile(0, 1)
// CHECK-DAG: %[[M1:.*]] = aie.tile(1, 1)
// CHECK-DAG: %[[PING:.*]] = aie.buffer(%[[M0]]) {{.*}} : memref<16xi32, 1>
// CHECK-DAG: %[[PONG:.*]] = aie.buffer(%[[M1]]) {{.*}} : memref<16xi32, 1>
// CHECK:     aie.memtile_dma(%[[M0]])
// CHECK:       aie.dma_start(MM2S, 0
// CHECK:       aie.dma_bd(%[[PING]] : memref<16xi32, 1>, 0, 8)
// CHECK:       aie.dma_bd(%[[PONG]] : memref<16xi32, 1>, 0, 8)
// CHECK-NOT:   MM2S
// CHECK:       aie.dma_start(S2MM, 0
// CHECK:     aie.memtile_dma(%[[M1]])
// CHECK:       aie.dma_start(MM2S, 0
// CHECK:       aie.dma_bd(%[[PING]] : memref<16xi32, 1>, 8, 8)
// CHECK:       aie.dma_bd(%[[PONG]] : memref<16xi32, 1>, 8, 8)
// CHECK-NOT:   MM2S
// CHECK:       aie.dma_start(S2MM, 0
air.channel @in [2, 1]
air.channel @out [2, 1]
func.func @f(%a: memref<32xi32>, %b: memref<32xi32>) {
  air.launch () in () args(%x = %a, %y = %b) : memref<32xi32>, memref<32xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    air.channel.put @in[%c0, %c0] (%x[%c0] [%c16] [%c1]) : (memref<32xi32>)
    air.channel.put @in[%c1, %c0] (%x[%c16] [%c16] [%c1]) : (memref<32xi32>)
    air.channel.get @out[%c0, %c0] (%y[%c0] [%c16] [%c1]) : (memref<32xi32>)
    air.channel.get @out[%c1, %c0] (%y[%c16] [%c16] [%c1]) : (memref<32xi32>)
    air.segment @seg {
      %s0 = arith.constant 0 : index
      %s1 = arith.constant 1 : index
      %s8 = arith.constant 8 : index
      %ping = memref.alloc() : memref<16xi32, 1>
      %pong = memref.alloc() {allo.adjacent_memtile} : memref<16xi32, 1>
      air.channel.get @in[%s0, %s0] (%ping[] [] []) : (memref<16xi32, 1>)
      air.channel.get @in[%s1, %s0] (%pong[] [] []) : (memref<16xi32, 1>)
      air.channel.put @out[%s0, %s0] (%ping[%s0] [%s8] [%s1]) : (memref<16xi32, 1>)
      air.channel.put @out[%s1, %s0] (%ping[%s8] [%s8] [%s1]) {allo.from_adjacent_memtile} : (memref<16xi32, 1>)
      air.channel.put @out[%s0, %s0] (%pong[%s0] [%s8] [%s1]) : (memref<16xi32, 1>)
      air.channel.put @out[%s1, %s0] (%pong[%s8] [%s8] [%s1]) {allo.from_adjacent_memtile} : (memref<16xi32, 1>)
    }
  }
  return
}
