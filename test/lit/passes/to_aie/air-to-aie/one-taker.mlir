// RUN: allo-opt %S/../../../../data/air_streams/two_writers.mlir --air-to-aie='logical-tiles=false device=npu1 row-offset=2 col-offset=0 use-lock-race-condition-fix=true' | filecheck %s --check-prefix=IN
// RUN: allo-opt %S/../../../../data/air_streams/two_writers_in_turn.mlir --air-to-aie='logical-tiles=false device=npu1 row-offset=2 col-offset=0 use-lock-race-condition-fix=true' | filecheck %s --check-prefix=ROW
// RUN: allo-opt %S/../../../../data/air_streams/two_readers.mlir --air-to-aie='logical-tiles=false device=npu1 row-offset=2 col-offset=0 use-lock-race-condition-fix=true' | filecheck %s --check-prefix=OUT

// The writers fill halves: what drains them is cut, and has a pair of locks with each.
// IN-DAG:   %[[FREE0:.*]] = aie.lock(%{{.*}}, 2) {init = 1 : i32}
// IN-DAG:   %[[FULL0:.*]] = aie.lock(%{{.*}}, 0) {init = 0 : i32}
// IN-DAG:   %[[FREE1:.*]] = aie.lock(%{{.*}}, 3) {init = 1 : i32}
// IN-DAG:   %[[FULL1:.*]] = aie.lock(%{{.*}}, 1) {init = 0 : i32}
// IN:       dma_start(MM2S, 0
// IN:       aie.use_lock(%[[FULL0]], AcquireGreaterEqual
// IN-NEXT:  aie.dma_bd({{.*}} offset = 0 len = 64
// IN-NEXT:  aie.use_lock(%[[FREE0]], Release
// IN:       aie.use_lock(%[[FULL1]], AcquireGreaterEqual
// IN-NEXT:  aie.dma_bd({{.*}} offset = 64 len = 64
// IN-NEXT:  aie.use_lock(%[[FREE1]], Release
// IN:       dma_start(S2MM, 0
// IN:       aie.use_lock(%[[FREE0]], AcquireGreaterEqual
// IN:       aie.use_lock(%[[FULL0]], Release

// The writers fill every other row, so that no cut tells them apart: the first lets the second start after a row, and what drains
// waits for both.
// ROW-DAG:  %[[FREE:.*]] = aie.lock(%{{.*}}, {{.*}}) {init = 2 : i32}
// ROW:      dma_start(MM2S, 0
// ROW:      aie.use_lock(%[[FULL:.*]], AcquireGreaterEqual, %c2_i32
// ROW-NEXT: aie.dma_bd({{.*}} len = 128
// ROW-NEXT: aie.use_lock(%[[FREE]], Release, %c2_i32
// ROW:      dma_start(S2MM, 0
// ROW:      aie.use_lock(%[[FREE]], AcquireGreaterEqual
// ROW-NEXT: aie.dma_bd({{.*}} len = 8 
// ROW-NEXT: aie.use_lock(%[[NEXT:.*]], Release
// ROW:      aie.dma_bd({{.*}} len = 56 
// ROW-NEXT: aie.use_lock(%[[FULL]], Release
// ROW:      dma_start(S2MM, 1
// ROW:      aie.use_lock(%[[NEXT]], AcquireGreaterEqual
// ROW-NEXT: aie.dma_bd({{.*}} len = 64 
// ROW-NEXT: aie.use_lock(%[[FULL]], Release

// OUT:      dma_start(S2MM, 0
// OUT:      aie.dma_bd({{.*}} offset = 0 len = 64
// OUT:      aie.dma_bd({{.*}} offset = 64 len = 64
