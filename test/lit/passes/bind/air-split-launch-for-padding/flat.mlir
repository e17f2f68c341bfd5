// RUN: allo-opt %s --air-split-launch-for-padding --canonicalize | filecheck %s

// Arrays without a rank, walked by flat offsets: 2048 is the 32 rows of a block times the 64 elements of a row. The rows of the
// last block that are inside are 8, and what is read of the other array's last block are 10 of 16 columns.

// CHECK-LABEL: func.func @f
// CHECK: air.channel.put @a_interior[] (%{{.*}}[0, %{{.*}}] [32, 64] [64, 1]) : (memref<*xi32>)
// CHECK: air.channel.put @b_interior[] (%{{.*}}[0, %{{.*}}] [64, 16] [26, 1]) : (memref<*xi32>)
// CHECK: air.channel.put @a_m_boundary[] (%{{.*}}[32, 0] [8, 64] [64, 1]) : (memref<*xi32>)
// CHECK: air.channel.get @a_m_boundary[] (%{{.*}}[0, 0] [8, 64] [64, 1])
// CHECK: air.channel.put @b_n_boundary[] (%{{.*}}[0, 16] [64, 10] [26, 1]) : (memref<*xi32>)
// CHECK: air.channel.get @b_n_boundary[] (%{{.*}}[0, 0] [64, 10] [16, 1])
air.channel @a [1, 1]
air.channel @b [1, 1]
func.func @f(%x: memref<*xi32>, %y: memref<*xi32>) {
  %c2 = arith.constant 2 : index
  air.launch (%i, %j) in (%m=%c2, %n=%c2) args(%p=%x, %q=%y) : memref<*xi32>, memref<*xi32> attributes {air.actual_sizes = array<i64: 40, 26, 1>} {
    %r = affine.apply affine_map<()[s0] -> (s0 * 2048)>()[%i]
    %c = affine.apply affine_map<()[s0] -> (s0 * 16)>()[%j]
    air.channel.put @a[] (%p[0, %r] [32, 64] [64, 1]) : (memref<*xi32>)
    air.channel.put @b[] (%q[0, %c] [64, 16] [26, 1]) : (memref<*xi32>)
    air.segment @s {
      %l = memref.alloc() : memref<32x64xi32, 1>
      %k = memref.alloc() : memref<64x16xi32, 1>
      air.channel.get @a[] (%l[] [] []) : (memref<32x64xi32, 1>)
      air.channel.get @b[] (%k[] [] []) : (memref<64x16xi32, 1>)
      memref.dealloc %l : memref<32x64xi32, 1>
      memref.dealloc %k : memref<64x16xi32, 1>
    }
  }
  return
}
