// RUN: allo-opt %s --convert-aie-to-transaction | filecheck %s
// RUN: allo-opt %s --convert-aie-to-control-packets | filecheck %s
// RUN: allo-opt %s --aie-expand-load-pdi | filecheck %s --check-prefix=PDI

// A device without operations has no configuration: its sequence is empty.
// CHECK: aie.device(npu2) {
// CHECK-NEXT: aie.runtime_sequence @configure() {
// CHECK-NEXT: }
// PDI: aie.device(npu2) {
// PDI-NEXT: }
module {
  aie.device(npu2) {
  }
}
