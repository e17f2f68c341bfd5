// RUN: allo-opt --syntax=2026-03 %s --split-input-file --aie-double-memtile-buffers | filecheck %s

// What comes is dealt to two readers, which is done with both copies in turn, each with locks of its own.

// CHECK-DAG:   %[[FREE:.*]] = aie.lock(%{{.*}}, 0) {init = 2 : i32}
// CHECK-DAG:   %[[FREE2:.*]] = aie.lock(%{{.*}}, 2) {init = 2 : i32}
// CHECK-DAG:   %[[FULL:.*]] = aie.lock(%{{.*}}, 1) {init = 0 : i32}
// CHECK-DAG:   %[[FULL2:.*]] = aie.lock(%{{.*}}, 3) {init = 0 : i32}
// CHECK-DAG:   %[[A:.*]] = aie.buffer(%{{.*}}) {sym_name = "a"} : memref<8xi32, 1>
// CHECK-DAG:   %[[B:.*]] = aie.buffer(%{{.*}}) {sym_name = "a_0"} : memref<8xi32, 1>
// CHECK:       aie.dma_start(S2MM, 0, ^[[IN:bb[0-9]+]], ^{{.*}})
// CHECK-NEXT:  ^[[IN]]:
// CHECK-NEXT:  aie.use_lock(%[[FREE]], AcquireGreaterEqual, 2)
// CHECK-NEXT:  aie.dma_bd(%[[A]] : memref<8xi32, 1>, 0, 8)
// CHECK-NEXT:  aie.use_lock(%[[FULL]], Release, 2)
// CHECK-NEXT:  aie.next_bd ^[[IN2:bb[0-9]+]]
// CHECK-NEXT:  ^[[IN2]]:
// CHECK-NEXT:  aie.use_lock(%[[FREE2]], AcquireGreaterEqual, 2)
// CHECK-NEXT:  aie.dma_bd(%[[B]] : memref<8xi32, 1>, 0, 8)
// CHECK-NEXT:  aie.use_lock(%[[FULL2]], Release, 2)
// CHECK-NEXT:  aie.next_bd ^[[IN]]
// CHECK:       aie.dma_start(MM2S, 0,
// CHECK:       aie.dma_bd(%[[A]] : memref<8xi32, 1>, 0, 4)
// CHECK:       aie.dma_bd(%[[B]] : memref<8xi32, 1>, 0, 4)
// CHECK:       aie.dma_start(MM2S, 1,
// CHECK:       aie.dma_bd(%[[A]] : memref<8xi32, 1>, 4, 4)
// CHECK:       aie.dma_bd(%[[B]] : memref<8xi32, 1>, 4, 4)
aie.device(npu1) {
  %m = aie.tile(0, 1)
  %free = aie.lock(%m, 0) {init = 2 : i32}
  %full = aie.lock(%m, 1) {init = 0 : i32}
  %b = aie.buffer(%m) {sym_name = "a"} : memref<8xi32, 1>
  aie.memtile_dma(%m) {
    %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
  ^bb1:
    aie.use_lock(%free, AcquireGreaterEqual, 2)
    aie.dma_bd(%b : memref<8xi32, 1>, 0, 8)
    aie.use_lock(%full, Release, 2)
    aie.next_bd ^bb1
  ^bb2:
    %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb4)
  ^bb3:
    aie.use_lock(%full, AcquireGreaterEqual, 1)
    aie.dma_bd(%b : memref<8xi32, 1>, 0, 4)
    aie.use_lock(%free, Release, 1)
    aie.next_bd ^bb3
  ^bb4:
    %2 = aie.dma_start(MM2S, 1, ^bb5, ^bb6)
  ^bb5:
    aie.use_lock(%full, AcquireGreaterEqual, 1)
    aie.dma_bd(%b : memref<8xi32, 1>, 4, 4)
    aie.use_lock(%free, Release, 1)
    aie.next_bd ^bb5
  ^bb6:
    aie.end
  }
}

// -----

// A reader that sends what was written once twice would get it once from each copy.

