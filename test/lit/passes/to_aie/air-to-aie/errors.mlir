// RUN: allo-opt %s --split-input-file --verify-diagnostics --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0 emit-while-loop=true'

func.func @dma_form() {
  air.segment @s {
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : memref<8xi32, 1>
    air.herd @h tile (%i, %j) in (%m = %c1, %n = %c1) args(%x = %a) : memref<8xi32, 1> {
      %b = memref.alloc() : memref<8xi32, 2>
      %yes = arith.constant true
      scf.if %yes {
        // expected-error@+1 {{'air.dma_memcpy_nd' op copies from or to L2 inside scf.if; run air-dma-to-channel before air-to-aie}}
        air.dma_memcpy_nd (%b[] [] [], %x[] [] []) : (memref<8xi32, 2>, memref<8xi32, 1>)
      }
    }
  }
  return
}

// -----

func.func @dma_address() {
  air.segment @s {
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : memref<8xi32, 1>
    air.herd @h tile (%i, %j) in (%m = %c1, %n = %c1) args(%x = %a) : memref<8xi32, 1> {
      %b = memref.alloc() : memref<8xindex, 2>
      %at = memref.load %b[%i] : memref<8xindex, 2>
      %4 = arith.constant 4 : index
      %1 = arith.constant 1 : index
      // expected-error@+1 {{'air.dma_memcpy_nd' op has an address in L2 that depends on data; compute it from ids and loop counters}}
      air.dma_memcpy_nd (%x[%at] [%4] [%1], %b[] [] []) : (memref<8xi32, 1>, memref<8xindex, 2>)
    }
  }
  return
}

// -----

func.func @outside() {
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  // expected-error@+1 {{'air.herd' op of size (1, 5) at column 0, row 2 needs a core at (0, 6); npu1 has cores in columns 0 to 3, rows 2 to 5}}
  air.herd @h tile (%i, %j) in (%m = %c1, %n = %c5) {
  }
  return
}

// -----

func.func @memory() {
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{core (0, 2): 71,680 bytes of buffers exceed 64,512 bytes (65,536 less a stack of 1,024); the largest are memref<16384xi32, 2> with 65,536 bytes, memref<1536xi32, 2> with 6,144 bytes; use smaller tiles, more cores or fewer buffers}}
  air.herd @h tile (%i, %j) in (%m = %c1, %n = %c1) {
    %a = memref.alloc() : memref<16384xi32, 2>
    %b = memref.alloc() : memref<1536xi32, 2>
  }
  return
}

// -----

air.channel @in [3] {air.dedicated_dma_channel}
func.func @channels(%a: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.channel.put @in[%c0] (%a[] [] []) : (memref<8xi32>)
  air.channel.put @in[%c1] (%a[] [] []) : (memref<8xi32>)
  air.channel.put @in[%c2] (%a[] [] []) : (memref<8xi32>)
  // expected-error@+1 {{core (0, 2) needs 3 S2MM DMA channels and has 2; the streams of the tile are '@in'[0], '@in'[1], '@in'[2]}}
  air.herd @h tile (%i, %j) in (%m = %c1, %n = %c1) {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %b = memref.alloc() : memref<8xi32, 2>
    air.channel.get @in[%k0] (%b[] [] []) : (memref<8xi32, 2>)
    air.channel.get @in[%k1] (%b[] [] []) : (memref<8xi32, 2>)
    air.channel.get @in[%k2] (%b[] [] []) : (memref<8xi32, 2>)
  }
  return
}

// -----

air.channel @in [9]
func.func @shims(%a: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  scf.parallel (%i) = (%c0) to (%c9) step (%c1) {
    air.channel.put @in[%i] (%a[] [] []) : (memref<8xi32>)
  }
  air.herd @h tile (%i, %j) in (%m = %c3, %n = %c3) {
    %k3 = arith.constant 3 : index
    %r = arith.muli %i, %k3 : index
    %t = arith.addi %r, %j : index
    %b = memref.alloc() : memref<8xi32, 2>
    // expected-error@+1 {{finds no shim DMA channel for '@in'[8]: 9 streams need MM2S (from external memory), npu1 has 8}}
    air.channel.get @in[%t] (%b[] [] []) : (memref<8xi32, 2>)
  }
  return
}

// -----

air.channel @in []
func.func @nobody_puts() {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%i, %j) in (%m = %c1, %n = %c1) {
    %b = memref.alloc() : memref<8xi32, 2>
    // expected-error@+1 {{gets from '@in'[], which nothing puts into}}
    air.channel.get @in[] (%b[] [] []) : (memref<8xi32, 2>)
  }
  return
}

