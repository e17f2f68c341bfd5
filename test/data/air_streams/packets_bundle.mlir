// A bundle of packets: the host's puts say which header, each by its place in the bundle.
air.channel @a [1, 2] {channel_type = "npu_dma_packet"}
air.channel @o [1, 2]
func.func @f(%A: memref<128xi32>, %O: memref<128xi32>) {
  air.launch () in () args(%x=%A, %w=%O) : memref<128xi32>, memref<128xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    air.channel.put @a[%c0, %c0] (%x[%c0] [%c64] [%c1]) : (memref<128xi32>)
    air.channel.put @a[%c0, %c1] (%x[%c64] [%c64] [%c1]) : (memref<128xi32>)
    air.channel.get @o[%c0, %c0] (%w[%c0] [%c64] [%c1]) : (memref<128xi32>)
    air.channel.get @o[%c0, %c1] (%w[%c64] [%c64] [%c1]) : (memref<128xi32>)
    air.segment @seg {
      %s1 = arith.constant 1 : index
      %s2 = arith.constant 2 : index
      air.herd @herd tile (%i, %j) in (%m = %s1, %n = %s2) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %l = memref.alloc() : memref<64xi32, 2>
        air.channel.get @a[%i, %j] (%l[] [] []) : (memref<64xi32, 2>)
        air.channel.put @o[%i, %j] (%l[] [] []) : (memref<64xi32, 2>)
      }
    }
  }
  return
}
