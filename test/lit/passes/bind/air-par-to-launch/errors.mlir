// RUN: allo-opt %s --split-input-file --verify-diagnostics --air-par-to-launch

func.func @dynamic(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{'scf.parallel' op cannot become air.launch: the upper bound of dimension 0 is not a constant}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
  }
  return
}

// -----

func.func @uneven() {
  // expected-error@+1 {{'scf.forall' op cannot become air.launch: step 3 does not divide the range 0 to 10 of dimension 1}}
  scf.forall (%i, %j) = (0, 0) to (2, 10) step (1, 3) {
  }
  return
}

// -----

func.func @reduction(%p: memref<8xf32, 2>, %init: memref<8xf32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{'scf.parallel' op cannot become air.launch: it reduces values, and air.launch returns none; write each iteration's value to a memref}}
  %r = scf.parallel (%i) = (%c0) to (%c1) step (%c1) init (%init) -> memref<8xf32, 2> {
    scf.reduce (%p : memref<8xf32, 2>) {
    ^bb0(%l: memref<8xf32, 2>, %m: memref<8xf32, 2>):
      scf.reduce.return %l : memref<8xf32, 2>
    }
  }
  return
}
