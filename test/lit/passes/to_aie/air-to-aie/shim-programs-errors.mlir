// RUN: allo-opt %s --air-to-aie='row-offset=3 col-offset=2 device=xcve2802 generate-shim-dma=true' --split-input-file --verify-diagnostics

// The DMA program of a shim does its transfers by turns: four of one and then one of another is none.
air.channel @in [1, 1]
func.func @f(%a: memref<32xi32>, %b: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    air.channel.put @in[] (%a[] [] []) : (memref<32xi32>)
  }
  // expected-error@below {{is in another loop than the first transfer of '@in'}}
  air.channel.put @in[] (%b[] [] []) : (memref<32xi32>)
  air.herd @h tile (%i, %j) in (%m=%c1, %nn=%c1) {
    %l = memref.alloc() : memref<32xi32, 2>
    air.channel.get @in[%i, %j] (%l[] [] []) : (memref<32xi32, 2>)
    memref.dealloc %l : memref<32xi32, 2>
  }
  return
}
