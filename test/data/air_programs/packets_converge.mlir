// Two cores send packets to one channel of the host's: what comes first is open, and alike.
air.channel @in [1, 1] {broadcast_shape = [1, 2]}
air.channel @back [] {channel_type = "npu_dma_packet"}
func.func @f(%a: memref<64xi32>, %b: memref<128xi32>) {
  air.launch () in () args(%x=%a, %y=%b) : memref<64xi32>, memref<128xi32> {
    %c0 = arith.constant 0 : index
    air.channel.put @in[%c0, %c0] (%x[] [] []) : (memref<64xi32>)
    air.channel.get @back[] (%y[] [] []) : (memref<128xi32>)
    air.segment @seg {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c2) {
        %h0 = arith.constant 0 : index
        %l1 = memref.alloc() : memref<64xi32, 2>
        air.channel.get @in[%h0, %j] (%l1[] [] []) : (memref<64xi32, 2>)
        air.channel.put @back[] (%l1[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %l1 : memref<64xi32, 2>
      }
    }
  }
  return
}
