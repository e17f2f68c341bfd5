// RUN: allo-opt %s --canonicalize | filecheck %s
// RUN: allo-opt %s --canonicalize=max-num-rewrites=0 | filecheck %s --check-prefix=KEEP
// RUN: allo-opt %s --pass-pipeline='builtin.module(func.func(canonicalize))' | filecheck %s

// MLIR's own part runs too, takes its options, and may be nested in functions.

// CHECK-LABEL: func.func @folds
// CHECK-NEXT: %[[C:.*]] = arith.constant 5 : index
// CHECK-NEXT: return %[[C]]
// KEEP-LABEL: func.func @folds
// KEEP: arith.addi
func.func @folds() -> index {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = arith.addi %c2, %c3 : index
  return %0 : index
}

// The two parts feed each other: once the branch is folded, the join has one token left and the view is known.
// CHECK-LABEL: func.func @in_turn
// CHECK-SAME: (%[[M:.*]]: memref<8x8xi32>, %[[T:[^:]*]]: !air.async.token,
// CHECK-NOT: scf.if
// CHECK: air.channel.put async [%[[T]]] @c[] (%[[M]][] [] [])
air.channel @c [1, 1]
func.func @in_turn(%m: memref<8x8xi32>, %t: !air.async.token, %u: !air.async.token) {
  %true = arith.constant true
  %0 = scf.if %true -> (!air.async.token) {
    %1 = air.wait_all async [%t]
    scf.yield %1 : !air.async.token
  } else {
    scf.yield %u : !air.async.token
  }
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %n = arith.muli %c2, %c4 : index
  %v = memref.subview %m[0, 0] [%n, 8] [1, 1] : memref<8x8xi32> to memref<?x8xi32, strided<[8, 1]>>
  %2 = air.channel.put async [%0, %t] @c[] (%v[] [] []) : (memref<?x8xi32, strided<[8, 1]>>)
  return
}
