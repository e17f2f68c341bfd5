// Products of i8 shifted and saturated in vectors of 32; the kernel is a function of the device.
#map = affine_map<(d0) -> (d0 * 32)>
module {
  aie.device(npu2) {
    %s = aie.tile(3, 0)
    %c = aie.tile(3, 4)
    aie.objectfifo @of_a(%s, {%c}, 2 : i32) : !aie.objectfifo<memref<128xi8>>
    aie.objectfifo @of_b(%s, {%c}, 2 : i32) : !aie.objectfifo<memref<128xi8>>
    aie.objectfifo @of_c(%c, {%s}, 2 : i32) : !aie.objectfifo<memref<128xi8>>
    func.func private @qmul(%a: memref<128xi8>, %b: memref<128xi8>, %o: memref<128xi8>, %sh: i32) {
      %lo = arith.constant dense<-128> : vector<32xi32>
      %hi = arith.constant dense<127> : vector<32xi32>
      %shv = vector.broadcast %sh : i32 to vector<32xi32>
      affine.for %i = 0 to 4 {
        %at = affine.apply #map(%i)
        %x = vector.load %a[%at] : memref<128xi8>, vector<32xi8>
        %y = vector.load %b[%at] : memref<128xi8>, vector<32xi8>
        %xe = arith.extsi %x : vector<32xi8> to vector<32xi32>
        %ye = arith.extsi %y : vector<32xi8> to vector<32xi32>
        %m = arith.muli %xe, %ye : vector<32xi32>
        %r = arith.shrsi %m, %shv : vector<32xi32>
        %c0 = arith.maxsi %r, %lo : vector<32xi32>
        %c1 = arith.minsi %c0, %hi : vector<32xi32>
        %t = arith.trunci %c1 : vector<32xi32> to vector<32xi8>
        vector.store %t, %o[%at] : memref<128xi8>, vector<32xi8>
      }
      return
    }
    %core = aie.core(%c) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %cmax = arith.constant 9223372036854775807 : index
      %sh = arith.constant 4 : i32
      scf.for %i = %c0 to %cmax step %c1 {
        %0 = aie.objectfifo.acquire @of_a(Consume, 1) : !aie.objectfifosubview<memref<128xi8>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<128xi8>> -> memref<128xi8>
        %2 = aie.objectfifo.acquire @of_b(Consume, 1) : !aie.objectfifosubview<memref<128xi8>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<128xi8>> -> memref<128xi8>
        %4 = aie.objectfifo.acquire @of_c(Produce, 1) : !aie.objectfifosubview<memref<128xi8>>
        %5 = aie.objectfifo.subview.access %4[0] : !aie.objectfifosubview<memref<128xi8>> -> memref<128xi8>
        func.call @qmul(%1, %3, %5, %sh) : (memref<128xi8>, memref<128xi8>, memref<128xi8>, i32) -> ()
        aie.objectfifo.release @of_a(Consume, 1)
        aie.objectfifo.release @of_b(Consume, 1)
        aie.objectfifo.release @of_c(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence @sequence(%a: memref<512xi8>, %b: memref<512xi8>, %o: memref<512xi8>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 512][0, 0, 0, 1]) {id = 0 : i64, metadata = @of_a} : memref<512xi8>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 512][0, 0, 0, 1]) {id = 1 : i64, metadata = @of_b} : memref<512xi8>
      aiex.npu.dma_memcpy_nd(%o[0, 0, 0, 0][1, 1, 1, 512][0, 0, 0, 1]) {id = 2 : i64, metadata = @of_c, burst_length = 512 : i64} : memref<512xi8>
      aiex.npu.dma_wait {symbol = @of_c}
    }
  }
}
