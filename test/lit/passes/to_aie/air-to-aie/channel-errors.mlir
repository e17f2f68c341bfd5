// RUN: allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0' --split-input-file --verify-diagnostics

// What takes turns on a channel of a core comes in the pieces that the core takes.
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
      air.channel.put @a[] (%x[] [] []) : (memref<256xi32>)
      air.channel.put @b[] (%y[] [] []) : (memref<256xi32>)
      air.channel.put @c[] (%z[] [] []) : (memref<256xi32>)
      air.channel.get @o[] (%w[] [] []) : (memref<256xi32>)
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
        // expected-error@below {{shares an S2MM DMA channel of core (0, 2) with others: the core receives 64 elements of @b, 64 elements of @c in turn, but the host sends 256 of @b, 256 of @c in turn}}
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

// -----

// A core has two channels of each direction.
// expected-error@below {{air.tile_dma_channel 5 is out of range [0, 2)}}
air.channel @a [] {air.tile_dma_channel = 5 : i32}
func.func @f(%A: memref<64xi32>) {
  air.launch () in () args(%x=%A) : memref<64xi32> {
    air.channel.put @a[] (%x[] [] []) : (memref<64xi32>)
    air.segment @seg {
      %c1 = arith.constant 1 : index
      air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %la = memref.alloc() : memref<64xi32, 2>
        air.channel.get @a[] (%la[] [] []) : (memref<64xi32, 2>)
      }
    }
  }
  return
}

// -----

air.channel @a [] {air.shim_col = 99 : i32}
func.func @f(%A: memref<64xi32>) {
  air.launch () in () args(%x=%A) : memref<64xi32> {
    air.channel.put @a[] (%x[] [] []) : (memref<64xi32>)
    air.segment @seg {
      %c1 = arith.constant 1 : index
      air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %la = memref.alloc() : memref<64xi32, 2>
        // expected-error@below {{air.shim_col column 99 is out of range [0, 4)}}
        air.channel.get @a[] (%la[] [] []) : (memref<64xi32, 2>)
      }
    }
  }
  return
}

// -----

// Two circuits cannot share a channel.
air.channel @a [] {air.tile_dma_channel = 1 : i32}
// expected-error@below {{asks for air.tile_dma_channel 1, and so does '@a'[] on the same tile; only packet channels}}
air.channel @b [] {air.tile_dma_channel = 1 : i32}
func.func @f(%A: memref<64xi32>) {
  air.launch () in () args(%x=%A) : memref<64xi32> {
    air.channel.put @a[] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @b[] (%x[] [] []) : (memref<64xi32>)
    air.segment @seg {
      %c1 = arith.constant 1 : index
      air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %la = memref.alloc() : memref<64xi32, 2>
        air.channel.get @a[] (%la[] [] []) : (memref<64xi32, 2>)
        air.channel.get @b[] (%la[] [] []) : (memref<64xi32, 2>)
      }
    }
  }
  return
}

// -----

// A shim has two channels of each direction.
air.channel @a [3] {air.shim_col = 1 : i32}
func.func @f(%A: memref<64xi32>) {
  air.launch () in () args(%x=%A) : memref<64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    air.channel.put @a[%c0] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @a[%c1] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @a[%c2] (%x[] [] []) : (memref<64xi32>)
    air.segment @seg {
      %s1 = arith.constant 1 : index
      %s3 = arith.constant 3 : index
      air.herd @herd tile (%i, %j) in (%m = %s1, %n = %s3) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %la = memref.alloc() : memref<64xi32, 2>
        // expected-error@below {{air.shim_col column 1 has no free MM2S (from external memory) channel for '@a'[2]}}
        air.channel.get @a[%j] (%la[] [] []) : (memref<64xi32, 2>)
      }
    }
  }
  return
}

// -----

// Channels of one buffer ask for memtile channels that there are.
// expected-error@below {{air.memtile_dma_channel_min 6 is out of range [0, 6)}}
air.channel @a [] {air.memtile_dma_channel_min = 6 : i32}
func.func @f(%A: memref<64xi32>) {
  air.launch () in () args(%x=%A) : memref<64xi32> {
    air.channel.put @a[] (%x[] [] []) : (memref<64xi32>)
    air.segment @seg {
      %l2 = memref.alloc() : memref<64xi32, 1>
      air.channel.get @a[] (%l2[] [] []) : (memref<64xi32, 1>)
    }
  }
  return
}
