// RUN: allo-translate --aie-npu-to-binary --hex %s | filecheck %s
// RUN: allo-translate --aie-npu-to-binary --hex --fold-ddr-addr-offset=false %s | filecheck %s --check-prefix=ELF

// Of the argument (5 is the first) and the offset.
// CHECK: 0001D004
// CHECK-NEXT: 00000000
// CHECK-NEXT: 00000004
// CHECK-NEXT: 00000000
// CHECK-NEXT: 00000010
// CHECK: 0001D024
// CHECK-NEXT: 00000000
// CHECK-NEXT: 00000005
// CHECK-NEXT: 00000000
// CHECK-NEXT: 80000010
// ELF: 0001D024
// ELF-NEXT: 00000000
// ELF-NEXT: 00000005
// ELF-NEXT: 00000000
// ELF-NEXT: 00000010
aie.device(npu2) {
  aie.runtime_sequence @seq() {
    aiex.npu.address_patch {addr = 118788 : ui32, arg_idx = 4 : i32, arg_plus = 16 : i32}
    aiex.npu.address_patch {addr = 118820 : ui32, arg_idx = 5 : i32, arg_plus = 16 : i32}
  }
}
