// scf.if / index_switch around channels
module {
  air.channel @c [2]
  func.func @sw(%arg0: memref<32xi32>, %arg1: memref<32xi32>, %arg2: memref<2x32xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
      %z = arith.cmpi eq, %i, %c0 : index
      scf.if %z {
        air.channel.put @c[%i] (%arg0[] [] []) : (memref<32xi32>)
      } else {
        air.channel.put @c[%i] (%arg1[] [] []) : (memref<32xi32>)
      }
    }
    air.herd tile (%x, %y) in (%sx=%c2, %sy=%c1) args(%o=%arg2) : memref<2x32xi32> {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c32_0 = arith.constant 32 : index
      %b = memref.alloc() : memref<32xi32, 2>
      scf.index_switch %x
      case 0 {
        air.channel.get @c[%c0_0] (%b[] [] []) : (memref<32xi32, 2>)
        scf.yield
      }
      default {
        air.channel.get @c[%c1_0] (%b[] [] []) : (memref<32xi32, 2>)
        scf.yield
      }
      air.dma_memcpy_nd (%o[%x, %c0_0] [%c1_0, %c32_0] [%c32_0, %c1_0], %b[] [] []) : (memref<2x32xi32>, memref<32xi32, 2>)
      memref.dealloc %b : memref<32xi32, 2>
    }
    return
  }
}
