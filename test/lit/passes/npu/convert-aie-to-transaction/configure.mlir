// RUN: allo-opt %s --convert-aie-to-transaction | filecheck %s

// The writes stand where the device was to be configured.
// CHECK: aie.runtime_sequence @seq
// CHECK: maskwrite32
// CHECK-NOT: aiex.configure
// CHECK-NOT: @configure
aie.device(npu1) {
  %t = aie.tile(0, 2)
  %c = aie.core(%t) { aie.end }
  aie.runtime_sequence @seq() {
    aiex.configure @main {
    }
  }
}
