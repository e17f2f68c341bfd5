// RUN: allo-opt %s --split-input-file --aie-assign-buffer-addresses --verify-diagnostics

aie.device(npu1) {
  // expected-error@below {{tile (1, 2) needs 66,560 bytes of 65,536; stack: 1,024 bytes, 'x': 32,768 bytes, 'y': 32,768 bytes}}
  %t = aie.tile(1, 2)
  %x = aie.buffer(%t) {sym_name = "x"} : memref<8192xi32>
  %y = aie.buffer(%t) {sym_name = "y"} : memref<8192xi32>
  aie.core(%t) {
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(1, 2)
  // expected-error@below {{at address 512 overlaps the stack (1,024 bytes from 0 on) of tile (1, 2); give it another address, or none to get one}}
  %x = aie.buffer(%t) {address = 512 : i32, sym_name = "x"} : memref<16xi32>
  aie.core(%t) {
    aie.end
  }
}

// -----

// A stack that the core asks for, one word larger than what the buffer leaves.
aie.device(npu2) {
  %t = aie.tile(1, 2)
  // expected-error@below {{at address 4096 overlaps the stack (4,128 bytes from 0 on) of tile (1, 2)}}
  %x = aie.buffer(%t) {address = 4096 : i32, sym_name = "x"} : memref<16xi32>
  aie.core(%t) {
    aie.end
  } {stack_size = 4128 : i32}
}
