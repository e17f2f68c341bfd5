// RUN: allo-opt %S/../../../../data/air_streams/two_writers.mlir --air-to-aie='logical-tiles=false device=npu1 row-offset=2 col-offset=0 use-lock-race-condition-fix-v2=true' | filecheck %s --check-prefix=IN
// RUN: allo-opt %S/../../../../data/air_streams/two_readers.mlir --air-to-aie='logical-tiles=false device=npu1 row-offset=2 col-offset=0 use-lock-race-condition-fix-v2=true' | filecheck %s --check-prefix=OUT
// RUN: sed 's/memref.alloc()/memref.alloc() {air.no_chain_lock}/' %S/../../../../data/air_streams/two_readers.mlir | allo-opt --air-to-aie='logical-tiles=false device=npu1 row-offset=2 col-offset=0 use-lock-race-condition-fix-v2=true' | filecheck %s --check-prefix=NONE

// Three locks for two writers and a reader: each access takes one and gives the next, and the last gives the first's.

// IN-DAG: %[[S0:.*]] = aie.lock(%[[M:.*]], 2) {init = 0 : i32}
// IN-DAG: %[[FREE:.*]] = aie.lock(%[[M]], 1) {init = 1 : i32}
// IN-DAG: %[[S1:.*]] = aie.lock(%[[M]], 0) {init = 0 : i32}
// IN: aie.dma_start(MM2S, 0,
// IN: aie.use_lock(%[[S1]], AcquireGreaterEqual, %c1
// IN: aie.use_lock(%[[FREE]], Release, %c1
// IN: aie.dma_start(S2MM, 0,
// IN: aie.use_lock(%[[FREE]], AcquireGreaterEqual, %c1
// IN: aie.use_lock(%[[S0]], Release, %c1
// IN: aie.dma_start(S2MM, 1,
// IN: aie.use_lock(%[[S0]], AcquireGreaterEqual, %c1
// IN: aie.use_lock(%[[S1]], Release, %c1

// OUT-COUNT-3: aie.lock(
// OUT-NOT: aie.lock(
// OUT-NOT: %c2_i32

// Buffers that say so, and have several readers, keep a pair of locks.
// NONE-COUNT-2: aie.lock(
// NONE-NOT: aie.lock(
// NONE: %c2_i32
