// RUN: allo-opt %s --split-input-file --air-interleave-shared-channels | filecheck %s

// Each put moves the blocks of all four rounds: both become one loop over the blocks.
// CHECK-LABEL: func.func @f
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args
// CHECK:           air.channel.put async {{.*}}@a[] (%{{.*}}[%[[I]], %{{.*}}] [%c2{{.*}}, %c8{{.*}}] [%c8{{.*}}, %c1{{.*}}]) : (memref<8x8xi32>)
// CHECK:           air.channel.put async {{.*}}@b[] (%{{.*}}[%{{.*}}, 0] [2, 4] [8, 1]) : (memref<16x8xi32>)
// CHECK:         air.herd
air.channel @a [] {allo.fuse_group = 0 : i64}
air.channel @b [] {allo.fuse_group = 0 : i64}
func.func @f(%x: memref<8x8xi32>, %y: memref<16x8xi32>) {
  %c1 = arith.constant 1 : index
  %0 = air.launch async () in () args(%p=%x, %q=%y) : memref<8x8xi32>, memref<16x8xi32> {
    %1 = air.channel.put async @a[] (%p[] [] []) : (memref<8x8xi32>)
    %2 = air.channel.put async @b[] (%q[8, 0] [8, 4] [8, 1]) : (memref<16x8xi32>)
    %3 = air.segment @s async {
      %k1 = arith.constant 1 : index
      air.herd @h tile (%i, %j) in (%m = %k1, %n = %k1) {
        %i0 = arith.constant 0 : index
        %i1 = arith.constant 1 : index
        %i4 = arith.constant 4 : index
        %v = memref.alloc() : memref<2x8xi32, 2>
        %w = memref.alloc() : memref<2x4xi32, 2>
        scf.for %r = %i0 to %i4 step %i1 {
          air.channel.get @a[] (%v[] [] []) : (memref<2x8xi32, 2>)
          air.channel.get @b[] (%w[] [] []) : (memref<2x4xi32, 2>)
        }
      }
    }
  }
  return
}

// -----

// Puts that wait for a token and have none of their own.
// CHECK-LABEL: func.func @waits
// CHECK:         %[[T:.*]] = air.wait_all async
// CHECK:         scf.for
// CHECK-NOT:     iter_args
// CHECK:           air.channel.put [%[[T]]] @a[]
air.channel @a [] {allo.fuse_group = 0 : i64}
air.channel @b [] {allo.fuse_group = 0 : i64}
func.func @waits(%x: memref<4x8xi32>) {
  air.launch () in () args(%p=%x) : memref<4x8xi32> {
    %t = air.wait_all async
    air.channel.put [%t] @a[] (%p[] [] []) : (memref<4x8xi32>)
    air.channel.put [%t] @b[] (%p[] [] []) : (memref<4x8xi32>)
    air.segment @s {
      %k1 = arith.constant 1 : index
      air.herd @h tile (%i, %j) in (%m = %k1, %n = %k1) {
        %i0 = arith.constant 0 : index
        %i1 = arith.constant 1 : index
        %i4 = arith.constant 4 : index
        %v = memref.alloc() : memref<8xi32, 2>
        scf.for %r = %i0 to %i4 step %i1 {
          air.channel.get @a[] (%v[] [] []) : (memref<8xi32, 2>)
          air.channel.get @b[] (%v[] [] []) : (memref<8xi32, 2>)
        }
      }
    }
  }
  return
}
