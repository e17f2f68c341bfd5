// RUN: allo-opt %s --aie-check-resources --split-input-file --verify-diagnostics -o /dev/null

// Calls take from the stack as well: 512 + 768 bytes.
aie.device(npu1) {
  func.func private @helper(%n : index) -> i32 {
    // expected-note@below {{512 bytes}}
    %t = memref.alloca() : memref<128xi32>
    %v = memref.load %t[%n] : memref<128xi32>
    return %v : i32
  }
  %t = aie.tile(0, 2)
  // expected-note@below {{has this stack}}
  %c = aie.core(%t) {
    %z = arith.constant 0 : index
    %o = arith.constant 1 : index
    %ever = arith.constant 1000 : index
    scf.for %r = %z to %ever step %o {
      // expected-error@below {{core (0,2): frames of 1,280 bytes exceed its stack of 1,024; give the core stack_size = 1280 or more}}
      %own = memref.alloca() : memref<192xi32>
      // expected-note@below {{calls @helper, whose frames are 512 bytes}}
      %v = func.call @helper(%z) : (index) -> i32
      memref.store %v, %own[%z] : memref<192xi32>
    }
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %c = aie.core(%t) {
    %z = arith.constant 0 : index
    %o = arith.constant 1 : index
    scf.for %r = %z to %o step %o {
      %own = memref.alloca() : memref<256xi32>
    }
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %c = aie.core(%t) {
    %z = arith.constant 0 : index
    %o = arith.constant 1 : index
    scf.for %r = %z to %o step %o {
      // expected-remark@below {{not decided: how much of the stack it takes: its size is not a constant}}
      %own = memref.alloca(%r) : memref<?xi32>
    }
    aie.end
  }
}
