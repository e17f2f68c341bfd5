// RUN: allo-opt %s --split-input-file --aie-assign-lock-ids --verify-diagnostics

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %0 = aie.lock(%t)
  %1 = aie.lock(%t)
  %2 = aie.lock(%t)
  %3 = aie.lock(%t)
  %4 = aie.lock(%t)
  %5 = aie.lock(%t)
  %6 = aie.lock(%t)
  %7 = aie.lock(%t)
  %8 = aie.lock(%t)
  %9 = aie.lock(%t)
  %10 = aie.lock(%t)
  %11 = aie.lock(%t)
  %12 = aie.lock(%t)
  %13 = aie.lock(%t)
  %14 = aie.lock(%t)
  %15 = aie.lock(%t, 3)
  // expected-error@below {{not allocated a lock. Tile (0, 2) has 16, and the device asks for 17}}
  %16 = aie.lock(%t)
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  %0 = aie.lock(%t, 4)
  // expected-error@below {{has id 4 on tile (0, 2), and so has another lock}}
  %1 = aie.lock(%t, 4)
}
