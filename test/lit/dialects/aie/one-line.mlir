// RUN: allo-opt --syntax=2026-03 %s | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-op-generic | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-debuginfo | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIE: one line.

aie.device(npu2) { %tile_0_2 = aie.tile(0, 2) %l = aie.lock(%tile_0_2, 0) {init = 1 : i32} %core_0_2 = aie.core(%tile_0_2) { aie.use_lock(%l, AcquireGreaterEqual, 1) aie.use_lock(%l, Release, 1) aie.end } aie.end }

// CHECK: aie.device(npu2) {
// CHECK: %tile_0_2 = aie.tile(0, 2)
// CHECK: %lock_0_2 = aie.lock(%tile_0_2, 0) {init = 1 : i32}
// CHECK: %core_0_2 = aie.core(%tile_0_2) {
// CHECK: aie.use_lock(%lock_0_2, AcquireGreaterEqual, 1)
// CHECK: aie.use_lock(%lock_0_2, Release, 1)
// CHECK: aie.end

// GENERIC: "aie.device"() <{device = 8 : i32, sym_name = "main"}> ({
// GENERIC: "aie.tile"() <{col = 0 : i32, row = 2 : i32}> : () -> index
// GENERIC: "aie.lock"(%0) <{init = 1 : i32, lockID = 0 : i32}> : (index) -> index
// GENERIC: "aie.core"(%0) <{stack_size = 1024 : i32}> ({
// GENERIC: "aie.use_lock"(%1) <{action = 2 : i32, value = 1 : i32}> : (index) -> ()
// GENERIC: "aie.end"() : () -> ()
