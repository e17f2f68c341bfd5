// RUN: allo-opt %s --pack-contractions | filecheck %s

// A core has room for the halves of the first product's factors beside its buffers, but not for those of the second, too.
// CHECK-LABEL: func.func @room
// CHECK:       linalg.generic {{.*}} memref<20x12x4x2xi32, 2>
// CHECK:       linalg.matmul ins(%{{.*}} : memref<40x32xi32, 2>
func.func @room() {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%tx, %ty) in (%sx=%c1, %sy=%c1) {
    %a = memref.alloc() : memref<48x40xi32, 2>
    %b = memref.alloc() : memref<40x48xi32, 2>
    %c = memref.alloc() : memref<48x48xi32, 2>
    %d = memref.alloc() : memref<40x32xi32, 2>
    %e = memref.alloc() : memref<32x40xi32, 2>
    %f = memref.alloc() : memref<40x40xi32, 2>
    linalg.matmul ins(%a, %b : memref<48x40xi32, 2>, memref<40x48xi32, 2>) outs(%c : memref<48x48xi32, 2>)
    linalg.matmul ins(%d, %e : memref<40x32xi32, 2>, memref<32x40xi32, 2>) outs(%f : memref<40x40xi32, 2>)
  }
  return
}

// Products whose factors have the same sizes share what their halves are in.
// CHECK-LABEL: func.func @shared
// CHECK-COUNT-2: linalg.generic {{.*}} memref<16x10x4x2xi32, 2>
func.func @shared() {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%tx, %ty) in (%sx=%c1, %sy=%c1) {
    %a = memref.alloc() : memref<40x32xi32, 2>
    %b = memref.alloc() : memref<32x40xi32, 2>
    %c = memref.alloc() : memref<40x40xi32, 2>
    %d = memref.alloc() : memref<40x32xi32, 2>
    %e = memref.alloc() : memref<32x40xi32, 2>
    %f = memref.alloc() : memref<40x40xi32, 2>
    linalg.matmul ins(%a, %b : memref<40x32xi32, 2>, memref<32x40xi32, 2>) outs(%c : memref<40x40xi32, 2>)
    linalg.matmul ins(%d, %e : memref<40x32xi32, 2>, memref<32x40xi32, 2>) outs(%f : memref<40x40xi32, 2>)
  }
  return
}
