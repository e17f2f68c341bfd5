// RUN: allo-opt %s --convert-aie-to-transaction | allo-translate --aie-npu-to-binary --aie-device-name=main --aie-sequence-name=configure --hex | filecheck %s
// RUN: allo-opt %s '--convert-aie-to-transaction=device-name=other' | filecheck %s --check-prefix=NONE

// Locks 0 of the core and 3 of the memtile, the buffer's whole word and what is left of it, the circuit.
// CHECK: 06030100
// CHECK: 0021F000
// CHECK: 001C0030
// CHECK-NEXT: 00000000
// CHECK-NEXT: 00000007
// CHECK: 00200400
// CHECK-NEXT: 00000014
// CHECK-NEXT: FC03FE01
// CHECK: 00200404
// CHECK-NEXT: 00000000
// CHECK-NEXT: 00000005
// CHECK-NEXT: 000000FF
// CHECK: 0023F004
// CHECK-NEXT: 00000000
// CHECK-NEXT: 80000006
// NONE-NOT: @configure
aie.device(npu1) {
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %k = aie.lock(%m, 3) {init = 7 : i32}
  %b = aie.buffer(%t) {address = 1024 : i32, sym_name = "b"} : memref<5xi8> = dense<[1, -2, 3, -4, 5]>
  %c = aie.core(%t) { aie.end }
  %s = aie.switchbox(%t) {
    aie.connect<South : 1, DMA : 0>
  }
}
