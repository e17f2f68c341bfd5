// RUN: allo-opt %s --aie-unroll-runtime-sequence-loops | filecheck %s

// A loop whose bound is a scalar stays, with the loop of a constant bound in it written out; so does a branch.
// CHECK: scf.for %{{.*}} = %c0 to %{{.*}} step %c1 {
// CHECK-NEXT: arith.constant 4096 : i32
// CHECK-NEXT: aiex.npu.write32(%{{.*}}, %c0_i32{{.*}})
// CHECK-NEXT: aiex.npu.write32(%{{.*}}, %c1_i32{{.*}})
// CHECK-NEXT: }
// CHECK-NEXT: scf.if %{{.*}} {
// CHECK-NEXT: arith.constant 4096 : i32
// CHECK-NEXT: arith.constant 2 : i32
// CHECK-NEXT: aiex.npu.write32(%{{.*}}, %c2_i32{{.*}})
// CHECK-NEXT: }
// CHECK-NEXT: }
aie.device(npu2) {
  aie.runtime_sequence @seq(%n : index, %b : i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %two = arith.constant 2 : i32
    %a = arith.constant 4096 : i32
    scf.for %i = %c0 to %n step %c1 {
      scf.for %k = %c0 to %c2 step %c1 {
        %v = arith.index_cast %k : index to i32
        aiex.npu.write32(%a, %v) : i32, i32
      }
    }
    scf.if %b {
      aiex.npu.write32(%a, %two) : i32, i32
    }
  }
}
