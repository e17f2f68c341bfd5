module {
  aie.device(npu1) @one {
    %tile_0_2 = aie.tile(0, 2)
  }
}
