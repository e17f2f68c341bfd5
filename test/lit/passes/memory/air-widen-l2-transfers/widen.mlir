// RUN: allo-opt --syntax=2026-03 %s --air-widen-l2-transfers --canonicalize --cse | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --air-widen-l2-transfers='channels=2' | filecheck %s --check-prefix=FULL

// What a column reads comes over both of its shim's channels, each with half of the rows. With no channel left, or where the
// transfers are in a loop, which only kernels of plan-tiles have for good, all stays as it is; and where there are few launches.

// CHECK:       air.channel @channel_0 [4, 1] {keep = "it"}
// CHECK-NOT:   air.channel @in
// CHECK-LABEL: func.func @rows
// CHECK:       air.channel.put async @channel_0[%c0{{.*}}, %c0{{.*}}] (%[[A:.*]][%c0{{.*}}, %c0{{.*}}] [%c2{{.*}}, %c256{{.*}}] [%c256{{.*}}, %c1{{.*}}]) {id = 1 : i32}
// CHECK:       air.channel.put async @channel_0[%c1{{.*}}, %c0{{.*}}] (%[[A]][%c2{{.*}}, %c0{{.*}}] [%c2{{.*}}, %c256{{.*}}] [%c256{{.*}}, %c1{{.*}}])
// CHECK:       air.channel.put async @channel_0[%c2{{.*}}, %c0{{.*}}] (%[[A]][%c4{{.*}}, %c0{{.*}}] [%c2{{.*}}, %c256{{.*}}] [%c256{{.*}}, %c1{{.*}}])
// CHECK:       air.channel.put async @channel_0[%c3{{.*}}, %c0{{.*}}] (%[[A]][%c6{{.*}}, %c0{{.*}}] [%c2{{.*}}, %c256{{.*}}] [%c256{{.*}}, %c1{{.*}}])
// CHECK:       air.segment
// CHECK-COUNT-4: memref.alloc() : memref<2x256xf32, 1>
// CHECK:       air.channel.put async {{.*}} @out[%c1{{.*}}, %c1{{.*}}] (%{{.*}}[] [] []) : (memref<2x256xf32, 1>)
// CHECK-LABEL: func.func @looped
// CHECK:       memref.alloc() : memref<4x256xf32, 1>

// RUN: sed 's/constant 64 : index/constant 2 : index/' %s | allo-opt --syntax=2026-03 --air-widen-l2-transfers | filecheck %s --check-prefix=FULL

// FULL:        air.channel @in [2, 1] {keep = "it"}
// FULL:        air.channel.put async @in[%c1{{.*}}, %c0{{.*}}]

module {
  air.channel @in [2, 1] {keep = "it"}
  air.channel @out [2, 2]
  air.channel @again []
  air.channel @on [2]
  func.func @rows(%x: memref<8x256xf32>) {
    %one = arith.constant 64 : index
    %0 = air.launch async (%i) in (%n=%one) args(%y=%x) : memref<8x256xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c256 = arith.constant 256 : index
      %1 = air.channel.put async @in[%c0, %c0] (%y[%c0, %c0] [%c4, %c256] [%c256, %c1]) {id = 1 : i32} : (memref<8x256xf32>)
      %2 = air.channel.put async @in[%c1, %c0] (%y[%c4, %c0] [%c4, %c256] [%c256, %c1]) {id = 2 : i32} : (memref<8x256xf32>)
      %3 = air.segment @s async {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %d2 = arith.constant 2 : index
        %d256 = arith.constant 256 : index
        %t, %m = air.execute -> (memref<4x256xf32, 1>) {
          %alloc = memref.alloc() : memref<4x256xf32, 1>
          air.execute_terminator %alloc : memref<4x256xf32, 1>
        }
        %u, %n1 = air.execute -> (memref<4x256xf32, 1>) {
          %alloc = memref.alloc() : memref<4x256xf32, 1>
          air.execute_terminator %alloc : memref<4x256xf32, 1>
        }
        %g = air.channel.get async [%t] @in[%d0, %d0] (%m[] [] []) {id = 3 : i32} : (memref<4x256xf32, 1>)
        %h = air.channel.get async [%u] @in[%d1, %d0] (%n1[] [] []) {id = 4 : i32} : (memref<4x256xf32, 1>)
        %p0 = air.channel.put async [%g] @out[%d0, %d0] (%m[%d0, %d0] [%d2, %d256] [%d256, %d1]) : (memref<4x256xf32, 1>)
        %p1 = air.channel.put async [%g] @out[%d0, %d1] (%m[%d2, %d0] [%d2, %d256] [%d256, %d1]) : (memref<4x256xf32, 1>)
        %p2 = air.channel.put async [%h] @out[%d1, %d0] (%n1[%d0, %d0] [%d2, %d256] [%d256, %d1]) : (memref<4x256xf32, 1>)
        %p3 = air.channel.put async [%h] @out[%d1, %d1] (%n1[%d2, %d0] [%d2, %d256] [%d256, %d1]) : (memref<4x256xf32, 1>)
        %h4 = air.herd @herd async tile (%a, %b) in (%c=%d2, %d=%d2) {
          %l = memref.alloc() : memref<2x256xf32, 2>
          air.channel.get @out[%a, %b] (%l[] [] []) : (memref<2x256xf32, 2>)
          memref.dealloc %l : memref<2x256xf32, 2>
        }
        %w = air.wait_all async [%p0, %p1, %p2, %p3, %h4]
        %f = air.execute [%w] {
          memref.dealloc %m : memref<4x256xf32, 1>
        }
        %f2 = air.execute [%w] {
          memref.dealloc %n1 : memref<4x256xf32, 1>
        }
      }
    }
    return
  }
  func.func @looped(%x: memref<8x256xf32>) {
    %one = arith.constant 1 : index
    %0 = air.launch async (%i) in (%n=%one) args(%y=%x) : memref<8x256xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c256 = arith.constant 256 : index
      scf.for %k = %c0 to %c8 step %c4 {
        air.channel.put @again[] (%y[%k, %c0] [%c4, %c256] [%c256, %c1]) : (memref<8x256xf32>)
      }
      air.segment @s {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %d2 = arith.constant 2 : index
        %d256 = arith.constant 256 : index
        scf.for %k = %d0 to %d2 step %d1 {
          %m = memref.alloc() : memref<4x256xf32, 1>
          air.channel.get @again[] (%m[] [] []) : (memref<4x256xf32, 1>)
          air.channel.put @on[%d0] (%m[%d0, %d0] [%d2, %d256] [%d256, %d1]) : (memref<4x256xf32, 1>)
          air.channel.put @on[%d1] (%m[%d2, %d0] [%d2, %d256] [%d256, %d1]) : (memref<4x256xf32, 1>)
          memref.dealloc %m : memref<4x256xf32, 1>
        }
        air.herd @herd tile (%a, %b) in (%c=%d2, %d=%d1) {
          %e0 = arith.constant 0 : index
          %e1 = arith.constant 1 : index
          %e2 = arith.constant 2 : index
          scf.for %k = %e0 to %e2 step %e1 {
            %l = memref.alloc() : memref<2x256xf32, 2>
            air.channel.get @on[%a] (%l[] [] []) : (memref<2x256xf32, 2>)
            memref.dealloc %l : memref<2x256xf32, 2>
          }
        }
      }
    }
    return
  }
}
