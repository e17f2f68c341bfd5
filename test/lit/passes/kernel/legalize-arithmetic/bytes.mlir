// RUN: allo-opt %s --legalize-arithmetic=device=npu2 --canonicalize --cse | filecheck %s
// RUN: allo-opt %s --legalize-arithmetic=device=npu1 --canonicalize --cse | filecheck %s

// A mask of 16 bytes is one of 32, with zeros between: vectors of 256 bits are legal.

// CHECK-LABEL: func.func @masked
// CHECK: %[[WIDE:.*]] = vector.interleave %arg0, %{{.*}} : vector<16xi8> -> vector<32xi8>
// CHECK: %[[BOTH:.*]] = arith.andi %[[WIDE]], %{{.*}} : vector<32xi8>
// CHECK: vector.deinterleave %[[BOTH]] : vector<32xi8> -> vector<16xi8>
func.func @masked(%x: vector<16xi8>) -> vector<16xi8> {
  %mask = arith.constant dense<15> : vector<16xi8>
  %r = arith.andi %x, %mask : vector<16xi8>
  return %r : vector<16xi8>
}
