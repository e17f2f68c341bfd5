// func args tokens, returning tokens
module {
  func.func @tok(%t: !air.async.token, %arg0: memref<8xi32, 1>, %arg1: memref<8xi32>) -> !air.async.token {
    %0 = air.dma_memcpy_nd async [%t] (%arg1[] [] [], %arg0[] [] []) : (memref<8xi32>, memref<8xi32, 1>)
    %1 = air.wait_all async [%0, %t]
    return %1 : !air.async.token
  }
}
