// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// What mlir-aie's vector passes leave in cores, as far as it is arithmetic of lanes.

// CHECK: %{{.*}} = aievec.add_elem %{{.*}}, %{{.*}} : vector<16xi32>
// CHECK: %{{.*}} = aievec.sub_elem %{{.*}}, %{{.*}} : vector<16xi32>
// CHECK: %{{.*}} = aievec.min %{{.*}}, %{{.*}} : vector<16xi32>
// CHECK: %{{.*}} = aievec.max %{{.*}}, %{{.*}} : vector<16xi32>
// CHECK: %{{.*}} = aievec.band %{{.*}}, %{{.*}} : vector<16xi32>
// CHECK: %{{.*}} = aievec.bor %{{.*}}, %{{.*}} : vector<16xi32>
// CHECK: %{{.*}} = aievec.bxor %{{.*}}, %{{.*}} : vector<16xi32>
// CHECK: %{{.*}} = aievec.neg %{{.*}} : vector<16xf32>
// CHECK: %{{.*}} = aievec.bneg %{{.*}} : vector<16xi32>
// CHECK: %{{.*}} = aievec.mul_elem %{{.*}}, %{{.*}} : vector<16xbf16>, vector<16xbf16>, vector<16xf32>
// CHECK: %{{.*}} = aievec.mac_elem %{{.*}}, %{{.*}}, %{{.*}} : vector<16xbf16>, vector<16xbf16>, vector<16xf32>
// CHECK: %{{.*}} = aievec.mac_elem %{{.*}}, %{{.*}}, %{{.*}} {fmsub = true} : vector<16xbf16>, vector<16xbf16>, vector<16xf32>
// CHECK: %{{.*}} = aievec.broadcast %{{.*}} {idx = 3 : i8} : vector<16xi32>, vector<16xi32>
// CHECK: %{{.*}} = aievec.broadcast_scalar %{{.*}} : i32, vector<16xi32>
// CHECK: %{{.*}} = aievec.cast %{{.*}} {isResAcc = true} : vector<16xf32>, vector<16xf32>
// CHECK: %{{.*}} = aievec.ups %{{.*}} {shift = 0 : i8} : vector<16xbf16>, vector<16xf32>
// CHECK: %{{.*}} = aievec.srs %{{.*}}, %{{.*}} : vector<16xf32>, i32, vector<16xbf16>
// GENERIC: %{{.*}} = "aievec.add_elem"(%{{.*}}, %{{.*}}) : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
// GENERIC: %{{.*}} = "aievec.sub_elem"(%{{.*}}, %{{.*}}) : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
// GENERIC: %{{.*}} = "aievec.min"(%{{.*}}, %{{.*}}) : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
// GENERIC: %{{.*}} = "aievec.max"(%{{.*}}, %{{.*}}) : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
// GENERIC: %{{.*}} = "aievec.band"(%{{.*}}, %{{.*}}) : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
// GENERIC: %{{.*}} = "aievec.bor"(%{{.*}}, %{{.*}}) : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
// GENERIC: %{{.*}} = "aievec.bxor"(%{{.*}}, %{{.*}}) : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
// GENERIC: %{{.*}} = "aievec.neg"(%{{.*}}) : (vector<16xf32>) -> vector<16xf32>
// GENERIC: %{{.*}} = "aievec.bneg"(%{{.*}}) : (vector<16xi32>) -> vector<16xi32>
// GENERIC: %{{.*}} = "aievec.mul_elem"(%{{.*}}, %{{.*}}) : (vector<16xbf16>, vector<16xbf16>) -> vector<16xf32>
// GENERIC: %{{.*}} = "aievec.mac_elem"(%{{.*}}, %{{.*}}, %{{.*}}) <{fmsub = false}> : (vector<16xbf16>, vector<16xbf16>, vector<16xf32>) -> vector<16xf32>
// GENERIC: %{{.*}} = "aievec.mac_elem"(%{{.*}}, %{{.*}}, %{{.*}}) <{fmsub = true}> : (vector<16xbf16>, vector<16xbf16>, vector<16xf32>) -> vector<16xf32>
// GENERIC: %{{.*}} = "aievec.broadcast"(%{{.*}}) <{idx = 3 : i8}> : (vector<16xi32>) -> vector<16xi32>
// GENERIC: %{{.*}} = "aievec.broadcast_scalar"(%{{.*}}) : (i32) -> vector<16xi32>
// GENERIC: %{{.*}} = "aievec.cast"(%{{.*}}) <{isResAcc = true}> : (vector<16xf32>) -> vector<16xf32>
// GENERIC: %{{.*}} = "aievec.ups"(%{{.*}}) <{shift = 0 : i8}> : (vector<16xbf16>) -> vector<16xf32>
// GENERIC: %{{.*}} = "aievec.srs"(%{{.*}}, %{{.*}}) : (vector<16xf32>, i32) -> vector<16xbf16>
func.func @f(%a: vector<16xi32>, %b: vector<16xi32>, %c: vector<16xbf16>, %d: vector<16xf32>, %s: i32) -> vector<16xi32> {
  %0 = aievec.add_elem %a, %b : vector<16xi32>
  %1 = aievec.sub_elem %0, %b : vector<16xi32>
  %2 = aievec.min %1, %b : vector<16xi32>
  %3 = aievec.max %2, %b : vector<16xi32>
  %4 = aievec.band %3, %b : vector<16xi32>
  %5 = aievec.bor %4, %b : vector<16xi32>
  %6 = aievec.bxor %5, %b : vector<16xi32>
  %7 = aievec.neg %d : vector<16xf32>
  %8 = aievec.bneg %6 : vector<16xi32>
  %9 = aievec.mul_elem %c, %c : vector<16xbf16>, vector<16xbf16>, vector<16xf32>
  %10 = aievec.mac_elem %c, %c, %9 : vector<16xbf16>, vector<16xbf16>, vector<16xf32>
  %11 = aievec.mac_elem %c, %c, %10 {fmsub = true} : vector<16xbf16>, vector<16xbf16>, vector<16xf32>
  %12 = aievec.broadcast %8 {idx = 3 : i8} : vector<16xi32>, vector<16xi32>
  %13 = aievec.broadcast_scalar %s : i32, vector<16xi32>
  %14 = aievec.cast %d {isResAcc = true} : vector<16xf32>, vector<16xf32>
  %15 = aievec.ups %c {shift = 0 : i8} : vector<16xbf16>, vector<16xf32>
  %16 = aievec.srs %15, %s : vector<16xf32>, i32, vector<16xbf16>
  return %13 : vector<16xi32>
}
