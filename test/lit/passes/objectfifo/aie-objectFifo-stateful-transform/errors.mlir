// RUN: allo-opt %s --split-input-file --aie-objectFifo-stateful-transform --verify-diagnostics

aie.device(npu1) {
  %t2 = aie.tile(0, 2)
  %t3 = aie.tile(0, 3)
  aie.objectfifo @of(%t2, {%t3}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
  aie.core(%t2) {
    // expected-error@below {{acquires 3 objects at once, but the FIFO has 2 here; increase its depth}}
    %s = aie.objectfifo.acquire @of(Produce, 3) : !aie.objectfifosubview<memref<8xi32>>
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t2 = aie.tile(0, 2)
  %t3 = aie.tile(0, 3)
  aie.objectfifo @of(%t2, {%t3}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
  aie.core(%t2) {
    %s = aie.objectfifo.acquire @of(Produce, 1) : !aie.objectfifosubview<memref<8xi32>>
    // expected-error@below {{cannot release more elements than are already acquired: releases 2, holds 1}}
    aie.objectfifo.release @of(Produce, 2)
    aie.end
  }
}

// -----

aie.device(npu1) {
  %t2 = aie.tile(0, 2)
  %t3 = aie.tile(0, 3)
  aie.objectfifo @of(%t2, {%t3}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
  %flag = aie.buffer(%t2) : memref<1xi1>
  aie.core(%t2) {
    %c0 = arith.constant 0 : index
    %c = memref.load %flag[%c0] : memref<1xi1>
    scf.if %c {
      %s = aie.objectfifo.acquire @of(Produce, 1) : !aie.objectfifosubview<memref<8xi32>>
    }
    // Two are held on neither way to this place.
    // expected-error@below {{cannot release more elements than are already acquired: releases 2, holds 1}}
    aie.objectfifo.release @of(Produce, 2)
    aie.end
  }
}

// -----

aie.device(npu1) {
  // expected-error@below {{'aie.tile' op number of output DMA channel exceeded! Tile (0, 0) has 2, for the objectFifos '@a', '@b', '@c'}}
  %shim = aie.tile(0, 0)
  %t2 = aie.tile(0, 2)
  aie.objectfifo @a(%shim, {%t2}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
  aie.objectfifo @b(%shim, {%t2}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
  aie.objectfifo @c(%shim, {%t2}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
}

// -----

aie.device(npu1) {
  %shim = aie.tile(0, 0)
  %mem = aie.tile(0, 1)
  %t2 = aie.tile(0, 2)
  %t3 = aie.tile(0, 3)
  aie.objectfifo @in(%shim, {%mem}, 2 : i32) : !aie.objectfifo<memref<24xi32>>
  aie.objectfifo @a(%mem, {%t2}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @b(%mem, {%t3}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  // expected-error@below {{gives '@a' 10 elements from offset 0 on}}
  aie.objectfifo.link [@in] -> [@a, @b]([] [0, 10])
}

// -----

aie.device(npu1) {
  %mem = aie.tile(0, 1)
  %t2 = aie.tile(0, 2)
  // expected-error@below {{has dimensions that move 4 elements on tile (0, 1), where each BD moves 8; they must agree}}
  aie.objectfifo @a(%mem dimensionsToStream [<size = 2, stride = 2>, <size = 2, stride = 1>], {%t2}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
}

// -----

aie.device(npu1) {
  %mem = aie.tile(0, 1)
  %t2 = aie.tile(0, 2)
  // expected-error@below {{needs a lock that begins at 128 (objects times repeats); locks of npu1 count to 63}}
  aie.objectfifo @a(%mem, {%t2}, 2 : i32) {repeat_count = 64 : i32} : !aie.objectfifo<memref<8xi32>>
}

// -----

aie.device(npu1) {
  %t2 = aie.tile(0, 2)
  %t3 = aie.tile(0, 3)
  aie.objectfifo @of(%t2, {%t3}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
  aie.core(%t2) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error@below {{holds acquires or releases of objectFifos; only scf.for, scf.while, scf.if, scf.index_switch, scf.execute_region, affine.for and affine.if may be around them}}
    scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
      %s = aie.objectfifo.acquire @of(Produce, 1) : !aie.objectfifosubview<memref<8xi32>>
      aie.objectfifo.release @of(Produce, 1)
    }
    aie.end
  }
}

// -----

// Four channels of one direction reach a neighbour, and a fifth end would need one.
aie.device(npu2) {
  %m = aie.tile(0, 1)
  %t0 = aie.tile(0, 2)
  %t1 = aie.tile(0, 3)
  %t2 = aie.tile(0, 4)
  %t3 = aie.tile(0, 5)
  %t4 = aie.tile(1, 5)
  %own = aie.buffer(%m) : memref<131072xi32>
  aie.objectfifo @a(%t0, {%m}, 1 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @b(%t1, {%m}, 1 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @c(%t2, {%m}, 1 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @d(%t3, {%m}, 1 : i32) : !aie.objectfifo<memref<16xi32>>
  // expected-error@below {{needs one more input DMA channel of memtile (0, 1) from 0 to 3, as these reach the memory of memtile (1, 1), where objects are that (0, 1) has no room for; use fewer or smaller objects}}
  aie.objectfifo @e(%t4, {%m}, 1 : i32) : !aie.objectfifo<memref<16xi32>>
}

// -----

aie.device(npu1) {
  %t2 = aie.tile(0, 2)
  %t3 = aie.tile(0, 3)
  aie.objectfifo @data_in(%t2, {%t3}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
  aie.core(%t2) {
    // expected-error@below {{'data' is not an aie.objectfifo of this device; did you mean '@data_in'?}}
    %s = aie.objectfifo.acquire @data(Produce, 1) : !aie.objectfifosubview<memref<8xi32>>
    aie.end
  }
}

// -----

aie.device(npu2) {
  %t2 = aie.tile(0, 2)
  %t4 = aie.tile(0, 4)
  // expected-error@below {{`prod_dma_channel` pins output DMA channel 2 of tile (0, 2), which is out of range: it has 2}}
  aie.objectfifo @a(%t2, {%t4}, 2 : i32) {prod_dma_channel = 2 : i32} : !aie.objectfifo<memref<8xi32>>
}

// -----

aie.device(npu2) {
  %t2 = aie.tile(0, 2)
  %t4 = aie.tile(0, 4)
  aie.objectfifo @a(%t2, {%t4}, 2 : i32) {cons_dma_channels = array<i32: 1>} : !aie.objectfifo<memref<8xi32>>
  // expected-error@below {{`cons_dma_channels` pins input DMA channel 1 of tile (0, 4), which is already in use; pin another}}
  aie.objectfifo @b(%t2, {%t4}, 2 : i32) {cons_dma_channels = array<i32: 1>} : !aie.objectfifo<memref<8xi32>>
}

// -----

aie.device(npu2) {
  %m = aie.tile(0, 1)
  %t4 = aie.tile(0, 4)
  // expected-error@below {{the producer's objects must hold a multiple of the consumer's elements: 40 in memref<40xi32>, 7 in memref<7xi32>}}
  aie.objectfifo @a(%m, {%t4}, 2 : i32) : !aie.objectfifo<memref<40xi32>> -> !aie.objectfifo<memref<7xi32>>
}

// -----

aie.device(npu2) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t2 = aie.tile(0, 2)
  // expected-error@below {{cannot be in more than one ObjectFifoLinkOp}}
  aie.objectfifo @a(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
  aie.objectfifo @b(%m, {%t2}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
  aie.objectfifo @c(%m, {%t2}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
  aie.objectfifo.link [@a] -> [@b]([] [])
  aie.objectfifo.link [@a] -> [@c]([] [])
}

// -----

aie.device(npu2) {
  %m = aie.tile(0, 1)
  %t2 = aie.tile(0, 2)
  // expected-error@below {{has a stream port (`aie_stream`) as producer on mem tile (0, 1); only cores have them}}
  aie.objectfifo @a(%m, {%t2}, 2 : i32) {aie_stream = 0 : i32, aie_stream_port = 0 : i32} : !aie.objectfifo<memref<8xi32>>
}

// -----

aie.device(npu2) {
  %m = aie.tile(0, 1)
  %t2 = aie.tile(0, 2)
  // expected-error@below {{has stream port 1 (`aie_stream_port`); cores of npu2 have port 0}}
  aie.objectfifo @a(%m, {%t2}, 2 : i32) {aie_stream = 1 : i32, aie_stream_port = 1 : i32} : !aie.objectfifo<memref<8xi32>>
}

// -----

aie.device(npu2) {
  %t2 = aie.tile(0, 2)
  %t4 = aie.tile(0, 4)
  // expected-error@below {{as producer, where no objects are linked, turned, repeated or given}}
  aie.objectfifo @a(%t2, {%t4}, 2 : i32) {aie_stream = 0 : i32, aie_stream_port = 0 : i32, repeat_count = 2 : i32} : !aie.objectfifo<memref<8xi32>>
}

// -----

// The first round has three objects in hand, the second none to give back.
aie.device(npu2) {
  %t2 = aie.tile(0, 2)
  %t3 = aie.tile(0, 3)
  aie.objectfifo @a(%t2, {%t3}, 4 : i32) : !aie.objectfifo<memref<8xi32>>
  aie.core(%t3) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %s = aie.objectfifo.acquire @a(Consume, 3) : !aie.objectfifosubview<memref<8xi32>>
    scf.for %i = %c0 to %c4 step %c1 {
      %r = aie.objectfifo.acquire @a(Consume, 1) : !aie.objectfifosubview<memref<8xi32>>
      // expected-error@below {{cannot release more elements than are already acquired: releases 2, holds 1}}
      aie.objectfifo.release @a(Consume, 2)
    }
    aie.end
  }
}

// -----

aie.device(npu2) {
  %shim = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  // expected-error@below {{@big has objects of 80,000 bytes, and tile (0, 2) has 65,536: make the objects smaller}}
  aie.objectfifo @big(%shim, {%t}, 1 : i32) : !aie.objectfifo<memref<20000xi32>>
}
