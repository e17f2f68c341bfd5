// RUN: allo-opt %S/../../../../data/air_streams/refeed.mlir --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0' | filecheck %s
// RUN: sed 's/refeed_count = 4/refeed_count = 0/' %S/../../../../data/air_streams/refeed.mlir | not allo-opt --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0' 2>&1 | filecheck %s --check-prefix=NONE

// A fill of the memtile takes and gives as much as is sent of it, which takes one at a time; so does the core.

// CHECK: %[[ROOM:.*]] = aie.lock(%[[M:.*]], 1) {init = 4 : i32}
// CHECK: %[[FULL:.*]] = aie.lock(%[[M]], 0) {init = 0 : i32}
// CHECK: %[[FREE:.*]] = aie.lock(%tile_0_2, 1) {init = 2 : i32}
// CHECK: %[[MADE:.*]] = aie.lock(%tile_0_2, 0) {init = 0 : i32}
// CHECK: aie.core(
// CHECK: aie.use_lock(%[[FREE]], AcquireGreaterEqual, %c2
// CHECK: aie.use_lock(%[[MADE]], Release, %c2
// CHECK-NOT: air.wait_all
// CHECK: aie.memtile_dma(
// CHECK: aie.use_lock(%[[FULL]], AcquireGreaterEqual, %c1
// CHECK: aie.use_lock(%[[ROOM]], Release, %c1
// CHECK: aie.use_lock(%[[ROOM]], AcquireGreaterEqual, %c4
// CHECK: aie.use_lock(%[[FULL]], Release, %c4

// NONE: has air.refeed_count = 0; expected 1 to 2147483647
