// RUN: allo-opt --syntax=2026-03 %s --aie-unroll-runtime-sequence-loops | filecheck %s

// Loops in loops, values carried round, branches, and numbers computed from the rounds.

// CHECK: aie.runtime_sequence @nested
// CHECK-NOT: scf
// CHECK: aiex.npu.rtp_write(@rtp, 0, 7)
// CHECK: aiex.npu.write32 {address = 4 : ui32, value = 1 : ui32}
// CHECK: aiex.npu.write32 {address = 4 : ui32, value = 2 : ui32}
// CHECK: aiex.npu.write32 {address = 8 : ui32, value = 1 : ui32}
// CHECK: aiex.npu.write32 {address = 4 : ui32, value = 2 : ui32}
// CHECK: aiex.npu.write32 {address = 4 : ui32, value = 1 : ui32}
// CHECK: aiex.npu.write32 {address = 4 : ui32, value = 2 : ui32}
// CHECK: aiex.npu.write32 {address = 8 : ui32, value = 1 : ui32}
// CHECK: aiex.npu.write32 {address = 4 : ui32, value = 2 : ui32}
// CHECK-NOT: aiex.npu.write32

// CHECK: aie.runtime_sequence @offsets(%[[A:.*]]: memref<256xi32>)
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : i64
// CHECK-DAG: %[[C192:.*]] = arith.constant 192 : i64
// CHECK: dma_memcpy_nd(%[[A]][0, 0, 0, %[[C64]]][1, 1, 1, 64]
// CHECK: dma_memcpy_nd(%[[A]][0, 0, 0, %[[C192]]][1, 1, 1, 64]
// CHECK-NOT: dma_memcpy_nd

// CHECK: aie.runtime_sequence @tasks
// CHECK: %[[FIRST:.*]] = aiex.dma_configure_task_for @in
// CHECK: aiex.dma_start_task(%[[FIRST]])
// CHECK: %[[NEXT:.*]] = aiex.dma_configure_task_for @in
// CHECK: aiex.dma_await_task(%[[FIRST]])
// CHECK: aiex.dma_start_task(%[[NEXT]])
// CHECK: aiex.dma_await_task(%[[NEXT]])
aie.device(npu1) {
  %tile = aie.tile(0, 0)
  %core = aie.tile(0, 2)
  %rtp = aie.buffer(%core) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%tile, MM2S, 0)

  aie.runtime_sequence @nested() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %true = arith.constant true
    scf.if %true {
      aiex.npu.rtp_write(@rtp, 0, 7)
    }
    scf.for %i = %c0 to %c2 step %c1 {
      scf.for %j = %c0 to %c2 step %c1 {
        %first = arith.cmpi eq, %j, %c0 : index
        scf.if %first {
          aiex.npu.write32 {address = 4 : ui32, value = 1 : ui32}
        } else {
          aiex.npu.write32 {address = 8 : ui32, value = 1 : ui32}
        }
        aiex.npu.write32 {address = 4 : ui32, value = 2 : ui32}
      }
    }
    scf.for %none = %c2 to %c2 step %c1 {
      aiex.npu.write32 {address = 12 : ui32, value = 3 : ui32}
    }
  }

  aie.runtime_sequence @offsets(%a: memref<256xi32>) {
    affine.for %i = 1 to 4 step 2 {
      %o = affine.apply affine_map<(d0) -> (d0 * 64)>(%i)
      %offset = arith.index_cast %o : index to i64
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, %offset][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<256xi32>
    }
  }

  aie.runtime_sequence @tasks(%a: memref<256xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t0 = aiex.dma_configure_task_for @in {
      aie.dma_bd(%a : memref<256xi32>, 0, 64)
      aie.end
    } {issue_token = true}
    aiex.dma_start_task(%t0)
    %last = scf.for %i = %c0 to %c1 step %c1 iter_args(%before = %t0) -> (index) {
      %t = aiex.dma_configure_task_for @in {
        aie.dma_bd(%a : memref<256xi32>, 64, 64)
        aie.end
      } {issue_token = true}
      aiex.dma_await_task(%before)
      aiex.dma_start_task(%t)
      scf.yield %t : index
    }
    aiex.dma_await_task(%last)
  }
}
