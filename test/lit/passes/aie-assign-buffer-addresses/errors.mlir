// RUN: allo-opt %s --split-input-file --aie-assign-buffer-addresses --verify-diagnostics

aie.device(npu1) {
  %t = aie.tile(1, 2)
  // expected-error@below {{tile (1, 2) needs 66,560 bytes of 65,536; stack: 1,024 bytes, 'x': 32,768 bytes, 'y': 32,768 bytes}}
  %x = aie.buffer(%t) {sym_name = "x"} : memref<8192xi32>
  %y = aie.buffer(%t) {sym_name = "y"} : memref<8192xi32>
  aie.core(%t) {
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(1, 2)
  // expected-error@below {{at address 512 overlaps the stack of tile (1, 2)}}
  %x = aie.buffer(%t) {address = 512 : i32, sym_name = "x"} : memref<16xi32>
  aie.core(%t) {
    aie.end
  }
}
