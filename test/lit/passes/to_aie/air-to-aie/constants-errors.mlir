// RUN: allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0' --split-input-file --verify-diagnostics

// What is written before the cores start must be known, and fill its buffer.

air.channel @c [] {channel_type = "npu_mmio"}
func.func @not_constant(%A: memref<8xi32>) {
  air.launch () in () args(%x=%A) : memref<8xi32> {
    // expected-error@below {{the put requires source memref defined by memref.get_global}}
    air.channel.put @c[] (%x[] [] []) : (memref<8xi32>)
    air.segment @seg {
      %c1 = arith.constant 1 : index
      air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %la = memref.alloc() : memref<8xi32, 2>
        air.channel.get @c[] (%la[] [] []) : (memref<8xi32, 2>)
      }
    }
  }
  return
}

// -----

memref.global "private" @w : memref<8xi32>
air.channel @c [] {channel_type = "npu_mmio"}
func.func @no_value() {
  air.launch () in () {
    %g = memref.get_global @w : memref<8xi32>
    // expected-error@below {{puts memref.global '@w' into a channel of type mmio, which has no value}}
    air.channel.put @c[] (%g[] [] []) : (memref<8xi32>)
    air.segment @seg {
    }
  }
  return
}

// -----

memref.global "private" @w : memref<8xi32> = dense<1>
air.channel @c [] {channel_type = "npu_mmio"}
func.func @no_get() {
  air.launch () in () {
    %g = memref.get_global @w : memref<8xi32>
    // expected-error@below {{puts into '@c'[] of type mmio, which nothing gets from}}
    air.channel.put @c[] (%g[] [] []) : (memref<8xi32>)
    air.segment @seg {
    }
  }
  return
}

// -----

air.channel @c [] {channel_type = "npu_mmio"}
func.func @no_put() {
  air.launch () in () {
    air.segment @seg {
      %c1 = arith.constant 1 : index
      air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %la = memref.alloc() : memref<8xi32, 2>
        // expected-error@below {{gets from '@c'[] of type mmio, which nothing is put into}}
        air.channel.get @c[] (%la[] [] []) : (memref<8xi32, 2>)
      }
    }
  }
  return
}

// -----

memref.global "private" @w : memref<8xi32> = dense<1>
air.channel @c [] {channel_type = "npu_mmio"}
func.func @smaller() {
  air.launch () in () {
    %g = memref.get_global @w : memref<8xi32>
    air.channel.put @c[] (%g[] [] []) : (memref<8xi32>)
    air.segment @seg {
      %c1 = arith.constant 1 : index
      air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %la = memref.alloc() : memref<4xi32, 2>
        // expected-error@below {{element type and number of elements of both must be equal}}
        air.channel.get @c[] (%la[] [] []) : (memref<4xi32, 2>)
      }
    }
  }
  return
}

// -----

memref.global "private" @w : memref<8xi32> = dense<1>
memref.global "private" @v : memref<8xi32> = dense<2>
air.channel @c [] {channel_type = "npu_mmio"}
air.channel @d [] {channel_type = "npu_mmio"}
func.func @two() {
  air.launch () in () {
    %g = memref.get_global @w : memref<8xi32>
    %h = memref.get_global @v : memref<8xi32>
    air.channel.put @c[] (%g[] [] []) : (memref<8xi32>)
    air.channel.put @d[] (%h[] [] []) : (memref<8xi32>)
    air.segment @seg {
      %c1 = arith.constant 1 : index
      air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %la = memref.alloc() : memref<8xi32, 2>
        air.channel.get @c[] (%la[] [] []) : (memref<8xi32, 2>)
        // expected-error@below {{is the second source of a buffer that has the constant of '@c' already}}
        air.channel.get @d[] (%la[] [] []) : (memref<8xi32, 2>)
      }
    }
  }
  return
}
