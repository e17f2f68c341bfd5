// {"inputs": [{"seed": 2108443747, "shape": [1, 2, 9, 16], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {"w0": "040000000000000000000000000000000000000000000000000000000000000000000000A46A573F3E399F3E7775CC3D5B81013D57D6233C203E4F3B6E12833A5FCBA539B7C7683F1B54173FF96F4B3EC870813D3ED4A33CDC3DCF3B6912033B5ECB253AC381103EC209503F6D4E973EC0FFC13D1FB9F53C106E1B3C939B443B0CB1783ACFBD41BFDE1D743FD861C73E882E013EDBCB233DCD3C4F3C5812833B5CCBA53A107C75BF7FFC7F3F4477F53E1D3C213EF4B64C3D8085813CDED6A33B313ECF3A8C0F8FBE4E78723F698C103F6E20413ED19C753D466C9B3C599BC43B04B1F83A4630283F6EE84C3F73EB243F50D3603E323E8F3DA552B53CC75FE53BEB11113B95467D3F7E06133FA6A4373F5126803E50AAA33D8E38CF3C1312033C53CB253B", "w1": "040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F41510A3F6B4E733F98B87E3F3CDF7F3FB9FC7F3FACFF7F3FF8FF7F3FFFFF7F3F3311D5BEEC7B4E3FA5E57A3FF97C7F3FE5F27F3FB1FE7F3FDFFF7F3FFDFF7F3F26707DBF582F153FEF90743F4FD97E3F83E27F3F0DFD7F3FB5FF7F3FF9FF7F3F305527BFB12E9A3EA7CA6B3F69F47D3F94CB7F3FC2FA7F3F7AFF7F3FF3FF7F3F2C3C913EE97229BC40A9603F81CE7C3F19AE7F3FCFF77F3F2EFF7F3FEBFF7F3FB8CD753F6D3FA4BE3249533FE3677B3F128A7F3F34F47F3FD2FE7F3FE2FF7F3FBDFF403FBC7419BFB3CC433FEAC0793F815F7F3FF2EF7F3F65FE7F3FD7FF7F3FF6FD14BEE59151BF5F5B323F02DA773F652E7F3F08EB7F3FE7FD7F3FCAFF7F3F"}, "sums": "float32", "reactions": [{"round": 7.83, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
module {
  func.func @main(%arg0: tensor<1x2x9x16xf32>) -> tensor<1x2x9x16xf32> {
    %cst = arith.constant dense_resource<w0> : tensor<9x8xf32>
    %cst_0 = arith.constant dense_resource<w1> : tensor<9x8xf32>
    %extracted_slice = tensor.extract_slice %arg0[0, 0, 0, 0] [1, 2, 9, 8] [1, 1, 1, 2] : tensor<1x2x9x16xf32> to tensor<1x2x9x8xf32>
    %extracted_slice_1 = tensor.extract_slice %arg0[0, 0, 0, 1] [1, 2, 9, 8] [1, 1, 1, 2] : tensor<1x2x9x16xf32> to tensor<1x2x9x8xf32>
    %0 = tensor.empty() : tensor<1x2x9x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice, %cst_0 : tensor<1x2x9x8xf32>, tensor<9x8xf32>) outs(%0 : tensor<1x2x9x8xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %7 = arith.mulf %in, %in_3 : f32
      linalg.yield %7 : f32
    } -> tensor<1x2x9x8xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_1, %cst : tensor<1x2x9x8xf32>, tensor<9x8xf32>) outs(%0 : tensor<1x2x9x8xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %7 = arith.mulf %in, %in_3 : f32
      linalg.yield %7 : f32
    } -> tensor<1x2x9x8xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %2 : tensor<1x2x9x8xf32>, tensor<1x2x9x8xf32>) outs(%0 : tensor<1x2x9x8xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %7 = arith.subf %in, %in_3 : f32
      linalg.yield %7 : f32
    } -> tensor<1x2x9x8xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice, %cst : tensor<1x2x9x8xf32>, tensor<9x8xf32>) outs(%0 : tensor<1x2x9x8xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %7 = arith.mulf %in, %in_3 : f32
      linalg.yield %7 : f32
    } -> tensor<1x2x9x8xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_1, %cst_0 : tensor<1x2x9x8xf32>, tensor<9x8xf32>) outs(%0 : tensor<1x2x9x8xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %7 = arith.mulf %in, %in_3 : f32
      linalg.yield %7 : f32
    } -> tensor<1x2x9x8xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<1x2x9x8xf32>, tensor<1x2x9x8xf32>) outs(%0 : tensor<1x2x9x8xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %7 = arith.addf %in, %in_3 : f32
      linalg.yield %7 : f32
    } -> tensor<1x2x9x8xf32>
    %expanded = tensor.expand_shape %3 [[0], [1], [2], [3, 4]] output_shape [1, 2, 9, 8, 1] : tensor<1x2x9x8xf32> into tensor<1x2x9x8x1xf32>
    %expanded_2 = tensor.expand_shape %6 [[0], [1], [2], [3, 4]] output_shape [1, 2, 9, 8, 1] : tensor<1x2x9x8xf32> into tensor<1x2x9x8x1xf32>
    %concat = tensor.concat dim(4) %expanded, %expanded_2 : (tensor<1x2x9x8x1xf32>, tensor<1x2x9x8x1xf32>) -> tensor<1x2x9x8x2xf32>
    %collapsed = tensor.collapse_shape %concat [[0], [1], [2], [3, 4]] : tensor<1x2x9x8x2xf32> into tensor<1x2x9x16xf32>
    return %collapsed : tensor<1x2x9x16xf32>
  }
}

