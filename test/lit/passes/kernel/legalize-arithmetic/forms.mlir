// RUN: allo-opt %s --legalize-arithmetic --cse | filecheck %s --check-prefixes=CHECK,AIE2
// RUN: allo-opt %s --legalize-arithmetic=device=npu2 --cse | filecheck %s --check-prefixes=CHECK,AIE2P

// Floats as integers: the greater one, except for two negative ones the lower one; one constant that is not negative decides it. What is
// beyond infinity without its sign is NaN, then so is the result.
// CHECK-LABEL: func.func @most
func.func @most(%x: vector<16xf32>, %y: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>) {
  // CHECK: %[[G:.*]] = arith.maxsi %[[X:.*]], %[[Y:.*]] : vector<16xi32>
  // CHECK: %[[L:.*]] = arith.minsi %[[X]], %[[Y]] : vector<16xi32>
  // CHECK: %[[N:.*]] = arith.cmpi slt, %[[G]]
  // CHECK: %[[M:.*]] = arith.select %[[N]], %[[L]], %[[G]] : vector<16xi1>, vector<16xi32>
  // CHECK: %[[SIZE:.*]] = arith.maxsi
  // CHECK: %[[NAN:.*]] = arith.cmpi sgt, %[[SIZE]]
  // CHECK: arith.select %[[NAN]], %{{.*}}, %[[M]] : vector<16xi1>, vector<16xi32>
  %a = arith.maximumf %x, %y : vector<16xf32>
  // CHECK: %[[B:.*]] = arith.maxsi
  // CHECK-NOT: arith.maxsi
  // CHECK: arith.select %{{.*}}, %{{.*}}, %[[B]]
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %b = arith.maximumf %x, %zero : vector<16xf32>
  return %a, %b : vector<16xf32>, vector<16xf32>
}

// The greatest of many is by that order alone.
// CHECK-LABEL: func.func @greatest
func.func @greatest(%x: vector<16xf32>, %n: index) -> vector<16xf32> {
  // CHECK: scf.for
  // CHECK-COUNT-1: arith.select
  // CHECK-NOT: arith.select
  // CHECK: scf.yield
  %low = arith.constant dense<0xFF800000> : vector<16xf32>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%most = %low) -> vector<16xf32> {
    %m = arith.maximumf %x, %most : vector<16xf32>
    scf.yield %m : vector<16xf32>
  }
  return %r : vector<16xf32>
}

// CHECK-LABEL: func.func @select
func.func @select(%x: vector<16xf32>, %y: vector<16xf32>, %c: vector<16xi1>) -> vector<16xf32> {
  // CHECK-NOT: arith.cmpf
  // CHECK: arith.cmpi slt
  // CHECK: %[[C:.*]] = arith.cmpi slt
  // CHECK: %[[M:.*]] = arith.select %[[C]]
  // CHECK: arith.minsi %[[M]]
  // CHECK: arith.cmpi sgt
  // CHECK: arith.select {{.*}} : vector<16xi1>, vector<16xi32>
  %l = arith.cmpf olt, %x, %y : vector<16xf32>
  %b = arith.andi %l, %c : vector<16xi1>
  %r = arith.select %b, %x, %y : vector<16xi1>, vector<16xf32>
  return %r : vector<16xf32>
}

// CHECK-LABEL: func.func @products
func.func @products(%x: vector<16xbf16>, %y: vector<16xbf16>, %a: vector<16xf32>, %b: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>) {
  // A product of bf16 that is added is one operation.
  // CHECK: %[[X:.*]] = arith.extf
  // CHECK: %[[Y:.*]] = arith.extf
  // CHECK: vector.fma %[[X]], %[[Y]], %{{.*}} : vector<16xf32>
  %u = arith.extf %x : vector<16xbf16> to vector<16xf32>
  %v = arith.extf %y : vector<16xbf16> to vector<16xf32>
  %p = arith.mulf %u, %v : vector<16xf32>
  %s = arith.addf %p, %a : vector<16xf32>
  // AIE2: %[[N:.*]] = arith.subf %{{.*}}, %{{.*}} : vector<16xf32>
  // AIE2: %[[P:.*]] = arith.mulf %[[N]], %{{.*}} : vector<16xf32>
  // AIE2: arith.subf %{{.*}}, %[[P]] : vector<16xf32>
  // Six products of the nine that three parts of each factor have.
  // AIE2P: arith.mulf
  // AIE2P-COUNT-5: vector.fma
  // AIE2P-NOT: vector.fma
  // AIE2P: arith.addf
  %q = arith.mulf %a, %b : vector<16xf32>
  %t = arith.addf %q, %a : vector<16xf32>
  return %s, %t : vector<16xf32>, vector<16xf32>
}

