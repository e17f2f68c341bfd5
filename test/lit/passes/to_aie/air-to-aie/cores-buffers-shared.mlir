// RUN: allo-opt %S/../../../../data/air_streams/held.mlir --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0' | filecheck %s
// RUN: allo-opt %S/../../../../data/air_streams/held_sent.mlir --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0' | filecheck %s --check-prefix=SENT
// RUN: sed 's/y_loc = 3/y_loc = 2/; s/@reads\(.*\)x_loc = 0/@reads\1x_loc = 1/' %S/../../../../data/air_streams/held.mlir | allo-opt --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0' | filecheck %s --check-prefix=WEST

// The buffer is beside the core that reads it, and both take turns by two locks there.

// CHECK-DAG: %[[CONS:.*]] = aie.lock(%tile_0_3, 3) {init = 0 : i32, sym_name = "buf2_cons_lock"}
// CHECK-DAG: %[[PROD:.*]] = aie.lock(%tile_0_3, 2) {init = 1 : i32, sym_name = "buf2_prod_lock"}
// CHECK: %[[BOTH:.*]] = aie.buffer(%tile_0_3) {sym_name = "buf2"}
// CHECK: aie.core(%tile_0_3)
// CHECK: aie.use_lock(%[[CONS]], AcquireGreaterEqual, %c1
// CHECK: memref.load %[[BOTH]]
// CHECK: aie.use_lock(%[[PROD]], Release, %c1
// CHECK: aie.core(%tile_0_2)
// CHECK: aie.use_lock(%[[PROD]], AcquireGreaterEqual, %c1
// CHECK: memref.store %{{.*}}, %[[BOTH]]
// CHECK: aie.use_lock(%[[CONS]], Release, %c1

// SENT-DAG: %[[CONS:.*]] = aie.lock(%tile_0_3, 0) {init = 0 : i32, sym_name = "buf1_cons_lock"}
// SENT-DAG: %[[PROD:.*]] = aie.lock(%tile_0_3, 1) {init = 1 : i32, sym_name = "buf1_prod_lock"}
// SENT: aie.mem(%tile_0_3)
// SENT: aie.use_lock(%[[CONS]], AcquireGreaterEqual, %c1
// SENT: aie.use_lock(%[[PROD]], Release, %c1

// A core does not reach the memory in the east: the buffer is in the west then.
// WEST: aie.buffer(%tile_0_2) {sym_name = "buf1"}
