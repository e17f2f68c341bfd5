// RUN: not allo-opt %s --air-par-to-segment --split-input-file 2>&1 | filecheck %s

func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: errors.mlir:7:{{.*}}cannot become air.segment: the upper bound of dimension 0 is not a constant
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = arith.addi %i, %i : index
  }
  return
}

// -----

func.func @g() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1 : i32
  // CHECK: errors.mlir:20:{{.*}}cannot become air.segment: it reduces values
  %r = scf.parallel (%i) = (%c0) to (%c1) step (%c1) init (%x) -> i32 {
    scf.reduce(%x : i32) {
    ^bb0(%l: i32, %m: i32):
      scf.reduce.return %l : i32
    }
  }
  return %r : i32
}