// -----

air.channel @in []
func.func @no_broadcast(%a: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.channel.put @in[] (%a[] [] []) : (memref<8xi32>)
  air.herd @h tile (%i, %j) in (%m = %c1, %n = %c2) {
    %b = memref.alloc() : memref<8xi32, 2>
    // expected-error@+1 {{which 2 tiles get from ((0, 2), (0, 3)); give the channel a broadcast_shape}}
    air.channel.get @in[] (%b[] [] []) : (memref<8xi32, 2>)
  }
  return
}

// -----

air.channel @in []
func.func @dynamic_offset(%a: memref<8xi32>, %n: index) {
  %c1 = arith.constant 1 : index
  air.channel.put @in[] (%a[] [] []) : (memref<8xi32>)
  air.herd @h tile (%i, %j) in (%m = %c1, %q = %c1) args(%x = %n) : index {
    %k1 = arith.constant 1 : index
    %k4 = arith.constant 4 : index
    %b = memref.alloc() : memref<8xi32, 2>
    // expected-error@+1 {{has offsets that are not constant; the BDs of a core are fixed when the device is configured}}
    air.channel.get @in[] (%b[%x] [%k4] [%k1]) : (memref<8xi32, 2>)
  }
  return
}

// -----

func.func @runtime_parameter(%n: f32) {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%i, %j) in (%m = %c1, %q = %c1) args(%x = %n) : f32 {
    %k0 = arith.constant 0 : index
    %b = memref.alloc() : memref<8xf32, 2>
    // expected-error@+1 {{uses argument #4 (f32) of the herd, which is passed at run time; a herd is passed integers of up to 32 bits}}
    memref.store %x, %b[%k0] : memref<8xf32, 2>
  }
  return
}

// -----

air.channel @in []
func.func @narrow(%a: memref<8xi8>) {
  %c1 = arith.constant 1 : index
  air.channel.put @in[] (%a[] [] []) : (memref<8xi8>)
  air.herd @h tile (%i, %j) in (%m = %c1, %q = %c1) {
    %k0 = arith.constant 0 : index
    %k2 = arith.constant 2 : index
    %k4 = arith.constant 4 : index
    %b = memref.alloc() : memref<16xi8, 2>
    // expected-error@+1 {{cannot be done by this tile's DMA: it walks elements of 8 bits with an innermost stride of 2; the DMA moves 32-bit words}}
    air.channel.get @in[] (%b[%k0] [%k4] [%k2]) : (memref<16xi8, 2>)
  }
  return
}

// -----

air.channel @in []
func.func @bounds(%a: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  air.channel.put @in[] (%a[] [] []) : (memref<8xi32>)
  air.herd @h tile (%i, %j) in (%m = %c1, %q = %c1) {
    %k1 = arith.constant 1 : index
    %k8 = arith.constant 8 : index
    %b = memref.alloc() : memref<8xi32, 2>
    // expected-error@+1 {{it visits elements 1 to 8 of a buffer of 8}}
    air.channel.get @in[] (%b[%k1] [%k8] [%k1]) : (memref<8xi32, 2>)
  }
  return
}

// -----

air.channel @in []
air.channel @out []
func.func @l2_too_large(%a: memref<8xi32>) {
  air.channel.put @in[] (%a[] [] []) : (memref<8xi32>)
  air.segment @s {
    // expected-error@+1 {{finds no memtile for 1 buffer with shared DMA channels, of 524,292 bytes, 1 S2MM and 0 MM2S channels; a memtile has 524,288 bytes, 6 and 6}}
    %b = memref.alloc() : memref<131073xi32, 1>
    air.channel.get @in[] (%b[] [] []) : (memref<131073xi32, 1>)
  }
  return
}

// -----

air.channel @in []
func.func @condition(%a: memref<8xi32>, %p: i1) {
  %c1 = arith.constant 1 : index
  air.channel.put @in[] (%a[] [] []) : (memref<8xi32>)
  air.herd @h tile (%i, %j) in (%m = %c1, %q = %c1) args(%x = %p) : i1 {
    %b = memref.alloc() : memref<8xi32, 2>
    // expected-error@+1 {{decides in a core on a value that is not known at compile time; decide which value is sent, and send it either way}}
    scf.if %x {
      air.channel.get @in[] (%b[] [] []) : (memref<8xi32, 2>)
    }
  }
  return
}

// -----

func.func @same_name() {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%i, %j) in (%m = %c1, %n = %c1) {
  }
  // expected-error@+1 {{is called '@h' like another that becomes a device; devices need names of their own}}
  air.herd @h tile (%i, %j) in (%m = %c1, %n = %c1) {
  }
  return
}

