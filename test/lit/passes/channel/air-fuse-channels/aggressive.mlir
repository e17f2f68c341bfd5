// RUN: allo-opt %s --split-input-file --air-fuse-channels=aggressive-mode=L1 | filecheck %s
// RUN: allo-opt %s --split-input-file --air-fuse-channels=aggressive-mode=L3 | filecheck %s --check-prefix=NONE
// RUN: not allo-opt %s --air-fuse-channels=aggressive-mode=L1,L4 2>&1 | filecheck %s --check-prefix=UNKNOWN

// UNKNOWN: option 'aggressive-mode' lists 'L4', expected some of L1, L2, L3

// Both operands take turns in loops at both ends: one channel. The result goes the other way. Only L1 and L2 are at their ends.

// CHECK-LABEL: air.channel @a
// CHECK-NOT:   air.channel @b
// CHECK:       air.channel @c
// CHECK:       scf.for
// CHECK:         %[[A:.*]] = air.channel.put async {{.*}}@a[%c0, %c0]
// CHECK:         air.channel.put async [%[[A]]{{.*}}] @a[%c0, %c0]
// CHECK:       air.herd
// CHECK:         scf.for
// CHECK:           air.channel.get async {{.*}}@a[
// CHECK:           air.channel.get async {{.*}}@a[
// CHECK:           air.channel.put {{.*}}@c[
// NONE-LABEL:  air.channel @a
// NONE:        air.channel @b
air.channel @a [1, 1]
air.channel @b [1, 1]
air.channel @c [1, 1]
func.func @f(%x: memref<4x8xi32>, %y: memref<4x8xi32>, %z: memref<4x8xi32>) {
  air.launch () in () args(%p=%x, %q=%y, %r=%z) : memref<4x8xi32>, memref<4x8xi32>, memref<4x8xi32> {
    air.segment @s args(%u=%p, %v=%q, %w=%r) : memref<4x8xi32>, memref<4x8xi32>, memref<4x8xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %l = memref.alloc() : memref<4x8xi32, 1>
      %m = memref.alloc() : memref<4x8xi32, 1>
      %n = memref.alloc() : memref<4x8xi32, 1>
      air.dma_memcpy_nd (%l[] [] [], %u[] [] []) : (memref<4x8xi32, 1>, memref<4x8xi32>)
      air.dma_memcpy_nd (%m[] [] [], %v[] [] []) : (memref<4x8xi32, 1>, memref<4x8xi32>)
      scf.for %i = %c0 to %c4 step %c1 {
        %t = air.channel.put async @a[%c0, %c0] (%l[%i, %c0] [%c1, %c8] [%c8, %c1]) : (memref<4x8xi32, 1>)
        %s = air.channel.put async @b[%c0, %c0] (%m[%i, %c0] [%c1, %c8] [%c8, %c1]) : (memref<4x8xi32, 1>)
      }
      air.herd @h tile (%tx, %ty) in (%sx=%c1, %sy=%c1) {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %d4 = arith.constant 4 : index
        scf.for %i = %d0 to %d4 step %d1 {
          %t, %g = air.execute -> (memref<8xi32, 2>) {
            %made = memref.alloc() : memref<8xi32, 2>
            air.execute_terminator %made : memref<8xi32, 2>
          }
          %s, %h = air.execute -> (memref<8xi32, 2>) {
            %made = memref.alloc() : memref<8xi32, 2>
            air.execute_terminator %made : memref<8xi32, 2>
          }
          %1 = air.channel.get async [%t] @a[%tx, %ty] (%g[] [] []) : (memref<8xi32, 2>)
          %2 = air.channel.get async [%s] @b[%tx, %ty] (%h[] [] []) : (memref<8xi32, 2>)
          %3 = air.execute [%1, %2] {
            linalg.add ins(%g, %h : memref<8xi32, 2>, memref<8xi32, 2>) outs(%g : memref<8xi32, 2>)
          }
          %4 = air.channel.put async [%3] @c[%tx, %ty] (%g[] [] []) : (memref<8xi32, 2>)
          air.wait_all [%4]
        }
      }
      scf.for %i = %c0 to %c4 step %c1 {
        air.channel.get @c[%c0, %c0] (%n[%i, %c0] [%c1, %c8] [%c8, %c1]) : (memref<4x8xi32, 1>)
      }
      air.dma_memcpy_nd (%w[] [] [], %n[] [] []) : (memref<4x8xi32>, memref<4x8xi32, 1>)
    }
  }
  return
}

// -----

// Once each, in the same order at both ends: one channel. Another order at one end, another size: channels of their own.

// CHECK-LABEL: air.channel @one
// CHECK-NOT:   air.channel @two
// CHECK:       air.channel @turned
// CHECK:       air.channel @wide
air.channel @one [1, 1]
air.channel @two [1, 1]
air.channel @turned [1, 1]
air.channel @wide [1, 2]
func.func @g(%x: memref<8xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = air.channel.put async @one[%c0, %c0] (%x[] [] []) : (memref<8xi32, 1>)
  %1 = air.channel.put async @two[%c0, %c0] (%x[] [] []) : (memref<8xi32, 1>)
  %2 = air.channel.put async @turned[%c0, %c0] (%x[] [] []) : (memref<8xi32, 1>)
  %3 = air.channel.put async @wide[%c0, %c1] (%x[] [] []) : (memref<8xi32, 1>)
  air.herd @h tile (%tx, %ty) in (%sx=%c1, %sy=%c1) {
    %k = arith.constant 0 : index
    %n = arith.constant 1 : index
    %a = memref.alloc() : memref<8xi32, 2>
    %b = memref.alloc() : memref<8xi32, 2>
    %c = memref.alloc() : memref<8xi32, 2>
    %d = memref.alloc() : memref<8xi32, 2>
    %4 = air.channel.get async @turned[%k, %k] (%c[] [] []) : (memref<8xi32, 2>)
    %5 = air.channel.get async @one[%k, %k] (%a[] [] []) : (memref<8xi32, 2>)
    %6 = air.channel.get async @two[%k, %k] (%b[] [] []) : (memref<8xi32, 2>)
    %7 = air.channel.get async @wide[%k, %n] (%d[] [] []) : (memref<8xi32, 2>)
  }
  return
}
