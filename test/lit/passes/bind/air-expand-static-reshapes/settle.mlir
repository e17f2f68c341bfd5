// RUN: allo-opt %s --air-expand-static-reshapes --verify-each=execute | filecheck %s

// CHECK-LABEL: @grows
// CHECK:         memref.expand_shape %arg0 {{.*}} : memref<64xi32> into memref<8x8xi32>
// CHECK-LABEL: @changes
// CHECK:         %[[F:.*]] = memref.collapse_shape %arg0 {{.*}} : memref<4x16xi32> into memref<64xi32>
// CHECK-NEXT:    memref.expand_shape %[[F]] {{.*}} : memref<64xi32> into memref<2x2x16xi32>
// CHECK-LABEL: @flattens
// CHECK:         memref.collapse_shape %arg0
// CHECK-NOT:     memref.expand_shape
func.func @grows(%a: memref<64xi32>, %s: memref<2xindex>, %v: i32) {
  %r = memref.reshape %a(%s) : (memref<64xi32>, memref<2xindex>) -> memref<8x8xi32>
  linalg.fill ins(%v : i32) outs(%r : memref<8x8xi32>)
  return
}
func.func @changes(%a: memref<4x16xi32>, %s: memref<3xindex>, %v: i32) {
  %r = memref.reshape %a(%s) : (memref<4x16xi32>, memref<3xindex>) -> memref<2x2x16xi32>
  linalg.fill ins(%v : i32) outs(%r : memref<2x2x16xi32>)
  return
}
func.func @flattens(%a: memref<4x16xi32>, %s: memref<1xindex>, %v: i32) {
  %r = memref.reshape %a(%s) : (memref<4x16xi32>, memref<1xindex>) -> memref<64xi32>
  linalg.fill ins(%v : i32) outs(%r : memref<64xi32>)
  return
}

// A shape that is known at run time only stays.

// CHECK-LABEL: @dynamic
// CHECK:         memref.reshape
func.func @dynamic(%a: memref<64xi32>, %s: memref<2xindex>, %v: i32) {
  %r = memref.reshape %a(%s) : (memref<64xi32>, memref<2xindex>) -> memref<?x?xi32>
  linalg.fill ins(%v : i32) outs(%r : memref<?x?xi32>)
  return
}
