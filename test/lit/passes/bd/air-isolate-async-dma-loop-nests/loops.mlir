// RUN: allo-opt %s --air-isolate-async-dma-loop-nests --canonicalize --cse | filecheck %s
// RUN: allo-opt %s --air-isolate-async-dma-loop-nests --canonicalize --cse --air-isolate-async-dma-loop-nests --canonicalize --cse | filecheck %s
// RUN: allo-opt %s --air-isolate-async-dma-loop-nests='scope=launch' --canonicalize --cse | filecheck %s --check-prefix=LAUNCH

air.channel @a []
air.channel @b []
air.channel @c []
air.channel @d []
air.channel @l []
air.channel @m []

// Transfers that share nothing part, inner loops first; a loop outside of the segment parts with scope=launch only.

// CHECK-LABEL: func.func @parts
// CHECK:       scf.for
// CHECK-NEXT:    air.channel.put async {{.*}} @l
// CHECK-NEXT:    air.channel.put async {{.*}} @m
// CHECK:       air.segment
// CHECK:         %[[T:.*]] = air.wait_all async
// CHECK:         %[[A:.*]] = scf.for %{{.*}} iter_args(%[[OA:.*]] = %[[T]])
// CHECK-NEXT:      %[[AI:.*]] = scf.for %{{.*}} iter_args(%[[IA:.*]] = %[[OA]])
// CHECK-NEXT:        %[[P:.*]] = air.channel.put async [%[[IA]]] @a
// CHECK-NEXT:        scf.yield %[[P]]
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.yield %[[AI]]
// CHECK-NEXT:    }
// CHECK:         %[[B:.*]] = scf.for
// CHECK-NEXT:      %[[BI:.*]] = scf.for
// CHECK-NEXT:        air.channel.put async {{.*}} @b
// CHECK:         air.channel.put async [%[[A]], %[[B]]] @c
// LAUNCH-LABEL: func.func @parts
// LAUNCH:       scf.for
// LAUNCH-NEXT:    air.channel.put async {{.*}} @l
// LAUNCH-NEXT:    scf.yield
// LAUNCH:       scf.for
// LAUNCH-NEXT:    air.channel.put async {{.*}} @m
// LAUNCH-NEXT:    scf.yield
func.func @parts(%x: memref<8x8xf32>) {
  %one = arith.constant 1 : index
  %0 = air.launch async (%i) in (%n=%one) args(%y=%x) : memref<8x8xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %s = air.wait_all async
    %f = scf.for %k = %c0 to %c8 step %c1 iter_args(%u = %s) -> (!air.async.token) {
      %1 = air.channel.put async [%u] @l[] (%y[%k, %c0] [%c1, %c8] [%c8, %c1]) : (memref<8x8xf32>)
      %2 = air.channel.put async [%u] @m[] (%y[%k, %c0] [%c1, %c8] [%c8, %c1]) : (memref<8x8xf32>)
      %3 = air.wait_all async [%1, %2]
      scf.yield %3 : !air.async.token
    }
    %g = air.segment @s async {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %d8 = arith.constant 8 : index
      %alloc = memref.alloc() : memref<8x8xf32, 1>
      %t = air.wait_all async
      %h = scf.for %j = %d0 to %d8 step %d1 iter_args(%v = %t) -> (!air.async.token) {
        %h2 = scf.for %k = %d0 to %d8 step %d1 iter_args(%u = %v) -> (!air.async.token) {
          %1 = air.channel.put async [%u] @a[] (%alloc[%j, %k] [%d1, %d1] [%d8, %d1]) : (memref<8x8xf32, 1>)
          %2 = air.channel.put async [%u] @b[] (%alloc[%k, %j] [%d1, %d1] [%d8, %d1]) : (memref<8x8xf32, 1>)
          %3 = air.wait_all async [%1, %2]
          scf.yield %3 : !air.async.token
        }
        scf.yield %h2 : !air.async.token
      }
      %4 = air.channel.put async [%h] @c[] (%alloc[] [] []) : (memref<8x8xf32, 1>)
    }
  }
  return
}

// What must stay together: the same end of a channel, the same buffer with a write, a token between two transfers, values,
// and anything that is not asynchronous.

// CHECK-LABEL: func.func @stay
// CHECK-COUNT-4: scf.for
// CHECK-NOT:     scf.for
func.func @stay() {
  %one = arith.constant 1 : index
  %0 = air.launch async (%i) in (%n=%one) {
    %1 = air.segment @s async {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %m = memref.alloc() : memref<8xf32, 1>
      %p = memref.alloc() : memref<8xf32, 1>
      %t = air.wait_all async
      %a = scf.for %k = %c0 to %c8 step %c1 iter_args(%u = %t) -> (!air.async.token) {
        %2 = air.channel.put async [%u] @a[] (%m[%k] [%c1] [%c1]) : (memref<8xf32, 1>)
        %3 = air.channel.put async [%u] @a[] (%p[%k] [%c1] [%c1]) : (memref<8xf32, 1>)
        %4 = air.wait_all async [%2, %3]
        scf.yield %4 : !air.async.token
      }
      %b = scf.for %k = %c0 to %c8 step %c1 iter_args(%u = %a) -> (!air.async.token) {
        %r = arith.subi %c8, %k : index
        %2 = air.channel.get async [%u] @b[] (%m[%r] [%c1] [%c1]) : (memref<8xf32, 1>)
        %3 = air.channel.put async [%u] @c[] (%m[%k] [%c1] [%c1]) : (memref<8xf32, 1>)
        %4 = air.wait_all async [%2, %3]
        scf.yield %4 : !air.async.token
      }
      %c = scf.for %k = %c0 to %c8 step %c1 iter_args(%u = %b) -> (!air.async.token) {
        %2 = air.channel.put async [%u] @a[] (%m[%k] [%c1] [%c1]) : (memref<8xf32, 1>)
        %3 = air.channel.put async [%2] @d[] (%p[%k] [%c1] [%c1]) : (memref<8xf32, 1>)
        scf.yield %3 : !air.async.token
      }
      scf.for %k = %c0 to %c8 step %c1 {
        air.channel.put @a[] (%m[%k] [%c1] [%c1]) : (memref<8xf32, 1>)
        air.channel.put @d[] (%p[%k] [%c1] [%c1]) : (memref<8xf32, 1>)
      }
    }
  }
  return
}
