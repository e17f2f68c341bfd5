// RUN: allo-opt %s --air-isolate-async-dma-loop-nests --canonicalize --cse | filecheck %s

air.channel @a []
air.channel @b []

// The buffer's transfers and the herd, which only shares a token with them, part; the loop around the herd moves into it, with
// what its body computes from the loop's variable. Its loop carries a token from one iteration to the next.

// CHECK-LABEL: func.func @sinks
// CHECK:       %[[L:.*]] = scf.for
// CHECK:         air.channel.get async {{.*}} @a
// CHECK:         scf.yield
// CHECK-NEXT:  }
// CHECK-NEXT:  %[[H:.*]] = air.herd @h async tile ({{.*}}) in ({{.*}}) attributes {link_with = "k.o"} {
// CHECK:         %[[W:.*]] = air.wait_all async
// CHECK-NEXT:    %{{.*}} = scf.for %[[K:.*]] = %{{.*}} iter_args(%[[C:.*]] = %[[W]]) -> (!air.async.token) {
// CHECK:           %[[I:.*]] = affine.apply #{{.*}}()[%[[K]]]
// CHECK:           %[[P:.*]] = air.channel.put async [%{{.*}}, %[[C]]] @b[] (%{{.*}}[%[[I]]]
// CHECK:           %[[D:.*]] = air.execute [%[[P]]]
// CHECK:           scf.yield %[[D]]
// CHECK:       air.wait_all [%[[L]], %[[H]]]
func.func @sinks() {
  %one = arith.constant 1 : index
  air.launch (%i) in (%n=%one) {
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %m = memref.alloc() : memref<8xf32, 1>
      %t = air.wait_all async
      %l = scf.for %k = %c0 to %c8 step %c1 iter_args(%u = %t) -> (!air.async.token) {
        %1 = air.channel.get async [%u] @a[] (%m[%k] [%c1] [%c1]) : (memref<8xf32, 1>)
        %d = affine.apply affine_map<()[s0] -> (s0 * 2)>()[%k]
        %2 = air.herd @h async [%1] tile (%x, %y) in (%sx=%c2, %sy=%c1) args(%o=%d) : index attributes {link_with = "k.o"} {
          %e1 = arith.constant 1 : index
          %3, %4 = air.execute -> (memref<16xf32, 2>) {
            %alloc = memref.alloc() : memref<16xf32, 2>
            air.execute_terminator %alloc : memref<16xf32, 2>
          }
          %5 = air.channel.put async [%3] @b[] (%4[%o] [%e1] [%e1]) : (memref<16xf32, 2>)
          %6 = air.execute [%5] {
            memref.dealloc %4 : memref<16xf32, 2>
          }
        }
        %7 = air.wait_all async [%1, %2]
        scf.yield %7 : !air.async.token
      }
      air.wait_all [%l]
    }
  }
  return
}

// Cores that share a buffer with the outside could overtake each other: the loop stays around the herd.

// CHECK-LABEL: func.func @shares
// CHECK:       scf.for
// CHECK-NEXT:    air.herd
func.func @shares(%x: memref<8xf32, 2>) {
  %one = arith.constant 1 : index
  air.launch (%i) in (%n=%one) args(%y=%x) : memref<8xf32, 2> {
    air.segment @s args(%z=%y) : memref<8xf32, 2> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %t = air.wait_all async
      %l = scf.for %k = %c0 to %c8 step %c1 iter_args(%u = %t) -> (!air.async.token) {
        %2 = air.herd @h async [%u] tile (%a, %b) in (%sx=%c8, %sy=%c1) args(%o=%z) : memref<8xf32, 2> {
          %e0 = arith.constant 0 : index
          %v = memref.load %o[%e0] : memref<8xf32, 2>
          memref.store %v, %o[%a] : memref<8xf32, 2>
        }
        scf.yield %2 : !air.async.token
      }
      air.wait_all [%l]
    }
  }
  return
}
