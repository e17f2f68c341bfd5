// RUN: allo-opt %s --split-input-file --pad-overhanging-blocks --canonicalize | filecheck %s

// Four blocks of 32 reach 128 elements; rows get longer, and so do the strides.
// CHECK-LABEL: func.func @over
// CHECK-SAME:    (%{{.*}}: memref<128x64xf32>)
// CHECK-SAME:    allo_air.host_shapes = [array<i64: 100, 40>]
// CHECK:         air.launch {{.*}} : memref<128x64xf32> {
// CHECK:           air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[%{{.*}}, %{{.*}}] [32, 32] [64, 1])
// CHECK-SAME:        memref<128x64xf32>
func.func @over(%x: memref<100x40xf32>) {
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  air.launch (%i, %j) in (%m = %c4, %n = %c2) args(%a = %x) : memref<100x40xf32> attributes {air.actual_sizes = array<i64: 100, 40>} {
    air.segment @s args(%k = %i, %l = %j, %b = %a) : index, index, memref<100x40xf32> {
      %c32 = arith.constant 32 : index
      %c40 = arith.constant 40 : index
      %c1 = arith.constant 1 : index
      %o = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%k]
      %p = arith.muli %l, %c32 : index
      %t = memref.alloc() : memref<32x32xf32, 1>
      air.dma_memcpy_nd (%t[] [] [], %b[%o, %p] [%c32, %c32] [%c40, %c1]) : (memref<32x32xf32, 1>, memref<100x40xf32>)
      memref.dealloc %t : memref<32x32xf32, 1>
    }
  }
  return
}

// -----

// What is inside stays, and so does what moves as a whole.
// CHECK-LABEL: func.func @inside
// CHECK-SAME:    (%{{.*}}: memref<128xf32>) {
func.func @inside(%x: memref<128xf32>) {
  %c4 = arith.constant 4 : index
  air.launch (%i) in (%m = %c4) args(%a = %x) : memref<128xf32> {
    air.segment @s args(%k = %i, %b = %a) : index, memref<128xf32> {
      %c32 = arith.constant 32 : index
      %c1 = arith.constant 1 : index
      %o = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%k]
      %t = memref.alloc() : memref<32xf32, 1>
      air.dma_memcpy_nd (%t[] [] [], %b[%o] [%c32] [%c1]) : (memref<32xf32, 1>, memref<128xf32>)
      memref.dealloc %t : memref<32xf32, 1>
    }
  }
  return
}

// -----

// An array that is also read otherwise stays: where its elements lie must not change.
// CHECK-LABEL: func.func @otherwise
// CHECK-SAME:    (%{{.*}}: memref<100xf32>) {
func.func @otherwise(%x: memref<100xf32>) {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %first = memref.load %x[%c0] : memref<100xf32>
  air.launch (%i) in (%m = %c4) args(%a = %x) : memref<100xf32> {
    air.segment @s args(%k = %i, %b = %a) : index, memref<100xf32> {
      %c32 = arith.constant 32 : index
      %c1 = arith.constant 1 : index
      %o = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%k]
      %t = memref.alloc() : memref<32xf32, 1>
      air.dma_memcpy_nd (%t[] [] [], %b[%o] [%c32] [%c1]) : (memref<32xf32, 1>, memref<100xf32>)
      memref.dealloc %t : memref<32xf32, 1>
    }
  }
  return
}

// Of two arrays of one type that are handed on side by side, the second is padded.

// CHECK-LABEL: func.func @beside(
// CHECK-SAME:    %{{.*}}: memref<8xf32>, %{{.*}}: memref<12xf32>)
// CHECK:         air.launch {{.*}} : memref<8xf32>, memref<12xf32>
func.func @beside(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c2 = arith.constant 2 : index
  air.launch (%i) in (%n = %c2) args(%a = %x, %b = %y) : memref<8xf32>, memref<8xf32> {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %p = affine.apply affine_map<()[s0] -> (s0 * 4)>()[%i]
    %m = memref.alloc() : memref<8xf32, 1>
    air.dma_memcpy_nd (%m[%p] [%c4] [%c1], %a[%p] [%c4] [%c1]) : (memref<8xf32, 1>, memref<8xf32>)
    air.dma_memcpy_nd (%b[%p] [%c8] [%c1], %m[] [] []) : (memref<8xf32>, memref<8xf32, 1>)
    memref.dealloc %m : memref<8xf32, 1>
  }
  return
}

