// RUN: allo-opt %s --drop-repeated-results | filecheck %s

// CHECK-LABEL: func.func private @three
// CHECK-SAME: -> (memref<4xf32>, memref<4xf32>)
// CHECK: return %[[A:.*]], %[[B:.*]] :
// CHECK-LABEL: func.func @main
// CHECK-SAME: -> (memref<4xf32>, memref<4xf32>)
// CHECK: %[[R:.*]]:2 = call @three
// CHECK: linalg.add ins(%[[R]]#0, %[[R]]#0
// CHECK: linalg.add ins(%[[R]]#1, %[[R]]#0
// The results of a public function are the caller's.
// CHECK: return %[[R]]#0, %[[R]]#0
func.func private @three(%x: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %x, %b : memref<4xf32> to memref<4xf32>
  return %a, %a, %b : memref<4xf32>, memref<4xf32>, memref<4xf32>
}
func.func @main(%x: memref<4xf32>, %y: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %r:3 = call @three(%x) : (memref<4xf32>) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>)
  linalg.add ins(%r#0, %r#1 : memref<4xf32>, memref<4xf32>) outs(%y : memref<4xf32>)
  linalg.add ins(%r#2, %r#1 : memref<4xf32>, memref<4xf32>) outs(%y : memref<4xf32>)
  return %r#0, %r#1 : memref<4xf32>, memref<4xf32>
}

// A program tells its caller to find both results in one place.
// CHECK-LABEL: func.func @told
// CHECK-SAME: -> memref<4xf32>
// CHECK-SAME: gives = [{place = 1 : i64{{.*}}}, {place = 1 : i64
// CHECK: return %{{[a-z0-9]*}} : memref<4xf32>
func.func @told(%x: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) attributes {allo_air.host_buffers = {gives = [{place = 1 : i64, type = tensor<4xf32>, view = array<i64: 4>}, {place = 2 : i64, type = tensor<4xf32>, view = array<i64: 4>}], holds = [{argument = 0 : i64, view = array<i64: 4>}], takes = [tensor<4xf32>]}} {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  return %a, %a : memref<4xf32>, memref<4xf32>
}
