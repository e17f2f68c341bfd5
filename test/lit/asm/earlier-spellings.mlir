// RUN: allo-opt --syntax=2026-03 %s --split-input-file | filecheck %s

// Of 2023: dialect names in capitals, BDs in angle brackets, transfers with the types of all operands, a function as sequence.

// CHECK-LABEL: module @capitals
// CHECK: aie.device(npu1)
// CHECK: aie.use_lock(%lock_0_2, AcquireGreaterEqual, 1)
// CHECK: aie.dma_bd(%buffer_0_2 : memref<8xi32>, 0, 8)
// CHECK: aie.next_bd
// CHECK: aie.shim_dma_allocation @out(%{{.*}}, S2MM, 0)
// CHECK-NOT: func.func
// CHECK-NOT: memref.global
// CHECK: aie.runtime_sequence @run(%arg0: memref<64xi32>) {
// CHECK: aiex.npu.dma_memcpy_nd(%arg0[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 1 : i64, metadata = @out} : memref<64xi32>
// CHECK: aiex.npu.sync
// CHECK-NOT: return
module @capitals {
  AIE.device(ipu) {
    %t = AIE.tile(0, 2)
    %b = AIE.buffer(%t) : memref<8xi32>
    %l = AIE.lock(%t, 0) {init = 1 : i32}
    AIE.mem(%t) {
      %0 = AIE.dmaStart(MM2S, 0, ^bd, ^end)
    ^bd:
      AIE.useLock(%l, AcquireGreaterEqual, 1)
      AIE.dmaBd(<%b : memref<8xi32>, 0, 8>, 0)
      AIE.nextBd ^end
    ^end:
      AIE.end
    }
    AIE.shimDMAAllocation @out(S2MM, 0, 0)
    memref.global "public" @out : memref<8xi32>
    func.func @run(%a: memref<64xi32>) {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c64 = arith.constant 64 : i32
      AIEX.ipu.dma_memcpy_nd(%c0, %c0, %a[%c0, %c0, %c0, %c0] [%c1, %c1, %c1, %c64] [%c0, %c0, %c0]) {id = 1 : i32, metadata = @out} : (i32, i32, memref<64xi32>, [i32, i32, i32, i32], [i32, i32, i32, i32], [i32, i32, i32])
      AIEX.ipu.sync {channel = 0 : i32, column = 0 : i32, column_num = 1 : i32, direction = 0 : i32, row = 0 : i32, row_num = 1 : i32}
      return
    }
  }
}

// -----

// A function that programs nothing stays one.

// CHECK-LABEL: module @function
// CHECK: func.func @kernel
module @function {
  aie.device(npu1) {
    func.func @kernel(%a: memref<64xi32>) {
      return
    }
    aie.runtime_sequence(%a: memref<64xi32>) {
      aiex.npu.preempt {level = 0 : ui8}
    }
  }
}
