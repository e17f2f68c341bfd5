// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// Registers and their parts, shuffles, comparisons, matrix products, convolutions, functions of a lane.

// CHECK: %{{.*}} = aievec.concat %{{.*}}, %{{.*}} : vector<16xi32>, vector<32xi32>
// CHECK: %{{.*}} = aievec.ext %{{.*}} {index = 0 : i8} : vector<32xi32>, vector<16xi32>
// CHECK: %{{.*}} = aievec.shuffle %{{.*}}, %{{.*}}[t32_8x4_lo] : vector<16xi32>
// CHECK: %{{.*}} = aievec.shuffle %{{.*}}[t16_4x2] : vector<32xi16>
// CHECK: %{{.*}} = aievec.shift %{{.*}}, %{{.*}}, %{{.*}} {isAcc = false} : vector<16xi32>, vector<16xi32>, i32, vector<16xi32>
// CHECK: %{{.*}} = aievec.ext_elem %{{.*}}, %{{.*}} : vector<16xi32>, i32, i32
// CHECK: %{{.*}} = aievec.cmp %{{.*}}, %{{.*}} {pred = "sgt"} : vector<16xi32>, vector<16xi32>, ui32
// CHECK: %{{.*}} = aievec.sel %{{.*}}, %{{.*}}, %{{.*}} : vector<16xi32>, vector<16xi32>, ui32, vector<16xi32>
// CHECK: %{{.*}} = aievec.unpack %{{.*}} : vector<64xi8>, vector<64xi16>
// CHECK: %{{.*}} = aievec.pack %{{.*}} : vector<32xi16>, vector<32xi8>
// CHECK: %{{.*}} = aievec.exp %{{.*}} : vector<16xbf16>
// CHECK: %{{.*}} = aievec.tanh %{{.*}} : vector<16xbf16>
// CHECK: %{{.*}} = aievec.inv %{{.*}} : f32
// CHECK: %{{.*}} = aievec.rsqrt %{{.*}} : f32
// CHECK: %{{.*}} = aievec.legacyshuffle %{{.*}} {mode = 0 : i32} : vector<32xi16>, vector<32xi16>
// CHECK: %{{.*}} = aievec.upd %{{.*}}[%{{.*}}] {index = 0 : i8, offset = 0 : i32} : memref<64xi32>, vector<16xi32>
// CHECK: %{{.*}} = aievec.upd %{{.*}}[%{{.*}}], %{{.*}} {index = 1 : i8, offset = 0 : i32} : memref<64xi32>, vector<16xi32>
// CHECK: %{{.*}} = aievec.bxor %{{.*}}, %{{.*}} : vector<16xi32>, vector<16xi32>, vector<16xi32>
// CHECK: %{{.*}} = aievec.matmul %{{.*}}, %{{.*}}, %{{.*}} : vector<4x8xi8>, vector<8x8xi8> into vector<4x8xi32>
// CHECK: %{{.*}} = aievec.matmul_aie2p %{{.*}}, %{{.*}}, %{{.*}} : vector<4x8xi8>, vector<8x8xi8> into vector<4x8xi32>
// CHECK: %{{.*}} = aievec.mul_conv %{{.*}}, %{{.*}} {M = 32 : i32, N = 8 : i32} : vector<32xi8>, vector<64xi8>, vector<32xi32>
// CHECK: %{{.*}} = aievec.fma_conv %{{.*}}, %{{.*}}, %{{.*}} {M = 32 : i32, N = 8 : i32} : vector<32xi8>, vector<64xi8>, vector<32xi32>
// GENERIC: %{{.*}} = "aievec.concat"(%{{.*}}, %{{.*}}) : (vector<16xi32>, vector<16xi32>) -> vector<32xi32>
// GENERIC: %{{.*}} = "aievec.ext"(%{{.*}}) <{index = 0 : i8}> : (vector<32xi32>) -> vector<16xi32>
// GENERIC: %{{.*}} = "aievec.shuffle"(%{{.*}}, %{{.*}}) <{mode = 30 : i32}> : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
// GENERIC: %{{.*}} = "aievec.shuffle"(%{{.*}}) <{mode = 40 : i32}> : (vector<32xi16>) -> vector<32xi16>
// GENERIC: %{{.*}} = "aievec.shift"(%{{.*}}, %{{.*}}, %{{.*}}) <{isAcc = false}> : (vector<16xi32>, vector<16xi32>, i32) -> vector<16xi32>
// GENERIC: %{{.*}} = "aievec.ext_elem"(%{{.*}}, %{{.*}}) : (vector<16xi32>, i32) -> i32
// GENERIC: %{{.*}} = "aievec.cmp"(%{{.*}}, %{{.*}}) <{pred = "sgt"}> : (vector<16xi32>, vector<16xi32>) -> ui32
// GENERIC: %{{.*}} = "aievec.sel"(%{{.*}}, %{{.*}}, %{{.*}}) : (vector<16xi32>, vector<16xi32>, ui32) -> vector<16xi32>
// GENERIC: %{{.*}} = "aievec.unpack"(%{{.*}}) : (vector<64xi8>) -> vector<64xi16>
// GENERIC: %{{.*}} = "aievec.pack"(%{{.*}}) : (vector<32xi16>) -> vector<32xi8>
// GENERIC: %{{.*}} = "aievec.exp"(%{{.*}}) : (vector<16xbf16>) -> vector<16xbf16>
// GENERIC: %{{.*}} = "aievec.tanh"(%{{.*}}) : (vector<16xbf16>) -> vector<16xbf16>
// GENERIC: %{{.*}} = "aievec.inv"(%{{.*}}) : (f32) -> f32
// GENERIC: %{{.*}} = "aievec.rsqrt"(%{{.*}}) : (f32) -> f32
// GENERIC: %{{.*}} = "aievec.legacyshuffle"(%{{.*}}) <{mode = 0 : i32}> : (vector<32xi16>) -> vector<32xi16>
// GENERIC: %{{.*}} = "aievec.upd"(%{{.*}}, %{{.*}}) <{index = 0 : i8, offset = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (memref<64xi32>, index) -> vector<16xi32>
// GENERIC: %{{.*}} = "aievec.upd"(%{{.*}}, %{{.*}}, %{{.*}}) <{index = 1 : i8, offset = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 1>}> : (memref<64xi32>, index, vector<16xi32>) -> vector<16xi32>
// GENERIC: %{{.*}} = "aievec.bxor"(%{{.*}}, %{{.*}}) : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
// GENERIC: %{{.*}} = "aievec.matmul"(%{{.*}}, %{{.*}}, %{{.*}}) : (vector<4x8xi8>, vector<8x8xi8>, vector<4x8xi32>) -> vector<4x8xi32>
// GENERIC: %{{.*}} = "aievec.matmul_aie2p"(%{{.*}}, %{{.*}}, %{{.*}}) : (vector<4x8xi8>, vector<8x8xi8>, vector<4x8xi32>) -> vector<4x8xi32>
// GENERIC: %{{.*}} = "aievec.mul_conv"(%{{.*}}, %{{.*}}) <{M = 32 : i32, N = 8 : i32}> : (vector<32xi8>, vector<64xi8>) -> vector<32xi32>
// GENERIC: %{{.*}} = "aievec.fma_conv"(%{{.*}}, %{{.*}}, %{{.*}}) <{M = 32 : i32, N = 8 : i32}> : (vector<32xi8>, vector<64xi8>, vector<32xi32>) -> vector<32xi32>
func.func @f(%a: vector<16xi32>, %b: vector<16xi32>, %v: vector<32xi16>, %w: vector<64xi8>, %s: i32, %h: vector<16xbf16>, %x: f32, %m: memref<64xi32>, %i: index) {
  %0 = aievec.concat %a, %b : vector<16xi32>, vector<32xi32>
  %1 = aievec.ext %0 {index = 0 : i8} : vector<32xi32>, vector<16xi32>
  %2 = aievec.shuffle %a, %b [t32_8x4_lo] : vector<16xi32>
  %3 = aievec.shuffle %v [t16_4x2] : vector<32xi16>
  %4 = aievec.shift %a, %b, %s {isAcc = false} : vector<16xi32>, vector<16xi32>, i32, vector<16xi32>
  %5 = aievec.ext_elem %a, %s : vector<16xi32>, i32, i32
  %6 = aievec.cmp %a, %b {pred = "sgt"} : vector<16xi32>, vector<16xi32>, ui32
  %7 = aievec.sel %a, %b, %6 : vector<16xi32>, vector<16xi32>, ui32, vector<16xi32>
  %8 = aievec.unpack %w : vector<64xi8>, vector<64xi16>
  %9 = aievec.pack %v : vector<32xi16>, vector<32xi8>
  %10 = aievec.exp %h : vector<16xbf16>
  %11 = aievec.tanh %h : vector<16xbf16>
  %12 = aievec.inv %x : f32
  %13 = aievec.rsqrt %x : f32
  %14 = aievec.legacyshuffle %v {mode = 0 : i32} : vector<32xi16>, vector<32xi16>
  %15 = aievec.upd %m[%i] {index = 0 : i8, offset = 0 : i32} : memref<64xi32>, vector<16xi32>
  %16 = aievec.upd %m[%i], %15 {index = 1 : i8, offset = 0 : i32} : memref<64xi32>, vector<16xi32>
  %17 = aievec.bxor %a, %b : vector<16xi32>, vector<16xi32>, vector<16xi32>
  return
}
func.func @products(%a: vector<4x8xi8>, %b: vector<8x8xi8>, %c: vector<4x8xi32>, %v: vector<32xi8>, %w: vector<64xi8>, %s: vector<32xi32>) {
  %0 = aievec.matmul %a, %b, %c : vector<4x8xi8>, vector<8x8xi8> into vector<4x8xi32>
  %1 = aievec.matmul_aie2p %a, %b, %0 : vector<4x8xi8>, vector<8x8xi8> into vector<4x8xi32>
  %2 = aievec.mul_conv %v, %w {M = 32 : i32, N = 8 : i32} : vector<32xi8>, vector<64xi8>, vector<32xi32>
  %3 = aievec.fma_conv %v, %w, %s {M = 32 : i32, N = 8 : i32} : vector<32xi8>, vector<64xi8>, vector<32xi32>
  return
}
