// RUN: allo-opt %s --split-input-file --airrt-to-npu=order=planned | filecheck %s

// Loops of a launch go side by side: what the first waits for may need what the second sends. Rows of two channels are read and
// written back, each in two rounds; all inputs of a round start before one of them is waited for, and what the third loop
// sends all along starts first. Nobody waits for rows that are written, as nobody reads these any more.
// CHECK: aie.runtime_sequence @rows
// CHECK:      aiex.dma_configure_task_for @all
// CHECK:      %[[X:.*]] = aiex.dma_configure_task_for @in0
// CHECK:      %[[Y:.*]] = aiex.dma_configure_task_for @in1
// CHECK-DAG:  aiex.dma_await_task(%[[X]])
// CHECK-DAG:  aiex.dma_await_task(%[[Y]])
// CHECK-NEXT: %[[U:.*]] = aiex.dma_configure_task_for @in0
// CHECK:      %[[V:.*]] = aiex.dma_configure_task_for @in1
// CHECK:      aiex.dma_configure_task_for @out0
// CHECK:      aiex.dma_configure_task_for @out1
// CHECK-DAG:  aiex.dma_await_task(%[[U]])
// CHECK-DAG:  aiex.dma_await_task(%[[V]])
// CHECK-NEXT: aiex.dma_configure_task_for @out0
// CHECK:      aiex.dma_configure_task_for @out1

// Where the second touches what the first writes, it follows.
// CHECK: aie.runtime_sequence @meet
// CHECK:      aiex.dma_configure_task_for @in0
// CHECK:      %[[V:.*]] = aiex.dma_configure_task_for @out0
// CHECK:      aiex.dma_await_task(%[[V]])
// CHECK:      aiex.dma_configure_task_for @in1
aie.device(npu1) @dev {
  %t = aie.tile(0, 0)
  %u = aie.tile(1, 0)
  aie.shim_dma_allocation @in0(%t, MM2S, 0)
  aie.shim_dma_allocation @in1(%t, MM2S, 1)
  aie.shim_dma_allocation @all(%u, MM2S, 0)
  aie.shim_dma_allocation @out0(%t, S2MM, 0)
  aie.shim_dma_allocation @out1(%t, S2MM, 1)
}
func.func @rows(%a: memref<4x64xi32>, %b: memref<64xi32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c64 = arith.constant 64 : i64
  affine.for %launch = 0 to 1 {
    affine.for %i = 0 to 2 {
      %r = arith.index_cast %i : index to i64
      %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %r, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c64, %c1]) {metadata = @in0} : (i32, i64, i64, memref<4x64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
      airrt.wait_all %e
      %f = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %r, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c64, %c1]) {metadata = @out0} : (i32, i64, i64, memref<4x64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
      airrt.wait_all %f
    }
    affine.for %i = 0 to 2 {
      %k = arith.index_cast %i : index to i64
      %r = arith.addi %k, %c2 : i64
      %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %r, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c64, %c1]) {metadata = @in1} : (i32, i64, i64, memref<4x64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
      airrt.wait_all %e
      %f = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %r, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c64, %c1]) {metadata = @out1} : (i32, i64, i64, memref<4x64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
      airrt.wait_all %f
    }
    affine.for %i = 0 to 2 {
      %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %b[%c0, %c0, %c0, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c0, %c1]) {metadata = @all} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
    }
    airrt.wait_all {air.launch = 0 : i32, air.launch_end}
  }
  return
}
func.func @meet(%a: memref<64xi32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  affine.for %launch = 0 to 1 {
    affine.for %i = 0 to 1 {
      %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c0, %c1]) {metadata = @in0} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
      airrt.wait_all %e
      %f = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c0, %c1]) {metadata = @out0} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
      airrt.wait_all %f
    }
    affine.for %i = 0 to 1 {
      %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c0, %c1]) {metadata = @in1} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
    }
    airrt.wait_all {air.launch = 0 : i32, air.launch_end}
  }
  return
}

// -----

// Loops that wait more or less often go at paces of their own: two rounds of the second to one of the first.
// CHECK: aie.runtime_sequence @two_paces
// CHECK:      aiex.dma_configure_task_for @in0
// CHECK:      aiex.dma_configure_task_for @in1
// CHECK:      %[[U:.*]] = aiex.dma_configure_task_for @out0
// CHECK:      aiex.dma_configure_task_for @out1
// CHECK-NOT:  aiex.dma_configure_task_for @in0
// CHECK:      aiex.dma_configure_task_for @in1
// CHECK:      aiex.dma_await_task(%[[U]])
// CHECK:      aiex.dma_configure_task_for @in0
aie.device(npu1) @paces {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in0(%t, MM2S, 0)
  aie.shim_dma_allocation @in1(%t, MM2S, 1)
  aie.shim_dma_allocation @out0(%t, S2MM, 0)
  aie.shim_dma_allocation @out1(%t, S2MM, 1)
}
func.func @two_paces(%a: memref<3x64xi32>, %b: memref<5x64xi32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  affine.for %launch = 0 to 1 {
    affine.for %i = 0 to 2 {
      %r = arith.index_cast %i : index to i64
      %s = arith.addi %r, %c1 : i64
      %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %r, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c64, %c1]) {metadata = @in0} : (i32, i64, i64, memref<3x64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
      %f = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %s, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c64, %c1]) {metadata = @out0} : (i32, i64, i64, memref<3x64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
      airrt.wait_all %e, %f
    }
    affine.for %i = 0 to 4 {
      %r = arith.index_cast %i : index to i64
      %s = arith.addi %r, %c1 : i64
      %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %b[%c0, %c0, %r, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c64, %c1]) {metadata = @in1} : (i32, i64, i64, memref<5x64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
      %f = airrt.dma_memcpy_nd(%id, %c0, %c0, %b[%c0, %c0, %s, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c64, %c1]) {metadata = @out1} : (i32, i64, i64, memref<5x64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
      airrt.wait_all %e, %f
    }
    airrt.wait_all {air.launch = 0 : i32, air.launch_end}
  }
  return
}

