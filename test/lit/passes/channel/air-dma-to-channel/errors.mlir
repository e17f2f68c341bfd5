// RUN: allo-opt %s --air-dma-to-channel --split-input-file --verify-diagnostics

func.func @offset_from_memory() {
  %c2 = arith.constant 2 : index
  %l2 = memref.alloc() : memref<64xi32, 1>
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%m=%l2) : memref<64xi32, 1> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %table = memref.alloc() : memref<4xindex, 2>
    %at = memref.load %table[%c0] : memref<4xindex, 2>
    %in = memref.alloc() : memref<8xi32, 2>
    // expected-error @+1 {{'air.dma_memcpy_nd' op depends on a result of 'memref.load', which is known only inside 'air.herd'}}
    air.dma_memcpy_nd (%in[] [] [], %m[%at] [%c8] [%c1]) : (memref<8xi32, 2>, memref<64xi32, 1>)
  }
  return
}

// -----

func.func @unknown_grid(%n: index) {
  %l2 = memref.alloc() : memref<8xi32, 1>
  // expected-error @+1 {{'air.herd' op size 0 is not constant, and the channels of the copies in it need the grid's shape}}
  air.herd @h tile (%x, %y) in (%sx=%n, %sy=%n) args(%m=%l2) : memref<8xi32, 1> {
    %in = memref.alloc() : memref<8xi32, 2>
    air.dma_memcpy_nd (%in[] [] [], %m[] [] []) : (memref<8xi32, 2>, memref<8xi32, 1>)
  }
  return
}

// -----

func.func @diagonal() {
  %c2 = arith.constant 2 : index
  %l2 = memref.alloc() : memref<8xi32, 1>
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%m=%l2) : memref<8xi32, 1> {
    %in = memref.alloc() : memref<8xi32, 2>
    // expected-error @+1 {{'air.dma_memcpy_nd' op has a broadcast_set that is not a box of cores, found 2 boxes}}
    air.dma_memcpy_nd (%in[] [] [], %m[] [] []) {broadcast_set = affine_set<()[s0, s1] : (s0 - s1 == 0)>} : (memref<8xi32, 2>, memref<8xi32, 1>)
  }
  return
}

// -----

func.func @not_all_get_it() {
  %c2 = arith.constant 2 : index
  %l2 = memref.alloc() : memref<8xi32, 1>
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%m=%l2) : memref<8xi32, 1> {
    %in = memref.alloc() : memref<8xi32, 2>
    // expected-error @+1 {{'air.dma_memcpy_nd' op has a broadcast_set of cores (0, 0) to (0, 1), and is executed by other cores}}
    air.dma_memcpy_nd (%in[] [] [], %m[] [] []) {broadcast_set = affine_set<()[s0, s1] : (s0 == 0, s1 >= 0)>} : (memref<8xi32, 2>, memref<8xi32, 1>)
  }
  return
}

// -----

#row = affine_set<()[s0, s1] : (s0 == 0, s1 >= 0)>
func.func @differs_in_the_set() {
  %c2 = arith.constant 2 : index
  %l2 = memref.alloc() : memref<64xi32, 1>
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%m=%l2) : memref<64xi32, 1> {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %in = memref.alloc() : memref<8xi32, 2>
    affine.if #row()[%x, %y] {
      // expected-error @+1 {{'air.dma_memcpy_nd' op depends on id 1 of 'air.herd', which differs between the cores of its broadcast_set}}
      air.dma_memcpy_nd (%in[] [] [], %m[%y] [%c8] [%c1]) {broadcast_set = #row} : (memref<8xi32, 2>, memref<64xi32, 1>)
    }
  }
  return
}

// -----

func.func @while_loop() {
  %c2 = arith.constant 2 : index
  %l2 = memref.alloc() : memref<8xi32, 1>
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%m=%l2) : memref<8xi32, 1> {
    %go = arith.constant true
    %in = memref.alloc() : memref<8xi32, 2>
    scf.while : () -> () {
      scf.condition(%go)
    } do {
      // expected-error @+1 {{'air.dma_memcpy_nd' op is in 'scf.while', which cannot be repeated outside of 'air.herd'}}
      air.dma_memcpy_nd (%in[] [] [], %m[] [] []) : (memref<8xi32, 2>, memref<8xi32, 1>)
      scf.yield
    }
  }
  return
}

// -----

func.func @sum(%a: memref<4x8xf32>, %b: memref<4x8xf32, 1>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  // expected-error@below {{reduces values, and contains a DMA copy, whose channel would be used by unordered iterations}}
  %r = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%z) -> f32 {
    air.dma_memcpy_nd (%b[%i, %c0] [%c1, %c8] [%c8, %c1], %a[%i, %c0] [%c1, %c8] [%c8, %c1]) : (memref<4x8xf32, 1>, memref<4x8xf32>)
    scf.reduce(%z : f32) {
    ^bb0(%x: f32, %y: f32):
      %w = arith.addf %x, %y : f32
      scf.reduce.return %w : f32
    }
  }
  return %r : f32
}