// CHECK-LABEL: func.func @less
func.func @less(%x: vector<16xi32>, %y: vector<16xi32>) -> (vector<16xi32>, vector<16xi32>) {
  // CHECK: arith.addi %{{.*}}, %cst{{.*}} : vector<16xi32>
  %c = arith.constant dense<3> : vector<16xi32>
  %a = arith.subi %x, %c : vector<16xi32>
  // AIE2: arith.muli
  // AIE2: arith.addi
  // AIE2P-COUNT-2: arith.subi {{.*}} : vector<8xi32>
  %b = arith.subi %x, %y : vector<16xi32>
  return %a, %b : vector<16xi32>, vector<16xi32>
}

// Bytes are the upper halves of i16; an i32 that is added to the bits of 1.5 * 2^23 is its last bits.
// CHECK-LABEL: func.func @casts
func.func @casts(%x: vector<16xi8>, %y: vector<16xf32>) -> (vector<16xf32>, vector<16xi8>) {
  // CHECK: %[[I:.*]] = vector.interleave %{{.*}}, %{{.*}} : vector<16xi8> -> vector<32xi8>
  // CHECK: %[[H:.*]] = vector.bitcast %[[I]] : vector<32xi8> to vector<16xi16>
  // CHECK: %[[W:.*]] = arith.extsi %[[H]] : vector<16xi16> to vector<16xi32>
  // CHECK: arith.addi %[[W]]
  %a = arith.sitofp %x : vector<16xi8> to vector<16xf32>
  // CHECK: %[[T:.*]] = arith.trunci %{{.*}} : vector<16xi32> to vector<16xi16>
  // CHECK: %[[B:.*]] = vector.bitcast %[[T]] : vector<16xi16> to vector<32xi8>
  // CHECK: vector.deinterleave %[[B]]
  %b = arith.fptosi %y : vector<16xf32> to vector<16xi8>
  return %a, %b : vector<16xf32>, vector<16xi8>
}

// A byte in the lower half of an i16 has lost its sign: from 128 on it is 256 too large.
// CHECK-LABEL: func.func @wide_bytes
func.func @wide_bytes(%x: vector<16xi8>) -> vector<16xi32> {
  // CHECK: %[[NOTHING:.*]] = arith.constant dense<0> : vector<16xi8>
  // CHECK: %[[I:.*]] = vector.interleave %{{.*}}, %[[NOTHING]] : vector<16xi8> -> vector<32xi8>
  // CHECK: %[[H:.*]] = vector.bitcast %[[I]] : vector<32xi8> to vector<16xi16>
  // CHECK: %[[W:.*]] = arith.extsi %[[H]] : vector<16xi16> to vector<16xi32>
  // CHECK: %[[LOW:.*]] = arith.cmpi slt, %[[W]]
  // CHECK: %[[L:.*]] = arith.addi %[[W]], %{{.*}} : vector<16xi32>
  // CHECK: arith.select %[[LOW]], %[[W]], %[[L]]
  %a = arith.extsi %x : vector<16xi8> to vector<16xi32>
  return %a : vector<16xi32>
}

// What is shifted and clamped is clamped before; the upper half of what is shifted to the left is left.

