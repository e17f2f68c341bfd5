// RUN: allo-opt %s --air-linalg-codegen --verify-each=execute | filecheck %s

// The first two parallel loops of several iterations are divided among 2 x 2 cores.
// CHECK-LABEL: func.func @generic
// CHECK: scf.parallel {{.*}} to (%c8{{.*}}, %c6{{.*}}) step (%c4{{.*}}, %c3{{.*}}) {
// CHECK: memref.alloc() : memref<1x4x3xi32, 2>
// CHECK: linalg.generic
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @generic(%a: memref<1x8x6xi32>, %b: memref<1x8x6xi32>) {
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a : memref<1x8x6xi32>) outs(%b : memref<1x8x6xi32>) {
  ^bb0(%x: i32, %y: i32):
    %0 = arith.addi %x, %x : i32
    linalg.yield %0 : i32
  }
  return
}

// CHECK-LABEL: func.func @conv
// CHECK: scf.parallel {{.*}} to (%c4{{.*}}, %c6{{.*}}) step (%c2{{.*}}, %c3{{.*}}) {
// CHECK: memref.alloc() : memref<1x2x5x8xi32, 2>
// CHECK: memref.alloc() : memref<2x2x3x3xi32, 2>
// CHECK: memref.alloc() : memref<1x2x3x6xi32, 2>
// CHECK: linalg.conv_2d_nchw_fchw
func.func @conv(%a: memref<1x2x8x8xi32>, %w: memref<4x2x3x3xi32>, %b: memref<1x4x6x6xi32>) {
  linalg.conv_2d_nchw_fchw ins(%a, %w : memref<1x2x8x8xi32>, memref<4x2x3x3xi32>) outs(%b : memref<1x4x6x6xi32>)
  return
}

// CHECK-LABEL: func.func @stays
// CHECK-NEXT: linalg.fill
func.func @stays(%z: i32, %a: memref<8x8xi32>) {
  linalg.fill ins(%z : i32) outs(%a : memref<8x8xi32>)
  return
}
