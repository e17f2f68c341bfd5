// RUN: allo-opt --syntax=2026-03 %s --air-hoist-dma-in-accum-pattern | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --air-hoist-dma-in-accum-pattern --air-hoist-dma-in-accum-pattern | filecheck %s

// The accumulator is brought before the loop, which starts with that; it is taken back when the loop is done, and what followed
// the loop follows that.

// CHECK-LABEL: func.func @matmul
// CHECK:         %[[T0:.*]] = air.wait_all async
// CHECK:         %[[TA:.*]], %[[C:.*]] = air.execute -> (memref<16x16xi32, 2>)
// CHECK:         %[[IN:.*]] = air.dma_memcpy_nd async [%[[T0]], %[[TA]]] (%[[C]][] [] [], %{{.*}}[%{{.*}}, %{{.*}}] [%{{.*}}, %{{.*}}] [%{{.*}}, %{{.*}}]) {id = 2 : i32}
// CHECK:         %[[FOR:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %[[IN]])
// CHECK:           %[[TA2:.*]], %[[A:.*]] = air.execute
// CHECK:           %[[INA:.*]] = air.dma_memcpy_nd async [%[[T]], %[[TA2]]] (%[[A]][] [] []
// CHECK-NOT:       air.dma_memcpy_nd
// CHECK:           %[[MM:.*]] = air.execute [%[[INA]], %[[T]]]
// CHECK-NEXT:        linalg.matmul
// CHECK:           %[[FREE:.*]] = air.execute [%[[MM]]]
// CHECK-NEXT:        memref.dealloc %[[A]]
// CHECK-NOT:       dealloc
// CHECK:           %[[W:.*]] = air.wait_all async [%[[MM]], %[[FREE]]]
// CHECK:           scf.yield %[[W]]
// CHECK:         }
// CHECK:         %[[OUT:.*]] = air.dma_memcpy_nd async [%[[FOR]]] (%{{.*}}, %[[C]][] [] []) {id = 3 : i32}
// CHECK:         %[[FREED:.*]] = air.execute [%[[OUT]]] {
// CHECK-NEXT:      memref.dealloc %[[C]]
// CHECK:         air.wait_all [%[[OUT]]]
func.func @matmul(%a: memref<64x64xi32, 1>, %c: memref<64x64xi32, 1>, %i: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %t0 = air.wait_all async
  %r = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %t0) -> (!air.async.token) {
    %c1 = arith.constant 1 : index
    %row = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
    %ta, %la = air.execute -> (memref<16x16xi32, 2>) {
      %x = memref.alloc() : memref<16x16xi32, 2>
      air.execute_terminator %x : memref<16x16xi32, 2>
    }
    %tc, %lc = air.execute -> (memref<16x16xi32, 2>) {
      %x = memref.alloc() : memref<16x16xi32, 2>
      air.execute_terminator %x : memref<16x16xi32, 2>
    }
    %ina = air.dma_memcpy_nd async [%t, %ta] (%la[] [] [], %a[%row, %k] [%c16, %c16] [%c64, %c1]) {id = 1 : i32} : (memref<16x16xi32, 2>, memref<64x64xi32, 1>)
    %inc = air.dma_memcpy_nd async [%t, %tc] (%lc[] [] [], %c[%row, %c0] [%c16, %c16] [%c64, %c1]) {id = 2 : i32} : (memref<16x16xi32, 2>, memref<64x64xi32, 1>)
    %mm = air.execute [%ina, %inc] {
      linalg.matmul ins(%la, %la : memref<16x16xi32, 2>, memref<16x16xi32, 2>) outs(%lc : memref<16x16xi32, 2>)
    }
    %outc = air.dma_memcpy_nd async [%mm] (%c[%row, %c0] [%c16, %c16] [%c64, %c1], %lc[] [] []) {id = 3 : i32} : (memref<64x64xi32, 1>, memref<16x16xi32, 2>)
    %da = air.execute [%mm] {
      memref.dealloc %la : memref<16x16xi32, 2>
    }
    %dc = air.execute [%outc] {
      memref.dealloc %lc : memref<16x16xi32, 2>
    }
    %w = air.wait_all async [%outc, %da]
    scf.yield %w : !air.async.token
  }
  air.wait_all [%r]
  return
}

// Out of two loops, one after another; two accumulators at once. The inner loop's end waits for the freeing of both.

// CHECK-LABEL: func.func @nest
// CHECK-COUNT-2: air.dma_memcpy_nd async {{.*}} (%{{.*}}[] [] [], %arg{{.*}}
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK-NOT:         dma_memcpy_nd
// CHECK:             scf.yield
// CHECK-NOT:       dma_memcpy_nd
// CHECK:           scf.yield
// CHECK:         }
// CHECK-COUNT-2: air.dma_memcpy_nd async {{.*}} (%arg{{.*}}[] [] [], %{{.*}}[] [] [])
func.func @nest(%c: memref<8xi32, 1>, %d: memref<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t0 = air.wait_all async
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%t = %t0) -> (!air.async.token) {
    %s = scf.for %l = %c0 to %n step %c1 iter_args(%u = %t) -> (!air.async.token) {
      %tc, %lc = air.execute -> (memref<8xi32, 2>) {
        %x = memref.alloc() : memref<8xi32, 2>
        air.execute_terminator %x : memref<8xi32, 2>
      }
      %td, %ld = air.execute -> (memref<8xi32, 2>) {
        %x = memref.alloc() : memref<8xi32, 2>
        air.execute_terminator %x : memref<8xi32, 2>
      }
      %inc = air.dma_memcpy_nd async [%u, %tc] (%lc[] [] [], %c[] [] []) : (memref<8xi32, 2>, memref<8xi32, 1>)
      %ind = air.dma_memcpy_nd async [%u, %td] (%ld[] [] [], %d[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
      %mm = air.execute [%inc, %ind] {
        linalg.add ins(%ld, %lc : memref<8xi32, 2>, memref<8xi32, 2>) outs(%lc : memref<8xi32, 2>)
      }
      %outc = air.dma_memcpy_nd async [%mm] (%c[] [] [], %lc[] [] []) : (memref<8xi32, 1>, memref<8xi32, 2>)
      %outd = air.dma_memcpy_nd async [%mm] (%d[] [] [], %ld[] [] []) : (memref<8xi32>, memref<8xi32, 2>)
      %dc = air.execute [%outc] {
        memref.dealloc %lc : memref<8xi32, 2>
      }
      %dd = air.execute [%outd] {
        memref.dealloc %ld : memref<8xi32, 2>
      }
      %w = air.wait_all async [%dc, %dd]
      scf.yield %w : !air.async.token
    }
    scf.yield %s : !air.async.token
  }
  air.wait_all [%r]
  return
}

// Nothing says that one iteration's load comes after the store of the one before.

// CHECK-LABEL: func.func @unordered
// CHECK-NOT:     dma_memcpy_nd
// CHECK:         scf.for
// CHECK-COUNT-2:   air.dma_memcpy_nd
// CHECK:           scf.yield
func.func @unordered(%c: memref<8xi32, 1>, %lc: memref<8xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t0 = air.wait_all async
  %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%t = %t0) -> (!air.async.token) {
    %inc = air.dma_memcpy_nd async [%t] (%lc[] [] [], %c[] [] []) : (memref<8xi32, 2>, memref<8xi32, 1>)
    %outc = air.dma_memcpy_nd async [%inc] (%c[] [] [], %lc[] [] []) : (memref<8xi32, 1>, memref<8xi32, 2>)
    scf.yield %t : !air.async.token
  }
  return
}