// -----

func.func @compute_in_segment() {
  air.segment @s {
    %b = memref.alloc() : memref<8xi32, 1>
    %z = arith.constant 0 : i32
    // expected-error@+1 {{works on memory inside a segment, where no core is; move it into a herd, or make it a transfer}}
    linalg.fill ins(%z : i32) outs(%b : memref<8xi32, 1>)
  }
  return
}

// -----

air.channel @in []
func.func @bds(%a: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  air.channel.put @in[] (%a[] [] []) : (memref<8xi32>)
  // expected-error@+1 {{core (0, 2) needs 17 BDs and has 16; 17 for '@in'[]}}
  air.herd @h tile (%i, %j) in (%m = %c1, %q = %c1) {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k17 = arith.constant 17 : index
    %b = memref.alloc() : memref<17xi32, 2>
    scf.for %t = %k0 to %k17 step %k1 {
      air.channel.get @in[] (%b[%t] [%k1] [%k1]) : (memref<17xi32, 2>)
      %v = memref.load %b[%t] : memref<17xi32, 2>
      memref.store %v, %b[%k0] : memref<17xi32, 2>
    }
  }
  return
}

// -----

air.channel @c [] {channel_type = "cascade"}
#left = affine_set<()[s0] : (s0 == 0)>
func.func @cascade_up() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd @h tile (%i, %j) in (%m = %c1, %n = %c2) {
    %a = memref.alloc() : memref<16xi32, 2>
    affine.if #left()[%j] {
      // expected-error@+1 {{cascades from core (0, 2) to core (0, 3); a cascade goes to the south or the east neighbour}}
      air.channel.put @c[] (%a[] [] []) : (memref<16xi32, 2>)
    } else {
      air.channel.get @c[] (%a[] [] []) : (memref<16xi32, 2>)
    }
  }
  return
}

// -----

func.func @chosen(%p: i1) {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%i, %j) in (%m = %c1, %n = %c1) {
    %k0 = arith.constant 0 : index
    %a = memref.alloc() : memref<16xi1, 2>
    %b = memref.alloc() : memref<16xi1, 2>
    %q = memref.load %a[%k0] : memref<16xi1, 2>
    %c = arith.select %q, %a, %b : memref<16xi1, 2>
    // expected-error@+1 {{works on a memref that air-to-aie cannot trace to one buffer}}
    memref.store %q, %c[%k0] : memref<16xi1, 2>
  }
  return
}

// -----

air.channel @c []
air.channel @other []
func.func @nobody(%a: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  air.channel.put @c[] (%a[] [] []) : (memref<8xi32>)
  // expected-error@below {{uses @other, and no segment or herd has a get from it}}
  air.channel.put @other[] (%a[] [] []) : (memref<8xi32>)
  air.herd @h tile (%i, %j) in (%m = %c1, %n = %c1) {
    %l = memref.alloc() : memref<8xi32, 2>
    air.channel.get @c[] (%l[] [] []) : (memref<8xi32, 2>)
  }
  return
}

// -----

air.channel @into [1, 1]
func.func @sent(%a: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  air.channel.put @into[] (%a[] [] []) : (memref<8xi32>)
  air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c1) {
    %k0 = arith.constant 0 : index
    %most = arith.constant 9 : i32
    %row = memref.alloc() : memref<8xi32, 2>
    // expected-error@+1 {{decides in a core on a value that is not known at compile time}}
    scf.while : () -> () {
      %v = memref.load %row[%k0] : memref<8xi32, 2>
      %go = arith.cmpi slt, %v, %most : i32
      scf.condition(%go)
    } do {
      air.channel.get @into[] (%row[] [] []) : (memref<8xi32, 2>)
      scf.yield
    }
  }
  return
}

// -----

func.func @back_and_forth() {
  air.segment @seg {
    %c1 = arith.constant 1 : index
    %l2 = memref.alloc() : memref<8xi32, 1>
    air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c1) args(%b = %l2) : memref<8xi32, 1> {
      %l = memref.alloc() : memref<8xi32, 2>
      // expected-error@+1 {{writes a buffer in L2 that its herd also reads; their order would be lost: run air-dma-to-channel before air-to-aie}}
      air.dma_memcpy_nd (%b[] [] [], %l[] [] []) : (memref<8xi32, 1>, memref<8xi32, 2>)
      air.dma_memcpy_nd (%l[] [] [], %b[] [] []) : (memref<8xi32, 2>, memref<8xi32, 1>)
    }
  }
  return
}
