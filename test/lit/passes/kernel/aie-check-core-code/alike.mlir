// RUN: not allo-opt %s --aie-check-core-code 2>&1 >/dev/null | filecheck %s

// Cores that do the same on other tiles and buffers are wrong alike; a constant from outside tells them apart.

// CHECK: alike.mlir:18:10: error: 'vector.load' op is assumed to be aligned to 32 bytes
// CHECK: alike.mlir:26:10: error: 'vector.load' op is assumed to be aligned to 32 bytes
// CHECK-NOT: {{[0-9]: error}}
aie.device(npu1) {
  %t2 = aie.tile(0, 2)
  %t3 = aie.tile(0, 3)
  %t4 = aie.tile(0, 4)
  %b2 = aie.buffer(%t2) : memref<64xf32>
  %b3 = aie.buffer(%t3) : memref<64xf32>
  %b4 = aie.buffer(%t4) : memref<64xf32>
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %core2 = aie.core(%t2) {
    %x = vector.load %b2[%c3] : memref<64xf32>, vector<16xf32>
    aie.end
  }
  %core3 = aie.core(%t3) {
    %x = vector.load %b3[%c8] : memref<64xf32>, vector<16xf32>
    aie.end
  }
  %core4 = aie.core(%t4) {
    %x = vector.load %b4[%c3] : memref<64xf32>, vector<16xf32>
    aie.end
  }
}
