// RUN: allo-opt --syntax=2026-03 %s --air-dependency | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --air-dependency=whole-loops=true | filecheck %s --check-prefix=WHOLE

// Each access is a task of its own, and a loop gets the constants that it uses; with whole-loops=true the nest is one task.

// CHECK-LABEL: func.func @f
// CHECK:      %[[FILL:.*]] = air.execute [%{{.*}}] {
// CHECK-NEXT:   linalg.fill
// CHECK:      %[[INIT:.*]] = air.wait_all async [%[[FILL]]] {id = 1 : i32}
// CHECK-NEXT: %[[LOOP:.*]] = scf.for %[[I:.*]] = %{{.*}} iter_args(%[[T:.*]] = %[[INIT]]) -> (!air.async.token) {
// CHECK-NEXT:   %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-NEXT:   %[[READ:.*]], %[[V:.*]] = air.execute [%[[T]]] -> (i32) {
// CHECK-NEXT:     memref.load
// CHECK:        %[[SUM:.*]] = arith.addi %[[V]], %[[ONE]] : i32
// CHECK-NEXT:   %[[WRITTEN:.*]] = air.execute [%[[T]], %[[READ]]] {
// CHECK-NEXT:     memref.store %[[SUM]]
// CHECK:        %[[END:.*]] = air.wait_all async [%[[WRITTEN]]] {id = 2 : i32}
// CHECK-NEXT:   scf.yield %[[END]]
// CHECK:      air.execute [%[[LOOP]]] {
// CHECK-NEXT:   memref.dealloc

// WHOLE-LABEL: func.func @f
// WHOLE:      %[[FILL:.*]] = air.execute [%{{.*}}] {
// WHOLE-NEXT:   linalg.fill
// WHOLE:      %[[LOOP:.*]] = air.execute [%[[FILL]]] {
// WHOLE-NEXT:   scf.for %{{.*}} {
// WHOLE-NEXT:     memref.load
// WHOLE:      air.execute [%[[LOOP]]] {
// WHOLE-NEXT:   memref.dealloc
func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%a=%c0, %b=%c1, %c=%c8, %d=%one) : index, index, index, i32 {
    %k = arith.constant 1 : i32
    %m = memref.alloc() : memref<8xi32, 2>
    linalg.fill ins(%d : i32) outs(%m : memref<8xi32, 2>)
    scf.for %i = %a to %c step %b {
      %v = memref.load %m[%i] : memref<8xi32, 2>
      %s = arith.addi %v, %k : i32
      memref.store %s, %m[%i] : memref<8xi32, 2>
    }
    memref.dealloc %m : memref<8xi32, 2>
  }
  return
}
