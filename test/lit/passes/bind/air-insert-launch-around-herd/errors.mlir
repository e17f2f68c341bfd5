// RUN: allo-opt %s --verify-diagnostics --air-insert-launch-around-herd

func.func @returns() -> index {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) {
  }
  // expected-error@+1 {{returns values, which an 'air.launch' around them cannot}}
  return %c1 : index
}
