// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-debuginfo | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIR: rank.

%u_c = arith.constant 4 : index
%u = air.universe.alloc(%u_c)
air.rank (%rx) in (%sx=%u_c) { }

// CHECK: %0 = air.universe.alloc(%c4)
// CHECK: air.rank (%arg0) in (%arg1=%c4) {

// GENERIC: "air.universe.alloc"(%0) : (index) -> !air.universe
// GENERIC: "air.rank"(%0) <{operandSegmentSizes = array<i32: 0, 1, 0>}> ({
// GENERIC: "air.rank_terminator"() : () -> ()
