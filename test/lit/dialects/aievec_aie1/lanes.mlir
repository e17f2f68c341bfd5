// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIE1's arithmetic says which lanes it takes.
// CHECK: %{{.*}} = aievec_aie1.mul %{{.*}}, %{{.*}} {xoffsets = "0x76543210", xstart = "0", zoffsets = "0x00000000", zstart = "0"} : vector<16xi32>, vector<8xi32>, vector<8xi64>
// CHECK: %{{.*}} = aievec_aie1.mac %{{.*}}, %{{.*}}, %{{.*}} {xoffsets = "0x76543210", xstart = "0", zoffsets = "0x00000000", zstart = "1"} : vector<16xi32>, vector<8xi32>, vector<8xi64>
// CHECK: %{{.*}} = aievec_aie1.ext %{{.*}} {index = 0 : i8} : vector<16xi32>, vector<8xi32>
// CHECK: %{{.*}} = aievec_aie1.add %{{.*}}, %{{.*}} : vector<8xi32>, vector<8xi32>, vector<8xi32>
// CHECK: %{{.*}} = aievec_aie1.sub %{{.*}}, %{{.*}} {xoffsets = "0x76543210", xstart = "0"} : vector<8xi32>, vector<8xi32>, vector<8xi32>
// CHECK: %{{.*}} = aievec_aie1.select %{{.*}} {select = "0xcccccccc", xoffsets = "0x0c080400", xstart = "0"} : vector<16xi32>, vector<16xi32>
// GENERIC: %{{.*}} = "aievec_aie1.mul"(%{{.*}}, %{{.*}}) <{xoffsets = "0x76543210", xstart = "0", zoffsets = "0x00000000", zstart = "0"}> : (vector<16xi32>, vector<8xi32>) -> vector<8xi64>
// GENERIC: %{{.*}} = "aievec_aie1.mac"(%{{.*}}, %{{.*}}, %{{.*}}) <{xoffsets = "0x76543210", xstart = "0", zoffsets = "0x00000000", zstart = "1"}> : (vector<16xi32>, vector<8xi32>, vector<8xi64>) -> vector<8xi64>
// GENERIC: %{{.*}} = "aievec_aie1.ext"(%{{.*}}) <{index = 0 : i8}> : (vector<16xi32>) -> vector<8xi32>
// GENERIC: %{{.*}} = "aievec_aie1.add"(%{{.*}}, %{{.*}}) : (vector<8xi32>, vector<8xi32>) -> vector<8xi32>
// GENERIC: %{{.*}} = "aievec_aie1.sub"(%{{.*}}, %{{.*}}) <{xoffsets = "0x76543210", xstart = "0"}> : (vector<8xi32>, vector<8xi32>) -> vector<8xi32>
// GENERIC: %{{.*}} = "aievec_aie1.select"(%{{.*}}) <{select = "0xcccccccc", xoffsets = "0x0c080400", xstart = "0"}> : (vector<16xi32>) -> vector<16xi32>
func.func @f(%a: vector<16xi32>, %b: vector<8xi32>) {
  %0 = aievec_aie1.mul %a, %b {xoffsets = "0x76543210", xstart = "0", zoffsets = "0x00000000", zstart = "0"} : vector<16xi32>, vector<8xi32>, vector<8xi64>
  %1 = aievec_aie1.mac %a, %b, %0 {xoffsets = "0x76543210", xstart = "0", zoffsets = "0x00000000", zstart = "1"} : vector<16xi32>, vector<8xi32>, vector<8xi64>
  %2 = aievec_aie1.ext %a {index = 0 : i8} : vector<16xi32>, vector<8xi32>
  %3 = aievec_aie1.add %b, %b : vector<8xi32>, vector<8xi32>, vector<8xi32>
  %4 = aievec_aie1.sub %b, %b {xoffsets = "0x76543210", xstart = "0"} : vector<8xi32>, vector<8xi32>, vector<8xi32>
  %5 = aievec_aie1.select %a {select = "0xcccccccc", xoffsets = "0x0c080400", xstart = "0"} : vector<16xi32>, vector<16xi32>
  return
}
