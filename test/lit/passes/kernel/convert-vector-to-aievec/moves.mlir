// RUN: allo-opt %s --convert-vector-to-aievec="aie-target=aie2 target-backend=llvmir" | filecheck %s
// RUN: allo-opt %s --convert-vector-to-aievec="aie-target=aie2 target-backend=llvmir" --verify-each=execute | filecheck %s
// RUN: allo-opt %s --convert-vector-to-aievec="aie-target=aie2p target-backend=llvmir" | filecheck %s --check-prefix=AIE2P

// A constant shift goes into the instruction that makes lanes narrower; equal lanes are a number and its splat.
// CHECK-LABEL: func.func @requantised
// CHECK: %[[BY:.*]] = arith.constant 3 : i32
// CHECK: aievec.srs %{{.*}}, %[[BY]] : vector<32xi32>, i32, vector<32xi8>
// CHECK: %[[SEVEN:.*]] = arith.constant 7 : i8
// CHECK: aievec.broadcast_scalar %[[SEVEN]] : i8, vector<32xi8>
// CHECK: aievec.ups %{{.*}} {shift = 0 : i8} : vector<32xi8>, vector<32xi32>
func.func @requantised(%a: memref<32xi32>, %o: memref<32xi8>) {
  %c0 = arith.constant 0 : index
  %x = vector.load %a[%c0] : memref<32xi32>, vector<32xi32>
  %by = arith.constant dense<3> : vector<32xi32>
  %s = arith.shrsi %x, %by : vector<32xi32>
  %t = arith.trunci %s : vector<32xi32> to vector<32xi8>
  %seven = arith.constant dense<7> : vector<32xi8>
  vector.store %seven, %o[%c0] : memref<32xi8>, vector<32xi8>
  %w = arith.extsi %t : vector<32xi8> to vector<32xi32>
  vector.store %w, %a[%c0] : memref<32xi32>, vector<32xi32>
  return
}

// All lanes to one: shifts by half, a quarter, ... and lane 0.
// CHECK-LABEL: func.func @reductions
// CHECK: %[[C32:.*]] = arith.constant 32 : i32
// CHECK: %[[S:.*]] = aievec.shift %[[V:.*]], %[[V]], %[[C32]] {isAcc = false} : vector<16xi32>, vector<16xi32>, i32, vector<16xi32>
// CHECK: aievec.max %[[S]], %[[V]] : vector<16xi32>
// CHECK: arith.constant 4 : i32
// CHECK: aievec.ext_elem %{{.*}}, %{{.*}} : vector<16xi32>, i32, i32
// CHECK: aievec.shift %{{.*}} {isAcc = true} : vector<16xf32>, vector<16xf32>, i32, vector<16xf32>
// CHECK: aievec.add_elem
func.func @reductions(%a: memref<16xi32>, %b: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %x = vector.load %a[%c0] : memref<16xi32>, vector<16xi32>
  %m = vector.reduction <maxsi>, %x : vector<16xi32> into i32
  memref.store %m, %a[%c0] : memref<16xi32>
  %y = vector.load %b[%c0] : memref<16xf32>, vector<16xf32>
  %s = vector.reduction <add>, %y : vector<16xf32> into f32
  memref.store %s, %b[%c0] : memref<16xf32>
  return
}

// A product of two matrices, whatever dimensions of 1 stand before them.
// CHECK-LABEL: func.func @product
// CHECK: vector.shape_cast %{{.*}} : vector<1x1x4x8xbf16> to vector<4x8xbf16>
// CHECK: aievec.matmul %{{.*}}, %{{.*}}, %{{.*}} : vector<4x8xbf16>, vector<8x4xbf16> into vector<4x4xf32>
// CHECK: vector.shape_cast %{{.*}} : vector<4x4xf32> to vector<1x1x4x4xf32>
// AIE2P-LABEL: func.func @product
// AIE2P: aievec.matmul_aie2p
#a = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d3, d5)>
#b = affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d1, d5, d4)>
#c = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4)>
func.func @product(%m: memref<1x1x4x8xbf16>, %n: memref<1x1x8x4xbf16>, %o: memref<1x1x4x4xf32>) {
  %c0 = arith.constant 0 : index
  %x = vector.load %m[%c0, %c0, %c0, %c0] : memref<1x1x4x8xbf16>, vector<1x1x4x8xbf16>
  %y = vector.load %n[%c0, %c0, %c0, %c0] : memref<1x1x8x4xbf16>, vector<1x1x8x4xbf16>
  %z = vector.load %o[%c0, %c0, %c0, %c0] : memref<1x1x4x4xf32>, vector<1x1x4x4xf32>
  %0 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z : vector<1x1x4x8xbf16>, vector<1x1x8x4xbf16> into vector<1x1x4x4xf32>
  vector.store %0, %o[%c0, %c0, %c0, %c0] : memref<1x1x4x4xf32>, vector<1x1x4x4xf32>
  return
}

// AIE2p has functions and inverses of its own.
// CHECK-LABEL: func.func @functions
// CHECK: math.exp
// AIE2P-LABEL: func.func @functions
// AIE2P: aievec.exp %{{.*}} : vector<16xbf16>
// AIE2P: aievec.rsqrt %{{.*}} : f32
// AIE2P: aievec.inv %{{.*}} : f32
func.func @functions(%a: vector<16xbf16>, %s: f32) -> (vector<16xbf16>, f32, f32) {
  %0 = math.exp %a : vector<16xbf16>
  %1 = math.rsqrt %s : f32
  %one = arith.constant 1.0 : f32
  %2 = arith.divf %one, %s : f32
  return %0, %1, %2 : vector<16xbf16>, f32, f32
}

// A matrix of one register is turned by one shuffle; others stay.
// CHECK-LABEL: func.func @transposed
// CHECK: %[[FLAT:.*]] = vector.shape_cast %{{.*}} : vector<4x8xbf16> to vector<32xbf16>
// CHECK: %[[TURNED:.*]] = aievec.shuffle %[[FLAT]][t16_4x8] : vector<32xbf16>
// CHECK: vector.shape_cast %[[TURNED]] : vector<32xbf16> to vector<8x4xbf16>
// CHECK: vector.transpose
func.func @transposed(%a: memref<4x8xbf16>, %b: memref<8x4xbf16>, %c: memref<2x8xi32>, %d: memref<8x2xi32>) {
  %c0 = arith.constant 0 : index
  %x = vector.load %a[%c0, %c0] : memref<4x8xbf16>, vector<4x8xbf16>
  %0 = vector.transpose %x, [1, 0] : vector<4x8xbf16> to vector<8x4xbf16>
  vector.store %0, %b[%c0, %c0] : memref<8x4xbf16>, vector<8x4xbf16>
  %y = vector.load %c[%c0, %c0] : memref<2x8xi32>, vector<2x8xi32>
  %1 = vector.transpose %y, [1, 0] : vector<2x8xi32> to vector<8x2xi32>
  vector.store %1, %d[%c0, %c0] : memref<8x2xi32>, vector<8x2xi32>
  return
}
