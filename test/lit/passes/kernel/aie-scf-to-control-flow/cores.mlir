// RUN: allo-opt %s --aie-scf-to-control-flow -o %t.mlir
// RUN: filecheck %s < %t.mlir
// RUN: allo-opt %t.mlir | cmp - %t.mlir
// RUN: allo-opt %t.mlir --syntax=2026-03 | allo-opt | cmp - %t.mlir

// Loops and branches of cores and functions become jumps, those of sequences stay where they are.

// CHECK-LABEL: func.func @g
// CHECK-NOT: scf.
// CHECK: cf.cond_br
// CHECK: aie.shim_dma_allocation @out
// CHECK-NEXT: aie.runtime_sequence @seq
// CHECK: scf.for
// CHECK: aie.mem
// CHECK: aie.core
// CHECK-NOT: scf.
// CHECK: cf.br ^bb1(%{{.*}} : index)
// CHECK: cf.cond_br
// CHECK: cf.cond_br
// CHECK: aie.use_lock
// CHECK-NEXT: aie.end
module {
  func.func @g(%n: index, %m: memref<8xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = arith.constant 3 : i32
    scf.for %i = %c0 to %n step %c1 {
      memref.store %v, %m[%i] : memref<8xi32>
    }
    return
  }
  aie.device(npu2) {
    %s = aie.tile(0, 0)
    %t = aie.tile(0, 2)
    %b = aie.buffer(%t) {sym_name = "b"} : memref<8xi32>
    %p = aie.lock(%t, 0) {init = 0 : i32}
    %q = aie.lock(%t, 1) {init = 0 : i32}
    aie.flow(%t, DMA : 0, %s, DMA : 0)
    aie.shim_dma_allocation @out(%s, S2MM, 0)
    aie.runtime_sequence @seq(%o : memref<8xi32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %c1 step %c1 {
        aiex.npu.dma_memcpy_nd(%o[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 1]) {id = 0 : i64, metadata = @out, issue_token = true} : memref<8xi32>
      }
      aiex.npu.dma_wait {symbol = @out}
    }
    %m = aie.mem(%t) {
      %0 = aie.dma_start(MM2S, 0, ^bd, ^end)
    ^bd:
      aie.use_lock(%p, AcquireGreaterEqual, 1)
      aie.dma_bd(%b : memref<8xi32>)
      aie.use_lock(%q, Release, 1)
      aie.next_bd ^bd
    ^end:
      aie.end
    }
    %c = aie.core(%t) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c3 = arith.constant 3 : index
      scf.for %i = %c0 to %c8 step %c1 {
        %x = arith.cmpi slt, %i, %c3 : index
        %v = scf.if %x -> (i32) {
          %a = arith.index_cast %i : index to i32
          scf.yield %a : i32
        } else {
          %k = arith.constant 7 : i32
          scf.yield %k : i32
        }
        memref.store %v, %b[%i] : memref<8xi32>
      }
      aie.use_lock(%p, Release, 1)
      aie.end
    }
  }
}
