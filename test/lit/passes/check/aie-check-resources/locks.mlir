// RUN: allo-opt %s --aie-check-resources --split-input-file --verify-diagnostics -o /dev/null

// Two BD chains hold one lock while they wait for the other, in two orders.
aie.device(npu2) {
  %mem = aie.tile(0, 1)
  %x = aie.buffer(%mem) : memref<8xi32>
  %y = aie.buffer(%mem) : memref<8xi32>
  %x_mine = aie.lock(%mem, 0) {init = 1 : i32, sym_name = "x_mine"}
  %y_mine = aie.lock(%mem, 1) {init = 1 : i32, sym_name = "y_mine"}
  aie.memtile_dma(%mem) {
    %0 = aie.dma_start(MM2S, 0, ^p0, ^other)
  ^p0:
    // expected-note@below {{MM2S 0 of memtile (0,1) takes lock x_mine here}}
    aie.use_lock(%x_mine, AcquireGreaterEqual, 1)
    aie.dma_bd(%x : memref<8xi32>, 0, 8)
    aie.next_bd ^p1
  ^p1:
    // expected-warning@below {{may hang: lock x_mine and lock y_mine are taken in different orders by MM2S 0 of memtile (0,1) and MM2S 1 of memtile (0,1)}}
    // expected-note@below {{and waits for lock y_mine here, while it holds lock x_mine}}
    aie.use_lock(%y_mine, AcquireGreaterEqual, 1)
    aie.dma_bd(%y : memref<8xi32>, 0, 8)
    aie.use_lock(%y_mine, Release, 1)
    aie.next_bd ^p2
  ^p2:
    aie.dma_bd(%x : memref<8xi32>, 0, 8)
    aie.use_lock(%x_mine, Release, 1)
    aie.next_bd ^over
  ^other:
    %1 = aie.dma_start(MM2S, 1, ^q0, ^over)
  ^q0:
    // expected-note@below {{MM2S 1 of memtile (0,1) takes lock y_mine here}}
    aie.use_lock(%y_mine, AcquireGreaterEqual, 1)
    aie.dma_bd(%y : memref<8xi32>, 0, 8)
    aie.next_bd ^q1
  ^q1:
    // expected-note@below {{and waits for lock x_mine here, while it holds lock y_mine}}
    aie.use_lock(%x_mine, AcquireGreaterEqual, 1)
    aie.dma_bd(%x : memref<8xi32>, 0, 8)
    aie.use_lock(%x_mine, Release, 1)
    aie.next_bd ^q2
  ^q2:
    aie.dma_bd(%y : memref<8xi32>, 0, 8)
    aie.use_lock(%y_mine, Release, 1)
    aie.next_bd ^over
  ^over:
    aie.end
  }
}

// -----

// Two cores in two orders: there are two of each lock, so that nobody waits.
aie.device(npu2) {
  %a = aie.tile(0, 2)
  %b = aie.tile(0, 3)
  %x = aie.lock(%a, 0) {init = 2 : i32}
  %y = aie.lock(%a, 1) {init = 2 : i32}
  %ca = aie.core(%a) {
    aie.use_lock(%x, AcquireGreaterEqual, 1)
    aie.use_lock(%y, AcquireGreaterEqual, 1)
    aie.use_lock(%y, Release, 1)
    aie.use_lock(%x, Release, 1)
    aie.end
  }
  %cb = aie.core(%b) {
    aie.use_lock(%y, AcquireGreaterEqual, 1)
    aie.use_lock(%x, AcquireGreaterEqual, 1)
    aie.use_lock(%x, Release, 1)
    aie.use_lock(%y, Release, 1)
    aie.end
  }
}

// -----

// One lock around both keeps them apart.
aie.device(npu2) {
  %a = aie.tile(0, 2)
  %b = aie.tile(0, 3)
  %gate = aie.lock(%a, 2) {init = 1 : i32}
  %x = aie.lock(%a, 0) {init = 1 : i32}
  %y = aie.lock(%a, 1) {init = 1 : i32}
  %ca = aie.core(%a) {
    aie.use_lock(%gate, AcquireGreaterEqual, 1)
    aie.use_lock(%x, AcquireGreaterEqual, 1)
    aie.use_lock(%y, AcquireGreaterEqual, 1)
    aie.use_lock(%y, Release, 1)
    aie.use_lock(%x, Release, 1)
    aie.use_lock(%gate, Release, 1)
    aie.end
  }
  %cb = aie.core(%b) {
    aie.use_lock(%gate, AcquireGreaterEqual, 1)
    aie.use_lock(%y, AcquireGreaterEqual, 1)
    aie.use_lock(%x, AcquireGreaterEqual, 1)
    aie.use_lock(%x, Release, 1)
    aie.use_lock(%y, Release, 1)
    aie.use_lock(%gate, Release, 1)
    aie.end
  }
}

