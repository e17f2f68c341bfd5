// RUN: allo-opt %s --aie-assign-buffer-addresses --split-input-file --verify-diagnostics

aie.device(npu2) {
  %t = aie.tile(0, 2)
  // expected-error@below {{has address 1028, which is not a multiple of the 32 bytes of the tile's bus; give it another, or write aligned = false}}
  %b = aie.buffer(%t) {address = 1028 : i32, sym_name = "b"} : memref<8xi32>
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 1)
  // expected-error@below {{has address 1026, which is not a multiple of the 4 bytes of the tile's bus}}
  %b = aie.buffer(%t) {address = 1026 : i32, sym_name = "b"} : memref<8xi32>
}

// -----

// A buffer that says so, and one of a memtile, may begin at any word.
aie.device(npu2) {
  %t = aie.tile(0, 2)
  %m = aie.tile(0, 1)
  %b = aie.buffer(%t) {address = 1028 : i32, aligned = false, sym_name = "b"} : memref<8xi32>
  %c = aie.buffer(%m) {address = 1028 : i32, sym_name = "c"} : memref<8xi32>
}
