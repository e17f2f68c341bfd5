// RUN: allo-opt %s --split-input-file --air-check-locality --verify-diagnostics

// Two cores write the same elements.
func.func @cores(%l3: memref<64xi32>) {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c1) args(%m=%l3) : memref<64xi32> {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %l1 = memref.alloc() : memref<32xi32, 2>
    // expected-error@+2 {{'air.dma_memcpy_nd' op races: air.dma_memcpy_nd of @h (1, 0) writes element 0 of argument 0 (memref<64xi32>), which air.dma_memcpy_nd of @h (0, 0) writes at the same time; make one wait for the other's token, or use separate parts of the buffer}}
    // expected-note@+1 {{the other access, by @h (0, 0)}}
    air.dma_memcpy_nd (%m[%zero] [%c32] [%one], %l1[] [] []) : (memref<64xi32>, memref<32xi32, 2>)
  }
  return
}

// -----

// Parts that overlap in one element.
func.func @overlap(%l3: memref<64xi32>) {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c1) args(%m=%l3) : memref<64xi32> {
    %one = arith.constant 1 : index
    %c31 = arith.constant 31 : index
    %c32 = arith.constant 32 : index
    %o = arith.muli %x, %c31 : index
    %l1 = memref.alloc() : memref<32xi32, 2>
    // expected-error@+1 {{air.dma_memcpy_nd of @h (1, 0) writes element 31 of argument 0}}
    air.dma_memcpy_nd (%m[%o] [%c32] [%one], %l1[] [] []) : (memref<64xi32>, memref<32xi32, 2>)
  }
  return
}

// -----

// A read that waits for the allocation only, not for what fills the buffer.
air.channel @in []
air.channel @out []
func.func @token(%l3: memref<8xi32>, %to: memref<8xi32>) {
  air.segment @s args(%m=%l3, %n=%to) : memref<8xi32>, memref<8xi32> {
    %t, %l2 = air.execute -> (memref<8xi32, 1>) {
      %a = memref.alloc() : memref<8xi32, 1>
      air.execute_terminator %a : memref<8xi32, 1>
    }
    %p = air.channel.put async @in[] (%m[] [] []) : (memref<8xi32>)
    // expected-note@+1 {{the other access, by @s}}
    %g = air.channel.get async [%t] @in[] (%l2[] [] []) : (memref<8xi32, 1>)
    // expected-error@+1 {{'air.channel.put' op races: air.channel.put of @s reads element 0 of memref<8xi32, 1>, which air.channel.get of @s writes at the same time}}
    %q = air.channel.put async [%t] @out[] (%l2[] [] []) : (memref<8xi32, 1>)
    %r = air.channel.get async @out[] (%n[] [] []) : (memref<8xi32>)
  }
  return
}

// -----

// A core computes on L2, and its DMA channel ends there.
air.channel @c []
func.func @spaces(%l2: memref<8xi32, 1>) {
  %c1 = arith.constant 1 : index
  %l3 = memref.alloc() : memref<8xi32>
  air.channel.put @c[] (%l3[] [] []) : (memref<8xi32>)
  air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%m=%l2) : memref<8xi32, 1> {
    %z = arith.constant 0 : i32
    // expected-error@+1 {{'linalg.fill' op computes on L2 (memref<8xi32, 1>) inside a herd; a core reaches L1 (memory space 2) only: copy the operand to an L1 buffer first}}
    linalg.fill ins(%z : i32) outs(%m : memref<8xi32, 1>)
    // expected-error@+1 {{'air.channel.get' op has its end in L2 (memref<8xi32, 1>) inside a herd}}
    air.channel.get @c[] (%m[] [] []) : (memref<8xi32, 1>)
  }
  return
}

// -----

// In one instance of air.rank two transfers race.
func.func @rank(%in: memref<8xi32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%x=%in) : memref<8xi32> {
    %l2 = memref.alloc() : memref<8xi32, 1>
    %t = air.dma_memcpy_nd async (%l2[] [] [], %x[] [] []) : (memref<8xi32, 1>, memref<8xi32>)
    // expected-error@+1 {{'air.dma_memcpy_nd' op races: air.dma_memcpy_nd of the rank (0) writes element 0 of argument 0 (memref<8xi32>), which air.dma_memcpy_nd of the rank (0) reads at the same time}}
    %u = air.dma_memcpy_nd async (%x[] [] [], %l2[] [] []) : (memref<8xi32>, memref<8xi32, 1>)
  }
  return
}
