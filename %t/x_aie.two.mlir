module {
  aie.device(npu2) @two {
    %tile_1_3 = aie.tile(1, 3)
  }
}
