// RUN: allo-opt %s --split-input-file --verify-diagnostics --airrt-to-npu=order=planned

aie.device(npu1) @dev {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%t, MM2S, 0)
}
func.func @dynamic(%a: memref<64xi32>, %n: i64) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // expected-error@+1 {{'airrt.dma_memcpy_nd' op has length that are neither constant nor linear in the loops around; a runtime sequence holds numbers only: make it a constant}}
  %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %c0], [%c1, %c1, %c1, %n], [%c0, %c0, %c0, %c1]) {metadata = @in} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
  return
}

// -----

aie.device(npu1) @dev {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%t, MM2S, 0)
}
func.func @outside(%a: memref<64xi32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  // expected-error@+1 {{reaches elements 1 to 64 of memref<64xi32>, which has 64}}
  %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %c1], [%c1, %c1, %c1, %c64], [%c0, %c0, %c0, %c1]) {metadata = @in} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
  return
}

// -----

aie.device(npu1) @dev {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%t, MM2S, 0)
}
func.func @half_words(%a: memref<64xbf16>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %c8 = arith.constant 8 : i64
  // expected-error@+1 {{moves runs of 3 elements of 16 bits; a DMA moves multiples of 4 bytes: make the innermost size a multiple of 2}}
  %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %c0], [%c1, %c1, %c3, %c3], [%c0, %c0, %c8, %c1]) {metadata = @in} : (i32, i64, i64, memref<64xbf16>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
  return
}

// -----

aie.device(npu1) @dev {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%t, MM2S, 0)
}
func.func @unknown(%a: memref<64xi32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // expected-error@+1 {{no shim DMA allocation found for symbol @nobody in the device (there are: @in)}}
  %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %c0], [%c1, %c1, %c1, %c1], [%c0, %c0, %c0, %c1]) {metadata = @nobody} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
  return
}

// -----

// expected-error@+1 {{'func.func' op uses no aie.device of the module (there: none): nothing in it runs on the array; put its work into an air.herd, and run air-to-aie first}}
func.func @no_device() {
  %p = airrt.segment_load "seg" : i64
  return
}

// -----

aie.device(npu1) @dev {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%t, MM2S, 0)
}
func.func @control() {
  airrt.wait_all {air.launch_end}
  return
}
func.func @caller() {
  airrt.wait_all {air.launch_end}
  // expected-error@below {{calls @control, a control program, from another; inline it before (inline)}}
  call @control() : () -> ()
  return
}

// -----

aie.device(npu1) @dev {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%t, MM2S, 0)
}
func.func @far(%a: memref<70000x70000xi8>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  affine.for %i = 0 to 70000 {
    %at = affine.apply affine_map<(d0) -> (70000 * d0)>(%i)
    %offset = arith.index_cast %at : index to i64
    // expected-error@+1 {{reaches element 4,899,930,063 of 8 bits; 32-bit offsets reach 2,147,483,648 elements and 4,294,967,296 bytes}}
    %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %offset], [%c1, %c1, %c1, %c64], [%c0, %c0, %c0, %c1]) {metadata = @in} : (i32, i64, i64, memref<70000x70000xi8>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
  }
  return
}

// -----

memref.global "private" constant @weights : memref<64xi32> = dense<1>
aie.device(npu1) @dev {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%t, MM2S, 0)
}
func.func @weighted() {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  // expected-error@+1 {{'memref.get_global' op is a constant array, which no runtime sequence has; make it an argument (pipeline npu does so)}}
  %a = memref.get_global @weights : memref<64xi32>
  %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c0, %c1]) {metadata = @in} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
  return
}
