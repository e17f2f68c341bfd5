// RUN: allo-translate --aie-npu-to-binary --hex %s | filecheck %s
// RUN: allo-translate --aie-npu-to-binary %s -o %t.bin && wc -c < %t.bin | filecheck %s --check-prefix=SIZE
// SIZE: 152

// Header: 6 rows, npu1, version 0.1; one memtile row, four columns; four operations in 152 bytes.
// CHECK:      06030100
// CHECK-NEXT: 00000104
// CHECK-NEXT: 00000004
// CHECK-NEXT: 00000098
aie.device(npu1) {
  %shim = aie.tile(0, 0)
  aie.shim_dma_allocation @out(%shim, S2MM, 1)
  aie.runtime_sequence(%a: memref<2x64x64xi32>) {
    // The BD of two dimensions and a stride between iterations, its address patched, queued with a token, waited for.
    // CHECK-NEXT: 00000001
    // CHECK-NEXT: 00000000
    // CHECK-NEXT: 0001D060
    // CHECK-NEXT: 00000030
    // CHECK-NEXT: 00000400
    // CHECK-NEXT: 00000000
    // CHECK-NEXT: 00000000
    // CHECK-NEXT: 02000000
    // CHECK-NEXT: 8200003F
    // CHECK-NEXT: 02000000
    // CHECK-NEXT: 001007FF
    // CHECK-NEXT: 02000000
    // CHECK-NEXT: 00000081
    // CHECK:      0001D064
    // CHECK:      00000000
    // CHECK:      0001D20C
    // CHECK-NEXT: 00000000
    // CHECK-NEXT: 80010003
    // CHECK-NEXT: 00000018
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][2, 1, 32, 32][2048, 2048, 64, 1]) {id = 3 : i64, metadata = @out} : memref<2x64x64xi32>
    // CHECK-NEXT: 00000080
    // CHECK-NEXT: 00000010
    // CHECK-NEXT: 00000000
    // CHECK-NEXT: 01010100
    aiex.npu.dma_wait {symbol = @out}
  }
}
