// Bytes to grey to black and white on two cores, moved as words by the host.
module {
  aie.device(npu2) {
    func.func private @rgba2gray(%i: memref<4x64xi8>, %o: memref<64xi8>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c64 = arith.constant 64 : index
      scf.for %x = %c0 to %c64 step %c1 {
        %z = arith.constant 0 : i32
        %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%s = %z) -> (i32) {
          %p = memref.load %i[%k, %x] : memref<4x64xi8>
          %e = arith.extui %p : i8 to i32
          %n = arith.addi %s, %e : i32
          scf.yield %n : i32
        }
        %two = arith.constant 2 : i32
        %avg = arith.shrui %sum, %two : i32
        %b = arith.trunci %avg : i32 to i8
        memref.store %b, %o[%x] : memref<64xi8>
      }
      return
    }
    func.func private @threshold(%i: memref<64xi8>, %o: memref<64xi8>, %t: i8) {
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %hi = arith.constant dense<-1> : vector<64xi8>
      %lo = arith.constant dense<0> : vector<64xi8>
      %v = vector.load %i[%c0] : memref<64xi8>, vector<64xi8>
      %tv = vector.broadcast %t : i8 to vector<64xi8>
      %g = arith.cmpi ugt, %v, %tv : vector<64xi8>
      %r = arith.select %g, %hi, %lo : vector<64xi1>, vector<64xi8>
      vector.store %r, %o[%c0] : memref<64xi8>, vector<64xi8>
      return
    }
    %tile_4_0 = aie.tile(4, 0)
    %tile_4_2 = aie.tile(4, 2)
    %tile_5_2 = aie.tile(5, 2)
    aie.objectfifo @inOF(%tile_4_0, {%tile_4_2}, 2 : i32) : !aie.objectfifo<memref<4x64xi8>>
    aie.objectfifo @gray(%tile_4_2, {%tile_5_2}, 2 : i32) : !aie.objectfifo<memref<64xi8>>
    aie.objectfifo @outOF(%tile_5_2, {%tile_4_0}, 2 : i32) : !aie.objectfifo<memref<64xi8>>
    %core_4_2 = aie.core(%tile_4_2) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %cmax = arith.constant 4294967294 : index
      scf.for %a = %c0 to %cmax step %c1 {
        %0 = aie.objectfifo.acquire @inOF(Consume, 1) : !aie.objectfifosubview<memref<4x64xi8>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<4x64xi8>> -> memref<4x64xi8>
        %2 = aie.objectfifo.acquire @gray(Produce, 1) : !aie.objectfifosubview<memref<64xi8>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<64xi8>> -> memref<64xi8>
        func.call @rgba2gray(%1, %3) : (memref<4x64xi8>, memref<64xi8>) -> ()
        aie.objectfifo.release @inOF(Consume, 1)
        aie.objectfifo.release @gray(Produce, 1)
      }
      aie.end
    } {link_with = "rgba2gray.cc.o"}
    %core_5_2 = aie.core(%tile_5_2) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %cmax = arith.constant 4294967294 : index
      %t = arith.constant 100 : i8
      scf.for %a = %c0 to %cmax step %c1 {
        %0 = aie.objectfifo.acquire @gray(Consume, 1) : !aie.objectfifosubview<memref<64xi8>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<64xi8>> -> memref<64xi8>
        %2 = aie.objectfifo.acquire @outOF(Produce, 1) : !aie.objectfifosubview<memref<64xi8>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<64xi8>> -> memref<64xi8>
        func.call @threshold(%1, %3, %t) : (memref<64xi8>, memref<64xi8>, i8) -> ()
        aie.objectfifo.release @gray(Consume, 1)
        aie.objectfifo.release @outOF(Produce, 1)
      }
      aie.end
    } {link_with = "threshold.cc.o"}
    aie.runtime_sequence(%I: memref<512xi32>, %B: memref<1xi32>, %O: memref<128xi32>) {
      aiex.npu.dma_memcpy_nd(%O[0, 0, 0, 0][1, 1, 1, 128][0, 0, 0, 1]) {id = 0 : i64, metadata = @outOF} : memref<128xi32>
      aiex.npu.dma_memcpy_nd(%I[0, 0, 0, 0][1, 1, 1, 512][0, 0, 0, 1]) {id = 1 : i64, metadata = @inOF} : memref<512xi32>
      aiex.npu.dma_wait {symbol = @outOF}
    }
  }
}
