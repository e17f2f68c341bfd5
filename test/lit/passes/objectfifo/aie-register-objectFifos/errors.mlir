// RUN: allo-opt %s --aie-register-objectFifos --verify-diagnostics

aie.device(npu1) {
  %t12 = aie.tile(1, 2)
  %t13 = aie.tile(1, 3)
  aie.objectfifo @of(%t12, {%t13}, 4 : i32) : !aie.objectfifo<memref<16xi32>>
  %cst = arith.constant dense<1> : tensor<1xi32>
  %c10 = arith.constant 10 : index
  func.func private @work(%b: memref<16xi32>)
  aie.objectfifo.register_process @of(Consume, %cst : tensor<1xi32>, %cst : tensor<1xi32>, @work, %c10)
  // expected-error@below {{is consumer 2 of '@of', which has 1}}
  aie.objectfifo.register_process @of(Consume, %cst : tensor<1xi32>, %cst : tensor<1xi32>, @work, %c10)
}
