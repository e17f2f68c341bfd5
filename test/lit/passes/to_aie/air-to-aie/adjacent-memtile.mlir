// RUN: allo-opt --syntax=2026-03 %s --split-input-file --air-to-aie='device=npu1 row-offset=2 col-offset=0' | filecheck %s

// A buffer that is to be beside another goes to the next memtile with its lock; the channel of the first memtile that sends both
// reaches it there, and so is one of the first four.

// CHECK-DAG: %[[M0:.*]] = aie.tile(0, 1)
// CHECK-DAG: %[[M1:.*]] = aie.tile(1, 1)
// CHECK-DAG: %[[FREE:.*]] = aie.lock(%[[M1]], {{.*}}) {init = 1 : i32}
// CHECK-DAG: %[[FULL:.*]] = aie.lock(%[[M1]], {{.*}}) {init = 0 : i32}
// CHECK-DAG: %[[PING:.*]] = aie.buffer(%[[M0]]) {{.*}} : memref<16xi32, 1>
// CHECK-DAG: %[[PONG:.*]] = aie.buffer(%[[M1]]) {{.*}} : memref<16xi32, 1>
// CHECK:     aie.memtile_dma(%[[M0]])
// CHECK:       aie.dma_start(MM2S, 0
// CHECK:       aie.dma_bd(%[[PING]]
// CHECK:       aie.use_lock(%[[FULL]], AcquireGreaterEqual, 1)
// CHECK-NEXT:  aie.dma_bd(%[[PONG]]
// CHECK-NEXT:  aie.use_lock(%[[FREE]], Release, 1)
// CHECK:       aie.dma_start(S2MM, 0
// CHECK:     aie.memtile_dma(%[[M1]])
// CHECK-NEXT:  aie.dma_start(S2MM, 0
// CHECK:       aie.use_lock(%[[FREE]], AcquireGreaterEqual, 1)
// CHECK-NEXT:  aie.dma_bd(%[[PONG]]
// CHECK-NEXT:  aie.use_lock(%[[FULL]], Release, 1)
air.channel @in [2, 1]
air.channel @out [1, 1]
func.func @f(%a: memref<32xi32>, %b: memref<32xi32>) {
  air.launch () in () args(%x = %a, %y = %b) : memref<32xi32>, memref<32xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    air.channel.put @in[%c0, %c0] (%x[%c0] [%c16] [%c1]) : (memref<32xi32>)
    air.channel.put @in[%c1, %c0] (%x[%c16] [%c16] [%c1]) : (memref<32xi32>)
    air.channel.get @out[%c0, %c0] (%y[] [] []) : (memref<32xi32>)
    air.segment @seg {
      %s0 = arith.constant 0 : index
      %s1 = arith.constant 1 : index
      %ping = memref.alloc() : memref<16xi32, 1>
      %pong = memref.alloc() {allo.adjacent_memtile} : memref<16xi32, 1>
      air.channel.get @in[%s0, %s0] (%ping[] [] []) : (memref<16xi32, 1>)
      air.channel.get @in[%s1, %s0] (%pong[] [] []) : (memref<16xi32, 1>)
      air.channel.put @out[%s0, %s0] (%ping[] [] []) : (memref<16xi32, 1>)
      air.channel.put @out[%s0, %s0] (%pong[] [] []) : (memref<16xi32, 1>)
    }
  }
  return
}

// -----

