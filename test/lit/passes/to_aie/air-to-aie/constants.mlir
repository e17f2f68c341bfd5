// RUN: allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0' | filecheck %s

// A constant comes over no stream: it is in the buffer from the start, in the buffer's shape. Its put and get go.

// CHECK-LABEL: aie.device(npu1) @seg
// CHECK: aie.buffer(%tile_0_2) {sym_name = "buf2"} : memref<2x4xi32, 2> = dense<{{\[\[}}1, 2, 3, 4], [5, 6, 7, 8]]>
// CHECK: aie.buffer(%tile_0_2) {sym_name = "buf1"} : memref<2x4xi32, 2>
// CHECK-NOT: S2MM, 1
// CHECK: aie.flow(%shim_noc_tile_0_0, DMA : 0, %tile_0_2, DMA : 0)
// CHECK-NEXT: aie.flow(%tile_0_2, DMA : 0, %shim_noc_tile_0_0, DMA : 0)
// CHECK-NOT: allocation @air_c
// CHECK: func.func @f
// CHECK-NOT: air.channel.put{{.*}} @c[
memref.global "private" @w : memref<8xi32> = dense<[1, 2, 3, 4, 5, 6, 7, 8]>
air.channel @c [] {channel_type = "npu_mmio"}
air.channel @i []
air.channel @o []
func.func @f(%A: memref<8xi32>, %O: memref<8xi32>) {
  air.launch () in () args(%x=%A, %w=%O) : memref<8xi32>, memref<8xi32> {
    %g = memref.get_global @w : memref<8xi32>
    air.channel.put @c[] (%g[] [] []) : (memref<8xi32>)
    air.channel.put @i[] (%x[] [] []) : (memref<8xi32>)
    air.segment @seg {
      %c1 = arith.constant 1 : index
      air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %0 = arith.constant 0 : index
        %1 = arith.constant 1 : index
        %2 = arith.constant 2 : index
        %4 = arith.constant 4 : index
        %la = memref.alloc() : memref<2x4xi32, 2>
        %lb = memref.alloc() : memref<2x4xi32, 2>
        %lo = memref.alloc() : memref<2x4xi32, 2>
        air.channel.get @c[] (%la[] [] []) : (memref<2x4xi32, 2>)
        air.channel.get @i[] (%lb[] [] []) : (memref<2x4xi32, 2>)
        scf.for %k = %0 to %2 step %1 {
          scf.for %l = %0 to %4 step %1 {
            %p = memref.load %la[%k, %l] : memref<2x4xi32, 2>
            %q = memref.load %lb[%k, %l] : memref<2x4xi32, 2>
            %s = arith.muli %p, %q : i32
            memref.store %s, %lo[%k, %l] : memref<2x4xi32, 2>
          }
        }
        air.channel.put @o[] (%lo[] [] []) : (memref<2x4xi32, 2>)
      }
    }
    air.channel.get @o[] (%w[] [] []) : (memref<8xi32>)
  }
  return
}
