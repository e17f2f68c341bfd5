// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-debuginfo | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIE: objectfifo loops.

module @basic {
  aie.device(xcve2302) {
    %tile12 = aie.tile(1, 2)
    %tile13 = aie.tile(1, 3)
    aie.objectfifo @of (%tile12, {%tile13}, 4 : i32) : !aie.objectfifo<memref<16xi32>>
    func.func @some_work(%line_in:memref<16xi32>) -> () {
        return
    }
    %core12 = aie.core(%tile12) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %height = arith.constant 12 : index
        scf.for %indexInHeight = %c0 to %height step %c1 {
            %subview = aie.objectfifo.acquire @of (Produce, 1) : !aie.objectfifosubview<memref<16xi32>>
            %elem0 = aie.objectfifo.subview.access %subview[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
            func.call @some_work(%elem0) : (memref<16xi32>) -> ()
            aie.objectfifo.release @of (Produce, 1)
        }
        aie.end
    }
    %core13 = aie.core(%tile13) {
        %subview = aie.objectfifo.acquire @of (Consume, 2) : !aie.objectfifosubview<memref<16xi32>>
        %elem0 = aie.objectfifo.subview.access %subview[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        %elem1 = aie.objectfifo.subview.access %subview[1] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        aie.objectfifo.release @of (Consume, 1)
        aie.end
    } { link_with="kernel.o", stack_size = 0x1000 : i32 }
  }
}

// CHECK: aie.device(xcve2302) {
// CHECK: %tile_1_2 = aie.tile(1, 2)
// CHECK: %tile_1_3 = aie.tile(1, 3)
// CHECK: aie.objectfifo @of(%tile_1_2, {%tile_1_3}, 4 : i32) : !aie.objectfifo<memref<16xi32>>
// CHECK: %core_1_2 = aie.core(%tile_1_2) {
// CHECK: scf.for %arg0 = %c0 to %c12 step %c1 {
// CHECK: %0 = aie.objectfifo.acquire @of(Produce, 1) : !aie.objectfifosubview<memref<16xi32>>
// CHECK: %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
// CHECK: aie.objectfifo.release @of(Produce, 1)
// CHECK: aie.end
// CHECK: %core_1_3 = aie.core(%tile_1_3) {
// CHECK: %0 = aie.objectfifo.acquire @of(Consume, 2) : !aie.objectfifosubview<memref<16xi32>>
// CHECK: %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
// CHECK: %2 = aie.objectfifo.subview.access %0[1] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
// CHECK: aie.objectfifo.release @of(Consume, 1)
// CHECK: aie.end

// GENERIC: "aie.device"() <{device = 2 : i32, sym_name = "main"}> ({
// GENERIC: "aie.tile"() <{col = 1 : i32, row = 2 : i32}> : () -> index
// GENERIC: "aie.objectfifo"(%0, %1) <{dimensionsFromStreamPerConsumer = #aie<bd_dim_layout_array_array{{\[\[}}]]>, dimensionsToStream = #aie<bd_dim_layout_array[]>, disable_synchronization = false, elemNumber = 4 : i32, elemType = !aie.objectfifo<memref<16xi32>>, plio = false, sym_name = "of", via_DMA = false}> : (index, index) -> ()
// GENERIC: "aie.core"(%0) <{stack_size = 1024 : i32}> ({
// GENERIC: "aie.objectfifo.acquire"() <{objFifo_name = @of, port = 0 : i32, size = 1 : i32}> : () -> !aie.objectfifosubview<memref<16xi32>>
// GENERIC: "aie.objectfifo.subview.access"(%10) <{index = 0 : i32}> : (!aie.objectfifosubview<memref<16xi32>>) -> memref<16xi32>
// GENERIC: "aie.objectfifo.release"() <{objFifo_name = @of, port = 0 : i32, size = 1 : i32}> : () -> ()
// GENERIC: "aie.end"() : () -> ()
