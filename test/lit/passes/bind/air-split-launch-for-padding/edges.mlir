// RUN: allo-opt %s --air-split-launch-for-padding | filecheck %s
// RUN: allo-opt %s --air-split-launch-for-padding=pad-location=source | filecheck %s --check-prefix=SOURCE

// 40 rows in blocks of 32, and 20 columns in blocks of 16: four launches with segments and channels of their own.

// CHECK-DAG: air.channel @a_interior []
// CHECK-DAG: air.channel @a_m_boundary []
// CHECK-DAG: air.channel @a_n_boundary []
// CHECK-DAG: air.channel @a_corner []
// CHECK-NOT: air.channel @a []
// CHECK-LABEL: func.func @f

// CHECK: air.launch (%{{.*}}, %{{.*}}) in (%{{.*}}=%c1{{.*}}, %{{.*}}=%c1
// CHECK-NOT: air.actual_sizes
// CHECK: air.channel.put @a_interior[] (%{{.*}}[%{{.*}}, 0] [32, 8] [8, 1])
// CHECK: air.segment @s_interior
// CHECK-NOT: pad_after
// CHECK: air.launch
// Eight rows are inside. The memtile adds 8 to those of the first core, and all but one to the second's.
// CHECK: air.channel.put @a_m_boundary[] (%{{.*}}[%{{.*}}, 0] [8, 8] [8, 1])
// CHECK: air.channel.put @b_m_boundary[] (%{{.*}}[0, %{{.*}}] [8, 16] [20, 1])
// CHECK: air.segment @s_m_boundary
// CHECK: air.channel.get @a_m_boundary[] (%{{.*}}[%c0{{[_0-9]*}}, %c0{{[_0-9]*}}] [%c8{{[_0-9]*}}, %c8{{[_0-9]*}}] [%c8{{[_0-9]*}}, %c1{{[_0-9]*}}])
// CHECK: air.channel.put @a1_m_boundary{{.*}}(%{{.*}}[0, 0] [8, 8] [8, 1]) {pad_after = array<i32: 8, 0>, pad_before = array<i32: 0, 0>}
// CHECK: air.channel.put @a1_m_boundary{{.*}}(%{{.*}}[0, 0] [1, 8] [8, 1]) {pad_after = array<i32: 15, 0>, pad_before = array<i32: 0, 0>}
// CHECK: air.channel.put @b1_m_boundary{{.*}}(%{{.*}}[] [] [])
// CHECK: air.launch
// CHECK: air.channel.put @b_n_boundary[] (%{{.*}}[0, %{{.*}}] [8, 4] [20, 1])
// CHECK: air.channel.get @b_n_boundary[] (%{{.*}}[%c0{{[_0-9]*}}, %c0{{[_0-9]*}}] [%c8{{[_0-9]*}}, %c4{{[_0-9]*}}] [%c16{{[_0-9]*}}, %c1{{[_0-9]*}}])
// CHECK: air.channel.put @b1_n_boundary{{.*}}(%{{.*}}[%c0{{[_0-9]*}}, %c0{{[_0-9]*}}] [%c8{{[_0-9]*}}, %c4{{[_0-9]*}}] [%c16{{[_0-9]*}}, %c1{{[_0-9]*}}]) {pad_after = array<i32: 0, 12>
// CHECK: air.launch
// CHECK: air.segment @s_corner

// SOURCE: air.channel.put @a_m_boundary[] (%{{.*}}[%{{.*}}, 0] [8, 8] [8, 1]) {pad_after = array<i32: 24, 0>
air.channel @a []
air.channel @b []
air.channel @a1 [2, 1]
air.channel @b1 [1, 1] {broadcast_shape = [2, 1]}
func.func @f(%x: memref<40x8xi32>, %y: memref<8x20xi32>) {
  %c2 = arith.constant 2 : index
  air.launch (%i, %j) in (%m=%c2, %n=%c2) args(%a=%x, %b=%y) : memref<40x8xi32>, memref<8x20xi32> attributes {air.actual_sizes = array<i64: 40, 20, 1>} {
    %c32 = arith.constant 32 : index
    %c16 = arith.constant 16 : index
    %r = arith.muli %i, %c32 : index
    %c = arith.muli %j, %c16 : index
    air.channel.put @a[] (%a[%r, 0] [32, 8] [8, 1]) : (memref<40x8xi32>)
    air.channel.put @b[] (%b[0, %c] [8, 16] [20, 1]) : (memref<8x20xi32>)
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %d2 = arith.constant 2 : index
      %l = memref.alloc() : memref<32x8xi32, 1>
      %k = memref.alloc() : memref<8x16xi32, 1>
      air.channel.get @a[] (%l[] [] []) : (memref<32x8xi32, 1>)
      air.channel.get @b[] (%k[] [] []) : (memref<8x16xi32, 1>)
      air.channel.put @a1[%c0, %c0] (%l[0] [128] [1]) : (memref<32x8xi32, 1>)
      air.channel.put @a1[%c1, %c0] (%l[128] [128] [1]) : (memref<32x8xi32, 1>)
      air.channel.put @b1[%c0, %c0] (%k[] [] []) : (memref<8x16xi32, 1>)
      air.herd @h tile (%p, %q) in (%u=%d2, %v=%c1) {
        %t = memref.alloc() : memref<16x8xi32, 2>
        %w = memref.alloc() : memref<8x16xi32, 2>
        air.channel.get @a1[%p, %q] (%t[] [] []) : (memref<16x8xi32, 2>)
        air.channel.get @b1[%p, %q] (%w[] [] []) : (memref<8x16xi32, 2>)
        memref.dealloc %w : memref<8x16xi32, 2>
        memref.dealloc %t : memref<16x8xi32, 2>
      }
    }
  }
  return
}
