// RUN: allo-opt %s --air-lower-herd-parallel | filecheck %s

// Loops outside of herds stay; in a herd each dimension is a loop.

// CHECK-LABEL: func.func @f
// CHECK:         scf.parallel
// CHECK:           air.herd
// CHECK:             scf.for %[[I:.*]] = %c0{{.*}} to %c4{{.*}} step %c2
// CHECK-NEXT:          scf.for %[[J:.*]] = %c0{{.*}} to %c8{{.*}} step %c1
// CHECK:                 memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]]
// CHECK-NOT:         scf.parallel
func.func @f(%out: memref<4x8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%p) = (%c0) to (%c1) step (%c1) {
    air.herd @h tile (%tx, %ty) in (%sx=%c1, %sy=%c1) args(%o=%out) : memref<4x8xi32> {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %d2 = arith.constant 2 : index
      %d4 = arith.constant 4 : index
      %d8 = arith.constant 8 : index
      %z = arith.constant 5 : i32
      %l1 = memref.alloc() : memref<4x8xi32, 2>
      scf.for %r = %d0 to %d4 step %d1 {
        scf.for %c = %d0 to %d8 step %d1 {
          memref.store %z, %l1[%r, %c] : memref<4x8xi32, 2>
        }
      }
      scf.parallel (%i, %j) = (%d0, %d0) to (%d4, %d8) step (%d2, %d1) {
        %v = arith.index_cast %j : index to i32
        memref.store %v, %l1[%i, %j] : memref<4x8xi32, 2>
      }
      air.dma_memcpy_nd (%o[] [] [], %l1[] [] []) : (memref<4x8xi32>, memref<4x8xi32, 2>)
      memref.dealloc %l1 : memref<4x8xi32, 2>
    }
  }
  return
}

// A reduction goes on from its initial value.

// CHECK-LABEL: func.func @sum
// CHECK:         air.herd
// CHECK:           %[[R:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %c7_i32)
// CHECK:             %[[Q:.*]] = scf.for {{.*}} iter_args(%[[B:.*]] = %[[A]])
// CHECK:               %[[S:.*]] = arith.addi %[[B]], %{{.*}} : i32
// CHECK-NEXT:          scf.yield %[[S]]
// CHECK:             scf.yield %[[Q]]
// CHECK:           memref.store %[[R]]
func.func @sum(%out: memref<1xi32>) {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%tx, %ty) in (%sx=%c1, %sy=%c1) args(%o=%out) : memref<1xi32> {
    %d0 = arith.constant 0 : index
    %d1 = arith.constant 1 : index
    %d3 = arith.constant 3 : index
    %x = arith.constant 7 : i32
    %l1 = memref.alloc() : memref<1xi32, 2>
    %r = scf.parallel (%i, %j) = (%d0, %d0) to (%d3, %d3) step (%d1, %d1) init (%x) -> i32 {
      %v = arith.index_cast %j : index to i32
      scf.reduce(%v : i32) {
      ^bb0(%l: i32, %m: i32):
        %s = arith.addi %l, %m : i32
        scf.reduce.return %s : i32
      }
    }
    memref.store %r, %l1[%d0] : memref<1xi32, 2>
    air.dma_memcpy_nd (%o[] [] [], %l1[] [] []) : (memref<1xi32>, memref<1xi32, 2>)
    memref.dealloc %l1 : memref<1xi32, 2>
  }
  return
}
