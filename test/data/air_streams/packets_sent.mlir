// A core sends packets of three channels over two DMA channels.
air.channel @in []
air.channel @a [] {channel_type = "npu_dma_packet"}
air.channel @b [] {channel_type = "npu_dma_packet"}
air.channel @c [] {channel_type = "npu_dma_packet"}
func.func @f(%x: memref<64xi32>, %p: memref<64xi32>, %q: memref<64xi32>, %r: memref<64xi32>) {
  air.launch () in () args(%x0=%x, %p0=%p, %q0=%q, %r0=%r) : memref<64xi32>, memref<64xi32>, memref<64xi32>, memref<64xi32> {
    air.channel.put @in[] (%x0[] [] []) : (memref<64xi32>)
    air.channel.get @a[] (%p0[] [] []) : (memref<64xi32>)
    air.channel.get @b[] (%q0[] [] []) : (memref<64xi32>)
    air.channel.get @c[] (%r0[] [] []) : (memref<64xi32>)
    air.segment @seg {
      %c1 = arith.constant 1 : index
      air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %0 = arith.constant 0 : index
        %1 = arith.constant 1 : index
        %64 = arith.constant 64 : index
        %l = memref.alloc() : memref<64xi32, 2>
        %la = memref.alloc() : memref<64xi32, 2>
        %lb = memref.alloc() : memref<64xi32, 2>
        %lc = memref.alloc() : memref<64xi32, 2>
        air.channel.get @in[] (%l[] [] []) : (memref<64xi32, 2>)
        scf.for %k = %0 to %64 step %1 {
          %v = memref.load %l[%k] : memref<64xi32, 2>
          %d = arith.addi %v, %v : i32
          %t = arith.addi %d, %v : i32
          memref.store %v, %la[%k] : memref<64xi32, 2>
          memref.store %d, %lb[%k] : memref<64xi32, 2>
          memref.store %t, %lc[%k] : memref<64xi32, 2>
        }
        air.channel.put @a[] (%la[] [] []) : (memref<64xi32, 2>)
        air.channel.put @b[] (%lb[] [] []) : (memref<64xi32, 2>)
        air.channel.put @c[] (%lc[] [] []) : (memref<64xi32, 2>)
      }
    }
  }
  return
}
