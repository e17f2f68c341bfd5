// RUN: allo-opt %s --split-input-file --verify-diagnostics --air-copy-to-dma

func.func @unranked(%a: memref<*xf32>, %b: memref<*xf32, 1>) {
  // expected-error@+1 {{'memref.copy' op copies memref<*xf32>, and a DMA needs to know the rank; cast it to a ranked memref}}
  memref.copy %a, %b : memref<*xf32> to memref<*xf32, 1>
  return
}

// -----

func.func @dynamic_step(%a: memref<8x8xbf16>, %b: memref<8x4xbf16, 1>, %n: index) {
  %v = memref.subview %a[0, 0] [8, 4] [1, %n] : memref<8x8xbf16> to memref<8x4xbf16, strided<[8, ?]>>
  // expected-error@+1 {{copies with a stride that is not constant in dimension 1 of its source memref<8x8xbf16>, and a DMA is programmed with numbers}}
  memref.copy %v, %b : memref<8x4xbf16, strided<[8, ?]>> to memref<8x4xbf16, 1>
  return
}

// -----

func.func @dynamic_layout(%a: memref<8x4xbf16, strided<[?, 1]>>, %b: memref<8x4xbf16, 1>) {
  // expected-error@+1 {{copies with a stride that is not constant in dimension 0 of its destination memref<8x4xbf16, strided<[?, 1]>>}}
  memref.copy %b, %a : memref<8x4xbf16, 1> to memref<8x4xbf16, strided<[?, 1]>>
  return
}

// -----

func.func @converts(%a: memref<8xbf16>, %b: memref<8xf32, 1>) {
  // expected-error@+1 {{'linalg.copy' op converts bf16 to f32, and a DMA only moves elements; copy first, convert in the core}}
  linalg.copy ins(%a : memref<8xbf16>) outs(%b : memref<8xf32, 1>)
  return
}

// -----

func.func @strange_space(%a: memref<8xbf16, "local">, %b: memref<8xbf16, 1>) {
  // expected-error@+1 {{'memref.copy' op memory space "local" is not an integer; write 0 or none for L3, 1 for L2, 2 for L1}}
  memref.copy %a, %b : memref<8xbf16, "local"> to memref<8xbf16, 1>
  return
}

// -----

func.func @pack_unknown_size(%a: memref<?x32xi8>, %b: memref<?x4x4x8xi8, 1>) {
  // expected-error@+1 {{'linalg.pack' op tiles dimension 0 of size ? by 4, which does not divide it; pack into L1, where a core pads, or pad the buffer to a multiple of the tile}}
  linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %b : memref<?x32xi8> -> memref<?x4x4x8xi8, 1>
  return
}

// -----

func.func @pack_pads(%a: memref<15x32xi8>, %b: memref<4x4x4x8xi8, 1>) {
  %zero = arith.constant 0 : i8
  // expected-error@+1 {{'linalg.pack' op tiles dimension 0 of size 15 by 4, which does not divide it; pack into L1, where a core pads, or pad the buffer}}
  linalg.pack %a padding_value(%zero : i8) inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %b : memref<15x32xi8> -> memref<4x4x4x8xi8, 1>
  return
}

// -----

func.func @unpack_unknown_size(%a: memref<?x32xi8>, %b: memref<?x4x4x8xi8, 1>) {
  // expected-error@+1 {{'linalg.unpack' op tiles dimension 0 of size ? by 4, which does not divide it; pad the buffer to a multiple of the tile}}
  linalg.unpack %b inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %a : memref<?x4x4x8xi8, 1> -> memref<?x32xi8>
  return
}

// -----

func.func @dynamic_tile(%a: memref<16x32xi8>, %b: memref<4x?x4x?xi8, 1>, %n: index) {
  // expected-error@+1 {{'linalg.pack' op has a tile size that is not constant, and a DMA is programmed with numbers; use constant tiles}}
  linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [4, %n] into %b : memref<16x32xi8> -> memref<4x?x4x?xi8, 1>
  return
}
