// RUN: allo-opt --syntax=2026-03 %s --air-opt-shim-dma-bds=device=npu1 --canonicalize --verify-each=execute | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --air-opt-shim-dma-bds="device=npu1 shim-dma-tile-sizes=2,2" --canonicalize --cse --verify-each=execute | filecheck %s --check-prefix=TILED
// RUN: allo-opt --syntax=2026-03 %s --air-opt-shim-dma-bds="device=npu1 shim-dma-tile-sizes=1" --canonicalize --verify-each=execute | filecheck %s --check-prefix=ONES
// RUN: allo-opt --syntax=2026-03 %s --air-opt-shim-dma-bds="device=npu1 shim-dma-tile-sizes=3,0" --canonicalize --verify-each=execute | filecheck %s --check-prefix=DIVISOR

// The grid's loops become dimensions of the host's transfers, and one launch is left. With tile sizes each tile has transfers
// of its own, of the largest divisor of the grid's size, and a wait at its end; without, the function has one at its end, too.

// CHECK:       air.launch async () in () args({{.*}}) : {{.*}} attributes {dummyLaunch = true} {
// CHECK:         %[[P:.*]] = air.channel.put async {{.*}}@in[%c0] (%{{.*}}[%c0, %c0, %c0, %c0] [%c4, %c2, %c16, %c32] [%c1024, %c32, %c64, %c1])
// CHECK:         %[[G:.*]] = air.channel.get async {{.*}}@out[%c0] (%{{.*}}[%c0, %c0, %c0, %c0] [%c4, %c2, %c16, %c32] [%c1024, %c32, %c64, %c1])
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             air.segment @s async
// CHECK:         air.wait_all [%[[P]], %[[G]]] {air.launch_end}
// CHECK-NEXT:  }
// CHECK-NEXT:  air.wait_all [
// CHECK-NEXT:  air.wait_all {air.launch_end}
// CHECK-NOT:   air.launch_end
// TILED:         %[[P:.*]] = air.channel.put async {{.*}}@in[%c0] (%{{.*}}[%c0, %c0, %c0, %c0] [%c2, %c2, %c16, %c32] [%c1024, %c32, %c64, %c1])
// TILED:         %[[G:.*]] = air.channel.get async
// TILED:         air.wait_all [%[[P]], %[[G]]] {air.launch_end}
// TILED:         %[[Q:.*]] = air.channel.put async {{.*}}@in[%c0] (%{{.*}}[%c0, %c0, %c32, %c0] [%c2, %c2, %c16, %c32] [%c1024, %c32, %c64, %c1])
// TILED:         %[[H:.*]] = air.channel.get async
// TILED:         air.wait_all [%[[Q]], %[[H]]] {air.launch_end}
// TILED-NOT:     air.launch_end
// ONES-COUNT-8:  air.wait_all {{.*}} {air.launch_end}
// ONES-NOT:      air.launch_end
// DIVISOR-COUNT-2: air.wait_all {{.*}} {air.launch_end}
// DIVISOR-NOT:   air.launch_end

air.channel @in [1]
air.channel @out [1]
func.func @f(%a: memref<64x64xi32>, %b: memref<64x64xi32>) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %t = air.launch async (%i, %j) in (%n=%c4, %m=%c2) args(%x=%a, %y=%b) : memref<64x64xi32>, memref<64x64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %oi = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
    %oj = affine.apply affine_map<(d0) -> (d0 * 32)>(%j)
    %p = air.channel.put async @in[%c0] (%x[%oi, %oj] [%c16, %c32] [%c64, %c1]) : (memref<64x64xi32>)
    %q = air.channel.get async @out[%c0] (%y[%oi, %oj] [%c16, %c32] [%c64, %c1]) : (memref<64x64xi32>)
    %s = air.segment @s async {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %at, %av = air.execute -> (memref<16x32xi32, 1>) {
        %alloc = memref.alloc() : memref<16x32xi32, 1>
        air.execute_terminator %alloc : memref<16x32xi32, 1>
      }
      %g = air.channel.get async [%at] @in[%d0] (%av[] [] []) : (memref<16x32xi32, 1>)
      %u = air.channel.put async [%g] @out[%d0] (%av[] [] []) : (memref<16x32xi32, 1>)
      %f = air.execute [%u] {
        memref.dealloc %av : memref<16x32xi32, 1>
      }
    }
  }
  air.wait_all [%t]
  return
}
