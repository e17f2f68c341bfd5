// RUN: allo-opt %s --verify-diagnostics --air-split-l2-memref

func.func @how_many(%n: index) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%s=%c1) args(%m=%n) : index {
    air.segment @s args(%k=%m) : index {
      // expected-error@+1 {{'air.herd' op has a size that is not constant, so its cores cannot be counted; run canonicalize}}
      air.herd @h tile (%x, %y) in (%sx=%k, %sy=%k) {
      }
    }
  }
  return
}
