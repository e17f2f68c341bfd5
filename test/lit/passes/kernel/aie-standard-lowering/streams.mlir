// RUN: allo-opt %s --aie-standard-lowering --verify-diagnostics

aie.device(xcvc1902) {
  %t = aie.tile(1, 1)
  aie.core(%t) {
    %c0 = arith.constant 0 : i32
    %w = arith.constant 3 : i64
    // expected-error@below {{moves a i64 through a stream, which takes i32, i128 or f32; cast it}}
    aie.put_stream(%c0 : i32, %w : i64)
    aie.end
  }
}
