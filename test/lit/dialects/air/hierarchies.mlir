// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-debuginfo | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIR: hierarchies.

func.func @token(%t0: !air.async.token) -> !air.async.token {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %e = air.herd async [%t0] tile (%x, %y) in (%sx=%c1, %sy=%c2) { air.herd_terminator }
  %e1 = air.herd async [%e, %t0] tile (%x, %y) in (%sx=%c1, %sy=%c2) args (%op0=%c1, %op1=%c2) : index, index attributes { } {
  }
  %e2 = air.herd async tile (%x) in (%sx=%c1) attributes {foo = "bar"} { }
  %e3 = air.segment async [%e2] attributes {x = 1 : i32} { }
  %e4 = air.segment async [%e2] args(%a=%c1) : index { }
  air.segment { }
  air.segment @s { }
  air.segment @s1 args(%a=%c1):index attributes {x_size = 1 : i64} { }
  air.segment @s2 unroll (%i) in (%si=%c1) {}
  air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c2)
  air.herd @h2 tile (%x, %y) in (%sx=%c1, %sy=%c2) args(%a=%c1) : index attributes {a}
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c2) args(%a = %c1, %b=%t0) : index , !air.async.token {
     %z = air.wait_all async [%b]
  }
  return %e1 : !air.async.token
}

// CHECK: %0 = air.herd async [%arg0] tile (%arg1, %arg2) in (%arg3=%c1, %arg4=%c2) {
// CHECK: %1 = air.herd async [%0, %arg0] tile (%arg1, %arg2) in (%arg3=%c1, %arg4=%c2) args(%arg5=%c1, %arg6=%c2) : index, index {
// CHECK: %2 = air.herd async tile (%arg1) in (%arg2=%c1) attributes {foo = "bar"} {
// CHECK: %3 = air.segment async [%2] attributes {x = 1 : i32} {
// CHECK: %4 = air.segment async [%2] args(%arg1=%c1) : index {
// CHECK: air.segment {
// CHECK: air.segment @s {
// CHECK: air.segment @s1 args(%arg1=%c1) : index attributes {x_size = 1 : i64} {
// CHECK: air.segment @s2 unroll(%arg1) in (%arg2=%c1) {
// CHECK: air.herd @h tile (%arg1, %arg2) in (%arg3=%c1, %arg4=%c2) {
// CHECK: air.herd @h2 tile (%arg1, %arg2) in (%arg3=%c1, %arg4=%c2) args(%arg5=%c1) : index attributes {a} {
// CHECK: air.herd tile (%arg1, %arg2) in (%arg3=%c1, %arg4=%c2) args(%arg5=%c1, %arg6=%arg0) : index, !air.async.token {
// CHECK: %5 = air.wait_all async [%arg6]

// GENERIC: "air.herd"(%arg0, %0, %1) <{operandSegmentSizes = array<i32: 1, 2, 0>}> ({
// GENERIC: "air.herd_terminator"() : () -> ()
// GENERIC: "air.segment"(%4) <{operandSegmentSizes = array<i32: 1, 0, 0>}> ({
// GENERIC: "air.segment_terminator"() : () -> ()
// GENERIC: "air.wait_all"(%arg6) : (!air.async.token) -> !air.async.token
