// RUN: allo-opt --syntax=2026-03 %s --air-specialize-dma-broadcast=fold-offsets=true | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --air-specialize-dma-broadcast=fold-offsets=true --air-specialize-dma-broadcast=fold-offsets=true | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --air-specialize-dma-broadcast | filecheck %s --check-prefix=KEPT

#rows = affine_set<(d0, d1)[s0] : (d0 - s0 == 0, d1 >= 0, -d1 + 3 >= 0, s0 >= 0, -s0 + 2 >= 0)>
#all = affine_set<(d0, d1)[s0] : (s0 == 0, d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 3 >= 0)>
#halves = affine_set<(d0, d1)[s0] : (d0 >= 0, d1 - s0 * 2 >= 0, -d1 + s0 * 2 + 1 >= 0)>

// CHECK-DAG: #[[S0:.*]] = affine_set<()[s0, s1] : (s0 == 0, s1 >= 0, -s1 + 3 >= 0)>
// CHECK-DAG: #[[S1:.*]] = affine_set<()[s0, s1] : (s0 - 1 == 0, s1 >= 0, -s1 + 3 >= 0)>
// CHECK-DAG: #[[S2:.*]] = affine_set<()[s0, s1] : (s0 - 2 == 0, s1 >= 0, -s1 + 3 >= 0)>
// CHECK-DAG: #[[ALL:.*]] = affine_set<()[s0, s1] : (s0 >= 0, -s0 + 2 >= 0, s1 >= 0, -s1 + 3 >= 0)>
// CHECK-DAG: #[[H0:.*]] = affine_set<()[s0, s1] : (s0 >= 0, s1 >= 0, -s1 + 1 >= 0)>
// CHECK-DAG: #[[H1:.*]] = affine_set<()[s0, s1] : (s0 >= 0, s1 - 2 >= 0, -s1 + 3 >= 0)>

// Three sources: two conditions. The row becomes a number, also where it is part of a sum; the column does not.

// CHECK-LABEL: func.func @rows
// CHECK:       air.herd @h async tile (%[[X:.*]], %[[Y:.*]]) in
// CHECK:       %[[T:.*]] = affine.if #[[S0]]()[%[[X]], %[[Y]]] -> !air.async.token {
// CHECK:         %[[S:.*]] = arith.addi %c0{{.*}}, %[[K:.*]] : index
// CHECK:         %[[U:.*]] = air.dma_memcpy_nd async [%{{.*}}] (%{{.*}}[] [] [], %{{.*}}[%[[S]], %c0{{.*}}] [{{.*}}] [{{.*}}]) {broadcast_set = #[[S0]], id = 1 : i32}
// CHECK:         affine.yield %[[U]] : !air.async.token
// CHECK:       } else {
// CHECK:         %[[V:.*]] = affine.if #[[S1]]()[%[[X]], %[[Y]]] -> !air.async.token {
// CHECK:           arith.addi %c8{{.*}}, %[[K]]
// CHECK:           broadcast_set = #[[S1]], id = 2 : i32
// CHECK:         } else {
// CHECK:           arith.addi %c16{{.*}}, %[[K]]
// CHECK:           broadcast_set = #[[S2]], id = 3 : i32
// CHECK:         }
// CHECK:         affine.yield %[[V]]
// CHECK:       air.execute [%[[T]]]
// CHECK:       air.dma_memcpy_nd {{.*}}{id = 4 : i32}
// Without fold-offsets, what the offset is computed from stays: the conditions are all that is new.

// KEPT-LABEL: func.func @rows
// KEPT:         %[[S:.*]] = arith.addi
// KEPT-NEXT:    affine.if
// KEPT-NEXT:      air.dma_memcpy_nd async {{.*}}[%[[S]], %c0{{.*}}] {{.*}} id = 1 : i32
// KEPT-NEXT:      affine.yield
// KEPT-NEXT:    } else {
// KEPT-NEXT:      affine.if
// KEPT-NEXT:        air.dma_memcpy_nd async {{.*}}[%[[S]], %c0{{.*}}] {{.*}} id = 2 : i32
func.func @rows(%a: memref<64x64xi32>) {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %h = air.herd @h async tile (%x, %y) in (%sx=%c3, %sy=%c4) args(%m=%a) : memref<64x64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %row = affine.apply affine_map<()[s0] -> (s0 * 8)>()[%x]
    %tl, %l = air.execute -> (memref<8x8xi32, 2>) {
      %b = memref.alloc() : memref<8x8xi32, 2>
      air.execute_terminator %b : memref<8x8xi32, 2>
    }
    %r = scf.for %k = %c0 to %c64 step %c8 iter_args(%t = %tl) -> (!air.async.token) {
      %sum = arith.addi %row, %k : index
      %in = air.dma_memcpy_nd async [%t] (%l[] [] [], %m[%sum, %c0] [%c8, %c8] [%c64, %c1]) {broadcast_pattern = #rows, id = 5 : i32} : (memref<8x8xi32, 2>, memref<64x64xi32>)
      %e = air.execute [%in] {
        linalg.add ins(%l, %l : memref<8x8xi32, 2>, memref<8x8xi32, 2>) outs(%l : memref<8x8xi32, 2>)
      }
      scf.yield %e : !air.async.token
    }
    %out = air.dma_memcpy_nd async [%r] (%m[%row, %y] [%c8, %c8] [%c64, %c1], %l[] [] []) {id = 9 : i32} : (memref<64x64xi32>, memref<8x8xi32, 2>)
  }
  return
}

// One source: no condition. Synchronous transfers yield nothing.

// CHECK-LABEL: func.func @sync
// CHECK-NOT:   affine.if
// CHECK:       air.dma_memcpy_nd {{.*}} {broadcast_set = #[[ALL]], id = 1 : i32}
// CHECK:       affine.if #[[H0]]()[%[[X:.*]], %[[Y:.*]]] {
// CHECK-NEXT:    air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[%[[Y]]] {{.*}} {broadcast_set = #[[H0]], id = 2 : i32}
// CHECK-NEXT:  } else {
// CHECK-NEXT:    air.dma_memcpy_nd {{.*}} {broadcast_set = #[[H1]], id = 3 : i32}
// CHECK-NEXT:  }
func.func @sync(%a: memref<64xi32, 1>) {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  air.herd @h tile (%x, %y) in (%sx=%c3, %sy=%c4) args(%m=%a) : memref<64xi32, 1> {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %l = memref.alloc() : memref<8xi32, 2>
    air.dma_memcpy_nd (%l[] [] [], %m[%c8] [%c8] [%c1]) {broadcast_pattern = #all} : (memref<8xi32, 2>, memref<64xi32, 1>)
    air.dma_memcpy_nd (%l[] [] [], %m[%y] [%c8] [%c1]) {broadcast_pattern = #halves} : (memref<8xi32, 2>, memref<64xi32, 1>)
  }
  return
}

// Numbers start again in each function, also where there is nothing to do.

// CHECK-LABEL: func.func @other
// CHECK:       id = 1 : i32
func.func @other(%a: memref<64xi32>, %b: memref<64xi32, 1>) {
  air.dma_memcpy_nd (%b[] [] [], %a[] [] []) {id = 9 : i32} : (memref<64xi32, 1>, memref<64xi32>)
  return
}
