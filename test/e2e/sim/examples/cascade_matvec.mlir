// Products of a vector with three sets of weights, summed along a cascade of cores; endless loops as scf.while and as branches.
module {
  aie.device(npu1) {
    %t10 = aie.tile(1, 0)
    %t15 = aie.tile(1, 5)
    %t14 = aie.tile(1, 4)
    %t13 = aie.tile(1, 3)
    %w5 = aie.buffer(%t15) {sym_name = "w5"} : memref<16xi32> = dense<3>
    %w4 = aie.buffer(%t14) {sym_name = "w4"} : memref<16xi32> = dense<5>
    %w3 = aie.buffer(%t13) {sym_name = "w3"} : memref<16xi32> = dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]>
    aie.objectfifo @bcast(%t10, {%t13, %t14, %t15}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo @res(%t13, {%t10}, [2 : i32, 2 : i32]) : !aie.objectfifo<memref<16xi32>>
    aie.cascade_flow(%t15, %t14)
    aie.cascade_flow(%t14, %t13)
    %c15 = aie.core(%t15) {
      %c0 = arith.constant 0 : index
      %true = arith.constant true
      %pad = arith.constant 0 : i32
      scf.while : () -> () {
        scf.condition(%true)
      } do {
        %s = aie.objectfifo.acquire @bcast(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
        %x = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        %v = vector.transfer_read %x[%c0], %pad {in_bounds = [true]} : memref<16xi32>, vector<16xi32>
        %w = vector.load %w5[%c0] : memref<16xi32>, vector<16xi32>
        %p = arith.muli %v, %w : vector<16xi32>
        aie.put_cascade(%p : vector<16xi32>)
        aie.objectfifo.release @bcast(Consume, 1)
        scf.yield
      }
      aie.end
    }
    %c14 = aie.core(%t14) {
      %c0 = arith.constant 0 : index
      %true = arith.constant true
      %pad = arith.constant 0 : i32
      scf.while : () -> () {
        scf.condition(%true)
      } do {
        %s = aie.objectfifo.acquire @bcast(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
        %x = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        %v = vector.load %x[%c0] : memref<16xi32>, vector<16xi32>
        %w = vector.load %w4[%c0] : memref<16xi32>, vector<16xi32>
        %p = arith.muli %v, %w : vector<16xi32>
        %i = aie.get_cascade() : vector<16xi32>
        %q = arith.addi %p, %i : vector<16xi32>
        aie.put_cascade(%q : vector<16xi32>)
        aie.objectfifo.release @bcast(Consume, 1)
        scf.yield
      }
      aie.end
    }
    %c13 = aie.core(%t13) {
      %c0 = arith.constant 0 : index
      cf.br ^bb1
    ^bb1:
      %s = aie.objectfifo.acquire @bcast(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
      %x = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      %so = aie.objectfifo.acquire @res(Produce, 1) : !aie.objectfifosubview<memref<16xi32>>
      %o = aie.objectfifo.subview.access %so[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      %v = vector.load %x[%c0] : memref<16xi32>, vector<16xi32>
      %w = vector.load %w3[%c0] : memref<16xi32>, vector<16xi32>
      %p = arith.muli %v, %w : vector<16xi32>
      %i = aie.get_cascade() : vector<16xi32>
      %q = arith.addi %p, %i : vector<16xi32>
      vector.store %q, %o[%c0] : memref<16xi32>, vector<16xi32>
      aie.objectfifo.release @bcast(Consume, 1)
      aie.objectfifo.release @res(Produce, 1)
      cf.br ^bb1
    }
    aie.runtime_sequence(%a : memref<64xi32>, %b : memref<64xi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @bcast} : memref<64xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 1 : i64, metadata = @res} : memref<64xi32>
      aiex.npu.dma_wait {symbol = @res}
    }
  }
}
