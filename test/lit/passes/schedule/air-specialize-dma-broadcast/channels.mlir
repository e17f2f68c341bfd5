// RUN: allo-opt %s --air-specialize-dma-broadcast | filecheck %s
// RUN: allo-opt %s --air-specialize-dma-broadcast --air-specialize-dma-broadcast | filecheck %s

// CHECK-DAG: #[[FIRST:.*]] = affine_set<()[s0, s1] : (s0 == 0, s1 >= 0, -s1 + 3 >= 0)>

// One channel for each source. A 2x4 herd has two rows of receivers; one source, or a put in a loop, leaves the bundle whole.

// CHECK:      air.channel @rows_0 [1, 1] {broadcast_shape = [1, 4], kept = 1 : i64}
// CHECK-NEXT: air.channel @rows_1 [1, 1] {broadcast_shape = [1, 4], kept = 1 : i64}
// CHECK-NEXT: air.channel @deep_0 [1, 1, 1] {broadcast_shape = [1, 2, 1]}
// CHECK-NEXT: air.channel @deep_1
// CHECK-NEXT: air.channel @deep_2
// CHECK-NEXT: air.channel @deep_3
// CHECK-NEXT: air.channel @single [1, 1] {broadcast_shape = [2, 4]}
// CHECK-NEXT: air.channel @looped [2, 1] {broadcast_shape = [2, 4]}
// CHECK-NEXT: air.channel @plain [2, 4]
air.channel @rows [2, 1] {broadcast_shape = [2, 4], kept = 1 : i64}
air.channel @deep [2, 1, 2] {broadcast_shape = [2, 2, 2]}
air.channel @single [1, 1] {broadcast_shape = [2, 4]}
air.channel @looped [2, 1] {broadcast_shape = [2, 4]}
air.channel @plain [2, 4]

// CHECK-LABEL: func.func @f
// CHECK:       air.channel.put async @rows_0[%{{.*}}, %{{.*}}] {{.*}}{id = 1 : i32}
// CHECK:       air.channel.put async [%{{.*}}] @rows_1[%{{.*}}, %{{.*}}] {{.*}}{id = 2 : i32}
// CHECK:       air.herd
// CHECK:         %[[T:.*]] = affine.if #[[FIRST]]()[%[[X:.*]], %[[Y:.*]]] -> !air.async.token {
// CHECK:           %[[G:.*]] = air.channel.get async [%{{.*}}] @rows_0[%c0{{.*}}, %[[Y]]]
// CHECK:           affine.yield %[[G]]
// CHECK:         } else {
// CHECK:           air.channel.get async [%{{.*}}] @rows_1[%c0{{.*}}, %[[Y]]] {{.*}}{id = 4 : i32}
// CHECK:         }
// CHECK:         air.execute [%[[T]]]
func.func @f(%a: memref<8xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %p = air.channel.put async @rows[%c0, %c0] (%a[] [] []) {id = 7 : i32} : (memref<8xi32, 1>)
  %q = air.channel.put async [%p] @rows[%c1, %c0] (%a[] [] []) {id = 8 : i32} : (memref<8xi32, 1>)
  %h = air.herd @h async tile (%x, %y) in (%sx=%c2, %sy=%c4) {
    %tl, %l = air.execute -> (memref<8xi32, 2>) {
      %m = memref.alloc() : memref<8xi32, 2>
      air.execute_terminator %m : memref<8xi32, 2>
    }
    %g = air.channel.get async [%tl] @rows[%x, %y] (%l[] [] []) {id = 9 : i32} : (memref<8xi32, 2>)
    %d = air.execute [%g] {
      memref.dealloc %l : memref<8xi32, 2>
    }
  }
  return
}

// Three dimensions, an index that is known.

// CHECK-LABEL: func.func @g
// CHECK:       air.channel.put @deep_1[
// CHECK:       affine.if
// CHECK:         air.channel.get @deep_0[
// CHECK:       } else {
// CHECK:         air.channel.get @deep_2[
// CHECK-NOT:   deep_
// CHECK:       air.channel.put @looped[
// CHECK:       return
func.func @g(%a: memref<8xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.channel.put @deep[%c0, %c0, %c1] (%a[] [] []) : (memref<8xi32, 1>)
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) {
    %z = arith.constant 0 : index
    %l = memref.alloc() : memref<8xi32, 2>
    air.channel.get @deep[%x, %y, %z] (%l[] [] []) : (memref<8xi32, 2>)
    air.channel.get @single[%x, %y] (%l[] [] []) : (memref<8xi32, 2>)
    air.channel.put @plain[%x, %y] (%l[] [] []) : (memref<8xi32, 2>)
  }
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    air.channel.put @looped[%i, %c0] (%a[] [] []) : (memref<8xi32, 1>)
  }
  return
}