// CHECK-LABEL: func.func @requantize
func.func @requantize(%x: vector<16xi32>) -> vector<16xi8> {
  %nine = arith.constant dense<9> : vector<16xi32>
  %low = arith.constant dense<-128> : vector<16xi32>
  %high = arith.constant dense<127> : vector<16xi32>
  // CHECK: %[[L:.*]] = arith.constant dense<-65536>
  // CHECK: %[[A:.*]] = arith.maxsi %arg0, %[[L]]
  // CHECK: %[[H:.*]] = arith.constant dense<65535>
  // CHECK: %[[B:.*]] = arith.minsi %[[A]], %[[H]]
  // CHECK-COUNT-7: arith.addi
  // CHECK: vector.deinterleave
  // CHECK-NOT: trunci
  %s = arith.shrsi %x, %nine : vector<16xi32>
  %m = arith.maxsi %s, %low : vector<16xi32>
  %n = arith.minsi %m, %high : vector<16xi32>
  %q = arith.trunci %n : vector<16xi32> to vector<16xi8>
  return %q : vector<16xi8>
}

// 32 of them are one instruction, for which the bits that go are cleared; sums before it are registers apart.

// CHECK-LABEL: func.func @bytes
func.func @bytes(%x: vector<32xi32>, %y: vector<32xi32>) -> vector<32xi8> {
  %nine = arith.constant dense<9> : vector<32xi32>
  %low = arith.constant dense<-128> : vector<32xi32>
  %high = arith.constant dense<127> : vector<32xi32>
  // CHECK-COUNT-2: arith.addi {{.*}} : vector<16xi32>
  // CHECK: %[[A:.*]] = vector.shuffle
  // CHECK: %[[C:.*]] = arith.constant dense<-512> : vector<32xi32>
  // CHECK: %[[B:.*]] = arith.andi %[[A]], %[[C]]
  // CHECK: %[[S:.*]] = arith.shrsi %[[B]]
  // CHECK: %[[L:.*]] = arith.maxsi %[[S]]
  // CHECK: %[[H:.*]] = arith.minsi %[[L]]
  // CHECK: arith.trunci %[[H]] : vector<32xi32> to vector<32xi8>
  %a = arith.addi %x, %y : vector<32xi32>
  %s = arith.shrsi %a, %nine : vector<32xi32>
  %m = arith.maxsi %s, %low : vector<32xi32>
  %n = arith.minsi %m, %high : vector<32xi32>
  %q = arith.trunci %n : vector<32xi32> to vector<32xi8>
  return %q : vector<32xi8>
}

// Of other shifts the lower half is shifted on its own. As a float the upper half counts 2^16 times as much.

// CHECK-LABEL: func.func @shift
func.func @shift(%x: vector<16xi32>) -> (vector<16xi32>, vector<16xf32>) {
  %twenty = arith.constant dense<20> : vector<16xi32>
  // CHECK: %{{.*}}, %[[U:.*]] = vector.deinterleave
  // CHECK: %[[W:.*]] = arith.extsi %[[U]]
  // CHECK: arith.addi %[[W]], %[[W]]
  // CHECK-COUNT-11: arith.addi
  // CHECK-NOT: shrsi
  %t = arith.shrsi %x, %twenty : vector<16xi32>
  // CHECK: dense<1396703232> : vector<16xi32>
  // CHECK-NOT: sitofp
  %f = arith.sitofp %x : vector<16xi32> to vector<16xf32>
  return %t, %f : vector<16xi32>, vector<16xf32>
}

// A truncated vector saturates on the device: numbers that are not clamped are taken apart, which wraps.
// CHECK-LABEL: func.func @wrap
func.func @wrap(%x: vector<16xi32>) -> (vector<16xi16>, vector<16xi8>) {
  // CHECK-NOT: arith.trunci
  // CHECK: vector.bitcast %{{.*}} : vector<16xi32> to vector<32xi16>
  // CHECK: %[[H:.*]], %{{.*}} = vector.deinterleave {{.*}} : vector<32xi16>
  // CHECK: vector.bitcast %[[H]] : vector<16xi16> to vector<32xi8>
  // CHECK: vector.deinterleave {{.*}} : vector<32xi8>
  // CHECK-NOT: arith.trunci
  // CHECK: return
  %a = arith.trunci %x : vector<16xi32> to vector<16xi16>
  %b = arith.trunci %x : vector<16xi32> to vector<16xi8>
  return %a, %b : vector<16xi16>, vector<16xi8>
}
