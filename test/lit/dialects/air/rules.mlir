// RUN: allo-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{'air.channel' op bundle rank should match broadcast_shape rank}}
air.channel @c [1, 1] {broadcast_shape = [1]}

// -----

// expected-error@+1 {{'air.channel' op unsupported channel_type}}
air.channel @c [1] {channel_type = "carrier"}

// -----

func.func @sizes_and_strides(%a: memref<64xi32>, %b: memref<64xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  // expected-error@+1 {{'air.dma_memcpy_nd' op expects src sizes and src strides of the same length, found 2 and 1}}
  air.dma_memcpy_nd (%b[] [] [], %a[%c0, %c0] [%c8, %c8] [%c8]) : (memref<64xi32, 2>, memref<64xi32>)
  return
}

// -----

func.func @memories(%a: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x) in (%s=%c1) args(%m=%a) : memref<64xi32> {
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{must allocate in L1 (memory space 2)}}
    %0 = memref.alloc() : memref<8xi32>
    // expected-error@+1 {{AIE core tiles can only access L1}}
    %1 = memref.load %m[%c0] : memref<64xi32>
  }
  return
}

// -----

// A herd inside is checked once; a segment inside has its own memories.
func.func @inside_a_herd(%a: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x) in (%s=%c1) args(%m=%a) : memref<64xi32> {
    %c2 = arith.constant 1 : index
    air.herd tile (%y) in (%t=%c2) args(%n=%m) : memref<64xi32> {
      %c0 = arith.constant 0 : index
      // expected-error@+1 {{AIE core tiles can only access L1}}
      %1 = memref.load %n[%c0] : memref<64xi32>
    }
    // expected-warning@+1 {{is nested inside}}
    air.segment args(%n=%m) : memref<64xi32> {
      %c0 = arith.constant 0 : index
      %1 = memref.load %n[%c0] : memref<64xi32>
    }
  }
  return
}
