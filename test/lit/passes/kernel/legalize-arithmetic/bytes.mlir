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

// A bit is the lowest of its byte, compared as i32, and becomes the lowest byte of a number.

// CHECK-LABEL: func.func @bits
// CHECK: %[[PAIRS:.*]] = vector.bitcast %{{.*}} : vector<32xi8> to vector<16xi16>
// CHECK: %[[BIT:.*]] = arith.andi %[[PAIRS]], %{{.*}} : vector<16xi16>
// CHECK: %[[WIDE:.*]] = arith.extsi %[[BIT]] : vector<16xi16> to vector<16xi32>
// CHECK: %[[IS:.*]] = arith.cmpi ne, %[[WIDE]], %{{.*}} : vector<16xi32>
// CHECK: arith.select %[[IS]], %{{.*}} : vector<16xi1>, vector<16xi32>
// CHECK: vector.deinterleave %{{.*}} : vector<32xi8> -> vector<16xi8>
// CHECK-NOT: i1>
func.func @bits(%x: vector<16xi8>) -> vector<16xi8> {
  %b = arith.trunci %x : vector<16xi8> to vector<16xi1>
  %r = arith.extui %b : vector<16xi1> to vector<16xi8>
  return %r : vector<16xi8>
}
