// RUN: allo-opt --syntax=2026-03 %s --air-to-aie='use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0 emit-while-loop=true' | filecheck %s

// What a herd is passed at run time is in a buffer of its core, which the core reads in each of its rounds once the host let it go.
// CHECK: %[[LOCK:.*]] = aie.lock({{.*}}) {init = 0 : i32, sym_name = "__air_herd_lock_0_2"}
// CHECK: %[[RTP:.*]] = aie.buffer({{.*}}) {address = 65504 : i32, sym_name = "__air_herd_rtp_0_2"} : memref<2xi32, 2>
// CHECK: aie.core
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[C1:.*]] = arith.constant 1 : index
// CHECK: ^bb1:
// CHECK-NEXT: aie.use_lock(%[[LOCK]], AcquireGreaterEqual, 1)
// CHECK-NEXT: %[[V:.*]] = memref.load %[[RTP]][%[[C0]]]
// CHECK-NEXT: %[[I:.*]] = arith.index_cast %[[V]] : i32 to index
// CHECK-NEXT: %[[W:.*]] = memref.load %[[RTP]][%[[C1]]]
// CHECK-NEXT: %[[N:.*]] = arith.trunci %[[W]] : i32 to i16
// CHECK: memref.store %[[N]], %{{.*}}[%[[I]]]
// CHECK: air.herd @h {{.*}} attributes {air.runtime_parameters
air.channel @out [1, 1]
func.func @f(%b: memref<8xi16>, %n: i16) {
  %c4 = arith.constant 4 : index
  air.launch (%l) in (%s=%c4) args(%y=%b, %m=%n) : memref<8xi16>, i16 {
    %c0 = arith.constant 0 : index
    air.channel.get @out[%c0, %c0] (%y[] [] []) : (memref<8xi16>)
    air.segment @seg args(%i=%l, %k=%m) : index, i16 {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%sx=%c1, %sy=%c1) args(%at=%i, %v=%k) : index, i16 attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %o = memref.alloc() : memref<8xi16, 2>
        memref.store %v, %o[%at] : memref<8xi16, 2>
        air.channel.put @out[%tx, %ty] (%o[] [] []) : (memref<8xi16, 2>)
        memref.dealloc %o : memref<8xi16, 2>
      }
    }
  }
  return
}
