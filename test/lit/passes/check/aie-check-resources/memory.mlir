// RUN: allo-opt %s --split-input-file --aie-check-resources --verify-diagnostics

aie.device(npu1) {
  %t = aie.tile(1, 3)
  %b = aie.buffer(%t) {sym_name = "a"} : memref<16384xi32>
  %d = aie.buffer(%t) {sym_name = "b"} : memref<1536xi32>
  // expected-error@+1 {{'aie.core' op core (1,3): 71,680 bytes of buffers exceed 63 KiB (64 KiB less a stack of 1,024 bytes); the largest are @a : memref<16384xi32> with 65,536 bytes, @b : memref<1536xi32> with 6,144 bytes; use smaller tiles, fewer ping-pong buffers, or a smaller stack}}
  %c = aie.core(%t) {
    aie.end
  }
}

// -----

// One byte more than fits beside the stack.
aie.device(npu2) {
  %t = aie.tile(0, 2)
  %b = aie.buffer(%t) : memref<64513xi8>
  // expected-error@+1 {{core (0,2): 64,513 bytes of buffers exceed 63 KiB}}
  %c = aie.core(%t) {
    aie.end
  }
}

// -----

aie.device(npu1) {
  // expected-error@+1 {{'aie.tile' op memtile (2,1): 524,292 bytes of buffers exceed 512 KiB; the largest are memref<131073xi32> with 524,292 bytes; use smaller tiles, fewer ping-pong buffers}}
  %t = aie.tile(2, 1)
  %b = aie.buffer(%t) : memref<131073xi32>
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2) {allocation_scheme = "basic-sequential"}
  // expected-note@+1 {{overlaps this buffer}}
  %a = aie.buffer(%t) {address = 1024 : i32, sym_name = "a"} : memref<16xi32>
  // expected-error@+1 {{core (0,2): begins at byte 1,084, but @a : memref<16xi32> ends at byte 1,088; move one of them}}
  %b = aie.buffer(%t) {address = 1084 : i32, sym_name = "b"} : memref<16xi32>
}

// -----

aie.device(npu1) {
  // expected-remark@+1 {{'aie.logical_tile' op not decided: what its tile holds: it is not placed}}
  %t = aie.logical_tile<MemTile>(?, ?)
  %b = aie.buffer(%t) : memref<1048576xi32>
}

// -----

// A buffer may begin where the stack ends: 1,024 bytes if the core says nothing.
aie.device(npu1) {
  %t = aie.tile(0, 2) {allocation_scheme = "basic-sequential"}
  // expected-error@+1 {{core (0,2): begins at byte 1,020, but the core's stack ends at byte 1,024; give it a higher address, or the core a smaller stack_size}}
  %a = aie.buffer(%t) {address = 1020 : i32} : memref<1xi32>
  %b = aie.buffer(%t) {address = 1024 : i32} : memref<16xi32>
  // expected-note@+1 {{has this stack}}
  %c = aie.core(%t) {
    aie.end
  }
  %u = aie.tile(0, 3)
  // expected-error@+1 {{core (0,3): begins at byte 0, but the core's stack ends at byte 3,328}}
  %d = aie.buffer(%u) {address = 0 : i32} : memref<2048xi32>
  // expected-note@+1 {{has this stack}}
  %e = aie.core(%u) {
    aie.end
  } {stack_size = 3328 : i32}
  %v = aie.tile(0, 4)
  %f = aie.buffer(%v) {address = 0 : i32} : memref<2048xi32>
}

// -----

// Tools of before April 2026 move buffers that all have addresses, unless they are placed one after another.
aie.device(npu1) {
  // expected-warning@+1 {{core (0,2): all buffers have addresses, and aie-assign-buffer-addresses of mlir-aie before 2026-04-16 moves such buffers onto one another; write {allocation_scheme = "basic-sequential"} on the tile}}
  %t = aie.tile(0, 2)
  %a = aie.buffer(%t) {address = 1024 : i32} : memref<16xi32>
  %b = aie.buffer(%t) {address = 2048 : i32} : memref<16xi32>
  %u = aie.tile(0, 3)
  %c = aie.buffer(%u) {address = 1024 : i32} : memref<16xi32>
  %d = aie.buffer(%u) : memref<16xi32>
}
