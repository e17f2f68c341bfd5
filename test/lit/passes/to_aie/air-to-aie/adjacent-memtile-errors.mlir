// RUN: allo-opt %s --split-input-file --verify-diagnostics --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0'

// Four channels of a memtile in each direction reach those beside it.

air.channel @in [2, 1]
air.channel @out [5, 1]
func.func @f(%a: memref<32xi32>, %b: memref<160xi32>) {
  air.launch () in () args(%x = %a, %y = %b) : memref<32xi32>, memref<160xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c96 = arith.constant 96 : index
    %c128 = arith.constant 128 : index
    air.channel.put @in[%c0, %c0] (%x[%c0] [%c16] [%c1]) : (memref<32xi32>)
    air.channel.put @in[%c1, %c0] (%x[%c16] [%c16] [%c1]) : (memref<32xi32>)
    air.channel.get @out[%c0, %c0] (%y[%c0] [%c32] [%c1]) : (memref<160xi32>)
    air.channel.get @out[%c1, %c0] (%y[%c32] [%c32] [%c1]) : (memref<160xi32>)
    air.channel.get @out[%c2, %c0] (%y[%c64] [%c32] [%c1]) : (memref<160xi32>)
    air.channel.get @out[%c3, %c0] (%y[%c96] [%c32] [%c1]) : (memref<160xi32>)
    air.channel.get @out[%c4, %c0] (%y[%c128] [%c32] [%c1]) : (memref<160xi32>)
    air.segment @seg {
      %s0 = arith.constant 0 : index
      %s1 = arith.constant 1 : index
      %s2 = arith.constant 2 : index
      %s3 = arith.constant 3 : index
      %s4 = arith.constant 4 : index
      %ping = memref.alloc() : memref<16xi32, 1>
      %pong = memref.alloc() {allo.adjacent_memtile} : memref<16xi32, 1>
      air.channel.get @in[%s0, %s0] (%ping[] [] []) : (memref<16xi32, 1>)
      air.channel.get @in[%s1, %s0] (%pong[] [] []) : (memref<16xi32, 1>)
      air.channel.put @out[%s0, %s0] (%ping[] [] []) : (memref<16xi32, 1>)
      air.channel.put @out[%s0, %s0] (%pong[] [] []) : (memref<16xi32, 1>)
      air.channel.put @out[%s1, %s0] (%ping[] [] []) : (memref<16xi32, 1>)
      air.channel.put @out[%s1, %s0] (%pong[] [] []) : (memref<16xi32, 1>)
      air.channel.put @out[%s2, %s0] (%ping[] [] []) : (memref<16xi32, 1>)
      air.channel.put @out[%s2, %s0] (%pong[] [] []) : (memref<16xi32, 1>)
      air.channel.put @out[%s3, %s0] (%ping[] [] []) : (memref<16xi32, 1>)
      air.channel.put @out[%s3, %s0] (%pong[] [] []) : (memref<16xi32, 1>)
      // expected-error@+1 {{is on one of 5 channels of memtile (0,1) that access buffers of an adjacent one (allo.adjacent_memtile), which 4 in each direction can; let fewer channels read them}}
      air.channel.put @out[%s4, %s0] (%ping[] [] []) : (memref<16xi32, 1>)
      air.channel.put @out[%s4, %s0] (%pong[] [] []) : (memref<16xi32, 1>)
    }
  }
  return
}

// -----

air.channel @in [2, 1]
air.channel @out []
func.func @no_room_beside(%a: memref<131073xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  air.channel.put @in[%c0, %c0] (%a[] [] []) : (memref<131073xi32>)
  air.channel.put @in[%c1, %c0] (%a[] [] []) : (memref<131073xi32>)
  air.segment @s {
    %s0 = arith.constant 0 : index
    %s1 = arith.constant 1 : index
    // expected-error@+1 {{of 64 bytes, 1 S2MM and 1 MM2S channels, with an adjacent memtile that has room for 1 more (allo.adjacent_memtile), 524,292 bytes, 1 S2MM and 0 MM2S channels; a memtile has 524,288 bytes, 6 and 6}}
    %ping = memref.alloc() : memref<16xi32, 1>
    %pong = memref.alloc() {allo.adjacent_memtile} : memref<131073xi32, 1>
    air.channel.get @in[%s0, %s0] (%ping[] [] []) : (memref<16xi32, 1>)
    air.channel.get @in[%s1, %s0] (%pong[] [] []) : (memref<131073xi32, 1>)
    air.channel.put @out[] (%ping[] [] []) : (memref<16xi32, 1>)
    air.channel.put @out[] (%pong[] [] []) : (memref<131073xi32, 1>)
  }
  return
}

// -----

// A buffer is beside one other: streams that read it read buffers of one group.

air.channel @in [3, 1]
air.channel @out [2, 1]
func.func @beside_two(%a: memref<48xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.channel.put @in[%c0, %c0] (%a[] [] []) : (memref<48xi32>)
  air.channel.put @in[%c1, %c0] (%a[] [] []) : (memref<48xi32>)
  air.channel.put @in[%c2, %c0] (%a[] [] []) : (memref<48xi32>)
  air.segment @s {
    %s0 = arith.constant 0 : index
    %s1 = arith.constant 1 : index
    %s2 = arith.constant 2 : index
    %one = memref.alloc() : memref<48xi32, 1>
    %other = memref.alloc() : memref<48xi32, 1>
    // expected-error@+1 {{is read by streams of several groups of buffers, each with a memtile of its own, and cannot be adjacent to all (allo.adjacent_memtile)}}
    %beside = memref.alloc() {allo.adjacent_memtile} : memref<48xi32, 1>
    air.channel.get @in[%s0, %s0] (%one[] [] []) : (memref<48xi32, 1>)
    air.channel.get @in[%s1, %s0] (%other[] [] []) : (memref<48xi32, 1>)
    air.channel.get @in[%s2, %s0] (%beside[] [] []) : (memref<48xi32, 1>)
    air.channel.put @out[%s0, %s0] (%one[] [] []) : (memref<48xi32, 1>)
    air.channel.put @out[%s0, %s0] (%beside[] [] []) : (memref<48xi32, 1>)
    air.channel.put @out[%s1, %s0] (%other[] [] []) : (memref<48xi32, 1>)
    air.channel.put @out[%s1, %s0] (%beside[] [] []) : (memref<48xi32, 1>)
  }
  return
}
