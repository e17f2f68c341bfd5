// RUN: allo-opt %s --split-input-file --air-fuse-channels --canonicalize | filecheck %s
// RUN: allo-opt %s --split-input-file --air-fuse-channels=repeats=false --canonicalize | filecheck %s --check-prefix=KEPT
// RUN: allo-opt %s --split-input-file --verify-each=execute --air-fuse-channels --canonicalize | filecheck %s

// Two loops send the same, one after another: the first runs twice.

// CHECK: air.channel @channel_0 [1, 1]
// CHECK-NOT: air.channel @channel_1
// CHECK-LABEL: func.func @twice
// CHECK: %[[ALL:.*]] = scf.for %{{.*}} = %c0{{.*}} to %c2{{.*}} step %c1{{.*}} iter_args(%[[T:.*]] = %{{.*}})
// CHECK-NEXT: scf.for %[[K:.*]] = %{{.*}} to %c4{{.*}} iter_args(%{{.*}} = %[[T]])
// CHECK: air.channel.put async [%{{.*}}] @channel_0[] (%{{.*}}[%[[K]]] [32] [1])
// CHECK-NOT: air.channel.put
// CHECK: air.herd
// CHECK: air.channel.get @channel_0
// CHECK: air.channel.get @channel_0

// KEPT: air.channel @channel_1
air.channel @channel_0 [1, 1]
air.channel @channel_1 [1, 1]
func.func @twice(%a: memref<128xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n=%c1) args(%x=%a) : memref<128xi32> {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %d1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %t = air.wait_all async
    %p = scf.for %k = %c0 to %c4 step %d1 iter_args(%u = %t) -> (!air.async.token) {
      %v = air.channel.put async [%u] @channel_0[] (%x[%k] [%c32] [%d1]) : (memref<128xi32>)
      scf.yield %v : !air.async.token
    }
    %q = scf.for %k = %c0 to %c4 step %d1 iter_args(%u = %p) -> (!air.async.token) {
      %v = air.channel.put async [%u] @channel_1[] (%x[%k] [%c32] [%d1]) : (memref<128xi32>)
      scf.yield %v : !air.async.token
    }
    air.segment @s {
      %e1 = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%sx=%e1, %sy=%e1) {
        %e0 = arith.constant 0 : index
        %e4 = arith.constant 4 : index
        %f1 = arith.constant 1 : index
        %l = memref.alloc() : memref<32xi32, 2>
        %m = memref.alloc() : memref<32xi32, 2>
        scf.for %k = %e0 to %e4 step %f1 {
          air.channel.get @channel_0[%tx, %ty] (%l[] [] []) : (memref<32xi32, 2>)
        }
        scf.for %k = %e0 to %e4 step %f1 {
          air.channel.get @channel_1[%tx, %ty] (%m[] [] []) : (memref<32xi32, 2>)
        }
        memref.dealloc %l : memref<32xi32, 2>
        memref.dealloc %m : memref<32xi32, 2>
      }
    }
  }
  return
}

// -----

// A put that is what the loop would send one iteration earlier becomes that iteration.

// CHECK: air.channel @channel_0 []
// CHECK-NOT: air.channel @channel_1
// CHECK-LABEL: func.func @one_more
// CHECK-NOT: air.channel.put
// CHECK: scf.for %[[K:.*]] = %c0{{.*}} to %c4{{.*}} step
// CHECK-NEXT: air.channel.put @channel_0[] (%{{.*}}[%[[K]]] [32] [1])
// CHECK: air.channel.get @channel_0
// CHECK: air.channel.get @channel_0
air.channel @channel_0 []
air.channel @channel_1 []
func.func @one_more(%a: memref<128xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n=%c1) args(%x=%a) : memref<128xi32> {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %d1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    air.channel.put @channel_0[] (%x[%c0] [%c32] [%d1]) : (memref<128xi32>)
    scf.for %k = %d1 to %c4 step %d1 {
      air.channel.put @channel_1[] (%x[%k] [%c32] [%d1]) : (memref<128xi32>)
    }
    air.segment @s {
      %e4 = arith.constant 4 : index
      %e1 = arith.constant 1 : index
      %l = memref.alloc() : memref<32xi32, 1>
      air.channel.get @channel_0[] (%l[] [] []) : (memref<32xi32, 1>)
      memref.dealloc %l : memref<32xi32, 1>
      scf.for %k = %e1 to %e4 step %e1 {
        %m = memref.alloc() : memref<32xi32, 1>
        air.channel.get @channel_1[] (%m[] [] []) : (memref<32xi32, 1>)
        memref.dealloc %m : memref<32xi32, 1>
      }
    }
  }
  return
}

