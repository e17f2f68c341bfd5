// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIEX: what the controller loads, in August's state.

// CHECK: aiex.cert.section @first {
// CHECK: aiex.cert.page {
// CHECK: aiex.cert.load_pdi(1, @empty)
// CHECK: aiex.cert.preempt(2, @save, @restore)
// GENERIC: "aiex.cert.section"() <{sym_name = "first"}> ({
// GENERIC: "aiex.cert.page"() ({
// GENERIC: "aiex.cert.load_pdi"() <{pdi_id = 1 : i32, symbol = @empty}> : () -> ()
// GENERIC: "aiex.cert.preempt"() <{level = 2 : i32, restore = @restore, save = @save}> : () -> ()
aie.device(npu2) {
  aiex.cert.section @first {
    aiex.cert.page {
      aiex.cert.attach_to_group(0) {
        aiex.cert.job(0) {
          aiex.cert.load_pdi(1, @empty)
          aiex.cert.preempt(2, @save, @restore)
        }
      }
    }
  }
}
