// RUN: allo-opt %s --aie-standard-lowering --split-input-file --verify-diagnostics

aie.device(xcvc1902) {
  %t = aie.tile(1, 1)
  aie.core(%t) {
    %c0 = arith.constant 0 : i32
    %w = arith.constant 3 : i64
    // expected-error@below {{moves a i64 through a stream, which takes i32, i128 or f32; cast it}}
    aie.put_stream(%c0 : i32, %w : i64)
    aie.end
  }
}

// -----

aie.device(npu2) {
  %t = aie.tile(1, 2)
  aie.core(%t) {
    %c0 = arith.constant 0 : i32
    // expected-error@below {{moves a bf16 through a stream, which takes i32 or f32; cast it}}
    %w = aie.get_stream(%c0 : i32) : bf16
    aie.end
  }
}

// -----

aie.device(npu2) {
  %t = aie.tile(1, 2)
  aie.core(%t) {
    %c0 = arith.constant 0 : i32
    %w = arith.constant dense<0> : vector<2xi16>
    // expected-error@below {{moves a vector<2xi16> through a stream, which takes i32 or f32; cast it}}
    aie.put_stream(%c0 : i32, %w : vector<2xi16>)
    aie.end
  }
}

// -----

aie.device(xcvc1902) {
  %t = aie.tile(1, 1)
  aie.core(%t) {
    // expected-error@below {{raises event 2; a core of AIE1 has user events 0 and 1}}
    aie.event(2)
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(1, 3)
  %l = aie.lock(%t, 2)
  aie.core(%t) {
    // expected-error@below {{takes the result of 'aie.lock' at line 54, which has no number here; run aie-localize-locks first}}
    aie.use_lock(%l, Release, 1)
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(1, 3)
  %a = arith.constant 2 : i32
  %s = arith.addi %a, %a : i32
  aie.core(%t) {
    // expected-error@below {{takes the result of 'arith.addi' at line 67 from outside of its core; compute it in the core}}
    %0 = arith.muli %s, %a : i32
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t = aie.tile(1, 3)
  // expected-error@below {{has the name of a function of the cores, whose type is (i32) -> (); rename it}}
  func.func private @debug_i32(i64)
  aie.core(%t) {
    aie.end
  }
}