// CHECK-LABEL: aie.device(npu1) @twice
// CHECK-COUNT-1: aie.buffer
// CHECK-NOT:     aie.buffer
aie.device(npu1) @twice {
  %m = aie.tile(0, 1)
  %free = aie.lock(%m, 0) {init = 2 : i32}
  %full = aie.lock(%m, 1) {init = 0 : i32}
  %b = aie.buffer(%m) {sym_name = "a"} : memref<8xi32, 1>
  aie.memtile_dma(%m) {
    %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
  ^bb1:
    aie.use_lock(%free, AcquireGreaterEqual, 2)
    aie.dma_bd(%b : memref<8xi32, 1>, 0, 8)
    aie.use_lock(%full, Release, 2)
    aie.next_bd ^bb1
  ^bb2:
    %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb4)
  ^bb3:
    aie.use_lock(%full, AcquireGreaterEqual, 1)
    aie.dma_bd(%b : memref<8xi32, 1>, 0, 8)
    aie.use_lock(%free, Release, 1)
    aie.next_bd ^bb3
  ^bb4:
    aie.end
  }
}

// -----

// There is no room for another copy.

// CHECK-LABEL: aie.device(npu1) @full
// CHECK-COUNT-1: aie.buffer
// CHECK-NOT:     aie.buffer
aie.device(npu1) @full {
  %m = aie.tile(0, 1)
  %free = aie.lock(%m, 0) {init = 1 : i32}
  %full = aie.lock(%m, 1) {init = 0 : i32}
  %b = aie.buffer(%m) {sym_name = "a"} : memref<65537xi32, 1>
  aie.memtile_dma(%m) {
    %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
  ^bb1:
    aie.use_lock(%free, AcquireGreaterEqual, 1)
    aie.dma_bd(%b : memref<65537xi32, 1>, 0, 65537)
    aie.use_lock(%full, Release, 1)
    aie.next_bd ^bb1
  ^bb2:
    %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb4)
  ^bb3:
    aie.use_lock(%full, AcquireGreaterEqual, 1)
    aie.dma_bd(%b : memref<65537xi32, 1>, 0, 65537)
    aie.use_lock(%free, Release, 1)
    aie.next_bd ^bb3
  ^bb4:
    aie.end
  }
}

// -----

// The channels alternate already.

// CHECK-LABEL: aie.device(npu1) @alternating
// CHECK-COUNT-2: aie.buffer
// CHECK-NOT:     aie.buffer
aie.device(npu1) @alternating {
  %m = aie.tile(0, 1)
  %free = aie.lock(%m, 0) {init = 2 : i32}
  %full = aie.lock(%m, 1) {init = 0 : i32}
  %a = aie.buffer(%m) {sym_name = "a"} : memref<8xi32, 1>
  %b = aie.buffer(%m) {sym_name = "b"} : memref<8xi32, 1>
  aie.memtile_dma(%m) {
    %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
  ^bb1:
    aie.use_lock(%free, AcquireGreaterEqual, 1)
    aie.dma_bd(%a : memref<8xi32, 1>, 0, 8)
    aie.use_lock(%full, Release, 1)
    aie.next_bd ^bb2
  ^bb2:
    aie.use_lock(%free, AcquireGreaterEqual, 1)
    aie.dma_bd(%b : memref<8xi32, 1>, 0, 8)
    aie.use_lock(%full, Release, 1)
    aie.next_bd ^bb1
  ^bb3:
    %1 = aie.dma_start(MM2S, 0, ^bb4, ^bb6)
  ^bb4:
    aie.use_lock(%full, AcquireGreaterEqual, 1)
    aie.dma_bd(%a : memref<8xi32, 1>, 0, 8)
    aie.use_lock(%free, Release, 1)
    aie.next_bd ^bb5
  ^bb5:
    aie.use_lock(%full, AcquireGreaterEqual, 1)
    aie.dma_bd(%b : memref<8xi32, 1>, 0, 8)
    aie.use_lock(%free, Release, 1)
    aie.next_bd ^bb4
  ^bb6:
    aie.end
  }
}

// -----

// A buffer that begins full, and descriptors that are numbered, stay.

// CHECK-LABEL: aie.device(npu1)
// CHECK:       sym_name = "a"
// CHECK-NOT:   sym_name = "a_0"
aie.device(npu1) {
  %m = aie.tile(0, 1)
  %free = aie.lock(%m, 0) {init = 0 : i32}
  %full = aie.lock(%m, 1) {init = 1 : i32}
  %b = aie.buffer(%m) {sym_name = "a"} : memref<8xi32, 1>
  aie.memtile_dma(%m) {
    %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
  ^bb1:
    aie.use_lock(%free, AcquireGreaterEqual, 1)
    aie.dma_bd(%b : memref<8xi32, 1>, 0, 8) 
    aie.use_lock(%full, Release, 1)
    aie.next_bd ^bb1
  ^bb2:
    %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb6)
  ^bb3:
    aie.use_lock(%full, AcquireGreaterEqual, 1)
    aie.dma_bd(%b : memref<8xi32, 1>, 0, 8) 
    aie.use_lock(%free, Release, 1)
    aie.next_bd ^bb3
  ^bb6:
    aie.end
  }
}

