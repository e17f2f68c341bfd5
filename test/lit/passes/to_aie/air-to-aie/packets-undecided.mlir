// RUN: allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0' --split-input-file --verify-diagnostics

// Loops of their own may run one after another, and the core takes turns.
air.channel @a [] {channel_type = "npu_dma_packet"}
air.channel @b [] {channel_type = "npu_dma_packet"}
air.channel @c [] {channel_type = "npu_dma_packet"}
func.func @f(%A: memref<64xi32>, %B: memref<64xi32>, %C: memref<64xi32>) {
  air.launch () in () args(%x=%A, %y=%B, %z=%C) : memref<64xi32>, memref<64xi32>, memref<64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    air.channel.put @a[] (%x[] [] []) : (memref<64xi32>)
    scf.for %l = %c0 to %c4 step %c1 {
      air.channel.put @b[] (%y[] [] []) : (memref<64xi32>)
    }
    scf.for %l = %c0 to %c4 step %c1 {
      air.channel.put @c[] (%z[] [] []) : (memref<64xi32>)
    }
    air.segment @seg {
      %s1 = arith.constant 1 : index
      air.herd @herd tile (%i, %j) in (%m = %s1, %n = %s1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %la = memref.alloc() : memref<64xi32, 2>
        %lb = memref.alloc() : memref<64xi32, 2>
        %lc = memref.alloc() : memref<64xi32, 2>
        air.channel.get @a[] (%la[] [] []) : (memref<64xi32, 2>)
        // expected-warning@below {{shares an S2MM DMA channel of core (0, 2) with @b, @c; it is unknown whether}}
        air.channel.get @b[] (%lb[] [] []) : (memref<64xi32, 2>)
        air.channel.get @c[] (%lc[] [] []) : (memref<64xi32, 2>)
      }
    }
  }
  return
}

// -----

// A destination that the core chooses is a header that it writes.
air.channel @deal [1, 1] {broadcast_shape = [2, 1], channel_type = "npu_dma_packet", packet_ids = [1, 2]}
func.func @dest() {
  air.launch () in () {
    air.segment @seg {
      %s1 = arith.constant 1 : index
      air.herd @herd tile (%i, %j) in (%m = %s1, %n = %s1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %c0 = arith.constant 0 : index
        %la = memref.alloc() : memref<64xi32, 2>
        // expected-error@below {{chooses its destination at run time; run air-annotate-packet-ids}}
        air.channel.put @deal[%c0, %c0] (%la[] [] []) dest(%i) : (memref<64xi32, 2>)
      }
    }
  }
  return
}
