// RUN: allo-opt --syntax=2026-03 %s --air-specialize-channel-wrap-and-stride --canonicalize --cse | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --air-specialize-channel-wrap-and-stride=scope=launch --canonicalize --cse | filecheck %s --check-prefix=LAUNCH

air.channel @a []
air.channel @b []
air.channel @c [4]
air.channel @d []
air.channel @e [2, 2]
air.channel @f []
air.channel @g []
air.channel @h []
air.channel @w []
func.func @loops(%x: memref<64x64xi32>, %n: index) {
  %c1_ = arith.constant 1 : index
  air.launch (%lx) in (%ln=%c1_) args(%l3=%x, %k=%n) : memref<64x64xi32>, index {
    %l0 = arith.constant 0 : index
    %l1 = arith.constant 1 : index
    %l16 = arith.constant 16 : index
    %l64 = arith.constant 64 : index

    // Launches are folded when asked.
    // CHECK:  scf.for
    // CHECK:  air.channel.put @w
    // LAUNCH-NOT: scf.for
    // LAUNCH: air.channel.put @w[] (%{{.*}}[%c0{{[_0-9]*}}, %c0{{[_0-9]*}}, %c0{{[_0-9]*}}] [%c4{{[_0-9]*}}, %c64{{[_0-9]*}}, %c16{{[_0-9]*}}] [%c16{{[_0-9]*}}, %c64{{[_0-9]*}}, %c1{{[_0-9]*}}])
    scf.for %i = %l0 to %l64 step %l16 {
      air.channel.put @w[] (%l3[%l0, %i] [%l64, %l16] [%l64, %l1]) : (memref<64x64xi32>)
    }
    air.segment @s args(%sk=%k) : index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %t, %m = air.execute -> (memref<64x64xi32, 1>) {
        %alloc = memref.alloc() : memref<64x64xi32, 1>
        air.execute_terminator %alloc : memref<64x64xi32, 1>
      }

      // A nest around one put: two dimensions more, from where the first iteration starts; the rows of all %j are dense.
      // CHECK:      %[[T:.*]], %[[M:.*]] = air.execute
      // CHECK:      air.channel.put async [%[[T]]] @a[] (%[[M]][%c0{{[_0-9]*}}, %c8{{[_0-9]*}}, %c0{{[_0-9]*}}] [%c3{{[_0-9]*}}, %c64{{[_0-9]*}}, %c16{{[_0-9]*}}] [%c16{{[_0-9]*}}, %c64{{[_0-9]*}}, %c1{{[_0-9]*}}])
      %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%u = %t) -> (!air.async.token) {
        %o = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
        %1 = scf.for %j = %c8 to %c64 step %c16 iter_args(%v = %u) -> (!air.async.token) {
          %2 = air.channel.put async [%v] @a[] (%m[%j, %o] [%c16, %c16] [%c64, %c1]) : (memref<64x64xi32, 1>)
          scf.yield %2 : !air.async.token
        }
        scf.yield %1 : !air.async.token
      }

      // The same data again and again: stride 0, and the whole buffer is one run.
      // CHECK:      air.channel.put async [%[[T]]] @b[] (%[[M]][%c0{{[_0-9]*}}, %c0{{[_0-9]*}}] [%c64{{[_0-9]*}}, %c4096{{[_0-9]*}}] [%c0{{[_0-9]*}}, %c1{{[_0-9]*}}])
      %3 = scf.for %i = %c0 to %c64 step %c1 iter_args(%u = %t) -> (!air.async.token) {
        %2 = air.channel.put async [%u] @b[] (%m[] [] []) : (memref<64x64xi32, 1>)
        scf.yield %2 : !air.async.token
      }

      // Another channel in each iteration, or two transfers: a chain.
      // CHECK:      %[[C0:.*]] = air.channel.put async [%[[T]]] @c[%c0{{[_0-9]*}}]
      // CHECK:      %[[C1:.*]] = air.channel.put async [%[[C0]]] @c[%c1{{[_0-9]*}}]
      // CHECK:      %[[D0:.*]] = air.channel.get async [%[[T]]] @d[] (%[[M]][%c0{{[_0-9]*}}] [%c64{{[_0-9]*}}] [%c1{{[_0-9]*}}])
      // CHECK:      %[[E0:.*]] = air.channel.put async [%[[D0]]] @f[] (%[[M]][%c0{{[_0-9]*}}] [%c64{{[_0-9]*}}] [%c1{{[_0-9]*}}])
      // CHECK:      %[[D1:.*]] = air.channel.get async [%[[E0]]] @d[] (%[[M]][%c64{{[_0-9]*}}] [%c64{{[_0-9]*}}] [%c1{{[_0-9]*}}])
      // CHECK:      %[[E1:.*]] = air.channel.put async [%[[D1]]] @f[] (%[[M]][%c64{{[_0-9]*}}] [%c64{{[_0-9]*}}] [%c1{{[_0-9]*}}])
      %4 = scf.for %i = %c0 to %c2 step %c1 iter_args(%u = %t) -> (!air.async.token) {
        %pick = arith.addi %i, %c0 : index
        %2 = air.channel.put async [%u] @c[%pick] (%m[] [] []) : (memref<64x64xi32, 1>)
        scf.yield %2 : !air.async.token
      }
      %5 = scf.for %i = %c0 to %c2 step %c1 iter_args(%u = %t) -> (!air.async.token) {
        %6 = air.channel.get async [%u] @d[] (%m[%i, %c0] [%c1, %c64] [%c64, %c1]) : (memref<64x64xi32, 1>)
        %7 = air.channel.put async [%6] @f[] (%m[%i, %c0] [%c1, %c64] [%c64, %c1]) : (memref<64x64xi32, 1>)
        scf.yield %7 : !air.async.token
      }

      // Iterations that are all the same are a ring already.
      // CHECK:      scf.for
      // CHECK-NEXT:   air.channel.get
      // CHECK-NEXT:   air.channel.put
      // CHECK-NEXT:   scf.yield
      %8 = scf.for %i = %c0 to %c64 step %c1 iter_args(%u = %t) -> (!air.async.token) {
        %6 = air.channel.get async [%u] @d[] (%m[] [] []) : (memref<64x64xi32, 1>)
        %7 = air.channel.put async [%6] @f[] (%m[] [] []) : (memref<64x64xi32, 1>)
        scf.yield %7 : !air.async.token
      }

      // Parallel transfers.
      // CHECK:      %[[P0:.*]] = air.channel.get async [%[[T]]] @e[%c0{{[_0-9]*}}, %c0{{[_0-9]*}}] (%[[M]][%c0{{[_0-9]*}}, %c0{{[_0-9]*}}] [%c2{{[_0-9]*}}, %c2{{[_0-9]*}}] [%c64{{[_0-9]*}}, %c1{{[_0-9]*}}])
      // CHECK:      %[[P1:.*]] = air.channel.get async [%[[T]]] @e[%c0{{[_0-9]*}}, %c1{{[_0-9]*}}] (%[[M]][%c0{{[_0-9]*}}, %c2{{[_0-9]*}}] [%c2{{[_0-9]*}}, %c2{{[_0-9]*}}] [%c64{{[_0-9]*}}, %c1{{[_0-9]*}}])
      // CHECK:      %[[P2:.*]] = air.channel.get async [%[[T]]] @e[%c1{{[_0-9]*}}, %c0{{[_0-9]*}}]
      // CHECK:      %[[P3:.*]] = air.channel.get async [%[[T]]] @e[%c1{{[_0-9]*}}, %c1{{[_0-9]*}}]
      // CHECK:      air.channel.put async [%[[P0]], %[[P1]], %[[P2]], %[[P3]]] @g
      %9 = scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c2) step (%c1, %c1) init (%t) -> !air.async.token {
        %row = arith.muli %i, %c2 : index
        %col = arith.muli %j, %c2 : index
        %6 = air.channel.get async [%t] @e[%i, %j] (%m[%row, %col] [%c2, %c2] [%c64, %c1]) : (memref<64x64xi32, 1>)
        scf.reduce(%6 : !air.async.token) {
        ^bb0(%p: !air.async.token, %q: !air.async.token):
          %7 = air.wait_all async [%p, %q]
          scf.reduce.return %7 : !air.async.token
        }
      }
      %10 = air.channel.put async [%9] @g[] (%m[] [] []) : (memref<64x64xi32, 1>)

      // A bound that is not constant: nothing can be said.
      // CHECK:      scf.for
      // CHECK:        air.channel.put async [%{{.*}}] @h[] (%[[M]][%{{.*}}] [%c64{{[_0-9]*}}] [%c1{{[_0-9]*}}])
      %11 = scf.for %i = %c0 to %sk step %c1 iter_args(%u = %t) -> (!air.async.token) {
        %2 = air.channel.put async [%u] @h[] (%m[%i, %c0] [%c1, %c64] [%c64, %c1]) : (memref<64x64xi32, 1>)
        scf.yield %2 : !air.async.token
      }

      // affine.for as well; and a core keeps the loops that do not fold.
      // CHECK:      air.channel.put @b[] (%[[M]][%c0{{[_0-9]*}}, %c0{{[_0-9]*}}, %c0{{[_0-9]*}}] [%c4{{[_0-9]*}}, %c64{{[_0-9]*}}, %c16{{[_0-9]*}}] [%c16{{[_0-9]*}}, %c64{{[_0-9]*}}, %c1{{[_0-9]*}}])
      // CHECK:      air.herd
      // CHECK:        air.channel.get @a[] (%{{.*}}[%c0{{[_0-9]*}}, %c0{{[_0-9]*}}, %c0{{[_0-9]*}}] [%c2{{[_0-9]*}}, %c4{{[_0-9]*}}, %c2{{[_0-9]*}}] [%c2{{[_0-9]*}}, %c4{{[_0-9]*}}, %c1{{[_0-9]*}}])
      // CHECK:        scf.for
      // CHECK:          air.channel.get @f
      // CHECK-NEXT:     air.channel.put @d
      affine.for %i = 0 to 64 step 16 {
        air.channel.put @b[] (%m[%c0, %i] [%c64, %c16] [%c64, %c1]) : (memref<64x64xi32, 1>)
      }
      air.herd @h tile (%hx, %hy) in (%sx=%c1, %sy=%c1) {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %d2 = arith.constant 2 : index
        %d4 = arith.constant 4 : index
        %q = memref.alloc() : memref<4x4xi32, 2>
        scf.for %i = %d0 to %d4 step %d2 {
          air.channel.get @a[] (%q[%d0, %i] [%d4, %d2] [%d4, %d1]) : (memref<4x4xi32, 2>)
        }
        scf.for %i = %d0 to %d4 step %d1 {
          air.channel.get @f[] (%q[%i, %d0] [%d1, %d4] [%d4, %d1]) : (memref<4x4xi32, 2>)
          air.channel.put @d[] (%q[%i, %d0] [%d1, %d4] [%d4, %d1]) : (memref<4x4xi32, 2>)
        }
      }
    }
  }
  return
}