// -----

// A core comes to the second loop when it is done with the first: so does the host, in each iteration of the launch.
// CHECK: aie.runtime_sequence @in_turn
// CHECK-COUNT-2: aiex.dma_configure_task_for @in0
// CHECK-COUNT-4: aiex.dma_configure_task_for @in1
// CHECK-COUNT-2: aiex.dma_configure_task_for @in0
// CHECK-COUNT-4: aiex.dma_configure_task_for @in1
// CHECK-NOT:     aiex.dma_configure_task_for @in
aie.device(npu1) @turns {
  %t = aie.tile(0, 0)
  %core = aie.tile(0, 2)
  %free0 = aie.lock(%core, 0) {init = 1 : i32}
  %full0 = aie.lock(%core, 1) {init = 0 : i32}
  %done0 = aie.lock(%core, 2) {init = 0 : i32}
  %free1 = aie.lock(%core, 3) {init = 1 : i32}
  %full1 = aie.lock(%core, 4) {init = 0 : i32}
  %done1 = aie.lock(%core, 5) {init = 0 : i32}
  %x = aie.buffer(%core) : memref<64xi32>
  %y = aie.buffer(%core) : memref<64xi32>
  aie.mem(%core) {
    %s0 = aie.dma_start(S2MM, 0, ^b0, ^n0)
  ^b0:
    aie.use_lock(%free0, AcquireGreaterEqual, 1)
    aie.dma_bd(%x : memref<64xi32>, 0, 64)
    aie.use_lock(%full0, Release, 1)
    aie.next_bd ^b0
  ^n0:
    %s1 = aie.dma_start(S2MM, 1, ^b1, ^n1)
  ^b1:
    aie.use_lock(%free1, AcquireGreaterEqual, 1)
    aie.dma_bd(%y : memref<64xi32>, 0, 64)
    aie.use_lock(%full1, Release, 1)
    aie.next_bd ^b1
  ^n1:
    %m0 = aie.dma_start(MM2S, 0, ^b2, ^n2)
  ^b2:
    aie.use_lock(%done0, AcquireGreaterEqual, 1)
    aie.dma_bd(%x : memref<64xi32>, 0, 64)
    aie.use_lock(%free0, Release, 1)
    aie.next_bd ^b2
  ^n2:
    %m1 = aie.dma_start(MM2S, 1, ^b3, ^n3)
  ^b3:
    aie.use_lock(%done1, AcquireGreaterEqual, 1)
    aie.dma_bd(%y : memref<64xi32>, 0, 64)
    aie.use_lock(%free1, Release, 1)
    aie.next_bd ^b3
  ^n3:
    aie.end
  }
  aie.core(%core) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    cf.br ^again
  ^again:
    scf.for %i = %c0 to %c2 step %c1 {
      aie.use_lock(%full0, AcquireGreaterEqual, 1)
      aie.use_lock(%done0, Release, 1)
    }
    scf.for %i = %c0 to %c4 step %c1 {
      aie.use_lock(%full1, AcquireGreaterEqual, 1)
      aie.use_lock(%done1, Release, 1)
    }
    cf.br ^again
  }
  aie.flow(%t, DMA : 0, %core, DMA : 0)
  aie.flow(%t, DMA : 1, %core, DMA : 1)
  aie.flow(%core, DMA : 0, %t, DMA : 0)
  aie.flow(%core, DMA : 1, %t, DMA : 1)
  aie.shim_dma_allocation @in0(%t, MM2S, 0)
  aie.shim_dma_allocation @in1(%t, MM2S, 1)
  aie.shim_dma_allocation @out0(%t, S2MM, 0)
  aie.shim_dma_allocation @out1(%t, S2MM, 1)
}
func.func @in_turn(%a: memref<3x64xi32>, %b: memref<5x64xi32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  affine.for %launch = 0 to 2 {
    affine.for %i = 0 to 2 {
      %r = arith.index_cast %i : index to i64
      %s = arith.addi %r, %c1 : i64
      %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %r, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c64, %c1]) {metadata = @in0} : (i32, i64, i64, memref<3x64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
      %f = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %s, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c64, %c1]) {metadata = @out0} : (i32, i64, i64, memref<3x64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
      airrt.wait_all %e, %f
    }
    affine.for %i = 0 to 4 {
      %r = arith.index_cast %i : index to i64
      %s = arith.addi %r, %c1 : i64
      %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %b[%c0, %c0, %r, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c64, %c1]) {metadata = @in1} : (i32, i64, i64, memref<5x64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
      %f = airrt.dma_memcpy_nd(%id, %c0, %c0, %b[%c0, %c0, %s, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c64, %c1]) {metadata = @out1} : (i32, i64, i64, memref<5x64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
      airrt.wait_all %e, %f
    }
    airrt.wait_all {air.launch = 0 : i32, air.launch_end}
  }
  return
}