// An access at a constant place after the start is not a block of several: that it leaves the array stays visible.
// CHECK-LABEL: func.func @beyond
// CHECK-SAME:    (%{{.*}}: memref<64xf32>) {
func.func @beyond(%x: memref<64xf32>) {
  air.launch () in () args(%a = %x) : memref<64xf32> {
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c1 = arith.constant 1 : index
    %t = memref.alloc() : memref<64xf32, 1>
    air.dma_memcpy_nd (%t[] [] [], %a[%c32] [%c64] [%c1]) : (memref<64xf32, 1>, memref<64xf32>)
    memref.dealloc %t : memref<64xf32, 1>
  }
  return
}

// -----

// One transfer at a place of its own is not a block, also where casts compute the place; nor are blocks that begin outside.
// CHECK-LABEL: func.func @placed
// CHECK-SAME:    (%{{.*}}: memref<64xf32>, %{{.*}}: memref<64xf32>, %{{.*}}: memref<64xf32>) {
func.func @placed(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>) {
  %c2 = arith.constant 2 : index
  %n = arith.constant 56 : i32
  air.launch (%i) in (%m = %c2) args(%a = %x, %b = %y, %c = %z, %k = %n) : memref<64xf32>, memref<64xf32>, memref<64xf32>, i32 {
    %c16 = arith.constant 16 : index
    %c56 = arith.constant 56 : index
    %c100 = arith.constant 100 : index
    %c1 = arith.constant 1 : index
    %o = arith.index_cast %k : i32 to index
    %p = arith.addi %i, %c100 : index
    air.channel.put @c[] (%a[%o] [%c16] [%c1]) : (memref<64xf32>)
    air.channel.put @d[] (%b[%p] [%c16] [%c1]) : (memref<64xf32>)
    air.channel.put @e[] (%c[%c56] [%c16] [%c1]) : (memref<64xf32>)
  }
  return
}
air.channel @c [1]
air.channel @d [1]
air.channel @e [1]

// -----

// A stride of 2 for blocks that are 64 apart: the second iteration begins behind the array's end. Nothing is padded.
// CHECK-LABEL: func.func @behind
// CHECK-SAME:    memref<256xf32>
func.func @behind(%x: memref<256xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n=%c1) args(%a=%x) : memref<256xf32> {
    air.segment @s args(%p=%a) : memref<256xf32> {
      %c1_0 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      air.herd @h tile (%tx, %ty) in (%sx=%c1_0, %sy=%c2) args(%q=%p) : memref<256xf32> {
        %c0 = arith.constant 0 : index
        %c128 = arith.constant 128 : index
        %c256 = arith.constant 256 : index
        %b = memref.alloc() : memref<64xf32, 2>
        scf.for %k = %c0 to %c256 step %c128 {
          %o = affine.apply affine_map<()[s0, s1] -> (s0 + s1 * 64)>()[%k, %ty]
          air.dma_memcpy_nd (%b[] [] [], %q[%o] [64] [2]) : (memref<64xf32, 2>, memref<256xf32>)
        }
      }
    }
  }
  return
}

// -----

// The blocks of the last two of four cores are all padding.
// CHECK-LABEL: func.func @cores
// CHECK-SAME:    memref<128xf32>
func.func @cores(%x: memref<40xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n=%c1) args(%a=%x) : memref<40xf32> {
    air.segment @s args(%p=%a) : memref<40xf32> {
      %c1_0 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      air.herd @h tile (%tx, %ty) in (%sx=%c4, %sy=%c1_0) args(%q=%p) : memref<40xf32> {
        %c32 = arith.constant 32 : index
        %b = memref.alloc() : memref<32xf32, 2>
        %o = arith.muli %tx, %c32 : index
        air.dma_memcpy_nd (%b[] [] [], %q[%o] [32] [1]) : (memref<32xf32, 2>, memref<40xf32>)
      }
    }
  }
  return
}
