// RUN: allo-opt %s --split-input-file --aie-place-tiles --verify-diagnostics

aie.device(npu1_1col) {
  %a = aie.tile(0, 2)
  %b = aie.logical_tile<CoreTile>(?, ?)
  %c = aie.logical_tile<CoreTile>(?, ?)
  %d = aie.logical_tile<CoreTile>(?, ?)
  // expected-error@below {{finds no free core tile: the device uses all 4 that it may have}}
  %e = aie.logical_tile<CoreTile>(?, ?)
}

// -----

aie.device(npu1) {
  // expected-error@below {{asks for place (?, 3), where npu1 has no MemTile}}
  %m = aie.logical_tile<MemTile>(?, 3)
}

// -----

aie.device(npu1_1col) {
  %m = aie.tile(0, 1)
  // expected-error@below {{needs 0 S2MM and 3 MM2S channels, which no tile of this kind has left}}
  %s = aie.logical_tile<ShimNOCTile>(?, ?)
  aie.objectfifo @x(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @y(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @z(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
}

// -----

// The error says what to pin.
aie.device(npu1) {
  %a = aie.logical_tile<CoreTile>(0, 2)
  // expected-error@below {{finds no core tile: none of 14 free ones fits; set its column and row}}
  %b = aie.logical_tile<CoreTile>(?, ?)
  %c = aie.tile(3, 5)
  aie.cascade_flow(%a, %b)
  aie.cascade_flow(%b, %c)
}

// -----

aie.device(npu1) {
  // expected-error@below {{needs 0 S2MM and 3 MM2S channels, which no tile of this kind has left; say columns (aie.logical_tile<ShimNOCTile>(col, ?)) that spread the tiles}}
  %s = aie.logical_tile<ShimNOCTile>(1, ?)
  %m = aie.tile(0, 1)
  aie.objectfifo @x(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @y(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @z(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
}
