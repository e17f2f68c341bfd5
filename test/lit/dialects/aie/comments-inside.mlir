// RUN: allo-opt %s | filecheck %s

// Comments and ends of lines inside of lists, types and attributes.
// CHECK: aie.objectfifo @x(%tile_0_2 dimensionsToStream [<size = 16, stride = 1>], {%tile_0_3}, 2 : i32) : !aie.objectfifo<memref<16xi32, 1>>
// CHECK: aie.objectfifo @y(%tile_0_2, {%tile_0_3 dimensionsFromStream [<size = 16, stride = 1>]}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
// CHECK: aie.dma_bd(%arg0 : memref<16xi32> offset = 0 len = 16 sizes = [2, 8] strides = [8, 1])
// CHECK: aie.trace.start broadcast = 15
aie.device(npu1) {
  %shim = aie.tile(0, 0)
  %a = aie.tile(0, 2)
  %b = aie.tile(0, 3)
  aie.objectfifo @x(%a dimensionsToStream  // c {"(
   [<size = // c {"(
   16, stride // x "
    = 1>], {%b}, // c {"(
   2 : i32) : !aie.objectfifo<memref<16xi32, // c {"(
   1>>
  aie.objectfifo @y(%a, {%b // c "
    dimensionsFromStream // "
    [<size = 16, stride = 1>]}, 2 : i32 // "
    ) {plio = // "
    false} : !aie.objectfifo< // "
    memref<16xi32>>
  aie.shim_dma_allocation @s(%shim, MM2S, 0)
  aie.runtime_sequence(%c: // first "
      memref<16xi32>) {
    %task = aiex.dma_configure_task_for @s {
      aie.dma_bd(%c : memref<16xi32> offset = 0 len = 16 sizes = [2, // {
        8] strides = [8, 1])
      aie.end
    }
  }
  aie.trace @t(%a) {
    aie.trace.start
      broadcast = 15
  }
}
