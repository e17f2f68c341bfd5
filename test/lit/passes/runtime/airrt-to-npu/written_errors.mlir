// RUN: allo-opt %s --split-input-file --verify-diagnostics --airrt-to-npu
aie.device(npu2) @seg {
  %sh = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%sh, MM2S, 0)
}
func.func @stride(%m: memref<256xi32>, %n: i64) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  // expected-error@below {{runtime-valued DMA stride is not supported}}
  %e = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [1, 1, 2, 64], [0, 0, %n, 1]) {metadata = @in} : (i32, i64, i64, memref<256xi32>) : !airrt.event
  return
}

// -----

aie.device(npu2) @seg {
  %sh = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%sh, MM2S, 0)
}
func.func @sizes(%m: memref<256xi32>, %n: i64) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  // expected-error@below {{more than one runtime-valued DMA size is not supported}}
  %e = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [1, 1, %n, %n], [0, 0, 64, 1]) {metadata = @in} : (i32, i64, i64, memref<256xi32>) : !airrt.event
  return
}

// -----

aie.device(npu2) @seg {
  %sh = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%sh, MM2S, 0)
}
func.func @offsets(%m: memref<256xi32>, %n: i64) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  // expected-error@below {{more than one runtime-valued DMA offset is not supported}}
  %e = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, %n, %n], [1, 1, 1, 64], [0, 0, 64, 1]) {metadata = @in} : (i32, i64, i64, memref<256xi32>) : !airrt.event
  return
}

// -----

aie.device(npu2) @seg {
  %sh = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%sh, MM2S, 0)
}
func.func @gap(%m: memref<256xi32>, %n: i64) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  // expected-error@below {{runtime-valued DMA size in dimension 2 requires a contiguous transfer or a zero outer stride}}
  %e = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [1, 1, %n, 16], [0, 0, 64, 1]) {metadata = @in} : (i32, i64, i64, memref<256xi32>) : !airrt.event
  return
}

// -----

aie.device(npu2) @seg {
  %sh = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%sh, MM2S, 0)
}
func.func @prime(%m: memref<65536xi32>) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  // expected-error@below {{has size 1031, and a descriptor's dimension 0 holds less than 1024; no factor of it fits: choose another size}}
  %e = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [1, 1, 2, 1031], [0, 0, 2048, 1]) {metadata = @in} : (i32, i64, i64, memref<65536xi32>) : !airrt.event
  return
}

// -----

aie.device(npu2) @seg {
  %sh = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%sh, MM2S, 0)
}
func.func @far(%m: memref<134217728xi32>) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  // expected-error@below {{steps by 2,097,152 elements 17 times; the largest step of a descriptor is 1,048,576}}
  %e = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [1, 1, 17, 64], [0, 0, 2097152, 1]) {metadata = @in} : (i32, i64, i64, memref<134217728xi32>) : !airrt.event
  return
}

// -----

aie.device(npu2) @seg {
  %sh = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%sh, MM2S, 0)
}
func.func @name(%m: memref<256xi32>) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  // expected-error@below {{no shim DMA allocation found for symbol @inn in the device}}
  %e = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [1, 1, 1, 16], [0, 0, 0, 1]) {metadata = @inn} : (i32, i64, i64, memref<256xi32>) : !airrt.event
  return
}

// -----

aie.device(npu2) @seg {
  %sh = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%sh, MM2S, 0)
}
func.func @bounds(%m: memref<256xi32>, %n: index) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  // expected-error@below {{has bounds that are not constant; expected constants, or an scf.for}}
  affine.for %i = 0 to %n {
    %e = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [1, 1, 1, 16], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<256xi32>) : !airrt.event
  }
  return
}

// -----

aie.device(npu2) @seg {
  %sh = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%sh, MM2S, 0)
}
func.func @outside(%m: memref<64xi32>) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  // expected-warning@below {{reaches elements 1 to 64 of memref<64xi32>, which has 64}}
  %e = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 1], [1, 1, 1, 64], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<64xi32>) : !airrt.event
  return
}
// -----

aie.device(npu2) @seg {
  %sh = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%sh, MM2S, 0)
}
func.func @queue(%m: memref<512xi32>, %n: index) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %e = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [1, 1, 1, 16], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<512xi32>) : !airrt.event
  }
  // Written out, and paced.
  scf.for %i = %c0 to %c5 step %c1 {
    %e = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [1, 1, 1, 16], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<512xi32>) : !airrt.event
  }
  // expected-warning@below {{queues 1 task on @in in each of its iterations (a number known at run time) and never waits; the queue holds 4 and drops further tasks}}
  scf.for %i = %c0 to %n step %c1 {
    %e = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [1, 1, 1, 16], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<512xi32>) : !airrt.event
  }
  return
}

// -----

aie.device(npu2) @seg {
  %sh = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%sh, MM2S, 0)
}
func.func @copied(%m: memref<512xi32>, %k: memref<512xi32>) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  // expected-error@below {{'memref.copy' op has no place in a runtime sequence; it holds transfers, waits, loops and branches}}
  memref.copy %k, %m : memref<512xi32> to memref<512xi32>
  %e = airrt.dma_memcpy_nd(%id, %z, %z, %m[0, 0, 0, 0], [1, 1, 1, 16], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<512xi32>) : !airrt.event
  return
}
