// RUN: allo-opt %s --air-override-memref-memory-space="scope=func memory-space=1" | filecheck %s --check-prefixes=CHECK,FUNC
// RUN: allo-opt %s --air-override-memref-memory-space="memory-space=1" | filecheck %s --check-prefixes=CHECK,LAUNCH

// Only buffers of the scope itself move, and only those that have no space yet; views and hierarchies follow.

// CHECK-LABEL: func.func @f
// FUNC:          %[[A:.*]] = memref.alloc() : memref<8x8xf32, 1 : i32>
// LAUNCH:        memref.alloc() : memref<8x8xf32>
// CHECK:         memref.alloc() : memref<8xf32, 2>
// FUNC:          memref.subview {{.*}} : memref<8x8xf32, 1 : i32> to memref<4x8xf32, strided<[8, 1]>, 1 : i32>
// FUNC:          memref.copy {{.*}} : memref<4x8xf32, strided<[8, 1]>, 1 : i32> to memref<4x8xf32>
// FUNC:          air.launch {{.*}} : memref<8x8xf32, 1 : i32>
// LAUNCH:          memref.alloc() : memref<4xf32, 1 : i32>
// FUNC:            air.segment {{.*}} : memref<8x8xf32, 1 : i32>
// FUNC:              air.herd {{.*}} : memref<8x8xf32, 1 : i32>
// CHECK:               memref.alloc() : memref<2xf32, 2>
func.func @f(%x: memref<4x8xf32>) {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8x8xf32>
  %own = memref.alloc() : memref<8xf32, 2>
  %v = memref.subview %a[0, 0] [4, 8] [1, 1] : memref<8x8xf32> to memref<4x8xf32, strided<[8, 1]>>
  memref.copy %v, %x : memref<4x8xf32, strided<[8, 1]>> to memref<4x8xf32>
  air.launch (%i) in (%n=%c1) args(%l=%a) : memref<8x8xf32> {
    %m = memref.alloc() : memref<4xf32>
    air.segment @s args(%b=%l) : memref<8x8xf32> {
      %d1 = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%sx=%d1, %sy=%d1) args(%c=%b) : memref<8x8xf32> {
        %o = memref.alloc() : memref<2xf32, 2>
        memref.dealloc %o : memref<2xf32, 2>
      }
    }
  }
  return
}

// Before bufferisation a buffer is used through tensors; loops hand it on.

// CHECK-LABEL: func.func @g
// FUNC:          memref.alloc() : memref<8xf32, 1 : i32>
// FUNC:          bufferization.to_tensor {{.*}} : memref<8xf32, 1 : i32> to tensor<8xf32>
// FUNC:          scf.for {{.*}} -> (memref<8xf32, 1 : i32>)
func.func @g(%x: memref<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %t = bufferization.to_tensor %a restrict writable : memref<8xf32> to tensor<8xf32>
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%b = %a) -> (memref<8xf32>) {
    scf.yield %b : memref<8xf32>
  }
  memref.dealloc %r : memref<8xf32>
  return %t : tensor<8xf32>
}
