// RUN: allo-opt %s --canonicalize --allow-unregistered-dialect | filecheck %s

// Unused arguments go, also where dropping them inside makes them unused outside; equal ones are merged; constants are sunk.
// CHECK-LABEL: func.func @arguments
// CHECK-SAME: (%[[M:.*]]: memref<8xi32, 1>, %[[N:.*]]: memref<8xi32>)
// CHECK: air.launch (%{{.*}}) in (%{{.*}}=%{{.*}}) args(%[[LM:.*]]=%[[M]]) : memref<8xi32, 1> {
// CHECK: air.segment @s args(%[[SM:.*]]=%[[LM]]) : memref<8xi32, 1> {
// CHECK: air.herd @h tile (%[[X:.*]], %{{.*}}) in (%{{.*}}=%{{.*}}, %{{.*}}=%{{.*}}) args(%[[HM:.*]]=%[[SM]]) : memref<8xi32, 1> {
// CHECK: %[[C:.*]] = arith.constant 5 : index
// CHECK: "test.use"(%[[HM]], %[[HM]], %[[C]], %[[X]])
func.func @arguments(%m: memref<8xi32, 1>, %n: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  air.launch (%i) in (%si=%c1) args(%a=%m, %b=%n, %c=%c5) : memref<8xi32, 1>, memref<8xi32>, index {
    air.segment @s args(%d=%a, %e=%b, %f=%c, %g=%i) : memref<8xi32, 1>, memref<8xi32>, index, index {
      %c2 = arith.constant 2 : index
      air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%h=%d, %j=%d, %k=%f, %l=%e, %o=%g) : memref<8xi32, 1>, memref<8xi32, 1>, index, memref<8xi32>, index {
        "test.use"(%h, %j, %k, %x) : (memref<8xi32, 1>, memref<8xi32, 1>, index, index) -> ()
      }
    }
  }
  return
}

// Nothing to do: ids and sizes stay whether used or not.
// CHECK-LABEL: func.func @kept
// CHECK: air.herd @h tile (%{{.*}}, %{{.*}}) in (%{{.*}}=%{{.*}}, %{{.*}}=%{{.*}}) args(%[[V:.*]]=%{{.*}}) : i32 attributes {link_with = "mm.o"} {
// CHECK-NEXT: "test.use"(%[[V]]) : (i32) -> ()
func.func @kept(%v: i32) {
  %c2 = arith.constant 2 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%w=%v) : i32 attributes {link_with = "mm.o"} {
    "test.use"(%w) : (i32) -> ()
  }
  return
}

// An asynchronous one keeps its token and its symbol.
// CHECK-LABEL: func.func @async
// CHECK-SAME: (%[[T:.*]]: !air.async.token
// CHECK: %[[S:.*]] = air.segment @s async [%[[T]]] {
// CHECK: air.wait_all [%[[S]]]
func.func @async(%t: !air.async.token, %m: memref<8xi32>) {
  %0 = air.segment @s async [%t, %t] args(%a=%m) : memref<8xi32> {
    "test.something"() : () -> ()
  }
  air.wait_all [%0]
  return
}
