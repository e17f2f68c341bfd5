// A core chooses the destination of each packet, whose first word becomes the header.
air.channel @in []
air.channel @deal [1, 1] {broadcast_shape = [2, 1], channel_type = "npu_dma_packet", keep_pkt_header}
air.channel @out [2, 1]
func.func @f(%x: memref<128xi32>, %p: memref<128xi32>) {
  air.launch () in () args(%x0=%x, %p0=%p) : memref<128xi32>, memref<128xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    air.channel.put @in[] (%x0[] [] []) : (memref<128xi32>)
    air.channel.get @out[%c0, %c0] (%p0[%c0] [%c64] [%c1]) : (memref<128xi32>)
    air.channel.get @out[%c1, %c0] (%p0[%c64] [%c64] [%c1]) : (memref<128xi32>)
    air.segment @seg {
      %s1 = arith.constant 1 : index
      %s2 = arith.constant 2 : index
      air.herd @source tile (%i, %j) in (%m = %s1, %n = %s1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %0 = arith.constant 0 : index
        %1 = arith.constant 1 : index
        %2 = arith.constant 2 : index
        %64 = arith.constant 64 : index
        %l = memref.alloc() : memref<64xi32, 2>
        %s = memref.alloc() : memref<64xi32, 2>
        scf.for %r = %0 to %2 step %1 {
          air.channel.get @in[] (%l[] [] []) : (memref<64xi32, 2>)
          scf.for %k = %0 to %64 step %1 {
            %v = memref.load %l[%k] : memref<64xi32, 2>
            memref.store %v, %s[%k] : memref<64xi32, 2>
          }
          air.channel.put @deal[%0, %0] (%s[] [] []) dest(%r) : (memref<64xi32, 2>)
        }
      }
      air.herd @sinks tile (%i, %j) in (%m = %s2, %n = %s1) attributes {x_loc = 1 : i64, y_loc = 2 : i64} {
        %0 = arith.constant 0 : index
        %l = memref.alloc() : memref<64xi32, 2>
        air.channel.get @deal[%i, %0] (%l[] [] []) : (memref<64xi32, 2>)
        air.channel.put @out[%i, %0] (%l[] [] []) : (memref<64xi32, 2>)
      }
    }
  }
  return
}
