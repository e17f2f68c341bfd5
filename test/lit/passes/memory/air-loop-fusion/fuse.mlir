// RUN: allo-opt --syntax=2026-03 %s --air-loop-fusion --canonicalize --cse | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --air-loop-fusion --canonicalize --cse --air-loop-fusion --canonicalize --cse | filecheck %s

air.channel @in []
air.channel @out [2]
air.channel @other []

// The nest with more iterations keeps an inner loop, the buffer holds one slice; the puts of both loops that step alike join.
// What waited for the nests but shares nothing with them no longer does; what follows on the channel waits for the loop.

// CHECK-LABEL: func.func @fused
// CHECK:       %[[START:.*]] = air.wait_all async
// CHECK:       %[[L:.*]] = scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[C:.*]] = %[[START]])
// CHECK-NEXT:    %[[T:.*]], %[[M:.*]] = air.execute -> (memref<4x16xf32, 1>)
// CHECK:         %[[G:.*]] = air.channel.get async [%[[T]], %[[C]]] @in[] (%[[M]][] [] [])
// CHECK-NEXT:    %[[I:.*]] = scf.for %[[J:.*]] = %c0{{.*}} to %c16{{.*}} step %c4{{.*}} iter_args(%[[D:.*]] = %[[G]])
// CHECK-NEXT:      %[[P:.*]] = air.channel.put async [%[[D]]] @out[%c0{{.*}}] (%[[M]][%c0{{.*}}, %[[J]]] [%c2{{.*}}, %c4{{.*}}] [%c16{{.*}}, %c1{{.*}}]) : (memref<4x16xf32, 1>)
// CHECK-NEXT:      scf.yield %[[P]]
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[Q:.*]] = air.channel.put async [%[[G]]] @out[%c1{{.*}}] (%[[M]][%c2{{.*}}, %c0{{.*}}] [%c2{{.*}}, %c16{{.*}}] [%c16{{.*}}, %c1{{.*}}])
// CHECK-NEXT:    %[[F:.*]] = air.execute [%[[Q]], %[[I]]] {
// CHECK-NEXT:      memref.dealloc %[[M]]
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.yield %[[F]]
// CHECK:       air.channel.put async [%[[L]]] @out[%c0
// CHECK:       air.herd @h async tile
func.func @fused(%x: memref<4x16xf32, 1>) {
  %one = arith.constant 1 : index
  %0 = air.launch async (%i) in (%n=%one) args(%y=%x) : memref<4x16xf32, 1> {
    %1 = air.segment @s async args(%z=%y) : memref<4x16xf32, 1> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %t, %m = air.execute -> (memref<4x64xf32, 1>) {
        %alloc = memref.alloc() : memref<4x64xf32, 1>
        air.execute_terminator %alloc : memref<4x64xf32, 1>
      }
      %g = scf.for %k = %c0 to %c64 step %c16 iter_args(%u = %t) -> (!air.async.token) {
        %2 = air.channel.get async [%u] @in[] (%m[%c0, %k] [%c4, %c16] [%c64, %c1]) : (memref<4x64xf32, 1>)
        scf.yield %2 : !air.async.token
      }
      %p = scf.for %k = %c0 to %c64 step %c4 iter_args(%u = %g) -> (!air.async.token) {
        %2 = air.channel.put async [%u] @out[%c0] (%m[%c0, %k] [%c2, %c4] [%c64, %c1]) : (memref<4x64xf32, 1>)
        scf.yield %2 : !air.async.token
      }
      %q = scf.for %k = %c0 to %c64 step %c16 iter_args(%u = %g) -> (!air.async.token) {
        %2 = air.channel.put async [%u] @out[%c1] (%m[%c2, %k] [%c2, %c16] [%c64, %c1]) : (memref<4x64xf32, 1>)
        scf.yield %2 : !air.async.token
      }
      %w = air.channel.put async [%p] @out[%c0] (%z[] [] []) : (memref<4x16xf32, 1>)
      %h = air.herd @h async [%g, %q] tile (%a, %b) in (%sx=%c1, %sy=%c1) {
      }
      %e = air.execute [%p, %q] {
        memref.dealloc %m : memref<4x64xf32, 1>
      }
    }
  }
  return
}

// Other bounds, same number of iterations: the loop counts them.

// CHECK-LABEL: func.func @counted
// CHECK:       scf.for %[[K:.*]] = %c0{{.*}} to %c4{{.*}} step %c1
// CHECK:         memref.alloc() : memref<16xf32, 1>
// CHECK:         air.channel.get async {{.*}} @in[] (%[[M:.*]][] [] [])
// CHECK:         air.channel.put async {{.*}} @other[] (%[[M]][] [] [])
func.func @counted() {
  %one = arith.constant 1 : index
  %0 = air.launch async (%i) in (%n=%one) {
    %1 = air.segment @s async {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %t, %m = air.execute -> (memref<64xf32, 1>) {
        %alloc = memref.alloc() : memref<64xf32, 1>
        air.execute_terminator %alloc : memref<64xf32, 1>
      }
      %g = scf.for %k = %c0 to %c4 step %c1 iter_args(%u = %t) -> (!air.async.token) {
        %o = affine.apply affine_map<()[s0] -> (s0 * 16)>()[%k]
        %2 = air.channel.get async [%u] @in[] (%m[%o] [%c16] [%c1]) : (memref<64xf32, 1>)
        scf.yield %2 : !air.async.token
      }
      %p = scf.for %k = %c0 to %c64 step %c16 iter_args(%u = %g) -> (!air.async.token) {
        %2 = air.channel.put async [%u] @other[] (%m[%k] [%c16] [%c1]) : (memref<64xf32, 1>)
        scf.yield %2 : !air.async.token
      }
      %e = air.execute [%p] {
        memref.dealloc %m : memref<64xf32, 1>
      }
    }
  }
  return
}
