// RUN: allo-opt %s --sccp --syntax=2026-03 | filecheck %s
// RUN: allo-opt %s --sccp --syntax=2026-03 --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// March's amounts of locks are literals, also those that are computed to constants.

// CHECK: aie.use_lock(%{{.*}}, AcquireGreaterEqual, 3)
// CHECK: aie.use_lock(%{{.*}}, Release, 2)
// GENERIC: "aie.use_lock"(%{{.*}}) <{action = 2 : i32, value = 3 : i32}> : (index) -> ()
aie.device(npu1) {
  %t = aie.tile(0, 2)
  %l = aie.lock(%t, 0)
  %c = aie.core(%t) {
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %x = arith.addi %c1, %c2 : i32
    aie.use_lock(%l, AcquireGreaterEqual, %x)
    aie.use_lock(%l, Release, %c2)
    aie.end
  }
}
