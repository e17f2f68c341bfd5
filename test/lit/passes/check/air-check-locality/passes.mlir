// RUN: allo-opt %s --split-input-file --air-check-locality | filecheck %s

// Each core has its own part.
// CHECK-LABEL: func.func @parts
func.func @parts(%l3: memref<64xi32>) {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx=%c2, %sy=%c1) args(%m=%l3) : memref<64xi32> {
    %one = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %o = arith.muli %x, %c32 : index
    %l1 = memref.alloc() : memref<32xi32, 2>
    air.dma_memcpy_nd (%m[%o] [%c32] [%one], %l1[] [] []) : (memref<64xi32>, memref<32xi32, 2>)
  }
  return
}

// -----

// Order comes from a token, and, for the last read, from the data that a core sends back.
// CHECK-LABEL: func.func @ordered
air.channel @in []
air.channel @work []
air.channel @done []
func.func @ordered(%l3: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  %l2 = memref.alloc() : memref<8xi32, 1>
  %p = air.channel.put async @in[] (%l3[] [] []) : (memref<8xi32>)
  %g = air.channel.get async @in[] (%l2[] [] []) : (memref<8xi32, 1>)
  %w = air.channel.put async [%g] @work[] (%l2[] [] []) : (memref<8xi32, 1>)
  %d = air.channel.get async @done[] (%l2[] [] []) : (memref<8xi32, 1>)
  %h = air.herd async tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %l1 = memref.alloc() : memref<8xi32, 2>
    air.channel.get @work[] (%l1[] [] []) : (memref<8xi32, 2>)
    air.channel.put @done[] (%l1[] [] []) : (memref<8xi32, 2>)
  }
  return
}

// -----

// All in the order of the text: each put is over before the herd that takes it begins.
// CHECK-LABEL: func.func @synchronous
air.channel @in []
air.channel @out []
func.func @synchronous(%l3: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  air.channel.put @in[] (%l3[] [] []) : (memref<8xi32>)
  air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %l1 = memref.alloc() : memref<8xi32, 2>
    air.channel.get @in[] (%l1[] [] []) : (memref<8xi32, 2>)
    air.channel.put @out[] (%l1[] [] []) : (memref<8xi32, 2>)
  }
  air.channel.get @out[] (%l3[] [] []) : (memref<8xi32>)
  return
}

// -----

// Instances of air.rank are devices, each with memories of its own.
// CHECK-LABEL: func.func @ranks
func.func @ranks(%in: memref<8xi32>, %out: memref<8xi32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%x=%in, %y=%out) : memref<8xi32>, memref<8xi32> {
    %l2 = memref.alloc() : memref<8xi32, 1>
    air.dma_memcpy_nd (%l2[] [] [], %x[] [] []) : (memref<8xi32, 1>, memref<8xi32>)
    air.dma_memcpy_nd (%y[] [] [], %l2[] [] []) : (memref<8xi32>, memref<8xi32, 1>)
    memref.dealloc %l2 : memref<8xi32, 1>
  }
  return
}
