// RUN: allo-opt --syntax=2026-03 %s --air-shrink-memref-sizes-by-access | filecheck %s

// Two herds get a buffer that holds a part for each core: a core keeps its own. What a call takes keeps its type.

// CHECK-LABEL: func.func @own
// CHECK:         memref.alloc() {shrinkage = true} : memref<1x1x8x4xi32, 2>
// CHECK:         air.herd @h {{.*}} : memref<1x1x8x4xi32, 2>
// CHECK:           memref.subview {{.*}}[0, 0, 0, 0] [1, 1, 8, 4] [1, 1, 1, 1]
// CHECK:           memref.reinterpret_cast %{{.*}} to offset: [%c0{{.*}}], sizes: [1, 1, 8, 4], strides: [128, 32, 4, 1]
// CHECK:           call @fill
// CHECK:         air.herd @h {{.*}} : memref<1x1x8x4xi32, 2>
// CHECK:           air.channel.put @out{{.*}} (%{{.*}}[%c0, %c0, %c0, %c0, %c0] [%c1, %c1, %c4{{.*}}, %c8, %c1] [%c32, %c32, %c1, %c4{{.*}}, %c1]) : (memref<1x1x8x4xi32, 2>)
air.channel @out [2, 4]
func.func private @fill(memref<1x1x8x4xi32, strided<[128, 32, 4, 1], offset: ?>, 2>)
func.func @own() {
  air.segment @s {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %m = memref.alloc() : memref<2x4x8x4xi32, 2>
    air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c4) args(%a=%m) : memref<2x4x8x4xi32, 2> {
      %z = arith.constant 0 : i32
      %v = memref.subview %a[%x, %y, 0, 0] [1, 1, 8, 4] [1, 1, 1, 1] : memref<2x4x8x4xi32, 2> to memref<1x1x8x4xi32, strided<[128, 32, 4, 1], offset: ?>, 2>
      linalg.fill ins(%z : i32) outs(%v : memref<1x1x8x4xi32, strided<[128, 32, 4, 1], offset: ?>, 2>)
      %w = memref.subview %a[%x, %y, 0, 0] [1, 1, 8, 4] [1, 1, 1, 1] : memref<2x4x8x4xi32, 2> to memref<1x1x8x4xi32, strided<[128, 32, 4, 1], offset: ?>, 2>
      func.call @fill(%w) : (memref<1x1x8x4xi32, strided<[128, 32, 4, 1], offset: ?>, 2>) -> ()
    }
    air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c4) args(%a=%m) : memref<2x4x8x4xi32, 2> {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %d4 = arith.constant 4 : index
      %d8 = arith.constant 8 : index
      %d32 = arith.constant 32 : index
      %d128 = arith.constant 128 : index
      air.channel.put @out[%x, %y] (%a[%x, %y, %d0, %d0, %d0] [%d1, %d1, %d4, %d8, %d1] [%d128, %d32, %d1, %d4, %d1]) : (memref<2x4x8x4xi32, 2>)
    }
    memref.dealloc %m : memref<2x4x8x4xi32, 2>
  }
  return
}

// The herds use different parts; or a part that depends on more than the core.

// CHECK-LABEL: func.func @other
// CHECK:         memref.alloc() {shrinkage = false} : memref<2x2x8xi32, 2>
// CHECK:         memref.alloc() {shrinkage = false} : memref<2x8xi32, 2>
func.func @other(%n: index) {
  air.segment @s args(%k=%n) : index {
    %c2 = arith.constant 2 : index
    %m = memref.alloc() : memref<2x2x8xi32, 2>
    %o = memref.alloc() : memref<2x8xi32, 2>
    %row = arith.remui %k, %c2 : index
    air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%a=%m, %b=%o, %l=%row) : memref<2x2x8xi32, 2>, memref<2x8xi32, 2>, index {
      %z = arith.constant 0 : i32
      %v = memref.subview %a[%x, %y, 0] [1, 1, 8] [1, 1, 1] : memref<2x2x8xi32, 2> to memref<1x1x8xi32, strided<[16, 8, 1], offset: ?>, 2>
      linalg.fill ins(%z : i32) outs(%v : memref<1x1x8xi32, strided<[16, 8, 1], offset: ?>, 2>)
      %w = memref.subview %b[%l, 0] [1, 8] [1, 1] : memref<2x8xi32, 2> to memref<1x8xi32, strided<[8, 1], offset: ?>, 2>
      linalg.fill ins(%z : i32) outs(%w : memref<1x8xi32, strided<[8, 1], offset: ?>, 2>)
    }
    air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%a=%m) : memref<2x2x8xi32, 2> {
      %z = arith.constant 1 : i32
      %v = memref.subview %a[%y, %x, 0] [1, 1, 8] [1, 1, 1] : memref<2x2x8xi32, 2> to memref<1x1x8xi32, strided<[16, 8, 1], offset: ?>, 2>
      linalg.fill ins(%z : i32) outs(%v : memref<1x1x8xi32, strided<[16, 8, 1], offset: ?>, 2>)
    }
    memref.dealloc %m : memref<2x2x8xi32, 2>
    memref.dealloc %o : memref<2x8xi32, 2>
  }
  return
}

// Views of the part that a core uses: their types follow.

// CHECK-LABEL: func.func @views
// CHECK:         memref.alloc() {shrinkage = true} : memref<1x4x8xi32, 2>
// CHECK:           %[[V:.*]] = memref.subview {{.*}} to memref<1x4x8xi32, strided<[32, 8, 1]>, 2>
// CHECK:           %[[W:.*]] = memref.subview %[[V]][0, %{{.*}}, 0] {{.*}} to memref<1x2x8xi32, strided<[32, 8, 1], offset: ?>, 2>
// CHECK:           memref.collapse_shape %[[W]] {{.*}} into memref<2x8xi32, strided<[8, 1], offset: ?>, 2>
// CHECK:           memref.subview %[[V]][0, 2, 0] {{.*}} to memref<1x8xi32, strided<[32, 1], offset: 16>, 2>
func.func @views() {
  air.segment @s {
    %c2 = arith.constant 2 : index
    %m = memref.alloc() : memref<2x4x8xi32, 2>
    air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%a=%m) : memref<2x4x8xi32, 2> {
      %z = arith.constant 0 : i32
      %v = memref.subview %a[%x, 0, 0] [1, 4, 8] [1, 1, 1] : memref<2x4x8xi32, 2> to memref<1x4x8xi32, strided<[32, 8, 1], offset: ?>, 2>
      %w = memref.subview %v[0, %y, 0] [1, 2, 8] [1, 1, 1] : memref<1x4x8xi32, strided<[32, 8, 1], offset: ?>, 2> to memref<1x2x8xi32, strided<[32, 8, 1], offset: ?>, 2>
      %c = memref.collapse_shape %w [[0, 1], [2]] : memref<1x2x8xi32, strided<[32, 8, 1], offset: ?>, 2> into memref<2x8xi32, strided<[8, 1], offset: ?>, 2>
      linalg.fill ins(%z : i32) outs(%c : memref<2x8xi32, strided<[8, 1], offset: ?>, 2>)
      %r = memref.subview %v[0, 2, 0] [1, 1, 8] [1, 1, 1] : memref<1x4x8xi32, strided<[32, 8, 1], offset: ?>, 2> to memref<1x8xi32, strided<[32, 1], offset: ?>, 2>
      linalg.fill ins(%z : i32) outs(%r : memref<1x8xi32, strided<[32, 1], offset: ?>, 2>)
    }
    memref.dealloc %m : memref<2x4x8xi32, 2>
  }
  return
}
