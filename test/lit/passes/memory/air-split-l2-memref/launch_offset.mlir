// RUN: allo-opt --syntax=2026-03 %s --air-split-l2-memref | filecheck %s

// The parts' offsets in external memory are each one function of the launch's id, after that of the whole buffer. The second
// buffer is filled first; bundles have the order of the allocations.
// CHECK-DAG:   #[[FIRST:.*]] = affine_map<()[s0] -> (s0 * 128)>
// CHECK-DAG:   #[[SECOND:.*]] = affine_map<()[s0] -> (s0 * 128 + 32)>
// CHECK-LABEL: func.func @f
// CHECK:       air.launch (%[[I:.*]], %{{.*}}) in
// CHECK:         air.channel.put @channel_1[%c0{{.*}}, %c0{{.*}}]
// CHECK:         air.channel.put @channel_1[%c1{{.*}}, %c0{{.*}}]
// CHECK:         %[[X:.*]] = affine.apply #[[FIRST]]()[%[[I]]]
// CHECK-NEXT:    %[[Y:.*]] = affine.apply #[[SECOND]]()[%[[I]]]
// CHECK-NEXT:    air.channel.put @channel_0[%c0{{.*}}, %c0{{.*}}] (%{{.*}}[%[[X]], %c0{{.*}}] [%c32{{.*}}, %c64{{.*}}] [%c64{{.*}}, %c1{{.*}}])
// CHECK-NEXT:    air.channel.put @channel_0[%c1{{.*}}, %c0{{.*}}] (%{{.*}}[%[[Y]], %c0{{.*}}] [%c32{{.*}}, %c64{{.*}}] [%c64{{.*}}, %c1{{.*}}])

air.channel @in []
air.channel @other []
air.channel @a [2]
air.channel @b [2]
func.func @f(%x: memref<256x64xf32>) {
  %c2 = arith.constant 2 : index
  air.launch (%i, %j) in (%n=%c2, %m=%c2) args(%y=%x) : memref<256x64xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    air.channel.put @other[] (%y[%c0, %c0] [%c64, %c64] [%c64, %c1]) : (memref<256x64xf32>)
    %o = affine.apply affine_map<()[s0] -> (s0 * 128)>()[%i]
    air.channel.put @in[] (%y[%o, %c0] [%c64, %c64] [%c64, %c1]) : (memref<256x64xf32>)
    air.segment @s {
      %z = arith.constant 0 : index
      %one = arith.constant 1 : index
      %two = arith.constant 2 : index
      %four = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %w = arith.constant 64 : index
      %l2 = memref.alloc() : memref<64x64xf32, 1>
      %m2 = memref.alloc() : memref<64x64xf32, 1>
      air.channel.get @other[] (%m2[] [] []) : (memref<64x64xf32, 1>)
      air.channel.get @in[] (%l2[] [] []) : (memref<64x64xf32, 1>)
      air.channel.put @a[%z] (%l2[%z, %z] [%c32, %w] [%w, %one]) : (memref<64x64xf32, 1>)
      air.channel.put @a[%one] (%l2[%c32, %z] [%c32, %w] [%w, %one]) : (memref<64x64xf32, 1>)
      air.channel.put @b[%z] (%m2[%z, %z] [%c32, %w] [%w, %one]) : (memref<64x64xf32, 1>)
      air.channel.put @b[%one] (%m2[%c32, %z] [%c32, %w] [%w, %one]) : (memref<64x64xf32, 1>)
      air.herd @h tile (%p, %q) in (%r=%four, %t=%two) {
        %zero = arith.constant 0 : index
        %first = arith.cmpi eq, %p, %zero : index
        scf.if %first {
          %l1 = memref.alloc() : memref<32x64xf32, 2>
          air.channel.get @a[%q] (%l1[] [] []) : (memref<32x64xf32, 2>)
          air.channel.get @b[%q] (%l1[] [] []) : (memref<32x64xf32, 2>)
          memref.dealloc %l1 : memref<32x64xf32, 2>
        }
      }
      memref.dealloc %l2 : memref<64x64xf32, 1>
      memref.dealloc %m2 : memref<64x64xf32, 1>
    }
  }
  return
}