// -----

// CHECK-LABEL: aie.device(npu1)
// CHECK:       sym_name = "a"
// CHECK-NOT:   sym_name = "a_0"
aie.device(npu1) {
  %m = aie.tile(0, 1)
  %free = aie.lock(%m, 0) {init = 1 : i32}
  %full = aie.lock(%m, 1) {init = 0 : i32}
  %b = aie.buffer(%m) {sym_name = "a"} : memref<8xi32, 1>
  aie.memtile_dma(%m) {
    %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
  ^bb1:
    aie.use_lock(%free, AcquireGreaterEqual, 1)
    aie.dma_bd(%b : memref<8xi32, 1>, 0, 8) {bd_id = 0 : i32, next_bd_id = 0 : i32}
    aie.use_lock(%full, Release, 1)
    aie.next_bd ^bb1
  ^bb2:
    %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb6)
  ^bb3:
    aie.use_lock(%full, AcquireGreaterEqual, 1)
    aie.dma_bd(%b : memref<8xi32, 1>, 0, 8) {bd_id = 1 : i32, next_bd_id = 1 : i32}
    aie.use_lock(%free, Release, 1)
    aie.next_bd ^bb3
  ^bb6:
    aie.end
  }
}

// -----

// One channel reads in turn what two fill: parts of one thing, of which there are two copies then.

// CHECK-LABEL: aie.device(npu1) @parts
// CHECK-COUNT-4: aie.buffer
// CHECK:       aie.dma_start(MM2S, 0
// CHECK:       aie.dma_bd(%a : memref<8xi32, 1>, 0, 8)
// CHECK:       aie.dma_bd(%b : memref<8xi32, 1>, 0, 8)
// CHECK:       aie.dma_bd(%a_0 : memref<8xi32, 1>, 0, 8)
// CHECK:       aie.dma_bd(%b_0 : memref<8xi32, 1>, 0, 8)
aie.device(npu1) @parts {
  %m = aie.tile(0, 1)
  %free_a = aie.lock(%m, 0) {init = 1 : i32}
  %full_a = aie.lock(%m, 1) {init = 0 : i32}
  %free_b = aie.lock(%m, 2) {init = 1 : i32}
  %full_b = aie.lock(%m, 3) {init = 0 : i32}
  %a = aie.buffer(%m) {sym_name = "a"} : memref<8xi32, 1>
  %b = aie.buffer(%m) {sym_name = "b"} : memref<8xi32, 1>
  aie.memtile_dma(%m) {
    %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
  ^bb1:
    aie.use_lock(%free_a, AcquireGreaterEqual, 1)
    aie.dma_bd(%a : memref<8xi32, 1>, 0, 8)
    aie.use_lock(%full_a, Release, 1)
    aie.next_bd ^bb1
  ^bb2:
    %1 = aie.dma_start(S2MM, 1, ^bb3, ^bb4)
  ^bb3:
    aie.use_lock(%free_b, AcquireGreaterEqual, 1)
    aie.dma_bd(%b : memref<8xi32, 1>, 0, 8)
    aie.use_lock(%full_b, Release, 1)
    aie.next_bd ^bb3
  ^bb4:
    %2 = aie.dma_start(MM2S, 0, ^bb5, ^bb7)
  ^bb5:
    aie.use_lock(%full_a, AcquireGreaterEqual, 1)
    aie.dma_bd(%a : memref<8xi32, 1>, 0, 8)
    aie.use_lock(%free_a, Release, 1)
    aie.next_bd ^bb6
  ^bb6:
    aie.use_lock(%full_b, AcquireGreaterEqual, 1)
    aie.dma_bd(%b : memref<8xi32, 1>, 0, 8)
    aie.use_lock(%free_b, Release, 1)
    aie.next_bd ^bb5
  ^bb7:
    aie.end
  }
}
