// RUN: allo-opt %s --verify-diagnostics --air-unroll-outer-affine-loops

func.func @dynamic(%n: index) {
  // expected-error@+1 {{'affine.for' op cannot be unrolled: its bounds are not constant}}
  affine.for %i = 0 to %n {
  }
  return
}
