// RUN: allo-opt %s --split-input-file --verify-diagnostics

aie.device(npu1) {
  // expected-error@+1 {{'aie.tile' op column index (4) must be less than the number of columns in the device (4)}}
  %t = aie.tile(4, 0)
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  // expected-error@+1 {{'aie.lock' op lock assigned invalid id (maximum is 15)}}
  %l = aie.lock(%t, 16)
}

// -----

// A buffer two tiles away: the error is at the buffer, its user in a note.
aie.device(npu1) {
  %near = aie.tile(0, 2)
  %far = aie.tile(2, 2)
  // expected-error@+1 {{in Column 2 and Row 2 is accessed from an unreachable tile in Column 0 and Row 2}}
  %b = aie.buffer(%far) : memref<8xi32>
  %core = aie.core(%near) {
    %c0 = arith.constant 0 : index
    // expected-note@+1 {{user}}
    %v = memref.load %b[%c0] : memref<8xi32>
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %b = aie.buffer(%t) : memref<64xi32>
  %mem = aie.mem(%t) {
    %0 = aie.dma_start(MM2S, 0, ^bd, ^end)
  ^bd:
    // expected-error@+1 {{result in out of bounds access in buffer, for index 70 in memref of length 64}}
    aie.dma_bd(%b : memref<64xi32>, 0, 16, [<size = 8, stride = 10>, <size = 1, stride = 1>])
    aie.next_bd ^end
  ^end:
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 1)
  %switchbox = aie.switchbox(%t) {
    // expected-error@+1 {{illegal stream switch connection}}
    aie.connect<South : 0, North : 1>
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %a = aie.tile(0, 2)
  aie.objectfifo @in(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out(%a, {%s}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  // expected-error@+1 {{must have a link point, i.e., a shared tile between objectFifos}}
  aie.objectfifo.link [@in] -> [@out]([] [])
}
