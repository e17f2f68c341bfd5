// A core deals its packets out to two others by the header that it writes.
air.channel @in []
air.channel @deal [1, 1] {broadcast_shape = [2, 1], channel_type = "npu_dma_packet", packet_ids = [7, 9], air.src_writes_pkt_header}
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
        %h7 = arith.constant 7 : i32
        %h9 = arith.constant 9 : i32
        %l = memref.alloc() : memref<64xi32, 2>
        %s = memref.alloc() : memref<65xi32, 2>
        scf.for %r = %0 to %2 step %1 {
          air.channel.get @in[] (%l[] [] []) : (memref<64xi32, 2>)
          %first = arith.cmpi eq, %r, %0 : index
          %h = arith.select %first, %h7, %h9 : i32
          memref.store %h, %s[%0] : memref<65xi32, 2>
          scf.for %k = %0 to %64 step %1 {
            %v = memref.load %l[%k] : memref<64xi32, 2>
            %k1 = arith.addi %k, %1 : index
            memref.store %v, %s[%k1] : memref<65xi32, 2>
          }
          air.channel.put @deal[%0, %0] (%s[] [] []) : (memref<65xi32, 2>)
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
