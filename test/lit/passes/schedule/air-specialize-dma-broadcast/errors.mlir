// RUN: allo-opt %s --split-input-file --verify-diagnostics --air-specialize-dma-broadcast

func.func @nobody(%a: memref<8xi32>) {
  %c2 = arith.constant 2 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%m=%a) : memref<8xi32> {
    %l = memref.alloc() : memref<8xi32, 2>
    // expected-error@+1 {{'air.dma_memcpy_nd' op has a broadcast_pattern in which core (1, 0) of the herd is served by no source, expected one; each core must satisfy the set for exactly one s0}}
    air.dma_memcpy_nd (%l[] [] [], %m[] [] []) {broadcast_pattern = affine_set<(d0, d1)[s0] : (s0 == 0, -d0 >= 0)>} : (memref<8xi32, 2>, memref<8xi32>)
  }
  return
}

// -----

func.func @twice(%a: memref<8xi32>) {
  %c2 = arith.constant 2 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%m=%a) : memref<8xi32> {
    %l = memref.alloc() : memref<8xi32, 2>
    // expected-error@+1 {{core (0, 0) of the herd is served by sources 0, 1, expected one}}
    air.dma_memcpy_nd (%l[] [] [], %m[] [] []) {broadcast_pattern = affine_set<(d0, d1)[s0] : (-s0 + 1 >= 0)>} : (memref<8xi32, 2>, memref<8xi32>)
  }
  return
}

// -----

func.func @no_symbol(%a: memref<8xi32>) {
  %c2 = arith.constant 2 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%m=%a) : memref<8xi32> {
    %l = memref.alloc() : memref<8xi32, 2>
    // expected-error@+1 {{expected a set in 2 dimensions, as the herd has, and one symbol, the source}}
    air.dma_memcpy_nd (%l[] [] [], %m[] [] []) {broadcast_pattern = affine_set<(d0) : (d0 >= 0)>} : (memref<8xi32, 2>, memref<8xi32>)
  }
  return
}

// -----

func.func @no_set(%a: memref<8xi32>) {
  %c2 = arith.constant 2 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%m=%a) : memref<8xi32> {
    %l = memref.alloc() : memref<8xi32, 2>
    // expected-error@+1 {{has broadcast_pattern 1 : i64, expected an integer set (d0, d1)[s0]}}
    air.dma_memcpy_nd (%l[] [] [], %m[] [] []) {broadcast_pattern = 1 : i64} : (memref<8xi32, 2>, memref<8xi32>)
  }
  return
}

// -----

func.func @unknown_size(%a: memref<8xi32>, %n: index) {
  air.herd @h tile (%x, %y) in (%sx=%n, %sy=%n) args(%m=%a) : memref<8xi32> {
    %l = memref.alloc() : memref<8xi32, 2>
    // expected-error@+1 {{has a broadcast_pattern, and its herd's size is not constant, so that its cores cannot be grouped}}
    air.dma_memcpy_nd (%l[] [] [], %m[] [] []) {broadcast_pattern = affine_set<(d0, d1)[s0] : (s0 == 0)>} : (memref<8xi32, 2>, memref<8xi32>)
  }
  return
}

// -----

func.func @no_herd(%a: memref<8xi32>, %l: memref<8xi32, 2>) {
  // expected-error@+1 {{has a broadcast_pattern outside of a herd, where there are no cores to tell apart; remove the attribute}}
  air.dma_memcpy_nd (%l[] [] [], %a[] [] []) {broadcast_pattern = affine_set<(d0, d1)[s0] : (s0 == 0)>} : (memref<8xi32, 2>, memref<8xi32>)
  return
}
