// RUN: allo-opt %s --verify-roundtrip | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --syntax=2026-03 | filecheck %s --check-prefix=MARCH
// RUN: allo-opt %s --syntax=2026-03 | allo-opt --verify-roundtrip | filecheck %s --check-prefix=MADE

// The constants of a runtime sequence stay where they stand.
// CHECK-LABEL: aie.runtime_sequence @seq
// CHECK-NEXT: scf.if
// CHECK-NEXT: %[[A:.*]] = arith.constant 4096 : i32
// CHECK-NEXT: %[[B:.*]] = arith.constant 1 : i32
// CHECK-NEXT: aiex.npu.write32(%[[A]], %[[B]]) : i32, i32
// CHECK-NEXT: aiex.npu.write32(%[[A]], %[[B]]) : i32, i32
// CHECK-NEXT: }
// CHECK-NEXT: %[[C:.*]] = arith.constant 4096 : i32
// CHECK-NEXT: %[[D:.*]] = arith.constant 1 : i32
// CHECK-NEXT: aiex.npu.write32(%[[C]], %[[D]]) : i32, i32
// CHECK-NEXT: %[[E:.*]] = arith.constant 1 : i32
// CHECK-NEXT: aiex.npu.write32(%[[C]], %[[E]]) : i32, i32

// MARCH: scf.if
// MARCH-NEXT: aiex.npu.write32 {address = 4096 : ui32, value = 1 : ui32}
// MARCH-NEXT: aiex.npu.write32 {address = 4096 : ui32, value = 1 : ui32}
// MARCH-NEXT: }
// MARCH-NEXT: aiex.npu.write32 {address = 4096 : ui32, value = 1 : ui32}
// MARCH-NEXT: aiex.npu.write32 {address = 4096 : ui32, value = 1 : ui32}

// Those that operands need stand before the first operation that uses them, and are seen no further than their region.
// MADE: scf.if
// MADE-NEXT: %[[A:.*]] = arith.constant 4096 : i32
// MADE-NEXT: %[[B:.*]] = arith.constant 1 : i32
// MADE-NEXT: aiex.npu.write32(%[[A]], %[[B]]) : i32, i32
// MADE-NEXT: aiex.npu.write32(%[[A]], %[[B]]) : i32, i32
// MADE-NEXT: }
// MADE-NEXT: %[[C:.*]] = arith.constant 4096 : i32
// MADE-NEXT: %[[D:.*]] = arith.constant 1 : i32
// MADE-NEXT: aiex.npu.write32(%[[C]], %[[D]]) : i32, i32
// MADE-NEXT: aiex.npu.write32(%[[C]], %[[D]]) : i32, i32
aie.device(npu2) {
  aie.runtime_sequence @seq(%b : i1) {
    scf.if %b {
      %a = arith.constant 4096 : i32
      %v = arith.constant 1 : i32
      aiex.npu.write32(%a, %v) : i32, i32
      aiex.npu.write32(%a, %v) : i32, i32
    }
    %a = arith.constant 4096 : i32
    %v = arith.constant 1 : i32
    aiex.npu.write32(%a, %v) : i32, i32
    %w = arith.constant 1 : i32
    aiex.npu.write32(%a, %w) : i32, i32
  }
}