// -----

// Channels that fill one L1 buffer in two loops beside each other stay two, and so do those that send different parts.

// CHECK: air.channel @channel_0
// CHECK: air.channel @channel_1
// CHECK: air.channel @channel_2
// CHECK: air.channel @channel_3
air.channel @channel_0 [1, 1]
air.channel @channel_1 [1, 1]
air.channel @channel_2 [1, 1]
air.channel @channel_3 [1, 1]
func.func @apart(%a: memref<128xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n=%c1) args(%x=%a) : memref<128xi32> {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %d1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    scf.for %k = %c0 to %c4 step %d1 {
      air.channel.put @channel_0[] (%x[%k] [%c32] [%d1]) : (memref<128xi32>)
    }
    scf.for %k = %c0 to %c4 step %d1 {
      air.channel.put @channel_1[] (%x[%k] [%c32] [%d1]) : (memref<128xi32>)
    }
    air.channel.put @channel_2[] (%x[%c0] [%c32] [%d1]) : (memref<128xi32>)
    air.channel.put @channel_3[] (%x[%c32] [%c32] [%d1]) : (memref<128xi32>)
    air.segment @s {
      %e1 = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%sx=%e1, %sy=%e1) {
        %e0 = arith.constant 0 : index
        %e4 = arith.constant 4 : index
        %f1 = arith.constant 1 : index
        %l = memref.alloc() : memref<32xi32, 2>
        %m = memref.alloc() : memref<32xi32, 2>
        scf.for %k = %e0 to %e4 step %f1 {
          air.channel.get @channel_0[%tx, %ty] (%l[] [] []) : (memref<32xi32, 2>)
        }
        scf.for %k = %e0 to %e4 step %f1 {
          air.channel.get @channel_1[%tx, %ty] (%l[] [] []) : (memref<32xi32, 2>)
        }
        air.channel.get @channel_2[%tx, %ty] (%l[] [] []) : (memref<32xi32, 2>)
        air.channel.get @channel_3[%tx, %ty] (%m[] [] []) : (memref<32xi32, 2>)
        memref.dealloc %l : memref<32xi32, 2>
        memref.dealloc %m : memref<32xi32, 2>
      }
    }
  }
  return
}

// -----

// A segment between the two writes what they send, by DMA: they stay two.

// CHECK-LABEL: func.func @written
// CHECK: air.channel.put @channel_0
// CHECK: air.segment @s
// CHECK: air.channel.put @channel_1
air.channel @channel_0 [1, 1]
air.channel @channel_1 [1, 1]
func.func @written(%a: memref<32xi32>, %b: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n=%c1) args(%x=%a, %z=%b) : memref<32xi32>, memref<32xi32> {
    air.channel.put @channel_0[] (%x[] [] []) : (memref<32xi32>)
    air.segment @s args(%y=%x, %w=%z) : memref<32xi32>, memref<32xi32> {
      %l2 = memref.alloc() : memref<32xi32, 1>
      air.dma_memcpy_nd (%l2[] [] [], %w[] [] []) : (memref<32xi32, 1>, memref<32xi32>)
      air.dma_memcpy_nd (%y[] [] [], %l2[] [] []) : (memref<32xi32>, memref<32xi32, 1>)
      memref.dealloc %l2 : memref<32xi32, 1>
    }
    air.channel.put @channel_1[] (%x[] [] []) : (memref<32xi32>)
    air.segment @t {
      %e1 = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%sx=%e1, %sy=%e1) {
        %l = memref.alloc() : memref<32xi32, 2>
        %m = memref.alloc() : memref<32xi32, 2>
        air.channel.get @channel_0[%tx, %ty] (%l[] [] []) : (memref<32xi32, 2>)
        air.channel.get @channel_1[%tx, %ty] (%m[] [] []) : (memref<32xi32, 2>)
        memref.dealloc %l : memref<32xi32, 2>
        memref.dealloc %m : memref<32xi32, 2>
      }
    }
  }
  return
}