// Two buffers that different channels fill are beside the one that the same stream reads: in one memtile.
// CHECK: aie.device
// CHECK-DAG: %[[M0:.*]] = aie.tile(0, 1)
// CHECK-DAG: %[[M1:.*]] = aie.tile(1, 1)
// CHECK-DAG: aie.buffer(%[[M0]]) {{.*}} : memref<4xi32, 1>
// CHECK-DAG: aie.buffer(%[[M1]]) {{.*}} : memref<5xi32, 1>
// CHECK-DAG: aie.buffer(%[[M1]]) {{.*}} : memref<6xi32, 1>
air.channel @in [3, 1]
air.channel @out [1, 1]
func.func @two_groups(%a: memref<16xi32>, %b: memref<15xi32>) {
  air.launch () in () args(%x = %a, %y = %b) : memref<16xi32>, memref<15xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    air.channel.put @in[%c0, %c0] (%x[%c0] [%c4] [%c1]) : (memref<16xi32>)
    air.channel.put @in[%c1, %c0] (%x[%c4] [%c5] [%c1]) : (memref<16xi32>)
    air.channel.put @in[%c2, %c0] (%x[%c6] [%c6] [%c1]) : (memref<16xi32>)
    air.channel.get @out[%c0, %c0] (%y[] [] []) : (memref<15xi32>)
    air.segment @seg {
      %s0 = arith.constant 0 : index
      %s1 = arith.constant 1 : index
      %s2 = arith.constant 2 : index
      %own = memref.alloc() : memref<4xi32, 1>
      %one = memref.alloc() {allo.adjacent_memtile} : memref<5xi32, 1>
      %two = memref.alloc() {allo.adjacent_memtile} : memref<6xi32, 1>
      air.channel.get @in[%s0, %s0] (%own[] [] []) : (memref<4xi32, 1>)
      air.channel.get @in[%s1, %s0] (%one[] [] []) : (memref<5xi32, 1>)
      air.channel.get @in[%s2, %s0] (%two[] [] []) : (memref<6xi32, 1>)
      air.channel.put @out[%s0, %s0] (%own[] [] []) : (memref<4xi32, 1>)
      air.channel.put @out[%s0, %s0] (%one[] [] []) : (memref<5xi32, 1>)
      air.channel.put @out[%s0, %s0] (%two[] [] []) : (memref<6xi32, 1>)
    }
  }
  return
}

// -----

// Two streams read ping and pong twice each. Nothing says that their receivers go on in step, so each takes the lock once for both.
// CHECK: aie.device
// CHECK-DAG: %[[M0:.*]] = aie.tile(0, 1)
// CHECK-DAG: %[[FREE:.*]] = aie.lock(%[[M0]], {{.*}}) {init = 2 : i32}
// CHECK-DAG: %[[FULL:.*]] = aie.lock(%[[M0]], {{.*}}) {init = 0 : i32}
// CHECK:     aie.memtile_dma(%[[M0]])
// CHECK:       aie.dma_start(MM2S, 0
// CHECK:       aie.use_lock(%[[FULL]], AcquireGreaterEqual, 1)
// CHECK-NEXT:  aie.dma_bd
// CHECK-NOT:   use_lock
// CHECK:       aie.dma_bd
// CHECK-NEXT:  aie.use_lock(%[[FREE]], Release, 1)
// CHECK:       aie.dma_start(S2MM, 0
// CHECK:       aie.use_lock(%[[FREE]], AcquireGreaterEqual, 2)
// CHECK:       aie.use_lock(%[[FULL]], Release, 2)
air.channel @in [2, 1]
air.channel @out [2, 1]
func.func @apart(%a: memref<32xi32>, %b: memref<128xi32>) {
  air.launch () in () args(%x = %a, %y = %b) : memref<32xi32>, memref<128xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    air.channel.put @in[%c0, %c0] (%x[%c0] [%c16] [%c1]) : (memref<32xi32>)
    air.channel.put @in[%c1, %c0] (%x[%c16] [%c16] [%c1]) : (memref<32xi32>)
    air.channel.get @out[%c0, %c0] (%y[%c0] [%c64] [%c1]) : (memref<128xi32>)
    air.channel.get @out[%c1, %c0] (%y[%c64] [%c64] [%c1]) : (memref<128xi32>)
    air.segment @seg {
      %s0 = arith.constant 0 : index
      %s1 = arith.constant 1 : index
      %s2 = arith.constant 2 : index
      %ping = memref.alloc() : memref<16xi32, 1>
      %pong = memref.alloc() {allo.adjacent_memtile} : memref<16xi32, 1>
      air.channel.get @in[%s0, %s0] (%ping[] [] []) : (memref<16xi32, 1>)
      air.channel.get @in[%s1, %s0] (%pong[] [] []) : (memref<16xi32, 1>)
      scf.for %i = %s0 to %s2 step %s1 {
        air.channel.put @out[%s0, %s0] (%ping[] [] []) : (memref<16xi32, 1>)
      }
      scf.for %i = %s0 to %s2 step %s1 {
        air.channel.put @out[%s0, %s0] (%pong[] [] []) : (memref<16xi32, 1>)
      }
      scf.for %i = %s0 to %s2 step %s1 {
        air.channel.put @out[%s1, %s0] (%ping[] [] []) : (memref<16xi32, 1>)
      }
      scf.for %i = %s0 to %s2 step %s1 {
        air.channel.put @out[%s1, %s0] (%pong[] [] []) : (memref<16xi32, 1>)
      }
    }
  }
  return
}
