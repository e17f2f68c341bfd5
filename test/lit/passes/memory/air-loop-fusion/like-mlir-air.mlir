// RUN: allo-opt --syntax=2026-03 %s --air-loop-fusion --split-input-file | filecheck %s

// The fused loop allocates last buffers first; transfers wait for their buffer, deallocations for all its transfers.

air.channel @in [2]
air.channel @out [2]

// CHECK-LABEL: func.func @two
// CHECK:       scf.for {{.*}} iter_args(%[[C:.*]] = %{{.*}})
// CHECK:         %[[TB:.*]], %[[B:.*]] = air.execute -> (memref<8xf32, 1>)
// CHECK:         %[[TA:.*]], %[[A:.*]] = air.execute -> (memref<4x8xf32, 1>)
// CHECK:         %[[GA:.*]] = air.channel.get async [%[[TA]], %[[C]]] @in[%{{.*}}] (%[[A]][
// CHECK:         %[[GB:.*]] = air.channel.get async [%[[TB]], %[[C]]] @in[%{{.*}}] (%[[B]][
// CHECK:         %[[PA:.*]] = air.channel.put async [%[[TA]], %[[GA]]] @out[%{{.*}}] (%[[A]][
// CHECK:         %[[PB:.*]] = air.channel.put async [%[[TB]], %[[GB]]] @out[%{{.*}}] (%[[B]][
// CHECK:         air.execute [%[[PA]], %[[GA]]] {
// CHECK-NEXT:      memref.dealloc %[[A]]
// CHECK:         air.execute [%[[PB]], %[[GB]]] {
// CHECK-NEXT:      memref.dealloc %[[B]]
func.func @two() {
  %one = arith.constant 1 : index
  %0 = air.launch async (%i) in (%n=%one) {
    %1 = air.segment @s async {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c32 = arith.constant 32 : index
      %ta, %a = air.execute -> (memref<4x32xf32, 1>) {
        %alloc = memref.alloc() : memref<4x32xf32, 1>
        air.execute_terminator %alloc : memref<4x32xf32, 1>
      }
      %tb, %b = air.execute -> (memref<32xf32, 1>) {
        %alloc = memref.alloc() : memref<32xf32, 1>
        air.execute_terminator %alloc : memref<32xf32, 1>
      }
      %2 = scf.for %k = %c0 to %c32 step %c8 iter_args(%t = %ta) -> (!air.async.token) {
        %6 = air.channel.get async [%t] @in[%c0] (%a[%c0, %k] [%c4, %c8] [%c32, %c1]) : (memref<4x32xf32, 1>)
        scf.yield %6 : !air.async.token
      }
      %3 = scf.for %k = %c0 to %c32 step %c8 iter_args(%t = %tb) -> (!air.async.token) {
        %6 = air.channel.get async [%t] @in[%c1] (%b[%k] [%c8] [%c1]) : (memref<32xf32, 1>)
        scf.yield %6 : !air.async.token
      }
      %4 = scf.for %k = %c0 to %c32 step %c8 iter_args(%t = %2) -> (!air.async.token) {
        %6 = air.channel.put async [%t] @out[%c0] (%a[%c0, %k] [%c4, %c8] [%c32, %c1]) : (memref<4x32xf32, 1>)
        scf.yield %6 : !air.async.token
      }
      %5 = scf.for %k = %c0 to %c32 step %c8 iter_args(%t = %3) -> (!air.async.token) {
        %6 = air.channel.put async [%t] @out[%c1] (%b[%k] [%c8] [%c1]) : (memref<32xf32, 1>)
        scf.yield %6 : !air.async.token
      }
      %da = air.execute [%4] {
        memref.dealloc %a : memref<4x32xf32, 1>
      }
      %db = air.execute [%5] {
        memref.dealloc %b : memref<32xf32, 1>
      }
    }
  }
  return
}

// -----

// An L1 buffer that a herd takes shrinks to what a core uses of it.

// CHECK-LABEL: func.func @herd
// CHECK: memref.alloc() : memref<8xf32, 2>
// CHECK: air.herd {{.*}} args({{.*}}) : memref<8xf32, 2>
// CHECK: memref.subview %{{.*}}[0] [8] [1] : memref<8xf32, 2>
#map = affine_map<()[s0] -> (s0 * 8)>
func.func @herd(%v: f32) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  air.segment @s args(%w=%v) : f32 {
    %c1_0 = arith.constant 1 : index
    %c4_0 = arith.constant 4 : index
    %m = memref.alloc() : memref<32xf32, 2>
    air.herd @h tile (%x, %y) in (%sx=%c1_0, %sy=%c4_0) args(%n=%m, %u=%w) : memref<32xf32, 2>, f32 {
      %o = affine.apply #map()[%y]
      %s = memref.subview %n[%o] [8] [1] : memref<32xf32, 2> to memref<8xf32, strided<[1], offset: ?>, 2>
      linalg.fill ins(%u : f32) outs(%s : memref<8xf32, strided<[1], offset: ?>, 2>)
    }
    memref.dealloc %m : memref<32xf32, 2>
  }
  return
}
