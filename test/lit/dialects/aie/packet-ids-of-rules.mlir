// RUN: allo-opt %s --split-input-file --verify-diagnostics
aie.device(npu2) {
  %t = aie.tile(0, 2)
  aie.switchbox(%t) {
    %0 = aie.amsel<0> (0)
    %1 = aie.masterset(DMA : 0, %0)
    aie.packet_rules(South : 0) {
      aie.rule(30, 4, %0) {packet_ids = array<i32: 4, 5>}
    }
    aie.packet_rules(North : 0) {
      aie.rule(31, 4, %0) {packet_ids = [4]}
    }
  }
}

// -----

aie.device(npu2) {
  %t = aie.tile(0, 2)
  aie.switchbox(%t) {
    %0 = aie.amsel<0> (0)
    %1 = aie.masterset(DMA : 0, %0)
    aie.packet_rules(South : 0) {
      // expected-error @below {{has packet id 32 in 'packet_ids'; a packet's header has ids 0 to 31}}
      aie.rule(30, 4, %0) {packet_ids = array<i32: 4, 32>}
    }
  }
}

// -----

aie.device(npu2) {
  %m = aie.tile(0, 1)
  %c = aie.tile(0, 3)
  aie.objectfifo @a(%m, {%c}, 2 : i32) {bd_chain_iter_count = 5 : i32} : !aie.objectfifo<memref<16xi32>>
}

// -----

aie.device(npu2) {
  %m = aie.tile(0, 1)
  %c = aie.tile(0, 3)
  // expected-error @below {{`bd_chain_iter_count` must be between 1 and 256, found 257}}
  aie.objectfifo @a(%m, {%c}, 2 : i32) {bd_chain_iter_count = 257 : i32} : !aie.objectfifo<memref<16xi32>>
}

// -----

aie.device(npu2) {
  %m = aie.tile(0, 1)
  %c = aie.tile(0, 3)
  // expected-error @below {{`iter_count` is 4, `bd_chain_iter_count` 5; give one of them}}
  aie.objectfifo @a(%m, {%c}, 2 : i32) {iter_count = 4 : i32, bd_chain_iter_count = 5 : i32} : !aie.objectfifo<memref<16xi32>>
}
