// RUN: allo-opt %s --verify-diagnostics --air-unroll-segments

func.func @f(%n: index) {
  air.launch () in () args(%m=%n) : index {
    // expected-error@+1 {{is unrolled a number of times that is not constant}}
    air.segment @s unroll (%e) in (%r=%m) {
    }
  }
  return
}
