// RUN: allo-opt %s --aie-lower-set-lock | filecheck %s
// RUN: allo-translate %s --aie-npu-to-binary --arg n=2 --arg k=5 -o %t.direct
// RUN: allo-opt %s --aie-lower-set-lock | allo-translate --aie-npu-to-binary --arg 1=2 --arg 2=5 -o %t.lowered
// RUN: cmp %t.direct %t.lowered
// RUN: not allo-translate %s --aie-npu-to-binary --arg n=2 --arg k=64 2>&1 | filecheck %s --check-prefix=HIGH
// RUN: not allo-opt %s --syntax=2026-03 2>&1 | filecheck %s --check-prefix=MARCH

// A lock is set to what the run gives, in loops, too.

// CHECK: aie.runtime_sequence @seq(%{{.*}}, %[[N:.*]]: index, %[[K:.*]]: i32) {
// CHECK: aiex.npu.assert_bd_field(%[[K]]) {max = 63 : i32} : i32
// CHECK: aiex.npu.write32(%{{.*}}, %[[K]]) : i32, i32
// CHECK: scf.for
// CHECK: %[[V:.*]] = arith.index_cast
// CHECK: aiex.npu.write32(%{{.*}}, %[[V]]) : i32, i32
// CHECK: aiex.npu.write32(%{{.*}}, %{{.*}}) : i32, i32
// CHECK-NOT: aiex.set_lock

// HIGH: error: 'aiex.set_lock' op sets a lock to 64; a lock holds 0 to 63
// MARCH: error: 'aiex.set_lock' has a value for 'value', which the syntax of 2026-03 cannot say; print 2026-08 instead
aie.device(npu2) {
  %t = aie.tile(0, 2)
  %p = aie.lock(%t, 3)
  aie.runtime_sequence @seq(%in : memref<8192xi32>, %n : index, %k : i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    aiex.set_lock(%p, %k)
    scf.for %i = %c0 to %n step %c1 {
      %v = arith.index_cast %i : index to i32
      aiex.set_lock(%p, %v)
      aiex.set_lock(%p, 1)
    }
  }
}
