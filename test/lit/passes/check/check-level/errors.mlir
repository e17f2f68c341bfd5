// RUN: allo-opt %s --split-input-file --check-level=level=channel --verify-diagnostics

func.func @copies(%a: memref<8xi32, 1>, %b: memref<8xi32, 2>) {
  // expected-error@+3 {{'air.dma_memcpy_nd' op is not legal at level 'channel'}}
  // expected-note-re@+2 {{legal there (launch, segment and herd that talk over channels): arith.*, {{.*}}air.*, without air.dma_memcpy_nd}}
  // expected-note@+1 {{run air-dma-to-channel}}
  air.dma_memcpy_nd (%b[] [] [], %a[] [] []) : (memref<8xi32, 2>, memref<8xi32, 1>)
  return
}

// -----

func.func @tensors(%a: tensor<8xi32>, %i: index) -> i32 {
  // expected-error@+1 {{'tensor.extract' op is not legal at level 'channel'}}
  %0 = tensor.extract %a[%i] : tensor<8xi32>
  return %0 : i32
}

// -----

module {
  // expected-error@+1 {{'aie.device' op is not legal at level 'channel'}}
  aie.device(npu1) {
    %t = aie.tile(0, 2)
  }
}