// -----

// Three cores in a circle, as philosophers.
aie.device(npu2) {
  %a = aie.tile(0, 3)
  %b = aie.tile(0, 4)
  %c = aie.tile(1, 4)
  %x = aie.lock(%b, 0) {init = 1 : i32, sym_name = "x"}
  %y = aie.lock(%b, 1) {init = 1 : i32, sym_name = "y"}
  %z = aie.lock(%b, 2) {init = 1 : i32, sym_name = "z"}
  %ca = aie.core(%a) {
    // expected-note@below {{takes lock x here}}
    aie.use_lock(%x, AcquireGreaterEqual, 1)
    // expected-warning@below {{may hang: lock x and lock y and lock z are taken in different orders}}
    // expected-note@below {{and waits for lock y here}}
    aie.use_lock(%y, AcquireGreaterEqual, 1)
    aie.use_lock(%y, Release, 1)
    aie.use_lock(%x, Release, 1)
    aie.end
  }
  %cb = aie.core(%b) {
    // expected-note@below {{takes lock y here}}
    aie.use_lock(%y, AcquireGreaterEqual, 1)
    // expected-note@below {{and waits for lock z here}}
    aie.use_lock(%z, AcquireGreaterEqual, 1)
    aie.use_lock(%z, Release, 1)
    aie.use_lock(%y, Release, 1)
    aie.end
  }
  %cc = aie.core(%c) {
    // expected-note@below {{takes lock z here}}
    aie.use_lock(%z, AcquireGreaterEqual, 1)
    // expected-note@below {{and waits for lock x here}}
    aie.use_lock(%x, AcquireGreaterEqual, 1)
    aie.use_lock(%x, Release, 1)
    aie.use_lock(%z, Release, 1)
    aie.end
  }
}

// -----

// A ring of two buffers whose lock lets in three; with as many as there are buffers, or a pair that others use as well, nothing is said.
aie.device(npu2) {
  %t = aie.tile(0, 2)
  %a = aie.buffer(%t) : memref<8xi32>
  %b = aie.buffer(%t) : memref<8xi32>
  %c = aie.buffer(%t) : memref<8xi32>
  // expected-warning@below {{begins at 3, and the ring of S2MM 0 of core (0,2) has room for 2: a buffer may be written again before it is read; let it begin at 2}}
  %free = aie.lock(%t, 0) {init = 3 : i32}
  %full = aie.lock(%t, 1) {init = 0 : i32}
  %out_free = aie.lock(%t, 2) {init = 1 : i32}
  %out_full = aie.lock(%t, 3) {init = 0 : i32}
  aie.core(%t) {
    aie.use_lock(%full, AcquireGreaterEqual, 1)
    aie.use_lock(%out_free, AcquireGreaterEqual, 1)
    aie.use_lock(%free, Release, 1)
    aie.use_lock(%out_full, Release, 1)
    aie.end
  }
  aie.mem(%t) {
    %0 = aie.dma_start(S2MM, 0, ^a, ^next)
  ^a:
    aie.use_lock(%free, AcquireGreaterEqual, 1)
    // expected-note@below {{the ring begins here}}
    aie.dma_bd(%a : memref<8xi32>, 0, 8)
    aie.use_lock(%full, Release, 1)
    aie.next_bd ^b
  ^b:
    aie.use_lock(%free, AcquireGreaterEqual, 1)
    aie.dma_bd(%b : memref<8xi32>, 0, 8)
    aie.use_lock(%full, Release, 1)
    aie.next_bd ^a
  ^next:
    %1 = aie.dma_start(MM2S, 0, ^c, ^end)
  ^c:
    aie.use_lock(%out_full, AcquireGreaterEqual, 1)
    aie.dma_bd(%c : memref<8xi32>, 0, 8)
    aie.use_lock(%out_free, Release, 1)
    aie.next_bd ^c
  ^end:
    aie.end
  }
}
