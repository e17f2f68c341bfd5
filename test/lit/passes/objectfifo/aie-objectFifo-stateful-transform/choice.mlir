// RUN: allo-opt %s --aie-objectFifo-stateful-transform=state=2026-03 | filecheck %s --check-prefixes=MARCH,OWN
// RUN: allo-opt %s --aie-objectFifo-stateful-transform="state=2026-03 dynamic-objFifos=true" | filecheck %s --check-prefixes=MARCH,ALL
// RUN: allo-opt %s --aie-objectFifo-stateful-transform --aie-objectFifo-unroll | filecheck %s --check-prefixes=AUGUST,ROLLED
// RUN: allo-opt %s --aie-objectFifo-stateful-transform --aie-objectFifo-unroll=default-dynamic=true | filecheck %s --check-prefixes=AUGUST,CHOOSING

// `dynamic_objfifo_lowering` counts more than any option, in both states; a core without it does what the option says.

// MARCH: aie.core(%tile_0_2)
// MARCH: scf.index_switch
// MARCH: aie.core(%tile_0_3)
// MARCH-NOT: index_switch
// MARCH: call @use(%down_buff_1)
// OWN: aie.core(%tile_0_4)
// OWN-NOT: index_switch
// OWN: call @use(%up_buff_1)
// ALL: aie.core(%tile_0_4)
// ALL: scf.index_switch

// AUGUST: aie.core(%tile_0_2)
// AUGUST: scf.index_switch
// AUGUST: aie.core(%tile_0_3)
// AUGUST-NOT: index_switch
// AUGUST: call @use(%down_buff_1)
// ROLLED: aie.core(%tile_0_4)
// ROLLED-NOT: index_switch
// ROLLED: call @use(%up_buff_1)
// CHOOSING: aie.core(%tile_0_4)
// CHOOSING: scf.index_switch
aie.device(npu1) {
  %t2 = aie.tile(0, 2)
  %t3 = aie.tile(0, 3)
  %t4 = aie.tile(0, 4)
  %t5 = aie.tile(0, 5)
  aie.objectfifo @down(%t3, {%t2}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
  aie.objectfifo @up(%t4, {%t5}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
  func.func private @use(memref<8xi32>)
  aie.core(%t2) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c8 step %c1 {
      %s = aie.objectfifo.acquire @down(Consume, 1) : !aie.objectfifosubview<memref<8xi32>>
      %e = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
      func.call @use(%e) : (memref<8xi32>) -> ()
      aie.objectfifo.release @down(Consume, 1)
    }
    aie.end
  } {dynamic_objfifo_lowering = true}
  aie.core(%t3) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c8 step %c1 {
      %s = aie.objectfifo.acquire @down(Produce, 1) : !aie.objectfifosubview<memref<8xi32>>
      %e = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
      func.call @use(%e) : (memref<8xi32>) -> ()
      aie.objectfifo.release @down(Produce, 1)
    }
    aie.end
  } {dynamic_objfifo_lowering = false}
  aie.core(%t4) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c8 step %c1 {
      %s = aie.objectfifo.acquire @up(Produce, 1) : !aie.objectfifosubview<memref<8xi32>>
      %e = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
      func.call @use(%e) : (memref<8xi32>) -> ()
      aie.objectfifo.release @up(Produce, 1)
    }
    aie.end
  }
}
