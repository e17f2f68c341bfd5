// RUN: allo-opt %s --split-input-file --air-insert-launch-around-herd=insert-segment=true | filecheck %s
// RUN: allo-opt %s --split-input-file --air-insert-launch-around-herd --air-insert-launch-around-herd | filecheck %s --check-prefix=PLAIN

// Arguments are passed through launch and segment; constants and buffers move along.
// CHECK-LABEL: func.func @one
// CHECK:         air.launch () in () args(%[[A:.*]]=%arg0) : memref<8xi32>
// CHECK:           air.segment @one_0 args(%[[B:.*]]=%[[A]]) : memref<8xi32>
// CHECK:             memref.alloc() : memref<8xi32, 1>
// CHECK:             air.herd {{.*}} args({{.*}}) : memref<8xi32, 1>
// CHECK:         return
// PLAIN-LABEL: func.func @one
// PLAIN:         air.launch () in ()
// PLAIN-NOT:     air.launch
// PLAIN-NOT:     air.segment
// PLAIN:         return
func.func @one(%a: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  %l2 = memref.alloc() : memref<8xi32, 1>
  memref.copy %a, %l2 : memref<8xi32> to memref<8xi32, 1>
  air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%m=%l2) : memref<8xi32, 1> {
  }
  return
}

// -----

// A herd in a launch, or in a loop that may become one, stays as it is; so does a function without herds.
// CHECK-LABEL: func.func @in_loop
// CHECK-NOT:     air.launch
// CHECK-LABEL: func.func @in_launch
// CHECK:         air.launch
// CHECK-NOT:     air.launch
// CHECK-LABEL: func.func @none
// CHECK-NEXT:    return
func.func @in_loop() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %one = arith.constant 1 : index
    air.herd tile (%x, %y) in (%sx=%one, %sy=%one) {
    }
  }
  return
}
func.func @in_launch() {
  air.launch () in () {
    %c1 = arith.constant 1 : index
    air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    }
  }
  return
}
func.func @none() {
  return
}

// -----

// Herds between launches get one of their own, with the wait for them; constants go along.
// CHECK-LABEL: func.func @beside
// CHECK:         air.launch (%{{.*}}) in
// CHECK:         }
// CHECK:         air.launch () in () args(
// CHECK:           air.herd @a async
// CHECK:           air.herd @b
// CHECK:           air.wait_all
// CHECK:         air.launch (%{{.*}}) in
func.func @beside(%x: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n = %c1) args(%p = %x) : memref<8xi32> {
  }
  %t = air.herd @a async tile (%i, %j) in (%m = %c1, %n = %c1) args(%p = %x) : memref<8xi32> {
  }
  %u = air.herd @b async [%t] tile (%i, %j) in (%m = %c1, %n = %c1) args(%p = %x) : memref<8xi32> {
  }
  air.wait_all [%u]
  air.launch (%i) in (%n = %c1) args(%p = %x) : memref<8xi32> {
  }
  return
}
