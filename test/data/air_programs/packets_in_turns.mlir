// Three channels of packets into a core of two S2MM channels: two of them take turns, in a loop at both ends.
air.channel @a [] {channel_type = "npu_dma_packet"}
air.channel @b [] {channel_type = "npu_dma_packet"}
air.channel @c [] {channel_type = "npu_dma_packet"}
air.channel @o []
func.func @f(%A: memref<256xi32>, %B: memref<256xi32>, %C: memref<256xi32>, %O: memref<256xi32>) {
  air.launch () in () args(%x=%A, %y=%B, %z=%C, %w=%O) : memref<256xi32>, memref<256xi32>, memref<256xi32>, memref<256xi32> {
    %z0 = arith.constant 0 : index
    %z1 = arith.constant 1 : index
    %z4 = arith.constant 4 : index
    %z64 = arith.constant 64 : index
    scf.for %l = %z0 to %z4 step %z1 {
      %o = arith.muli %l, %z64 : index
      air.channel.put @a[] (%x[%o] [%z64] [%z1]) : (memref<256xi32>)
      air.channel.put @b[] (%y[%o] [%z64] [%z1]) : (memref<256xi32>)
      air.channel.put @c[] (%z[%o] [%z64] [%z1]) : (memref<256xi32>)
      air.channel.get @o[] (%w[%o] [%z64] [%z1]) : (memref<256xi32>)
    }
    air.segment @seg {
      %c1 = arith.constant 1 : index
      air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %0 = arith.constant 0 : index
        %1 = arith.constant 1 : index
        %64 = arith.constant 64 : index
        %la = memref.alloc() : memref<64xi32, 2>
        %lb = memref.alloc() : memref<64xi32, 2>
        %lc = memref.alloc() : memref<64xi32, 2>
        %lo = memref.alloc() : memref<64xi32, 2>
        %four = arith.constant 4 : index
        scf.for %rr = %0 to %four step %1 {
        air.channel.get @a[] (%la[] [] []) : (memref<64xi32, 2>)
        air.channel.get @b[] (%lb[] [] []) : (memref<64xi32, 2>)
        air.channel.get @c[] (%lc[] [] []) : (memref<64xi32, 2>)
        scf.for %k = %0 to %64 step %1 {
          %p = memref.load %la[%k] : memref<64xi32, 2>
          %q = memref.load %lb[%k] : memref<64xi32, 2>
          %r = memref.load %lc[%k] : memref<64xi32, 2>
          %s = arith.muli %p, %q : i32
          %t = arith.addi %s, %r : i32
          memref.store %t, %lo[%k] : memref<64xi32, 2>
        }
        air.channel.put @o[] (%lo[] [] []) : (memref<64xi32, 2>)
        }
      }
    }
  }
  return
}
