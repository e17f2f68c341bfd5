// RUN: not allo-opt %s --air-verify-hierarchy-locality 2>&1 | filecheck %s
// RUN: not allo-opt %s --air-verify-hierarchy-locality=strict=false 2>&1 | filecheck %s --check-prefix=LAX

// A part of its own for each iteration is fine, the same part for all is not; two accesses of different form are not decided.

// CHECK-NOT: own
// CHECK: error: 'air.channel.get' op writes memref<8xi32>, and it cannot be decided whether another instance of the launch touches that part
// CHECK: error: 'air.channel.get' op writes memref<8xi32> where another instance of the launch touches it
// LAX: warning: 'air.channel.get' op writes memref<8xi32>, and it cannot be decided
// LAX: error: 'air.channel.get' op writes memref<8xi32> where another instance
func.func @own(%a: memref<8x8xi32>, %b: memref<8xi32>) {
  %c2 = arith.constant 2 : index
  air.launch (%i) in (%n=%c2) args(%m=%a, %r=%b) : memref<8x8xi32>, memref<8xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %o = arith.muli %i, %c4 : index
    air.channel.put @c[%c0] (%r[] [] []) : (memref<8xi32>)
    air.channel.get @c[%c0] (%m[%c0, %o] [%c8, %c4] [%c8, %c1]) : (memref<8x8xi32>)
  }
  return
}
air.channel @c [1]
func.func @bad(%a: memref<8xi32>) {
  %c2 = arith.constant 2 : index
  air.launch (%i) in (%n=%c2) args(%m=%a) : memref<8xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %o = arith.muli %i, %c4 : index
    air.channel.get @c[%c0] (%m[%o] [%c4] [%c1]) : (memref<8xi32>)
    air.channel.get @c[%c0] (%m[%c0] [%c4] [%c1]) : (memref<8xi32>)
  }
  return
}
