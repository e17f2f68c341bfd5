// RUN: allo-opt %s --air-widen-l2-transfers='channels=4' --canonicalize --cse | filecheck %s
// RUN: allo-opt %s --air-widen-l2-transfers='channels=3' --canonicalize --cse | filecheck %s --check-prefix=FULL

// Two columns read a matrix, which needs all four channels: the vector that all cores take, on a fifth, goes over the first of
// them, in front of the matrix at both ends. That channels of another kernel are to be fused does not matter.

// CHECK:       air.channel @channel_0 [4, 1]
// CHECK-NOT:   air.channel @vector
// CHECK-LABEL: func.func @rows
// CHECK:       %[[V:.*]] = air.channel.put async @channel_0[%c0{{.*}}, %c0{{.*}}] (%{{.*}}[] [] []) {id = 9 : i32} : (memref<256xf32>)
// CHECK:       air.channel.put async [%[[V]]] @channel_0[%c0{{.*}}, %c0{{.*}}] ({{.*}}) {id = 1 : i32} : (memref<256x256xf32>)
// CHECK:       air.segment
// CHECK:       %[[G:.*]] = air.channel.get async {{.*}}@channel_0[%c0{{.*}}, %c0{{.*}}] (%{{.*}}[] [] []) {id = 10 : i32} : (memref<256xf32, 1>)
// CHECK:       air.channel.get async [{{.*}}%[[G]]{{.*}}] @channel_0[%c0{{.*}}, %c0{{.*}}] ({{.*}}) {id = 3 : i32} : (memref<64x256xf32, 1>)

// FULL:        air.channel @vector []

module {
  air.channel @in [2, 1]
  air.channel @vector []
  air.channel @all [1, 1] {broadcast_shape = [2, 2]}
  air.channel @out [2, 2]
  air.channel @other [] {allo.fuse_group = 0 : i64}
  func.func private @beside(%x: memref<8xf32>) attributes {allo.kernel} {
    air.channel.put @other[] (%x[] [] []) : (memref<8xf32>)
    return
  }
  func.func @rows(%x: memref<256x256xf32>, %v: memref<256xf32>) attributes {allo.kernel, allo.plan = {family = "tiles", launch = array<i64: 256, 0>, core = array<i64: 64, 0>, cores = array<i64: 2, 2>, chosen = "herd 2x2"}} {
    %one = arith.constant 64 : index
    %0 = air.launch async (%i) in (%n=%one) args(%y=%x, %z=%v) : memref<256x256xf32>, memref<256xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c128 = arith.constant 128 : index
      %c256 = arith.constant 256 : index
      %1 = air.channel.put async @in[%c0, %c0] (%y[%c0, %c0] [%c128, %c256] [%c256, %c1]) {id = 1 : i32} : (memref<256x256xf32>)
      %2 = air.channel.put async @in[%c1, %c0] (%y[%c128, %c0] [%c128, %c256] [%c256, %c1]) {id = 2 : i32} : (memref<256x256xf32>)
      %6 = air.channel.put async @vector[] (%z[] [] []) {id = 9 : i32} : (memref<256xf32>)
      %3 = air.segment @s async {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %d2 = arith.constant 2 : index
        %d64 = arith.constant 64 : index
        %d256 = arith.constant 256 : index
        %t, %m = air.execute -> (memref<128x256xf32, 1>) {
          %alloc = memref.alloc() : memref<128x256xf32, 1>
          air.execute_terminator %alloc : memref<128x256xf32, 1>
        }
        %u, %n1 = air.execute -> (memref<128x256xf32, 1>) {
          %alloc = memref.alloc() : memref<128x256xf32, 1>
          air.execute_terminator %alloc : memref<128x256xf32, 1>
        }
        %r, %w1 = air.execute -> (memref<256xf32, 1>) {
          %alloc = memref.alloc() : memref<256xf32, 1>
          air.execute_terminator %alloc : memref<256xf32, 1>
        }
        %g = air.channel.get async [%t] @in[%d0, %d0] (%m[] [] []) {id = 3 : i32} : (memref<128x256xf32, 1>)
        %h = air.channel.get async [%u] @in[%d1, %d0] (%n1[] [] []) {id = 4 : i32} : (memref<128x256xf32, 1>)
        %q = air.channel.get async [%r] @vector[] (%w1[] [] []) {id = 10 : i32} : (memref<256xf32, 1>)
        %p0 = air.channel.put async [%g] @out[%d0, %d0] (%m[%d0, %d0] [%d64, %d256] [%d256, %d1]) : (memref<128x256xf32, 1>)
        %p1 = air.channel.put async [%g] @out[%d0, %d1] (%m[%d64, %d0] [%d64, %d256] [%d256, %d1]) : (memref<128x256xf32, 1>)
        %p2 = air.channel.put async [%h] @out[%d1, %d0] (%n1[%d0, %d0] [%d64, %d256] [%d256, %d1]) : (memref<128x256xf32, 1>)
        %p3 = air.channel.put async [%h] @out[%d1, %d1] (%n1[%d64, %d0] [%d64, %d256] [%d256, %d1]) : (memref<128x256xf32, 1>)
        %p4 = air.channel.put async [%q] @all[%d0, %d0] (%w1[] [] []) : (memref<256xf32, 1>)
        %h4 = air.herd @herd async tile (%a, %b) in (%c=%d2, %d=%d2) {
          %k = memref.alloc() : memref<256xf32, 2>
          %l = memref.alloc() : memref<64x256xf32, 2>
          air.channel.get @all[%a, %b] (%k[] [] []) : (memref<256xf32, 2>)
          air.channel.get @out[%a, %b] (%l[] [] []) : (memref<64x256xf32, 2>)
          memref.dealloc %l : memref<64x256xf32, 2>
          memref.dealloc %k : memref<256xf32, 2>
        }
        %w = air.wait_all async [%p0, %p1, %p2, %p3, %p4, %h4]
        %f = air.execute [%w] {
          memref.dealloc %m : memref<128x256xf32, 1>
        }
        %f2 = air.execute [%w] {
          memref.dealloc %n1 : memref<128x256xf32, 1>
        }
        %f3 = air.execute [%w] {
          memref.dealloc %w1 : memref<256xf32, 1>
        }
      }
    }
    return
  }
}
