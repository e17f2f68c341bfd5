// RUN: allo-opt %s --air-merge-segments --verify-each=execute | filecheck %s

// Both segments in one, which takes each buffer once; a launch with a single one stays.

// CHECK-LABEL: @f
// CHECK:         air.segment @s args(%[[X:.*]]=%{{.*}}, %[[Y:.*]]=%{{.*}}) : memref<8xi32>, memref<8xi32> {
// CHECK:           air.herd @h {{.*}} args(%{{.*}}=%[[X]], %{{.*}}=%[[Y]])
// CHECK:           air.herd @g {{.*}} args(%{{.*}}=%[[X]])
// CHECK-NOT:     air.segment
// CHECK-LABEL: @single
// CHECK:         air.segment @t {
func.func @f(%a: memref<8xi32>, %b: memref<8xi32>) {
  air.launch () in () args(%x=%a, %y=%b) : memref<8xi32>, memref<8xi32> {
    air.segment @s args(%u=%x, %v=%y) : memref<8xi32>, memref<8xi32> {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%i, %j) in (%p=%c1, %q=%c1) args(%src=%u, %dst=%v) : memref<8xi32>, memref<8xi32> {
        %m = memref.alloc() : memref<8xi32, 2>
        air.dma_memcpy_nd (%m[] [] [], %src[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
        air.dma_memcpy_nd (%dst[] [] [], %m[] [] []) : (memref<8xi32>, memref<8xi32, 2>)
        memref.dealloc %m : memref<8xi32, 2>
      }
    }
    air.segment @second args(%u=%x) : memref<8xi32> {
      %c1 = arith.constant 1 : index
      air.herd @g tile (%i, %j) in (%p=%c1, %q=%c1) args(%src=%u) : memref<8xi32> {
        %m = memref.alloc() : memref<8xi32, 2>
        air.dma_memcpy_nd (%m[] [] [], %src[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
        memref.dealloc %m : memref<8xi32, 2>
      }
    }
  }
  return
}

func.func @single() {
  air.launch () in () {
    air.segment @t {
    }
  }
  return
}
